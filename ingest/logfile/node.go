package logfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// Node is what an incident node of the old watcher tells beside its samples:
// how often it counted, and the issue it points at. Only the samples are
// entries; the other occurrences are a number.
type Node struct {
	Fingerprint       string // the masked id
	Category          string
	Severity          string
	ExceptionType     string
	NormalizedMessage string
	TopFrame          string
	Namespace         string
	Pods              []string
	Occurrences       int64 // as counted, the samples among them
	Samples           int   // kept
	FirstSeen         time.Time
	LastSeen          time.Time
	Status            string
	IssueNumber       int64
	IssueURL          string
	Repository        string
	Path              string // of the input
}

// nodeJSON is a node as it is exported.
type nodeJSON struct {
	Fingerprint       string    `json:"fingerprint"`
	Category          string    `json:"category"`
	Severity          string    `json:"severity"`
	ExceptionType     string    `json:"exceptionType"`
	NormalizedMessage string    `json:"normalizedMessage"`
	TopFrame          string    `json:"topFrame"`
	Namespace         string    `json:"namespace"`
	Pods              []string  `json:"pods"`
	Occurrences       int64     `json:"occurrences"`
	FirstSeen         looseTime `json:"firstSeen"`
	LastSeen          looseTime `json:"lastSeen"`
	Samples           []struct {
		Timestamp looseTime `json:"timestamp"`
		Pod       string    `json:"pod"`
		Namespace string    `json:"namespace"`
		Line      string    `json:"line"`
	} `json:"samples"`
	Status      string          `json:"status"`
	IssueNumber json.RawMessage `json:"issueNumber"` // a number, in some exports a string
	IssueURL    string          `json:"issueUrl"`
	Repository  string          `json:"repository"`
}

// looseTime is a time of RFC 3339, or none.
type looseTime struct {
	ns int64
	ok bool
}

// UnmarshalJSON reads the time; what is none is none and no error.
func (t *looseTime) UnmarshalJSON(b []byte) error {
	if len(b) >= 2 && b[0] == '"' {
		t.ns, t.ok = stamp.RFC3339(b[1 : len(b)-1])
	}
	return nil
}

func (t looseTime) time() time.Time {
	if !t.ok {
		return time.Time{}
	}
	return time.Unix(0, t.ns).UTC()
}

// maxNodeBytes bounds one input of nodes.
const maxNodeBytes = 32 << 20

// nodeDocument reads incident nodes: one object, several, or an array.
type nodeDocument struct {
	r   io.Reader
	env *environment
	seq uint64
}

func (d *nodeDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	limited := &io.LimitedReader{R: d.r, N: maxNodeBytes}
	dec := json.NewDecoder(limited)
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			var syntax *json.SyntaxError
			switch {
			case limited.N <= 0:
				err = fmt.Errorf("incident nodes of more than %d bytes", maxNodeBytes)
			case !errors.As(err, &syntax) && !errors.Is(err, io.ErrUnexpectedEOF):
				return err
			}
			bad(&pieceError{place: fmt.Sprintf("byte %d", dec.InputOffset()), err: err})
			return nil
		}
		if err := d.node(raw, entry, bad); err != nil {
			return err
		}
	}
}

// node hands on the samples of one node, or of an array of nodes.
func (d *nodeDocument) node(raw json.RawMessage, entry func(*item) error, bad func(*pieceError)) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			bad(&pieceError{err: err})
			return nil
		}
		for _, one := range list {
			if err := d.one(one, entry, bad); err != nil {
				return err
			}
		}
		return nil
	}
	return d.one(raw, entry, bad)
}

func (d *nodeDocument) one(raw json.RawMessage, entry func(*item) error, bad func(*pieceError)) error {
	var n nodeJSON
	if err := json.Unmarshal(raw, &n); err != nil {
		bad(&pieceError{err: fmt.Errorf("no incident node: %w", err)})
		return nil
	}
	in := d.env.in
	node := Node{
		Fingerprint: n.Fingerprint, Category: n.Category, Severity: n.Severity, ExceptionType: n.ExceptionType,
		NormalizedMessage: n.NormalizedMessage, TopFrame: n.TopFrame, Namespace: n.Namespace, Pods: n.Pods,
		Occurrences: n.Occurrences, Samples: len(n.Samples), FirstSeen: n.FirstSeen.time(), LastSeen: n.LastSeen.time(),
		Status: n.Status, IssueURL: n.IssueURL, Repository: n.Repository, Path: in.name(),
	}
	if digits := strings.Trim(string(n.IssueNumber), `"#`); digits != "" && digits != "null" {
		fmt.Sscan(digits, &node.IssueNumber)
	}
	in.nodes = append(in.nodes, node)
	if node.Occurrences > int64(node.Samples) {
		in.partial = true
		in.note("", fmt.Errorf("incident node %s counts %d occurrences and keeps %d samples: the others are a number only",
			node.Fingerprint, node.Occurrences, node.Samples))
	}
	for i, s := range n.Samples {
		if !s.Timestamp.ok {
			bad(&pieceError{err: fmt.Errorf("incident node %s, sample %d: %w", node.Fingerprint, i+1, errNoTime)})
			continue
		}
		namespace := s.Namespace
		if namespace == "" {
			namespace = n.Namespace
		}
		if err := d.sample(s.Timestamp.ns, namespace, s.Pod, s.Line, entry); err != nil {
			return err
		}
	}
	return nil
}

// sample hands on a burst line by line, as it was shipped.
func (d *nodeDocument) sample(ns int64, namespace, pod, burst string, entry func(*item) error) error {
	var labels []ingest.Label
	if namespace != "" {
		labels = append(labels, ingest.Label{Name: "namespace", Value: namespace})
	}
	if pod != "" {
		labels = append(labels, ingest.Label{Name: "pod", Value: pod})
	}
	stream := d.env.labels.stream(labels)
	burst = strings.TrimRight(burst, "\r\n")
	for i, line := range strings.Split(burst, "\n") {
		it := item{nano: ns, stream: stream, line: []byte(strings.TrimSuffix(line, "\r")), seq: d.seq, inherited: i > 0}
		d.seq++
		if len(it.line) > d.env.maxLine {
			it.line = it.line[:d.env.maxLine]
		}
		if err := entry(&it); err != nil {
			return err
		}
	}
	return nil
}

// Nodes lists the incident nodes among the inputs, by fingerprint.
func (r *Reader) Nodes() []Node {
	var all []Node
	for _, in := range r.inputs {
		all = append(all, in.nodes...)
	}
	slices.SortStableFunc(all, func(a, b Node) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
	return all
}

func nodeFormat() *Format {
	return &Format{
		Name:     "incident-node",
		Title:    "incidents of the old watcher: ten samples and a counter",
		Example:  `{"fingerprint":"4c7856a2414c6b32","occurrences":397,"samples":[{"timestamp":"2026-09-19T19:06:52.047Z","pod":"portal-0","line":"fail: Polly[0]\n      ..."}]}`,
		detect:   func(h *head) string { return h.needKeys("fingerprint", "occurrences", "samples") },
		document: func(r io.Reader, env *environment) document { return &nodeDocument{r: r, env: env} },
	}
}

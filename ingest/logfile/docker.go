package logfile

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// pieces joins the pieces in which a container runtime stores long lines.
// Each of a container's two outputs has its own.
type pieces struct {
	env   *environment
	held  map[string]*held
	order []string // names of outputs in order of appearance
	last  int64    // time of the last entry handed on
}

type held struct {
	stream *ingest.Stream
	text   []byte
	nano   int64
	open   bool
}

// add takes a piece of an output. More says that the line goes on; then
// nothing is handed on. A line has the time of its last piece, so that entries
// stay in the order of the file.
func (p *pieces) add(output string, ns int64, text []byte, more bool, it *item) error {
	h := p.held[output]
	if h == nil {
		return p.addTo(output, p.env.fileStream(ingest.Label{Name: "stream", Value: output}), ns, text, more, it)
	}
	return p.addTo(output, h.stream, ns, text, more, it)
}

// isOpen reports whether a line of an output goes on.
func (p *pieces) isOpen(output string) bool {
	h := p.held[output]
	return h != nil && h.open
}

// addTo is add for an output of a stream.
func (p *pieces) addTo(output string, stream *ingest.Stream, ns int64, text []byte, more bool, it *item) error {
	h := p.held[output]
	if h == nil {
		if len(p.held) >= maxOutputs {
			p.last = ns
			it.nano, it.stream, it.line = ns, stream, text
			return nil
		}
		h = &held{stream: stream}
		if p.held == nil {
			p.held = map[string]*held{}
		}
		p.held[output] = h
		p.order = append(p.order, output)
	}
	if !h.open {
		h.stream = stream
	}
	if h.open || more {
		if !h.open {
			h.text = h.text[:0]
		}
		if room := p.env.maxLine + 1 - len(h.text); room > 0 {
			h.text = append(h.text, text[:min(len(text), room)]...)
		}
		h.open, h.nano = more, ns
		text = h.text
	}
	if more {
		return errNoEntry
	}
	it.nano, it.stream, it.line = ns, h.stream, text
	p.last = ns
	if len(p.held) > 2 {
		// Of many outputs only the open ones are kept.
		delete(p.held, output)
		p.order = slices.DeleteFunc(p.order, func(name string) bool { return name == output })
	}
	return nil
}

// maxOutputs bounds the outputs whose lines may be open at once; a piece of
// yet another one is an entry by itself.
const maxOutputs = 32

// flush hands on a line whose last piece never came.
func (p *pieces) flush(it *item) error {
	for _, name := range p.order {
		if h := p.held[name]; h.open {
			h.open = false
			it.nano, it.stream, it.line = max(h.nano, p.last), h.stream, h.text
			return nil
		}
	}
	return errNoEntry
}

// dockerJSON reads docker's json-file: {"log":"text\n","stream":"stderr",
// "time":"..."}.
//
// With log-opts there is "attrs" too, an object of texts: labels of the
// container and its tag, of which those count that name pod or service.
type dockerJSON struct {
	pieces
	text    []byte
	key     []byte
	streams map[string]*ingest.Stream // by output and attrs
}

// dockerLabels are the members of "attrs" that tell of the stream.
var dockerLabels = map[string]string{
	"io.kubernetes.pod.name": "pod", "io.kubernetes.pod.namespace": "namespace", "io.kubernetes.container.name": "container",
	"com.docker.compose.service": "service", "com.docker.swarm.service.name": "service", "tag": "container",
}

// stream is that of an output of a container with attributes.
func (d *dockerJSON) stream(output string, attrs []byte) *ingest.Stream {
	d.key = append(append(append(d.key[:0], output...), 0), attrs...)
	if s := d.streams[string(d.key)]; s != nil {
		return s
	}
	labels := []ingest.Label{{Name: "stream", Value: output}}
	all, err := parseLabels(attrs)
	for _, a := range all {
		name := dockerLabels[a.Name]
		known := func(l ingest.Label) bool { return l.Name == name }
		if name == "" || a.Value == "" || a.Name == "tag" && slices.ContainsFunc(all, func(l ingest.Label) bool { return l.Name == "io.kubernetes.container.name" }) || slices.ContainsFunc(labels, known) {
			continue
		}
		labels = append(labels, ingest.Label{Name: name, Value: a.Value})
	}
	if err != nil || len(labels) == 1 {
		labels = labels[:1]
	}
	labels = append(labels, d.env.fileLabels(labels)...)
	sortLabels(labels)
	s := d.env.labels.stream(labels)
	if d.streams == nil || len(d.streams) >= maxOutputs {
		d.streams = map[string]*ingest.Stream{}
	}
	d.streams[string(d.key)] = s
	return s
}

func (d *dockerJSON) quickTime(line []byte) (int64, bool) {
	i := bytes.LastIndex(line, []byte(`"time":"`))
	if i < 0 {
		return 0, false
	}
	text := line[i+len(`"time":"`):]
	end := bytes.IndexByte(text, '"')
	if end < 0 {
		return 0, false
	}
	return stamp.RFC3339(text[:end])
}

func (d *dockerJSON) parse(line []byte, it *item) error {
	var ns int64
	var haveTime, haveLog bool
	output := "stdout"
	var attrs []byte
	end, err := jsonscan.Object(line, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(line, i)
		if err == nil && line[i] == '{' && string(key) == "attrs" {
			attrs = line[i:end]
		}
		if err != nil || line[i] != '"' {
			return end, err
		}
		value := line[i+1 : end-1]
		switch string(key) {
		case "log":
			haveLog = true
			d.text, err = jsonscan.Unescape(d.text[:0], value)
		case "stream":
			output = string(value)
		case "time":
			ns, haveTime = stamp.RFC3339(value)
		}
		return end, err
	})
	switch {
	case err != nil:
		return err
	case jsonscan.Space(line, end) != len(line):
		return jsonscan.ErrSyntax
	case !haveLog:
		return errNoLine
	case !haveTime:
		return errNoTime
	}
	text, whole := bytes.CutSuffix(d.text, []byte("\n"))
	if attrs != nil {
		s := d.stream(output, attrs)
		return d.addTo(output, s, ns, bytes.TrimSuffix(text, []byte("\r")), !whole, it)
	}
	return d.add(output, ns, bytes.TrimSuffix(text, []byte("\r")), !whole, it)
}

func dockerFormat() *Format {
	return &Format{
		Name:    "docker",
		Title:   "docker's json-file",
		Example: `{"log":"fail: Polly[0]\n","stream":"stderr","time":"2026-09-19T08:10:16.049626825Z"}`,
		detect: func(h *head) string {
			if reason := h.needLine("log", "time"); reason != "" {
				return reason
			}
			if h.kind("log") != '"' || h.kind("time") != '"' && !h.cutOff {
				return `"log" and "time" are no strings`
			}
			for key := range h.keys {
				if key != "log" && key != "time" && key != "stream" && key != "attrs" {
					return fmt.Sprintf("%q is no member of docker's", key)
				}
			}
			return ""
		},
		lines:     func(env *environment) lineFormat { return &dockerJSON{pieces: pieces{env: env}} },
		whole:     true,
		longLines: 4,
	}
}

// cri reads the files of containerd and CRI-O: "TIME stdout F text", P instead
// of F for a piece.
type cri struct{ pieces }

// criHead takes a line apart.
func criHead(line []byte) (ns int64, output, text []byte, more, ok bool) {
	at, rest, found := bytes.Cut(line, []byte(" "))
	if !found {
		return 0, nil, nil, false, false
	}
	if ns, ok = stamp.RFC3339(at); !ok {
		return 0, nil, nil, false, false
	}
	output, rest, found = bytes.Cut(rest, []byte(" "))
	if !found || string(output) != "stdout" && string(output) != "stderr" {
		return 0, nil, nil, false, false
	}
	tags, text, _ := bytes.Cut(rest, []byte(" "))
	if len(tags) == 0 || tags[0] != 'F' && tags[0] != 'P' || len(tags) > 1 && tags[1] != ':' {
		return 0, nil, nil, false, false
	}
	return ns, output, text, tags[0] == 'P', true
}

func (c *cri) quickTime(line []byte) (int64, bool) {
	ns, _, _, _, ok := criHead(line)
	return ns, ok
}

func (c *cri) parse(line []byte, it *item) error {
	ns, output, text, more, ok := criHead(line)
	if !ok {
		return errNoTime
	}
	return c.add(string(output), ns, text, more, it)
}

func criFormat() *Format {
	return &Format{
		Name:    "cri",
		Title:   "log files of containerd and CRI-O, as in /var/log/pods",
		Example: `2026-09-19T08:10:16.049626825Z stderr F fail: Polly[0]`,
		detect: func(h *head) string {
			return h.needShare(50, func(line []byte) bool { _, _, _, _, ok := criHead(line); return ok })
		},
		lines: func(env *environment) lineFormat { return &cri{pieces{env: env}} },
		whole: true,
	}
}

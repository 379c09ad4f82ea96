package logfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// grafanaJSON reads what Grafana's Explore downloads as JSON: an array of
// {"line","timestamp" in nanoseconds,"fields":{labels}}.
type grafanaJSON struct {
	r   io.Reader
	env *environment
}

func (g *grafanaJSON) each(entry func(*item) error, bad func(*pieceError)) error {
	bounded := g.env.rows(g.r)
	dec := json.NewDecoder(bounded)
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		bad(&pieceError{err: errors.New("no JSON array")})
		return readError(err)
	}
	for seq := uint64(0); dec.More(); seq++ {
		bounded.next()
		var row struct {
			Line      *string         `json:"line"`
			Timestamp json.RawMessage `json:"timestamp"`
			Fields    json.RawMessage `json:"fields"`
			Labels    json.RawMessage `json:"labels"`
		}
		at := fmt.Sprintf("byte %d", dec.InputOffset())
		if err := dec.Decode(&row); err != nil {
			bad(&pieceError{place: at, err: err})
			var wrongType *json.UnmarshalTypeError
			if errors.As(err, &wrongType) {
				continue
			}
			return readError(err)
		}
		ns, ok := g.time(bytes.Trim(row.Timestamp, `"`))
		if !ok || row.Line == nil {
			bad(&pieceError{place: at, err: errNoTime})
			continue
		}
		if len(row.Fields) == 0 {
			row.Fields = row.Labels
		}
		var labels []ingest.Label
		if len(row.Fields) > 0 && row.Fields[0] == '{' {
			var err error
			if labels, err = parseLabels(row.Fields); err != nil {
				bad(&pieceError{place: at, err: err})
				continue
			}
		}
		set := g.env.labels.intern(labels)
		if err := entry(&item{nano: ns, stream: set.stream, metadata: set.metadata, line: []byte(*row.Line), seq: seq}); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		bad(&pieceError{place: fmt.Sprintf("byte %d", dec.InputOffset()), err: errors.New("the array does not end")})
		return readError(err)
	}
	return nil
}

// time reads nanoseconds since 1970, or a time in any other form.
func (g *grafanaJSON) time(b []byte) (int64, bool) {
	st, ok := stamp.Value(b)
	if !ok {
		ns, err := strconv.ParseInt(string(b), 10, 64)
		return ns, err == nil
	}
	cal := stamp.Calendar{Zone: g.env.zone, Near: g.env.near}
	return cal.Nanos(st)
}

// rowLines bounds what is read for one row of a document: so many times the
// longest line that is kept.
const rowLines = 16

var (
	errLongRow   = errors.New("an entry more than 16 times as long as what is kept of one; what follows it is not read")
	errManyCells = errors.New("a row of more than 131,072 cells; what follows it is not read")
)

// rowReader fails when too much is read for one row, since the decoders of the
// standard library hold a row whole.
type rowReader struct {
	r     io.Reader
	limit int64 // bytes of a row
	read  int64
	cell  byte // separates cells, of which a row has at most maxCells; 0: none
	cells int
}

// maxCells bounds the cells of a row, each of which costs far more than its
// bytes.
const maxCells = 1 << 17

func (env *environment) rows(r io.Reader) *rowReader {
	return &rowReader{r: r, limit: rowLines * int64(env.maxLine)}
}

// next begins a row.
func (r *rowReader) next() { r.read, r.cells = 0, 0 }

func (r *rowReader) Read(p []byte) (int, error) {
	if r.read > r.limit {
		return 0, errLongRow
	}
	if r.cells > maxCells {
		return 0, errManyCells
	}
	n, err := r.r.Read(p)
	r.read += int64(n)
	if r.cell != 0 {
		r.cells += bytes.Count(p[:n], []byte{r.cell})
	}
	return n, err
}

// readError returns err if reading failed, and nil if what was read is wrong
// or ends too early.
func readError(err error) error {
	var syntax *json.SyntaxError
	if err == nil || errors.Is(err, errLongRow) || err == errWay || err == io.EOF || err == io.ErrUnexpectedEOF || errors.As(err, &syntax) {
		return nil
	}
	return err
}

func grafanaJSONFormat() *Format {
	return &Format{
		Name:    "grafana-json",
		Title:   "Grafana Explore's download as JSON",
		Example: `[{"line":"fail: Polly[0]","timestamp":"1789805416049626825","date":"2026-09-19T08:10:16.049Z","fields":{"pod":"portal-0"}}]`,
		detect: func(h *head) string {
			if !strings.HasPrefix(strings.TrimSpace(string(h.data[:min(len(h.data), 100)])), "[") {
				return "no JSON array"
			}
			return h.needKeys("line", "timestamp")
		},
		document: func(r io.Reader, env *environment) document { return &grafanaJSON{r: r, env: env} },
		fromLoki: true,
	}
}

// withoutBOM drops a byte order mark at the start.
type withoutBOM struct {
	r       io.Reader
	started bool
}

func (w *withoutBOM) Read(p []byte) (int, error) {
	if w.started || len(p) < len(bom) {
		return w.r.Read(p)
	}
	w.started = true
	n, err := io.ReadFull(w.r, p[:len(bom)])
	if err == io.ErrUnexpectedEOF {
		err = nil
	}
	if string(p[:n]) == string(bom) {
		return w.r.Read(p)
	}
	return n, err
}

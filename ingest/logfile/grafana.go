package logfile

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// grafanaJSON reads what Grafana's Explore downloads as JSON: an array of
// {"line","timestamp" in nanoseconds,"fields":{labels}}.
type grafanaJSON struct {
	r   io.Reader
	env *environment
}

func (g *grafanaJSON) each(entry func(*item) error, bad func(*pieceError)) error {
	bounded := &rowReader{r: g.r}
	dec := json.NewDecoder(bounded)
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		bad(&pieceError{err: errors.New("no JSON array")})
		return readError(err)
	}
	for seq := uint64(0); dec.More(); seq++ {
		bounded.next()
		var row struct {
			Line      *string           `json:"line"`
			Timestamp json.RawMessage   `json:"timestamp"`
			Fields    map[string]string `json:"fields"`
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
		ns, err := strconv.ParseInt(strings.Trim(string(row.Timestamp), `"`), 10, 64)
		if err != nil || row.Line == nil {
			bad(&pieceError{place: at, err: errNoTime})
			continue
		}
		var labels []ingest.Label
		for name, value := range row.Fields {
			labels = append(labels, ingest.Label{Name: name, Value: value})
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

// maxRow bounds what is read for one row of a document.
const maxRow = 16 << 20

var errLongRow = errors.New("an entry of more than 16 MiB")

// rowReader fails when too much is read for one row, since the decoders of the
// standard library hold a row whole.
type rowReader struct {
	r    io.Reader
	read int64
}

// next begins a row.
func (r *rowReader) next() { r.read = 0 }

func (r *rowReader) Read(p []byte) (int, error) {
	if r.read > maxRow {
		return 0, errLongRow
	}
	n, err := r.r.Read(p)
	r.read += int64(n)
	return n, err
}

// readError returns err if reading failed, and nil if what was read is wrong
// or ends too early.
func readError(err error) error {
	var syntax *json.SyntaxError
	if err == nil || errors.Is(err, errLongRow) || err == io.EOF || err == io.ErrUnexpectedEOF || errors.As(err, &syntax) {
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

// csvColumns are where a table of entries has what; -1 is nowhere.
type csvColumns struct {
	nanos, time, line, labels int
}

// findColumns finds the columns of a table by the names in its first row.
func findColumns(header []string) csvColumns {
	find := func(names ...string) int {
		for _, want := range names {
			if i := slices.IndexFunc(header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), want) }); i >= 0 {
				return i
			}
		}
		return -1
	}
	return csvColumns{
		nanos:  find("tsNs", "timestamp_ns"),
		time:   find("timestamp", "time", "@timestamp", "date", "datetime", "ts"),
		line:   find("line", "body", "message", "msg", "log", "content"),
		labels: find("labels", "stream"),
	}
}

func (c csvColumns) usable() bool { return (c.nanos >= 0 || c.time >= 0) && c.line >= 0 }

// csvTable reads a table with a column of times and one of lines.
type csvTable struct {
	r   io.Reader
	env *environment
}

func (t *csvTable) each(entry func(*item) error, bad func(*pieceError)) error {
	bounded := &rowReader{r: &withoutBOM{r: t.r}}
	r := csv.NewReader(bounded)
	r.FieldsPerRecord = -1
	r.LazyQuotes = true
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		return readError(err)
	}
	columns := findColumns(slices.Clone(header))
	if !columns.usable() {
		bad(&pieceError{place: "1", err: errors.New("no column of times and one of lines")})
		return nil
	}
	cal := stamp.Calendar{Zone: t.env.zone, Near: t.env.near}
	for seq := uint64(0); ; seq++ {
		bounded.next()
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if errors.Is(err, errLongRow) {
			bad(&pieceError{err: err})
			return nil
		}
		line, _ := r.FieldPos(0)
		at := strconv.Itoa(line)
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			bad(&pieceError{place: strconv.Itoa(broken.Line), err: broken.Err})
			continue
		}
		if err != nil {
			return err
		}
		ns, ok := columns.at(row, &cal)
		if !ok || columns.line >= len(row) {
			bad(&pieceError{place: at, err: errNoTime})
			continue
		}
		it := item{nano: ns, line: []byte(row[columns.line]), seq: seq}
		it.stream, it.metadata = t.stream(columns, row)
		if err := entry(&it); err != nil {
			return err
		}
	}
}

// at reads a row's time.
func (c csvColumns) at(row []string, cal *stamp.Calendar) (int64, bool) {
	if c.nanos >= 0 && c.nanos < len(row) {
		if ns, err := strconv.ParseInt(row[c.nanos], 10, 64); err == nil && ns > 1e17 {
			return ns, true
		}
	}
	if c.time < 0 || c.time >= len(row) {
		return 0, false
	}
	s, ok := stamp.Value([]byte(strings.TrimSpace(row[c.time])))
	if !ok {
		return 0, false
	}
	return cal.Nanos(s)
}

// stream reads a row's labels, in selector form or as JSON.
func (t *csvTable) stream(c csvColumns, row []string) (*ingest.Stream, []ingest.Label) {
	if c.labels < 0 || c.labels >= len(row) {
		return t.env.fileStream(), nil
	}
	if set, err := t.env.labels.get([]byte(row[c.labels])); err == nil && len(set.stream.Labels) > 0 {
		return set.stream, set.metadata
	}
	labels, err := lokijson.ParseLabelText([]byte(row[c.labels]))
	if err != nil {
		return t.env.fileStream(), nil
	}
	set := t.env.labels.intern(labels)
	return set.stream, set.metadata
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

func csvFormat() *Format {
	return &Format{
		Name:    "csv",
		Title:   "tables with a column of times and one of lines, such as Grafana's download as CSV",
		Example: "Time,labels,Line,tsNs\n2026-09-19T08:10:16.049Z,\"{\"\"pod\"\":\"\"portal-0\"\"}\",fail: Polly[0],1789805416049626825",
		detect: func(h *head) string {
			if len(h.lines) == 0 {
				return "empty"
			}
			header, err := csv.NewReader(strings.NewReader(string(h.lines[0]))).Read()
			if err != nil || len(header) < 2 || !findColumns(header).usable() {
				return "the first line does not name a column of times and one of lines"
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &csvTable{r: r, env: env} },
		fromLoki: true,
	}
}

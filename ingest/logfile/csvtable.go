package logfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// csvColumns are where a table of entries has what; -1 is nowhere.
type csvColumns struct {
	nanos, time, line, labels, level int
	origins                          [originCount]int
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
	c := csvColumns{
		nanos:  find("tsNs", "timestamp_ns"),
		time:   find("timestamp", "@timestamp", "time", "date", "datetime", "ts", "_time", "TimeGenerated", "TimeGenerated [UTC]", "timestamp [UTC]", "Date and Time", "TimeCreated"),
		line:   find("line", "body", "message", "@message", "msg", "log", "content", "LogMessage", "LogEntry", "_raw", "textPayload"),
		labels: find("labels", "stream"),
		level:  find("severity", "level", "LogLevel", "detected_level", "status"),
	}
	for i := range c.origins {
		c.origins[i] = -1
	}
	for i, names := range csvOrigins {
		c.origins[i] = find(names...)
	}
	return c
}

// csvOrigins are the columns that tell where a line comes from.
var csvOrigins = map[int][]string{
	originPod:       {"pod", "kubernetes.pod.name", "kubernetes.pod_name", "PodName", "pod_name"},
	originNamespace: {"namespace", "kubernetes.namespace", "kubernetes.namespace_name", "PodNamespace"},
	originContainer: {"container", "kubernetes.container.name", "kubernetes.container_name", "ContainerName"},
	originService:   {"service_name", "service", "service.name", "app"},
	originHost:      {"host", "host.name", "hostname", "Computer"},
	originLogStream: {"@logStream", "logStreamName"},
	originUnit:      {"unit"},
}

func (c csvColumns) usable() bool { return (c.nanos >= 0 || c.time >= 0) && c.line >= 0 }

// csvTable reads a table with a column of times and one of lines.
type csvTable struct {
	r   io.Reader
	env *environment
}

func (t *csvTable) each(entry func(*item) error, bad func(*pieceError)) error {
	bounded := t.env.rows(&withoutBOM{r: t.r})
	buffered := bufio.NewReaderSize(bounded, sniffSize)
	begin, _ := buffered.Peek(sniffSize)
	comma, skip := csvSeparator(begin)
	buffered.Discard(skip)
	bounded.cell = byte(comma)
	r := csv.NewReader(buffered)
	r.Comma = comma
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
		if errors.Is(err, errLongRow) || errors.Is(err, errManyCells) {
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
		if c := columns.level; len(it.metadata) == 0 && c >= 0 && c < len(row) && row[c] != "" {
			it.metadata = []ingest.Label{{Name: "severity_text", Value: row[c]}}
		}
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
	s, ok := stamp.Cell([]byte(strings.TrimSpace(row[c.time])))
	if !ok {
		return 0, false
	}
	return cal.Nanos(s)
}

// stream reads a row's labels, in selector form or as JSON.
func (t *csvTable) stream(c csvColumns, row []string) (*ingest.Stream, []ingest.Label) {
	if c.labels < 0 || c.labels >= len(row) {
		return t.origin(c, row), nil
	}
	if set, err := t.env.labels.get([]byte(row[c.labels])); err == nil && len(set.stream.Labels) > 0 {
		return set.stream, set.metadata
	}
	labels, err := lokijson.ParseLabelText([]byte(row[c.labels]))
	if err != nil {
		return t.origin(c, row), nil
	}
	set := t.env.labels.intern(labels)
	return set.stream, set.metadata
}

// origin is the stream that the columns of a row tell.
func (t *csvTable) origin(c csvColumns, row []string) *ingest.Stream {
	var s shipped
	for i, column := range c.origins {
		if column >= 0 && column < len(row) && row[column] != "" && len(row[column]) <= 256 && !strings.Contains(row[column], "\\") {
			s.origins[i] = []byte(row[column])
		}
	}
	if len(s.appendKey(nil)) == 0 {
		return t.env.fileStream()
	}
	return t.env.labels.stream(s.labels(t.env))
}

// csvSeparator tells what separates the cells, and how many bytes of "sep=,",
// as written for spreadsheets, stand before the table.
func csvSeparator(begin []byte) (comma rune, skip int) {
	if rest, ok := bytes.CutPrefix(begin, []byte("sep=")); ok && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r') {
		skip = bytes.IndexByte(begin, '\n') + 1
		if c := rune(rest[0]); c == ',' || c == ';' || c == '\t' || c == '|' {
			return c, skip
		}
	}
	line, _, _ := bytes.Cut(begin[skip:], []byte("\n"))
	comma = ','
	most := 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(line, []byte{c}); n > most {
			comma, most = rune(c), n
		}
	}
	return comma, skip
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
			comma, skip := csvSeparator(h.data)
			line, _, _ := bytes.Cut(h.data[skip:], []byte("\n"))
			r := csv.NewReader(bytes.NewReader(bytes.TrimRight(line, "\r")))
			r.Comma = comma
			header, err := r.Read()
			if err != nil || len(header) < 2 || !findColumns(header).usable() {
				return "the first line does not name a column of times and one of lines"
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &csvTable{r: r, env: env} },
		fromLoki: true,
	}
}

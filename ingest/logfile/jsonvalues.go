package logfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// jsonValues reads the objects of loggers, shippers and log services that do
// not stand one a line: spread over many lines, in an array, or in an array
// inside an answer of a service ("events", "hits.hits", "records"). Each
// becomes the line that would have stood alone, without white space, and is
// read as such.
type jsonValues struct {
	r    io.Reader
	env  *environment
	path []string // of the array inside each value; nil where there is none

	bounded *rowReader
	dec     *json.Decoder
	lines   lineFormat // of one entry; chosen by the first
	around  []ingest.Label
	compact bytes.Buffer
	seq     uint64
	entry   func(*item) error
	bad     func(*pieceError)
}

func (j *jsonValues) each(entry func(*item) error, bad func(*pieceError)) error {
	j.entry, j.bad = entry, bad
	buffered := bufio.NewReaderSize(&withoutBOM{r: j.r}, sniffSize)
	data, _ := buffered.Peek(sniffSize)
	j.path, _ = arrayPath(data)
	j.bounded = j.env.rows(buffered)
	j.dec = json.NewDecoder(j.bounded)
	for {
		j.bounded.next()
		j.around = nil
		err := j.descend(j.path)
		var stopped *stopError
		switch {
		case err == nil:
		case err == io.EOF:
			return nil
		case errors.As(err, &stopped):
			return stopped.err
		default:
			told := err
			if err == io.ErrUnexpectedEOF && len(j.path) > 0 {
				told = errors.New("the array does not end")
			}
			bad(&pieceError{place: j.place(), err: told})
			return readError(err)
		}
	}
}

// stopError is an error of the one who takes the entries.
type stopError struct{ err error }

func (e *stopError) Error() string { return e.err.Error() }

func (j *jsonValues) place() string { return fmt.Sprintf("byte %d", j.dec.InputOffset()) }

// descend reads the next value: an entry where no path is left, else the
// object or array that leads to the entries.
func (j *jsonValues) descend(path []string) error {
	if len(path) == 0 {
		at := j.place()
		var raw json.RawMessage
		if err := j.dec.Decode(&raw); err != nil {
			return err
		}
		return j.value(raw, at)
	}
	open, err := j.dec.Token()
	if err != nil {
		return err
	}
	switch {
	case path[0] == "[" && open == json.Delim('['):
		for j.dec.More() {
			j.bounded.next()
			if err := j.descend(path[1:]); err != nil {
				return short(err)
			}
		}
	case path[0] != "[" && open == json.Delim('{'):
		for j.dec.More() {
			j.bounded.next()
			key, err := j.dec.Token()
			if err != nil {
				return short(err)
			}
			if key == json.Token(path[0]) {
				err = j.descend(path[1:])
			} else {
				err = j.beside(key)
			}
			if err != nil {
				return short(err)
			}
		}
	default:
		return errWay
	}
	_, err = j.dec.Token()
	return short(err)
}

var errWay = errors.New("another value than the first: no entries where that has them")

// short makes the end of the input inside a value an error.
func short(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// beside reads a member beside the entries: it may tell where they come from.
func (j *jsonValues) beside(key json.Token) error {
	var raw json.RawMessage
	if err := j.dec.Decode(&raw); err != nil {
		return err
	}
	name, _ := key.(string)
	var value string
	switch name {
	case "logGroup", "logStream":
		if json.Unmarshal(raw, &value) == nil && value != "" {
			name = map[string]string{"logGroup": "log_group", "logStream": "log_stream"}[name]
			j.around = append(j.around, ingest.Label{Name: name, Value: value})
			sortLabels(j.around)
		}
	}
	return nil
}

// value hands on an entry.
func (j *jsonValues) value(raw json.RawMessage, at string) error {
	j.compact.Reset()
	if err := json.Compact(&j.compact, raw); err != nil {
		j.bad(&pieceError{place: at, err: err})
		return nil
	}
	line := j.compact.Bytes()
	if len(line) == 0 || line[0] != '{' {
		j.bad(&pieceError{place: at, err: errors.New("no object where an entry should be")})
		return nil
	}
	if j.lines == nil {
		j.lines = linesOf(line, j.env)
	}
	var it item
	switch err := j.lines.parse(line, &it); {
	case err == errNoEntry:
		return nil
	case err != nil:
		j.bad(&pieceError{place: at, err: err})
		return nil
	}
	if len(j.around) > 0 {
		it.stream = j.env.labels.stream(slices.Clone(j.around))
	}
	it.seq = j.seq
	j.seq++
	if len(it.line) > j.env.maxLine {
		it.line = it.line[:j.env.maxLine]
		j.bad(&pieceError{place: at, err: fmt.Errorf("entry cut after %d bytes", j.env.maxLine), kept: true})
	}
	if err := j.entry(&it); err != nil {
		return &stopError{err}
	}
	return nil
}

// linesOf finds what reads an entry where it stands alone on a line.
func linesOf(line []byte, env *environment) lineFormat {
	for _, f := range []*Format{jsonlFormat(), journaldFormat()} {
		var it item
		if err := f.lines(env).parse(bytes.Clone(line), &it); err == nil || err == errNoEntry {
			return f.lines(env)
		}
	}
	return newJSONLines(env)
}

// arrayPath finds the way from the first value of b to the entries: "[" for an
// array, a name for a member; empty where the value is an entry itself. b may
// end inside the value.
func arrayPath(b []byte) (path []string, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(b))
	var first json.RawMessage
	if err := dec.Decode(&first); err == nil && len(first) > 0 && first[0] == '{' && isEntry(first) {
		return nil, true
	}
	return wayTo(b, 0)
}

// wayDepth bounds how deep in an answer the entries are looked for.
const wayDepth = 5

// wayTo finds the first array of entries in the value that b begins with.
func wayTo(b []byte, depth int) ([]string, bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || depth > wayDepth {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if _, err := dec.Token(); err != nil {
		return nil, false
	}
	switch b[0] {
	case '[':
		rest := bytes.TrimLeft(b[1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '{' {
			return nil, false
		}
		var first json.RawMessage
		if json.NewDecoder(bytes.NewReader(rest)).Decode(&first) == nil && isEntry(first) {
			return []string{"["}, true
		}
		if way, ok := wayTo(rest, depth+1); ok {
			return append([]string{"["}, way...), true
		}
	case '{':
		for dec.More() {
			key, err := dec.Token()
			name, _ := key.(string)
			if err != nil || name == "[" {
				return nil, false
			}
			rest := bytes.TrimLeft(b[dec.InputOffset():], " \t\r\n:")
			if len(rest) > 0 && (rest[0] == '{' || rest[0] == '[') {
				if way, ok := wayTo(rest, depth+1); ok && slices.Contains(way, "[") {
					return append([]string{name}, way...), true
				}
			}
			var skipped json.RawMessage
			if dec.Decode(&skipped) != nil {
				return nil, false
			}
		}
	}
	return nil, false
}

// isEntry reports whether an object is one of a logger, a shipper or a
// service: it has a time.
func isEntry(object []byte) bool {
	var b bytes.Buffer
	if json.Compact(&b, object) != nil {
		return false
	}
	if _, ok := stampOfObject(b.Bytes()); ok {
		return true
	}
	h := newHead(b.Bytes(), true)
	return journaldFormat().detect(h) == "" || jsonlFormat().detect(h) == ""
}

func jsonValuesFormat() *Format {
	return &Format{
		Name:    "json-values",
		Title:   "objects of JSON loggers, shippers and log services in an array, in a service's answer (CloudWatch, Elasticsearch, Azure, Google Cloud), or spread over several lines",
		Example: "[{\"time\":\"2026-09-19T08:10:16.049Z\",\"level\":\"ERROR\",\"msg\":\"download failed\"},\n {\"time\":\"2026-09-19T08:10:17.049Z\",\"level\":\"INFO\",\"msg\":\"download done\"}]",
		detect: func(h *head) string {
			data := bytes.TrimLeft(h.data, " \t\r\n")
			if len(data) == 0 || data[0] != '{' && data[0] != '[' {
				return "no JSON array or object at the start"
			}
			path, ok := arrayPath(data)
			switch {
			case !ok:
				return "no object with a time among its members, nor an array of such"
			case len(path) == 0 && len(h.lines) > 0 && json.Valid(h.lines[0]):
				return "its objects stand one a line"
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &jsonValues{r: r, env: env} },
	}
}

package logfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// jsonValues reads the objects of JSON loggers that do not stand one a line: an
// array of them, as exports of log services are, or objects spread over many
// lines. Each becomes the line that the logger wrote, without white space.
type jsonValues struct {
	r   io.Reader
	env *environment

	calendar stamp.Calendar
	stream   *ingest.Stream
	compact  bytes.Buffer
	seq      uint64
	last     int64
	known    bool
}

func (j *jsonValues) each(entry func(*item) error, bad func(*pieceError)) error {
	j.calendar = stamp.Calendar{Zone: j.env.zone, Near: j.env.near}
	j.stream = j.env.fileStream()
	buffered := bufio.NewReader(&withoutBOM{r: j.r})
	array := opensArray(buffered)
	bounded := &rowReader{r: buffered}
	dec := json.NewDecoder(bounded)
	if array {
		if _, err := dec.Token(); err != nil {
			return readError(err)
		}
	}
	for !array || dec.More() {
		bounded.next()
		at := fmt.Sprintf("byte %d", dec.InputOffset())
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			if err == io.EOF && !array {
				return nil
			}
			bad(&pieceError{place: at, err: err})
			return readError(err)
		}
		if err := j.value(raw, at, entry, bad); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		bad(&pieceError{place: fmt.Sprintf("byte %d", dec.InputOffset()), err: errors.New("the array does not end")})
		return readError(err)
	}
	return nil
}

// opensArray reports whether the first value is an array.
func opensArray(r *bufio.Reader) bool {
	for n := 1; ; n++ {
		b, err := r.Peek(n)
		if err != nil {
			return false
		}
		switch b[n-1] {
		case ' ', '\t', '\r', '\n':
		default:
			return b[n-1] == '['
		}
	}
}

// value hands on an object.
func (j *jsonValues) value(raw json.RawMessage, at string, entry func(*item) error, bad func(*pieceError)) error {
	j.compact.Reset()
	if err := json.Compact(&j.compact, raw); err != nil {
		bad(&pieceError{place: at, err: err})
		return nil
	}
	line := j.compact.Bytes()
	it := item{stream: j.stream, line: line, seq: j.seq}
	if s, ok := stamp.InJSON(line); ok {
		if ns, ok := j.calendar.Nanos(s); ok {
			j.last, j.known, it.nano = ns, true, ns
		}
	}
	switch {
	case !j.known:
		bad(&pieceError{place: at, err: errors.New("no time among the members of this object, nor before it")})
		return nil
	case it.nano == 0:
		it.nano = j.last
	}
	j.seq++
	if len(line) > j.env.maxLine {
		it.line = line[:j.env.maxLine]
		bad(&pieceError{place: at, err: fmt.Errorf("entry cut after %d bytes", j.env.maxLine), kept: true})
	}
	return entry(&it)
}

func jsonValuesFormat() *Format {
	return &Format{
		Name:    "json-values",
		Title:   "objects of JSON loggers in an array, or spread over several lines",
		Example: "[{\"time\":\"2026-09-19T08:10:16.049Z\",\"level\":\"ERROR\",\"msg\":\"download failed\"},\n {\"time\":\"2026-09-19T08:10:17.049Z\",\"level\":\"INFO\",\"msg\":\"download done\"}]",
		detect: func(h *head) string {
			data := bytes.TrimLeft(h.data, " \t\r\n")
			if len(data) == 0 || data[0] != '{' && data[0] != '[' {
				return "no JSON array or object at the start"
			}
			if len(h.lines) > 0 && data[0] == '{' && json.Valid(h.lines[0]) {
				return "its objects stand one a line"
			}
			if data[0] == '[' {
				data = bytes.TrimLeft(data[1:], " \t\r\n")
			}
			var first json.RawMessage
			if err := json.NewDecoder(bytes.NewReader(data)).Decode(&first); err != nil {
				return "no whole JSON object at the start"
			}
			var b bytes.Buffer
			if json.Compact(&b, first) != nil {
				return "no JSON object at the start"
			}
			if _, ok := stamp.InJSON(b.Bytes()); !ok {
				return "no time among the members of the first object"
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &jsonValues{r: r, env: env} },
	}
}

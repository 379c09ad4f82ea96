package logfile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// jsonLines reads lines that are JSON objects of a logger or a shipper. A line
// that is none, and has no time at its start, belongs to the line before.
type jsonLines struct {
	env      *environment
	calendar stamp.Calendar
	shipped  shipped
	text     []byte // decoded lines
	key      []byte
	streams  map[string]*ingest.Stream
	file     *ingest.Stream
	last     *ingest.Stream
	nano     int64
	known    bool
}

func newJSONLines(env *environment) *jsonLines {
	j := &jsonLines{env: env, calendar: stamp.Calendar{Zone: env.zone, Near: env.near}, file: env.fileStream()}
	j.last = j.file
	j.nano, j.known = j.quickTime(env.in.lead)
	return j
}

// withoutMark drops what stands before the object in JSON text sequences
// (RFC 7464) and in server-sent events.
func withoutMark(line []byte) []byte {
	if len(line) > 0 && line[0] == 0x1e {
		return line[1:]
	}
	return bytes.TrimPrefix(line, []byte("data: "))
}

func (j *jsonLines) quickTime(line []byte) (int64, bool) {
	line = withoutMark(line)
	st, ok := stamp.AtLineStart(line)
	if !ok && len(line) > 0 && line[0] == '{' && j.shipped.read(line) {
		st, ok = j.shipped.time(j.text)
	}
	if !ok {
		return 0, false
	}
	return j.calendar.Nanos(st)
}

var errNoTimeMember = errors.New("no time among the members of this object, nor before it")

func (j *jsonLines) parse(line []byte, it *item) error {
	line = withoutMark(line)
	if len(line) == 0 || line[0] != '{' || !j.shipped.read(line) {
		ns, ok := j.quickTime(line)
		if ok {
			j.nano, j.known, j.last = ns, true, j.file
		} else if !j.known {
			return fmt.Errorf("no timestamp in this line, nor before it")
		}
		it.nano, it.inherited, it.stream, it.line = j.nano, !ok, j.last, line
		return nil
	}
	return j.take(it)
}

// take makes an entry of the object that was read.
func (j *jsonLines) take(it *item) error {
	s := &j.shipped
	st, ok := s.time(j.text)
	var ns int64
	if ok {
		ns, ok = j.calendar.Nanos(st)
	}
	if ok {
		j.nano, j.known = ns, true
	} else if !j.known {
		return errNoTimeMember
	}
	it.nano, it.inherited = j.nano, !ok
	it.line = s.object
	if raw, found := s.line(); found {
		text, err := jsonscan.Unescape(j.text[:0], raw)
		if err != nil {
			return err
		}
		j.text = text
		it.line = bytes.TrimRight(text, "\r\n")
		it.metadata = s.metadata()
	}
	j.key = s.appendKey(j.key[:0])
	if len(j.key) == 0 {
		j.last = j.file
	} else if known := j.streams[string(j.key)]; known != nil {
		j.last = known
	} else {
		j.last = j.env.labels.stream(s.labels(j.env))
		if j.streams == nil || len(j.streams) >= maxLabelSets {
			j.streams = map[string]*ingest.Stream{}
		}
		j.streams[string(j.key)] = j.last
	}
	it.stream = j.last
	return nil
}

func jsonLinesFormat() *Format {
	f := textFormat("json-lines", "JSON lines of a logger or a shipper: slog, zap, pino, Serilog, Envoy, fluent-bit, Vector, Filebeat, Google Cloud, stern -o json",
		`{"time":"2026-09-19T08:10:16.049Z","level":"ERROR","msg":"download failed"}`, stampOfObject, 50)
	f.lines = func(env *environment) lineFormat { return newJSONLines(env) }
	return f
}

// stampOfObject finds the time of a line that is an object.
func stampOfObject(line []byte) (stamp.Stamp, bool) {
	line = withoutMark(line)
	if len(line) == 0 || line[0] != '{' {
		return stamp.Stamp{}, false
	}
	if s, ok := stamp.InJSON(line); ok {
		return s, true
	}
	var s shipped
	if !s.read(line) {
		return stamp.Stamp{}, false
	}
	return s.time(nil)
}

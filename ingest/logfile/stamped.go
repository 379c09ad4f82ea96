package logfile

import (
	"bytes"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// cut is what a line's transport had put before the text.
type cut struct {
	ns      int64
	untimed bool   // the transport told no time: the text may
	local   []byte // the transport's time, where it names no zone
	labels  []byte // tells the stream, as far as the transport does
	text    []byte
}

// stamped reads lines before which a transport (kubectl, docker, logcli,
// Grafana) has put a timestamp, and perhaps where the line comes from; both
// are taken off, because they are no part of the line. A line without belongs
// to the one before. Where the transport tells only whose line it is, the
// line's own text tells the time, and text without one has that of the line
// before it, of whatever stream.
type stamped struct {
	split    func(line []byte) (cut, bool)
	stream   func(labels []byte) (*ingest.Stream, []ingest.Label, error)
	calendar stamp.Calendar
	streams  map[string]*labelSet
	last     item
	known    bool
}

func newStamped(env *environment, split func([]byte) (cut, bool), stream func(*environment, []byte) (*ingest.Stream, []ingest.Label, error)) *stamped {
	s := &stamped{
		split: split, calendar: stamp.Calendar{Zone: env.zone, Near: env.near},
		stream: func(labels []byte) (*ingest.Stream, []ingest.Label, error) { return stream(env, labels) },
	}
	s.last.nano, s.known = s.quickTime(env.in.lead)
	return s
}

func (s *stamped) quickTime(line []byte) (int64, bool) {
	c, ok := s.split(line)
	if !ok {
		return 0, false
	}
	return s.time(&c)
}

// time tells the time of a line that was taken apart.
func (s *stamped) time(c *cut) (int64, bool) {
	if !c.untimed {
		return c.ns, true
	}
	st, ok := stamp.AtStart(c.local)
	if c.local == nil {
		st, ok = stamp.Any(c.text)
	}
	if !ok {
		return 0, false
	}
	return s.calendar.Nanos(st)
}

func (s *stamped) parse(line []byte, it *item) error {
	c, ok := s.split(line)
	if !ok {
		c, ok = s.markSeen(line)
	}
	if !ok {
		if s.last.stream == nil {
			return errNoTime
		}
		it.nano, it.stream, it.metadata = s.last.nano, s.last.stream, s.last.metadata
		it.line, it.inherited = line, true
		return nil
	}
	set := s.streams[string(c.labels)]
	if set == nil {
		stream, metadata, err := s.stream(c.labels)
		if err != nil {
			return err
		}
		set = &labelSet{stream: stream, metadata: metadata}
		if s.streams == nil || len(s.streams) >= maxLabelSets {
			s.streams = map[string]*labelSet{}
		}
		s.streams[string(c.labels)] = set
	}
	ns, ok := s.time(&c)
	if !ok {
		if !s.known {
			return errNoTime
		}
		ns, it.inherited = s.last.nano, true
	}
	it.nano, it.stream, it.metadata, it.line = ns, set.stream, set.metadata, c.text
	s.last, s.known = *it, true
	return nil
}

// markSeen cuts a mark of two or three words off that was seen before, where
// the text behind it alone would not tell that it is one.
func (s *stamped) markSeen(line []byte) (cut, bool) {
	at := 0
	for words := 1; words <= 3; words++ {
		n := bytes.IndexByte(line[at:], ' ')
		if n <= 0 || len(s.streams) == 0 {
			break
		}
		if at += n + 1; words > 1 && s.streams[string(line[:at-1])] != nil {
			return cut{untimed: true, labels: line[:at-1], text: line[at:]}, true
		}
	}
	return cut{}, false
}

// stampedFormat describes such lines; share percent of the lines must have
// the prefix.
func stampedFormat(name, title, example string, share int, split func([]byte) (cut, bool), stream func(*environment, []byte) (*ingest.Stream, []ingest.Label, error)) *Format {
	return &Format{
		Name: name, Title: title, Example: example,
		detect: func(h *head) string {
			return h.needShare(share, func(line []byte) bool { _, ok := split(line); return ok })
		},
		lines: func(env *environment) lineFormat { return newStamped(env, split, stream) },
	}
}

// stampAnd cuts a timestamp of RFC 3339 and the separator after it off.
func stampAnd(line []byte, sep byte) (ns int64, rest []byte, ok bool) {
	i := bytes.IndexByte(line, sep)
	if i < 20 || i > 35 {
		return 0, nil, false
	}
	ns, ok = stamp.RFC3339(line[:i])
	return ns, line[i+1:], ok
}

// splitTimestamps takes apart what kubectl logs --timestamps and docker logs
// -t print. They print nanoseconds, which loggers themselves hardly do, but
// without the zeros at the end.
func splitTimestamps(line []byte) (cut, bool) {
	ns, text, ok := stampAnd(line, ' ')
	if !ok {
		ns, ok = stamp.RFC3339(line) // of an empty line
		text = nil
	}
	return cut{ns: ns, text: text}, ok && len(line) > 10 && line[10] == 'T'
}

// nanosecondStamp reports whether a line has a timestamp with more than seven
// digits of a second.
func nanosecondStamp(line []byte) bool {
	_, n := stamp.Fraction(line[min(len(line), 19):])
	_, ok := splitTimestamps(line)
	return ok && n > 8
}

// indentedBehind reports whether an indented line stands behind a timestamp:
// no logger prints its own so, but a transport that stamps every line of a
// stack trace does.
func indentedBehind(line []byte) bool {
	c, ok := splitTimestamps(line)
	return ok && (bytes.HasPrefix(c.text, []byte("\t")) || bytes.HasPrefix(c.text, []byte("   "))) && len(bytes.TrimSpace(c.text)) > 0
}

// splitLogcli takes apart what logcli prints without -o: "TIME {labels} text".
func splitLogcli(line []byte) (cut, bool) {
	ns, rest, ok := stampAnd(line, ' ')
	if !ok || len(rest) == 0 || rest[0] != '{' {
		return cut{}, false
	}
	quoted := false
	for i := 1; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case c == '}' && !quoted:
			labels := rest[:i+1]
			if _, err := lokijson.ParseLabelText(labels); err != nil {
				return cut{}, false
			}
			return cut{ns: ns, labels: labels, text: bytes.TrimPrefix(rest[i+1:], []byte(" "))}, true
		}
	}
	return cut{}, false
}

func streamOfFile(env *environment, _ []byte) (*ingest.Stream, []ingest.Label, error) {
	return env.fileStream(), nil, nil
}

func stampedFormats() []*Format {
	timestamps := stampedFormat("timestamps", "kubectl logs --timestamps, docker logs -t, CloudWatch's exports",
		`2026-09-19T08:10:16.049626825Z fail: Polly[0]`, 50, splitTimestamps, streamOfFile)
	every := timestamps.detect
	timestamps.detect = func(h *head) string {
		if reason := every(h); reason != "" {
			return reason
		}
		if h.needShare(100, func(line []byte) bool { _, ok := splitTimestamps(line); return ok }) == "" && slices.ContainsFunc(h.lines, indentedBehind) {
			return ""
		}
		return h.needShare(50, nanosecondStamp)
	}
	return append(carriers(),
		stampedFormat("logcli-text", "logcli without -o",
			`2026-09-19T08:10:16Z {pod="portal-0"} fail: Polly[0]`, 50, splitLogcli,
			func(env *environment, text []byte) (*ingest.Stream, []ingest.Label, error) {
				labels, err := lokijson.ParseLabelText(text)
				if err != nil {
					return nil, nil, err
				}
				own, metadata := lokijson.SplitMetadata(labels)
				return env.labels.stream(own), metadata, nil
			}),
		grafanaTextFormat(),
		timestamps,
	)
}

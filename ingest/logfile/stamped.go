package logfile

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// cut is what a line's transport had put before the text.
type cut struct {
	ns     int64
	labels []byte // tells the stream, as far as the transport does
	text   []byte
}

// stamped reads lines before which a transport (kubectl, docker, logcli,
// Grafana) has put a timestamp, and perhaps where the line comes from; both
// are taken off, because they are no part of the line. A line without belongs
// to the one before.
type stamped struct {
	split   func(line []byte) (cut, bool)
	stream  func(labels []byte) (*ingest.Stream, []ingest.Label, error)
	streams map[string]*labelSet
	last    item
	known   bool
}

func (s *stamped) quickTime(line []byte) (int64, bool) {
	c, ok := s.split(line)
	return c.ns, ok
}

func (s *stamped) parse(line []byte, it *item) error {
	c, ok := s.split(line)
	if !ok {
		if !s.known {
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
	it.nano, it.stream, it.metadata, it.line = c.ns, set.stream, set.metadata, c.text
	s.last, s.known = *it, true
	return nil
}

// stampedFormat describes such lines; share percent of the lines must have
// the prefix.
func stampedFormat(name, title, example string, share int, split func([]byte) (cut, bool), stream func(*environment, []byte) (*ingest.Stream, []ingest.Label, error)) *Format {
	return &Format{
		Name: name, Title: title, Example: example,
		detect: func(h *head) string {
			return h.needShare(share, func(line []byte) bool { _, ok := split(line); return ok })
		},
		lines: func(env *environment) lineFormat {
			return &stamped{split: split, stream: func(labels []byte) (*ingest.Stream, []ingest.Label, error) { return stream(env, labels) }}
		},
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
// -t print. They print nanoseconds, which loggers themselves hardly do.
func splitTimestamps(line []byte) (cut, bool) {
	ns, text, ok := stampAnd(line, ' ')
	if !ok || len(line) < 20 || line[19] != '.' {
		return cut{}, false
	}
	return cut{ns: ns, text: text}, true
}

// nanosecondStamp reports whether a line has a timestamp with more than seven
// digits of a second.
func nanosecondStamp(line []byte) bool {
	_, n := stamp.Fraction(line[min(len(line), 19):])
	_, ok := splitTimestamps(line)
	return ok && n > 8
}

// splitPrefix takes apart what kubectl logs --prefix --timestamps prints:
// "[pod/NAME/CONTAINER] TIME text".
func splitPrefix(line []byte) (cut, bool) {
	if !bytes.HasPrefix(line, []byte("[pod/")) {
		return cut{}, false
	}
	end := bytes.Index(line, []byte("] "))
	if end < 0 || bytes.Count(line[:end], []byte("/")) != 2 {
		return cut{}, false
	}
	ns, text, ok := stampAnd(line[end+2:], ' ')
	return cut{ns: ns, labels: line[1:end], text: text}, ok
}

// splitStern takes apart what stern -t prints: "POD CONTAINER TIME text".
func splitStern(line []byte) (cut, bool) {
	pod, rest, ok := bytes.Cut(line, []byte(" "))
	container, rest, found := bytes.Cut(rest, []byte(" "))
	if !ok || !found || !podName(pod) || !podName(container) || !nanosecondStamp(rest) {
		return cut{}, false
	}
	ns, text, ok := stampAnd(rest, ' ')
	return cut{ns: ns, labels: line[:len(pod)+1+len(container)], text: text}, ok
}

// podName reports whether b can be the name of a pod or a container.
func podName(b []byte) bool {
	for _, c := range b {
		if c-'0' > 9 && (c < 'a' || c > 'z') && c != '-' && c != '.' {
			return false
		}
	}
	return len(b) > 0
}

// splitCompose takes apart what docker compose logs -t prints: "NAME | TIME
// text".
func splitCompose(line []byte) (cut, bool) {
	name, rest, found := bytes.Cut(line, []byte(" | "))
	name = bytes.TrimRight(name, " ")
	if !found || len(name) == 0 || bytes.ContainsAny(name, " \t\"") {
		return cut{}, false
	}
	ns, text, ok := stampAnd(rest, ' ')
	return cut{ns: ns, labels: name, text: text}, ok
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

// splitGrafana takes apart what Grafana's Explore downloads as TXT: the time,
// a tab, the line.
func splitGrafana(line []byte) (cut, bool) {
	ns, text, ok := stampAnd(line, '\t')
	return cut{ns: ns, text: text}, ok
}

func streamOfFile(env *environment, _ []byte) (*ingest.Stream, []ingest.Label, error) {
	return env.fileStream(), nil, nil
}

func stampedFormats() []*Format {
	timestamps := stampedFormat("timestamps", "kubectl logs --timestamps and docker logs -t",
		`2026-09-19T08:10:16.049626825Z fail: Polly[0]`, 100, splitTimestamps, streamOfFile)
	every := timestamps.detect
	timestamps.detect = func(h *head) string {
		if reason := every(h); reason != "" {
			return reason
		}
		return h.needShare(50, nanosecondStamp)
	}
	return []*Format{
		stampedFormat("kubectl", "kubectl logs --prefix --timestamps",
			`[pod/portal-0/portal] 2026-09-19T08:10:16.049626825Z fail: Polly[0]`, 50, splitPrefix,
			func(env *environment, labels []byte) (*ingest.Stream, []ingest.Label, error) {
				part := bytes.Split(labels, []byte("/"))
				return env.labels.stream([]ingest.Label{{Name: "container", Value: string(part[2])}, {Name: "pod", Value: string(part[1])}}), nil, nil
			}),
		stampedFormat("stern", "stern -t",
			`portal-0 portal 2026-09-19T08:10:16.049626825Z fail: Polly[0]`, 50, splitStern,
			func(env *environment, labels []byte) (*ingest.Stream, []ingest.Label, error) {
				pod, container, _ := bytes.Cut(labels, []byte(" "))
				return env.labels.stream([]ingest.Label{{Name: "container", Value: string(container)}, {Name: "pod", Value: string(pod)}}), nil, nil
			}),
		stampedFormat("compose", "docker compose logs -t",
			`portal-1  | 2026-09-19T08:10:16.049626825Z fail: Polly[0]`, 50, splitCompose,
			func(env *environment, name []byte) (*ingest.Stream, []ingest.Label, error) {
				return env.labels.stream([]ingest.Label{{Name: "container", Value: string(name)}}), nil, nil
			}),
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
	}
}

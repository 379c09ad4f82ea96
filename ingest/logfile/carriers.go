package logfile

import (
	"bytes"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// carrier is a program that prints the lines of several streams one after the
// other and marks each with the stream it is of, with a time or without.
type carrier struct {
	name, title, example string
	share                int // percent of the lines that must have the mark
	split                func(line []byte) (cut, bool)
	labels               func(mark []byte) []ingest.Label
}

// carriers are the formats of such programs. One line at least must have a
// time: the carrier's, or one of its own.
func carriers() []*Format {
	var formats []*Format
	for _, c := range [...]carrier{
		{"kubectl", "kubectl logs --prefix, with or without --timestamps",
			"[pod/portal-0/portal] 2026-09-19T08:10:16.049626825Z fail: Polly[0]", 80, splitKubectl, kubectlLabels},
		{"stern", "stern, with or without -t",
			"portal-0 portal 2026-09-19T08:10:16.049626825Z fail: Polly[0]", 50, splitStern, podLabels},
		{"kail", "kail", "prod/portal-0[portal]: 2026-09-19 08:10:16,049 ERROR fetch failed", 80, splitKail, podLabels},
		{"compose", "docker compose logs and docker service logs, with or without -t",
			"portal-1  | 2026-09-19T08:10:16.049626825Z fail: Polly[0]", 80, splitCompose, containerLabel},
		{"heroku", "heroku logs, fly logs and cf logs",
			"2026-09-19T08:10:16.049626+00:00 heroku[router]: at=error code=H12 desc=\"Request timeout\"", 80, splitDyno, dynoLabels},
		{"aws-tail", "aws logs tail", "2026-09-19T08:10:16.049000+00:00 portal/portal/0b1c fail: Polly[0]", 80, splitLogStream, logStreamLabel},
	} {
		formats = append(formats, carrierFormat(c))
	}
	return formats
}

func carrierFormat(c carrier) *Format {
	split := func(line []byte) (cut, bool) { return c.split(withoutColours(line)) }
	f := stampedFormat(c.name, c.title, c.example, c.share, split,
		func(env *environment, mark []byte) (*ingest.Stream, []ingest.Label, error) {
			labels := c.labels(mark)
			sortLabels(labels)
			return env.labels.stream(labels), nil, nil
		})
	marked := f.detect
	f.detect = func(h *head) string {
		if reason := marked(h); reason != "" {
			return reason
		}
		for _, line := range h.lines {
			if c, ok := split(line); ok {
				if _, timed := stamp.Any(c.text); timed || !c.untimed {
					return ""
				}
			}
		}
		return "neither the program nor the lines tell a time"
	}
	return f
}

// markBytes is how far into a line the colours of a mark are looked for.
const markBytes = 200

// withoutColours returns a line without the colour codes at its beginning and
// in its mark; the line itself, where there are none.
func withoutColours(line []byte) []byte {
	head := line[:min(len(line), markBytes)]
	if bytes.IndexByte(head, 0x1b) < 0 {
		return line
	}
	out := make([]byte, 0, len(line))
	for {
		i := bytes.Index(head, []byte("\x1b["))
		if i < 0 {
			break
		}
		end := i + 2
		for end < len(head) && (head[end] == ';' || head[end]-'0' <= 9) {
			end++
		}
		if end == len(head) {
			break
		}
		out = append(out, head[:i]...)
		line, head = line[end+1:], head[end+1:]
	}
	return append(out, line...)
}

// carried is the cut of a line with a mark: a time of RFC 3339 with nine
// digits or fewer after it is the carrier's own.
func carried(mark, rest []byte) cut {
	if ns, text, ok := stampAnd(rest, ' '); ok && rest[10] == 'T' {
		return cut{ns: ns, labels: mark, text: text}
	}
	return cut{untimed: true, labels: mark, text: rest}
}

// splitKubectl takes apart what kubectl logs --prefix prints: "[pod/NAME/CONTAINER] ".
func splitKubectl(line []byte) (cut, bool) {
	if !bytes.HasPrefix(line, []byte("[pod/")) {
		return cut{}, false
	}
	end := bytes.IndexByte(line, ']')
	if end < 0 || bytes.Count(line[:end], []byte("/")) != 2 {
		return cut{}, false
	}
	return carried(line[len("[pod/"):end], bytes.TrimPrefix(line[end+1:], []byte(" "))), true
}

func kubectlLabels(mark []byte) []ingest.Label {
	pod, container, _ := bytes.Cut(mark, []byte("/"))
	return []ingest.Label{{Name: "container", Value: string(container)}, {Name: "pod", Value: string(pod)}}
}

// splitStern takes apart what stern prints: "POD CONTAINER ", with the
// namespace before that for several. Without stern's time the line's own must
// follow, or an indented part of a record.
func splitStern(line []byte) (cut, bool) {
	at := 0
	var hyphen bool // in the word before the last: the pod's name
	for words := 1; words <= 3; words++ {
		n := bytes.IndexByte(line[at:], ' ')
		if n <= 0 || !podName(line[at:at+n]) {
			return cut{}, false
		}
		word, pod := line[at:at+n], hyphen
		hyphen = bytes.IndexByte(word, '-') > 0 && word[0] >= 'a'
		if at += n + 1; words == 1 || !pod {
			continue
		}
		c := carried(line[:at-1], line[at:])
		if !c.untimed || len(c.text) > 0 && (c.text[0] == ' ' || c.text[0] == '\t') {
			return c, true
		}
		if _, ok := stamp.AtLineStart(c.text); ok {
			return c, true
		}
	}
	return cut{}, false
}

// podName reports whether b can be the name of a pod or a container.
func podName(b []byte) bool {
	for i, c := range b {
		if c-'0' > 9 && (c < 'a' || c > 'z') && (c != '-' && c != '.' || i == 0 || i == len(b)-1) {
			return false
		}
	}
	return len(b) > 0
}

// podLabels reads "POD CONTAINER" and "NAMESPACE POD CONTAINER".
func podLabels(mark []byte) []ingest.Label {
	part := bytes.Split(mark, []byte(" "))
	n := len(part)
	labels := []ingest.Label{{Name: "container", Value: string(part[n-1])}, {Name: "pod", Value: string(part[n-2])}}
	if n > 2 {
		labels = append(labels, ingest.Label{Name: "namespace", Value: string(part[0])})
	}
	return labels
}

// splitKail takes apart what kail prints: "NAMESPACE/POD[CONTAINER]: ".
func splitKail(line []byte) (cut, bool) {
	slash := bytes.IndexByte(line, '/')
	open := bytes.IndexByte(line, '[')
	end := bytes.Index(line, []byte("]: "))
	if slash < 0 || open < slash || end < open ||
		!podName(line[:slash]) || !podName(line[slash+1:open]) || !podName(line[open+1:end]) {
		return cut{}, false
	}
	mark := slices.Concat(line[:slash], []byte(" "), line[slash+1:open], []byte(" "), line[open+1:end])
	return carried(mark, line[end+3:]), true
}

// splitCompose takes apart what docker compose logs prints: "NAME  | ".
func splitCompose(line []byte) (cut, bool) {
	bar := bytes.IndexByte(line, '|')
	if bar < 2 || line[bar-1] != ' ' {
		return cut{}, false
	}
	name := bytes.TrimRight(line[:bar], " ")
	if len(name) == 0 || bytes.ContainsAny(name, " \t\"[]{}=:") || name[0]-'0' <= 9 {
		return cut{}, false
	}
	return carried(name, bytes.TrimPrefix(line[bar+1:], []byte(" "))), true
}

func containerLabel(name []byte) []ingest.Label {
	return []ingest.Label{{Name: "container", Value: string(name)}}
}

// splitDyno takes apart what platforms print behind a time: Heroku's
// "SOURCE[DYNO]: ", where a process id never stands, Fly's "app[ID] REGION
// [LEVEL]" and Cloud Foundry's "[SOURCE/NUMBER] OUT".
func splitDyno(line []byte) (cut, bool) {
	ns, rest, ok := stampAndOffset(bytes.TrimLeft(line, " "))
	if !ok {
		return cut{}, false
	}
	open, end := bytes.IndexByte(rest, '['), bytes.IndexByte(rest, ']')
	if open < 0 || end < open+2 || end > 80 || bytes.IndexByte(rest[:end], ' ') >= 0 {
		return cut{}, false
	}
	c := cut{ns: ns, labels: rest[:end+1], text: rest[end+1:]}
	if open == 0 {
		slash := bytes.LastIndexByte(rest[:end], '/')
		if slash < 0 || !allDigits(rest[slash+1:end]) {
			return cut{}, false
		}
		if c.text, ok = bytes.CutPrefix(c.text, []byte(" OUT ")); !ok {
			c.text, ok = bytes.CutPrefix(c.text, []byte(" ERR "))
		}
		return c, ok
	}
	if allDigits(rest[open+1 : end]) {
		return cut{}, false
	}
	if text, heroku := bytes.CutPrefix(c.text, []byte(": ")); heroku {
		c.text = text
		return c, true
	}
	if len(c.text) > 6 && c.text[0] == ' ' && c.text[4] == ' ' && c.text[5] == '[' {
		c.text = c.text[5:]
		return c, true
	}
	return cut{}, false
}

// stampAndOffset is stampAnd for a zone without a colon too.
func stampAndOffset(line []byte) (ns int64, rest []byte, ok bool) {
	if ns, rest, ok = stampAnd(line, ' '); ok {
		return ns, rest, true
	}
	i := bytes.IndexByte(line, ' ')
	if i < 24 || i > 35 || line[10] != 'T' || line[i-5] != '+' && line[i-5] != '-' {
		return 0, nil, false
	}
	ns, ok = stamp.RFC3339(slices.Concat(line[:i-2], []byte(":"), line[i-2:i]))
	return ns, line[i+1:], ok
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if c-'0' > 9 {
			return false
		}
	}
	return len(b) > 0
}

// dynoLabels reads SOURCE[DYNO] and [SOURCE/NUMBER].
func dynoLabels(mark []byte) []ingest.Label {
	source, instance, _ := bytes.Cut(bytes.Trim(mark, "[]"), []byte("["))
	if len(instance) == 0 {
		source, instance = bytes.Trim(mark, "[]"), bytes.Trim(mark, "[]")
		if i := bytes.LastIndexByte(source, '/'); i > 0 {
			source = source[:i]
		}
	}
	return []ingest.Label{{Name: "instance", Value: string(instance)}, {Name: "service", Value: string(source)}}
}

// splitLogStream takes apart what aws logs tail prints: "TIME STREAM ". The
// names of log streams have slashes.
func splitLogStream(line []byte) (cut, bool) {
	ns, rest, ok := stampAnd(line, ' ')
	if !ok || rest == nil {
		return cut{}, false
	}
	name, text, found := bytes.Cut(rest, []byte(" "))
	if !found || bytes.Count(name, []byte("/")) < 1 || name[0] == '/' || bytes.ContainsAny(name, "\"'(){}=:;,") {
		return cut{}, false
	}
	return cut{ns: ns, labels: name, text: text}, true
}

// logStreamLabel tells a log stream of CloudWatch: of a container
// PREFIX/CONTAINER/TASK.
func logStreamLabel(name []byte) []ingest.Label {
	labels := []ingest.Label{{Name: "log_stream", Value: string(name)}}
	if part := bytes.Split(name, []byte("/")); len(part) == 3 {
		labels = append(labels, ingest.Label{Name: "container", Value: string(part[1])})
	}
	return labels
}

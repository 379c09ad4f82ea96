package logfile

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// text reads lines of text with a timestamp in them. A line without one
// belongs to the line before and inherits its time; lines before the first
// timestamp have that one's. Lines are handed on whole: their timestamp is
// part of them.
type text struct {
	find     stamp.Finder
	calendar stamp.Calendar
	stream   *ingest.Stream
	last     int64
	known    bool
}

func newText(env *environment, find stamp.Finder) *text {
	t := &text{find: find, calendar: stamp.Calendar{Zone: env.zone, Near: env.near}, stream: env.fileStream()}
	t.last, t.known = t.quickTime(env.in.lead)
	return t
}

// quickTime finds the time where the format has it, else at the very start of
// the line, where one of another format may have it: files of several formats
// are met.
func (t *text) quickTime(line []byte) (int64, bool) {
	s, ok := t.find(line)
	if !ok {
		if s, ok = stamp.AtLineStart(line); !ok {
			return 0, false
		}
	}
	return t.calendar.Nanos(s)
}

func (t *text) parse(line []byte, it *item) error {
	ns, ok := t.quickTime(line)
	if ok {
		t.last, t.known = ns, true
	} else if !t.known {
		return fmt.Errorf("no timestamp in this line, nor before it")
	}
	it.nano, it.inherited = t.last, !ok
	it.stream, it.line = t.stream, line
	return nil
}

// textFormat describes lines of text whose timestamp find finds. It is chosen
// when share percent of the lines that are not indented have one.
func textFormat(name, title, example string, find stamp.Finder, share int) *Format {
	return &Format{
		Name: name, Title: title, Example: example,
		detect: func(h *head) string {
			if matched, of := h.share(find); matched == 0 || matched*100 < of*share {
				return fmt.Sprintf("%d of the first %d lines have its timestamp", matched, of)
			}
			return ""
		},
		lines: func(env *environment) lineFormat { return newText(env, find) },
	}
}

// share counts the lines of the head that are not indented, and those of them
// in which find finds a timestamp.
func (h *head) share(find stamp.Finder) (matched, of int) {
	for _, line := range h.lines {
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		of++
		if _, ok := find(line); ok {
			matched++
		}
	}
	return matched, of
}

// textFormats are the formats of plain text, the most telling first.
func textFormats() []*Format {
	return []*Format{
		jsonLinesFormat(),
		textFormat("klog", "klog and glog of Kubernetes components",
			`E0919 08:10:16.049626       1 reflector.go:138] failed to list`, stamp.Klog, 50),
		textFormat("syslog", "syslog of RFC 3164 and RFC 5424",
			`<134>1 2026-09-19T08:10:16.049Z host app 123 - - message`, stamp.Syslog, 50),
		textFormat("nginx-error", "error log of nginx",
			`2026/09/19 08:10:16 [error] 29#29: *1 upstream timed out`, stamp.NginxError, 50),
		textFormat("text", "text with a timestamp at the start of the line, alone or in brackets",
			`2026-09-19 08:10:16,049 ERROR download failed`, stamp.AtStart, 1),
		textFormat("access", "access logs of nginx, Apache and HAProxy, with the date in brackets",
			`10.0.0.1 - - [19/Sep/2026:08:10:16 +0000] "GET / HTTP/1.1" 504 0`, stamp.InAccess, 50),
		textFormat("logfmt", "logfmt with a time among the keys",
			`time=2026-09-19T08:10:16.049Z level=error msg="download failed"`, stamp.InLogfmt, 50),
		textFormat("text-later", "text with a full timestamp behind a level, a thread or a name",
			`[ERROR] 2026-09-19 08:10:16.049 download failed`, stamp.AtToken, 50),
		textFormat("text-short", "text with seconds since 1970, a date of two-digit year or of none, or a time of day alone at the start of the line",
			`26/09/19 08:10:16 ERROR download failed`, stamp.WeakAtStart, 80),
		indentedFormat(),
	}
}

// plainLines reads every line as an entry of its own, whatever is in it. As lines
// tell no time, they have that of the file's last change (or the reference),
// each a nanosecond after the one before.
type plainLines struct {
	stream *ingest.Stream
	next   int64
}

func (l *plainLines) quickTime([]byte) (int64, bool) { return 0, false }

func (l *plainLines) parse(line []byte, it *item) error {
	it.nano, it.stream, it.line = l.next, l.stream, line
	l.next++
	return nil
}

func linesFormat() *Format {
	return &Format{
		Name:   "lines",
		Title:  "any text, each line an entry at the file's time of change; only when asked for with --format",
		detect: func(*head) string { return "only when named" },
		whole:  true,
		lines: func(env *environment) lineFormat {
			return &plainLines{stream: env.fileStream(), next: max(stamp.Nanos(env.near), 0)}
		},
	}
}

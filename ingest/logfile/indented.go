package logfile

import (
	"bytes"
	"fmt"

	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// indented reads text of which every line is indented: what tracing of Rust
// prints to be read by people, and what was copied out of a page or a ticket.
// The indentation of the first line with a time is taken off all lines.
type indented struct {
	text
	margin int
}

// behindMargin finds a timestamp behind an indentation.
func behindMargin(line []byte) (stamp.Stamp, bool) {
	return stamp.AtStart(bytes.TrimLeft(line, " \t"))
}

func newIndented(env *environment) *indented {
	return &indented{text: *newText(env, behindMargin), margin: marginOf(env.in.lead)}
}

func marginOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }

func (t *indented) quickTime(line []byte) (int64, bool) {
	if t.margin > 0 && marginOf(line) > t.margin {
		return 0, false // a part of a record
	}
	return t.text.quickTime(line)
}

func (t *indented) parse(line []byte, it *item) error {
	ns, ok := t.quickTime(line)
	if err := t.text.parse(line, it); err != nil {
		return err
	}
	it.line = line[min(t.margin, marginOf(line)):]
	if !ok {
		it.inherited = true
	} else {
		it.nano = ns
	}
	return nil
}

func indentedFormat() *Format {
	return &Format{
		Name:    "text-indented",
		Title:   "text with a timestamp at the start of the line and every line indented: tracing's pretty form, what was copied out of a page",
		Example: "  2026-09-19T08:10:16.049626Z ERROR portal::fetch: download failed\n    at src/fetch.rs:16",
		detect: func(h *head) string {
			margin, timed, bare := -1, 0, 0
			for _, line := range h.lines {
				n := marginOf(line)
				if n == 0 {
					bare++
					continue
				}
				if _, ok := behindMargin(line); ok && (margin < 0 || n <= margin) {
					margin = n
					timed++
				}
			}
			if bare*10 > len(h.lines) {
				return fmt.Sprintf("%d of the first %d lines are not indented", bare, len(h.lines))
			}
			if timed == 0 || timed*4 < len(h.lines) {
				return "less than a quarter of the lines have a timestamp behind the indentation"
			}
			return ""
		},
		lines: func(env *environment) lineFormat { return newIndented(env) },
	}
}

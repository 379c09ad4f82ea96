package logfile

import (
	"bytes"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// journalVerbose reads journalctl -o verbose: a line with time and cursor,
// then the fields, indented by four spaces; further lines of a field are
// indented by eight or more.
type journalVerbose struct {
	env      *environment
	calendar stamp.Calendar
	open     bool
	name     []byte // of the field that may go on
	value    []byte
	entry    journalEntry
	out      journalEntry // the one handed on
}

// verboseHead finds the time of an entry's first line.
func verboseHead(line []byte) (stamp.Stamp, bool) {
	if len(line) < 40 || line[3] != ' ' || line[len(line)-1] != ']' || !bytes.Contains(line, []byte(" [s=")) {
		return stamp.Stamp{}, false
	}
	return stamp.AtStart(line[4:])
}

func (j *journalVerbose) quickTime(line []byte) (int64, bool) {
	st, ok := verboseHead(line)
	if !ok {
		return 0, false
	}
	return j.calendar.Nanos(st)
}

func (j *journalVerbose) parse(line []byte, it *item) error {
	if ns, ok := j.quickTime(line); ok {
		err := j.hand(it)
		j.open = true
		j.entry = journalEntry{text: j.entry.text[:0], labels: j.entry.labels[:0], nano: ns, haveTime: true}
		return err
	}
	text, indented := bytes.CutPrefix(line, []byte("    "))
	switch {
	case !j.open && bytes.HasPrefix(line, []byte("-- ")):
		return errNoEntry // "-- No entries --"
	case !j.open || !indented && !bytes.HasPrefix(line, []byte("-- ")):
		return fmt.Errorf("no field of an entry")
	}
	name, value, found := bytes.Cut(text, []byte("="))
	if found && journalName(name) {
		j.take()
		j.name, j.value = append(j.name[:0], name...), append(j.value[:0], value...)
		return errNoEntry
	}
	if room := j.env.maxLine - len(j.value); room > 0 && len(j.name) > 0 {
		j.value = append(append(j.value, '\n'), bytes.TrimPrefix(text, []byte("    "))...)
	}
	return errNoEntry
}

// take keeps the field that ended.
func (j *journalVerbose) take() {
	if len(j.name) > 0 && string(j.name) != "__REALTIME_TIMESTAMP" {
		j.entry.take(string(j.name), j.value, false)
	}
	j.name = j.name[:0]
}

// hand hands on the entry that ended.
func (j *journalVerbose) hand(it *item) error {
	j.take()
	if !j.open || !j.entry.haveText {
		j.open = false
		return errNoEntry
	}
	j.open = false
	j.entry, j.out = j.out, j.entry
	*it = j.out.item(j.env)
	return nil
}

func (j *journalVerbose) flush(it *item) error {
	if j.hand(it) != nil {
		return io.EOF
	}
	return nil
}

func journalVerboseFormat() *Format {
	return &Format{
		Name:    "journal-verbose",
		Title:   "journalctl -o verbose",
		Example: "Sat 2026-09-19 08:10:16.049626 UTC [s=bac73a1a;i=1;b=f0e1;m=1;t=1;x=1]\n    PRIORITY=3\n    _SYSTEMD_UNIT=portal.service\n    MESSAGE=download failed",
		detect: func(h *head) string {
			for i, line := range h.lines {
				if bytes.HasPrefix(line, []byte("-- ")) {
					continue
				}
				if _, ok := verboseHead(line); ok && i < len(h.lines)-1 && bytes.HasPrefix(h.lines[i+1], []byte("    ")) {
					return ""
				}
				break
			}
			return "no line with a time and a cursor, and fields below it"
		},
		lines: func(env *environment) lineFormat {
			return &journalVerbose{env: env, calendar: stamp.Calendar{Zone: env.zone, Near: env.near}}
		},
		whole: true,
	}
}

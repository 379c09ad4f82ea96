package rules

import (
	"regexp"
	"strings"
)

var annotation = regexp.MustCompile(`^# (rule|ok|todo-rule): +([A-Za-z0-9][A-Za-z0-9._-]*)[ \t]*$`)

// readLog reads an annotated log: a comment says what the record under it must
// come to. The record is all lines up to the next comment or empty line.
func (r *reader) readLog(name string, data []byte) {
	var open []Test // annotations whose record is being read
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			for _, t := range open {
				t.Log = strings.Join(lines, "\n")
				r.logs = append(r.logs, t)
			}
			open = nil
		}
		lines = nil
	}
	found := false
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSuffix(line, "\r")
		m := annotation.FindStringSubmatch(line)
		switch {
		case m != nil:
			flush()
			found = true
			t := Test{File: name, Line: i + 1, Col: 1, Count: 1, None: m[1] == "ok", Todo: m[1] == "todo-rule"}
			t.Want.Rule = &m[2]
			open = append(open, t)
		case strings.TrimSpace(line) == "":
			flush()
		default:
			lines = append(lines, line)
		}
	}
	flush()
	switch {
	case !found:
		r.problems = append(r.problems, Problem{File: name, Severity: Error, Check: "test/none",
			Message: "the log has no annotation", Hint: "write # rule: ID above a line"})
	case len(open) > 0:
		t := open[0]
		r.problems = append(r.problems, Problem{File: name, Line: t.Line, Col: 1, EndLine: t.Line, EndCol: 2, Severity: Error, Check: "test/none",
			Message: "no record stands under the annotation"})
	}
}

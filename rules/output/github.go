package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules"
)

// GitHub writes problems as the workflow commands that GitHub turns into
// annotations of a change.
func GitHub(w io.Writer, problems []rules.Problem) error {
	b := bufio.NewWriter(w)
	for _, p := range problems {
		command := map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "notice"}[p.Severity]
		fmt.Fprintf(b, "::%s file=%s", command, property(p.File))
		if p.Line > 0 {
			fmt.Fprintf(b, ",line=%d,endLine=%d", p.Line, p.EndLine)
			if p.Line == p.EndLine { // columns of several lines are not shown
				fmt.Fprintf(b, ",col=%d,endColumn=%d", p.Col, p.EndCol)
			}
		}
		msg := p.Message
		if p.Hint != "" {
			msg += "\n" + p.Hint
		}
		fmt.Fprintf(b, ",title=%s::%s\n", property(p.Check), data(msg))
	}
	return b.Flush()
}

// data escapes a command's message, property a value before it.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// Format lays a rule file out anew: indentation of two spaces, dashes two
// deeper than their key, no blanks at line ends, single empty lines. Comments
// and everything else stay as they are, so the compiled rules are the same,
// and formatting twice is formatting once.
//
// The error is a *ProblemsError if the file cannot be parsed. A file of a
// layout that cannot be moved safely is refused with one, too.
func Format(s Source) ([]byte, error) {
	out, err := yamlnode.Format(s.Name, s.Data)
	if err == nil {
		return out, nil
	}
	var ye *yamlnode.Error
	p := Problem{File: s.Name, Severity: Error, Check: "format/layout", Message: err.Error(),
		Hint: "write lists and maps with a key or a dash on each line"}
	if errors.As(err, &ye) {
		p = Problem{File: s.Name, Line: ye.Line, Col: ye.Col, EndLine: ye.EndLine, EndCol: ye.EndCol, Severity: Error, Check: ye.ID, Message: ye.Msg, Hint: ye.Hint}
	}
	return nil, &ProblemsError{Problems: []Problem{p}}
}

// Files lists the files that the paths name: themselves, or the rule and test
// files in a folder.
func Files(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		names, err := disk{}.list(p, func(name string) bool { return isRuleFile(name) || isTestFile(name) })
		switch {
		case errors.Is(err, errNotFolder):
			files = append(files, p)
		case err != nil:
			return nil, err
		default:
			files = append(files, names...)
		}
	}
	return files, nil
}

// LineDiff returns the difference of two texts in the unified form, with
// three lines around each change, or "" if they are equal.
func LineDiff(name string, before, after []byte) string {
	a, b := splitLines(before), splitLines(after)
	var out strings.Builder
	for _, h := range hunks(a, b) {
		if out.Len() == 0 {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", h.fromA+1, h.toA-h.fromA, h.fromB+1, h.toB-h.fromB)
		for _, l := range h.lines {
			out.WriteString(l + "\n")
		}
	}
	return out.String()
}

func splitLines(b []byte) []string {
	if len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

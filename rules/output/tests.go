package output

import (
	"fmt"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules"
)

// TestName is a test's name, else its rule and its log's first line.
func TestName(r *rules.TestResult) string {
	if r.Test.Name != "" {
		return r.Test.Name
	}
	line, _, _ := strings.Cut(strings.TrimSpace(r.Test.Log), "\n")
	if runes := []rune(line); len(runes) > 60 {
		line = string(runes[:60]) + "…"
	}
	if r.Rule != nil {
		return r.Rule.ID + ": " + line
	}
	return line
}

// TestProblem tells of a failed test as of a problem of its file.
func TestProblem(r *rules.TestResult) rules.Problem {
	var differ []string
	for _, m := range r.Mismatches {
		want, got := rules.WordDiff(m.Want, m.Got)
		differ = append(differ, fmt.Sprintf("%s: want %s, got %s", m.What, want, got))
	}
	p := rules.Problem{File: r.Test.File, Line: r.Test.Line, Col: r.Test.Col, EndLine: r.Test.Line, EndCol: r.Test.Col + 1,
		Severity: rules.Error, Check: "test/failed", Message: "the test fails: " + TestName(r), Hint: strings.Join(differ, "\n")}
	if r.Test.Todo {
		p.Severity, p.Check = rules.Info, "test/todo"
	}
	return p
}

// TestProblems tells of all tests that fail and all that are todo.
func TestProblems(report *rules.Report) []rules.Problem {
	var out []rules.Problem
	for i := range report.Results {
		if r := &report.Results[i]; !r.Passed() {
			out = append(out, TestProblem(r))
		}
	}
	return out
}

package output

import (
	"encoding/json"
	"fmt"
	"io"
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

// TestProblems tells of all tests that fail and all that are todo, and, as
// remarks, of what the tests leave out.
func TestProblems(report *rules.Report) []rules.Problem {
	var out []rules.Problem
	for i := range report.Results {
		if r := &report.Results[i]; !r.Passed() {
			out = append(out, TestProblem(r))
		}
	}
	for i := range report.Counts {
		c := &report.Counts[i]
		for _, gap := range c.Gaps() {
			out = append(out, rules.Problem{File: c.Rule.File, Line: c.Rule.Line, Col: c.Rule.Col, EndLine: c.Rule.Line, EndCol: c.Rule.Col + len([]rune(c.Rule.ID)),
				Severity: rules.Info, Check: "test/gap", Message: c.Rule.ID + ": " + gap})
		}
	}
	return out
}

// TestDocument is the JSON form of a run of tests: what fails and what is left
// out, how each rule fared, and the share of rules that are covered, between
// 0 and 1.
type TestDocument struct {
	SchemaVersion int             `json:"schemaVersion"`
	Tests         int             `json:"tests"`
	Failed        int             `json:"failed"`
	Todo          int             `json:"todo"`
	Coverage      float64         `json:"coverage"`
	Rules         []TestedRule    `json:"rules"`
	Problems      []rules.Problem `json:"problems"`
}

// TestedRule says how one rule fared in all tests.
type TestedRule struct {
	ID            string   `json:"id"`
	TruePositive  int      `json:"truePositive"`
	TrueNegative  int      `json:"trueNegative"`
	FalsePositive int      `json:"falsePositive"`
	FalseNegative int      `json:"falseNegative"`
	Covered       bool     `json:"covered"`
	Gaps          []string `json:"gaps"`
}

// JSONTests writes a run of tests as one TestDocument.
func JSONTests(w io.Writer, report *rules.Report) error {
	doc := TestDocument{SchemaVersion: 1, Tests: len(report.Results), Failed: report.Failed(), Todo: report.Todo(), Coverage: report.Coverage(),
		Rules: []TestedRule{}, Problems: append([]rules.Problem{}, TestProblems(report)...)}
	for i := range report.Counts {
		c := &report.Counts[i]
		doc.Rules = append(doc.Rules, TestedRule{ID: c.Rule.ID, TruePositive: c.TruePositive, TrueNegative: c.TrueNegative,
			FalsePositive: c.FalsePositive, FalseNegative: c.FalseNegative, Covered: c.Covered(), Gaps: append([]string{}, c.Gaps()...)})
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

package rules

import (
	"regexp"
	"regexp/syntax"
	"testing"
)

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		expr, text   string
		steps, chars int
		match        bool
	}{
		{"a", "bba", 3, 3, true}, // the start state alone, at each character
		{"a", "", 1, 0, false},
		{"a", "bb", 3, 2, false},
		{"a.c", "aaa", 1 + 2 + 3 + 3, 3, false},
		{"^a", "bba", 1, 3, false},
		{`\bb`, "a b", 3, 3, true},
	} {
		tree, err := syntax.Parse(c.expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		s := stepper{prog: prog, at: make([]int, len(prog.Inst))}
		steps, chars := s.search(c.text)
		if steps != c.steps || chars != c.chars || s.match != c.match {
			t.Errorf("%q in %q: %d steps over %d characters, match %v; want %d, %d, %v", c.expr, c.text, steps, chars, s.match, c.steps, c.chars, c.match)
		}
	}
	few, _ := stepsPerChar(`lease lost`)
	some, _ := stepsPerChar(`(?P<x>\d+) of \d+`)
	many, _ := stepsPerChar(`(?:\w+ )*(?:\w+\.)*\w+/\d+`)
	if few < 0.9 || few > 1.2 || some <= few || many <= some {
		t.Errorf("steps a character: %.2f, %.2f, %.2f; want about one, and growing", few, some, many)
	}
	if s := guardedShare(); s < 0.005 || s > 0.2 {
		t.Errorf("%.3f of the lines are tried by a rule with a literal", s)
	}
}

// FuzzSteps: what is counted is a search that finds what the expression finds.
func FuzzSteps(f *testing.F) {
	f.Add(`(?P<x>\d+) of \d+`, "3 of 4")
	f.Add(`^a|b$|\Bc`, "xb")
	f.Add(`(?s:.*)é`, "aé\xff")
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) > 60 || len(text) > 200 {
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			return
		}
		s := stepper{prog: prog, at: make([]int, len(prog.Inst))}
		if s.search(text); s.match != re.MatchString(text) {
			t.Errorf("%q in %q: match %v, want %v", expr, text, s.match, re.MatchString(text))
		}
	})
}

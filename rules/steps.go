package rules

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// The cost of an expression that no literal guards is measured in steps: how
// many states a matcher of Thompson's kind, as Go's is where captures are
// wanted, has alive over all characters of a text. Unlike a time it is the
// same on every machine, so that what 'rules check' prints can be compared; the
// time itself is told with a corpus, whose lines it depends on as well.

// sampleLines are the records' texts of the built-in pack's tests: lines of
// the usual emitters, those that a rule looks for and those that it does not.
var sampleLines = sync.OnceValue(func() []string {
	var lines []string
	r := reader{tree: memory{}}
	r.readBuiltin()
	for _, f := range r.files {
		for _, n := range f.root.Elements("rules") {
			for _, t := range n.Elements("tests") {
				lines = append(lines, strings.TrimRight(t.Text("log"), "\n"))
			}
		}
	}
	return lines
})

// Bounds on what counting the steps of one expression costs: every how many
// lines of the sample one is taken, and after how many steps it ends.
const (
	sampleEvery = 5
	mostSteps   = 200_000
)

// stepsPerChar returns how many states are alive at each character of the
// sample while an expression is searched in it, on average.
func stepsPerChar(expr string) (float64, bool) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0, false
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0, false
	}
	s := stepper{prog: prog, at: make([]int, len(prog.Inst))}
	steps, chars := 0, 0
	for i, line := range sampleLines() {
		if i%sampleEvery == 0 && steps < mostSteps {
			n, c := s.search(line)
			steps, chars = steps+n, chars+c
		}
	}
	if chars == 0 {
		return 0, false
	}
	return float64(steps) / float64(chars), true
}

// stepper runs a program over texts and counts.
type stepper struct {
	prog      *syntax.Prog
	now, next []uint32
	at        []int // the position at which a state was added last, plus one
	round     int
	match     bool
}

// search looks for the program in a text and returns the number of states it
// went through and of characters it looked at, up to the first match.
func (s *stepper) search(text string) (steps, chars int) {
	s.now, s.match = s.now[:0], false
	before := rune(-1)
	for i := 0; ; {
		r, size := rune(-1), 0
		if i < len(text) {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if len(s.now) == 0 { // else the states of this position are numbered already
			s.round++
		}
		s.add(uint32(s.prog.Start), syntax.EmptyOpContext(before, r))
		steps += len(s.now)
		if s.match || size == 0 { // it matches nothing, or the text ends
			return steps, chars
		}
		chars++
		after := rune(-1)
		if i+size < len(text) {
			after, _ = utf8.DecodeRuneInString(text[i+size:])
		}
		s.round++
		alive := s.now
		s.now, s.next = s.next[:0], alive
		for _, pc := range alive {
			if in := &s.prog.Inst[pc]; in.MatchRune(r) {
				s.add(in.Out, syntax.EmptyOpContext(r, after))
			}
		}
		if s.match {
			return steps, chars
		}
		before = r
		i += size
	}
}

// add adds a state and those that follow it without a character.
func (s *stepper) add(pc uint32, at syntax.EmptyOp) {
	if s.at[pc] == s.round {
		return
	}
	s.at[pc] = s.round
	switch in := &s.prog.Inst[pc]; in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		s.add(in.Out, at)
		s.add(in.Arg, at)
	case syntax.InstCapture, syntax.InstNop:
		s.add(in.Out, at)
	case syntax.InstEmptyWidth:
		if syntax.EmptyOp(in.Arg)&^at == 0 {
			s.add(in.Out, at)
		}
	case syntax.InstMatch:
		s.match = true
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		s.now = append(s.now, pc)
	}
}

// guardedShare is the share of the sample's lines that hold a text which rules
// the others out, for all rules of the pack that have one: what a rule with a
// literal costs.
var guardedShare = sync.OnceValue(func() float64 {
	r := reader{tree: memory{}}
	r.readBuiltin()
	held, tried := 0, 0
	for _, f := range r.files {
		for _, n := range f.root.Elements("rules") {
			literals := literalsOf(n.Get("match"))
			if len(literals) == 0 {
				continue
			}
			for _, line := range sampleLines() {
				tried++
				if slices.ContainsFunc(literals, func(l string) bool { return strings.Contains(line, l) }) {
					held++
				}
			}
		}
	}
	return float64(held) / float64(max(tried, 1))
})

// literalsOf returns the texts that guard a match, as it is written.
func literalsOf(match *yamlnode.Node) []string {
	var c fingerprint.Condition
	if p, err := fingerprint.CompilePattern(match.Text("pattern")); err == nil {
		c.Pattern = p
	}
	if re, err := regexp.Compile(match.Text("regexp")); err == nil && match.Text("regexp") != "" {
		c.Regexp = re
	}
	return c.Literals()
}

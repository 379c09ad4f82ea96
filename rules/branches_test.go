package rules

import (
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBranches(t *testing.T) {
	for _, c := range []struct {
		expr  string
		texts []string
		want  []string
	}{
		{`timed out|timeout`, []string{"a timeout"}, []string{`the alternative "timed out" of it is taken by no test`}},
		{`timed out|timeout`, []string{"a timeout", "timed out"}, nil},
		{`after \d+ ?ms`, []string{"after 5 ms"}, []string{`the optional " " of it is left out in no test`}},
		{`after \d+ ?ms`, []string{"after 5ms"}, []string{`the optional " " of it is in no test`}},
		{`after \d+ ?ms`, []string{"after 5ms", "after 5 ms"}, nil},
		{`(?:a(?:b|c)|d)e`, []string{"abe"}, []string{`the alternative "c" of it is taken by no test`, `the alternative "d" of it is taken by no test`}},
		{`(?:a(?:b|c)|d)e`, []string{"de"}, []string{`the alternative "a(?:b|c)" of it is taken by no test`}},
		{`(?:a(?:b|c)?|d)e`, []string{"de", "ae"}, []string{`the optional "(?:b|c)" of it is in no test`}},
		{`(?P<what>read|write)s? [|?(] [^]|?]`, []string{"reads | x"}, []string{`the alternative "write" of it is taken by no test`, `the optional "s" of it is left out in no test`}},
		{`(?i)read|WRITE`, []string{"Write"}, []string{`the alternative "read" of it is taken by no test`}},
		{`(?i:read|write)`, []string{"READ"}, []string{`the alternative "write" of it is taken by no test`}},
		{`\||\?`, []string{"|"}, []string{`the alternative "\\?" of it is taken by no test`}},
		{`x{2}?|\x{61}?[[:digit:]|]|\pL`, []string{"xx", "a1"}, []string{
			`the optional "\\x{61}" of it is left out in no test`, `the alternative "\\pL" of it is taken by no test`}},
		{`(a|b)+`, []string{"ab"}, nil},
		{`a|`, []string{"a"}, []string{`the alternative "" of it is taken by no test`}},
		{`.*? x+ a*`, []string{" xx "}, nil},
		{`\Qa|b\E|c`, []string{"c"}, nil},  // not watched
		{`a(?i)b|c|d`, []string{"C"}, nil}, // not watched: the flag reaches into the next
		{`plain`, []string{"plain"}, nil},
	} {
		b := newBranches("it", "", c.expr, "")
		var got []string
		if b != nil {
			for _, text := range c.texts {
				if !b.note([]byte(text)) {
					t.Errorf("%s does not match %q", c.expr, text)
				}
			}
			got = b.gaps()
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s over %q: want, got\n%s", c.expr, c.texts, d)
		}
	}
}

// FuzzBranches: an expression that is watched matches as before.
func FuzzBranches(f *testing.F) {
	for _, s := range [][2]string{{`(?i)read|write`, "READ"}, {`a?(b|c*)??d{1,2}`, "abcd"}, {`[]|[:alpha:]\]]+|x{,2}`, "x]|"}, {`\x4a|\101?|\pN`, "JA"}, {`(?i)a|(?-i)b`, "B"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) > 60 || len(text) > 100 { // what repeats a thousand times is slow, watched or not
			return
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			return
		}
		b := newBranches("it", "", expr, "")
		if b == nil {
			return
		}
		if got, want := b.re.FindStringIndex(text), re.FindStringIndex(text); !slices.Equal(got, want) {
			t.Errorf("%q matches %q at %v, watched as %q at %v", expr, text, want, b.re, got)
		}
		b.note([]byte(text))
		b.gaps()
	})
}

// TestCoverageOfBranches: ways through expressions, matchers and exceptions,
// and what a rule says of its records, count for coverage.
func TestCoverageOfBranches(t *testing.T) {
	const rule = `version: 1
rules:
  - id: r
    match:
      selector: '{namespace=~"shop|shop-eu"}'
      regexp: 'lost (?:lease|lock)'
      unless: [{regexp: 'drain|shutdown'}]
    identity: {event: Lost}
    stage: connect
    severity: warn
    tests:
`
	for _, c := range []struct {
		name, tests string
		want        []string
	}{
		{"thin", `
      - {log: lost lease, labels: {namespace: shop}}
      - {log: 'lost lease, drain', labels: {namespace: shop}, none: true}
`, []string{
			`the alternative "lock" of the expression is taken by no test`,
			`the alternative "shop-eu" of the matcher of namespace is taken by no test`,
			`the alternative "shutdown" of exception 1 is taken by no test`,
			"no test wants its event, stage, level",
		}},
		{"full", `
      - {log: lost lease, labels: {namespace: shop}, want: {event: Lost, stage: connect, level: warn}}
      - {log: lost lock, labels: {namespace: shop-eu}}
      - {log: 'lost lease, drain', labels: {namespace: shop}, none: true}
      - {log: 'lost lease, shutdown', labels: {namespace: shop}, none: true}
`, nil},
		{"none in which it matches", `
      - {log: found lease, labels: {namespace: shop}, none: true}
`, []string{"no test in which it matches", "exception 1 is met by no test"}},
	} {
		set, err := LoadSources([]Source{{Name: "f.yaml", Data: []byte(rule + c.tests)}})
		if err != nil {
			t.Fatal(err)
		}
		report, err := RunTests(set, nil, false)
		if err != nil || report.Failed() > 0 {
			t.Fatalf("%s: %v, %d fail: %v", c.name, err, report.Failed(), report.Results)
		}
		if d := cmp.Diff(c.want, report.Counts[0].Gaps()); d != "" {
			t.Errorf("%s: want, got\n%s", c.name, d)
		}
		if got, want := report.Counts[0].Covered(), c.want == nil; got != want {
			t.Errorf("%s: covered %v, want %v", c.name, got, want)
		}
	}
}

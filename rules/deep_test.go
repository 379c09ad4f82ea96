package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDeepChecks(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	warn := "version: 1\nbudgets:\n  - name: A\n    duration: 2m\n  - name: B\n    duration: 1m\n"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a Source of numbers", "version: 1\nrules:\n  - id: a\n    match: {pattern: \"lost <lease> of <owner>.\"}\n    identity: {source: \"w/<lease>/<owner>\"}\n    tests:\n      - log: lost 0192d3a4-7b1c-4f2e-9c3d-5e6f7a8b9c0d of shop.\n",
			[]string{"5:27-34 warning cardinality/unbounded: <lease> is <uuid> in the test on line 7: there may be as many Sources as records = leave <lease> out of the Source, or let the pattern take only the part that repeats"}},
		{"two rules for one record", "version: 1\nrules:\n  - id: a\n    match: {pattern: \"lost <_>\"}\n    tests: [{log: lost it all}]\n  - id: b\n    match: {pattern: \"lost it <_>\"}\n  - id: c\n    priority: 1\n    match: {pattern: \"lost it all<_>\"}\n",
			[]string{"6:9-10 warning order/ambiguous: the record of the test at f.yaml:5 fits a and b, both of priority 0: the order of files and lines decides = give one of them another priority"}},
		{"no literal", "version: 1\nrules:\n  - id: a\n    match: {regexp: '(?P<x>\\d+) of \\d+'}\n    identity: {event: \"<x>\"}\n  - id: b\n    match: {regexp: '(?P<x>\\d+)/\\d+'}\n    identity: {event: \"<x>\"}\n  - id: c\n    match: {category: X, regexp: '(?P<x>\\d+)/\\d+'}\n    identity: {event: \"<x>\"}\n",
			[]string{"7:21-37 warning pattern/no-literal: nothing rules a line out quickly: it is tried on every line, a rule with such a text on 3 in 100, and a try takes 1.1 steps a character (measured on the lines of the built-in rules) = add a text of 3 letters or more that the line must hold, or a category"}},
		{"silenced on the line", warn + "    contains: [A] # vdm-logs: ignore budget/inverted reason=known\n", nil},
		{"silenced above", warn + "    # vdm-logs: ignore budget/inverted until=2026-06-01 reason=until the roll\n\n    # another\n    contains: [A]\n", nil},
		{"expired", warn + "    # vdm-logs: ignore budget/inverted until=2026-05-31 reason=until the roll\n    contains: [A]\n",
			[]string{"7:5-78 warning suppress/expired: the comment has expired on 2026-05-31",
				"8:16-17 warning budget/inverted: B (1m0s) is not longer than A inside it (2m0s): it cuts first, and the inner cause leaves no line = it must be longer than 2m: duration: A + 1m"}},
		{"unused", "version: 1\n# vdm-logs: ignore budget/inverted reason=known\nbudgets: []\n",
			[]string{"2:1-48 warning suppress/unused: there is no budget/inverted to silence on line 3 = remove it"}},
		{"no reason", "version: 1\n# vdm-logs: ignore budget/inverted\nbudgets: []\n",
			[]string{"2:1-35 warning suppress/syntax: the comment silences nothing = # vdm-logs: ignore CHECK until=2027-01-31 reason=why (until may be left out)"}},
		{"no such day", "version: 1\n# vdm-logs: ignore budget/inverted until=2026-02-31 reason=x\nbudgets: []\n",
			[]string{"2:1-61 warning suppress/syntax: 2026-02-31 is no day of the calendar"}},
		{"an error is not silenced", "version: 1\n# vdm-logs: ignore schema/unknown-key reason=x\nbudget: []\n",
			[]string{"2:1-47 warning suppress/unused: there is no schema/unknown-key to silence on line 3 = remove it",
				"3:1-7 error schema/unknown-key: unknown key \"budget\" = did you mean \"budgets\"?"}},
		{"text that looks like a comment", "version: 1\nissues:\n  - number: 1\n    state: open\n    title: |\n      # vdm-logs: ignore x\n    url: 'a # vdm-logs: ignore y'\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range CheckSources(sources("f.yaml", tt.text), CheckOptions{Now: now}) {
				got = append(got, wantLine(p))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("%s\n%s", tt.text, d)
			}
		})
	}
}

// manyRules makes n rules with a positive and a negative test each.
func manyRules(n int) []byte {
	var b strings.Builder
	b.WriteString("version: 1\nrules:\n")
	for i := range n {
		fmt.Fprintf(&b, `  - id: r%d
    match: {category: Shop.Part%d, pattern: "Lease %d of '<shard>' lost to <_>"}
    identity: {source: "<category>/<shard>", event: LeaseLost%d}
    tests:
      - log: "fail: Shop.Part%d[1]\n      Lease %d of 'orders' lost to shop-1"
        want: {event: LeaseLost%d}
      - log: "fail: Shop.Part%d[1]\n      Lease %d renewed"
        none: true
`, i, i, i, i, i, i, i, i, i)
	}
	return []byte(b.String())
}

func TestThousandRules(t *testing.T) {
	src := []Source{{Name: "f.yaml", Data: manyRules(1000)}}
	best := time.Hour
	for range 3 {
		start := time.Now()
		if got := CheckSources(src, CheckOptions{}); len(got) > 0 {
			t.Fatalf("%d problems, such as %s", len(got), got[0])
		}
		best = min(best, time.Since(start))
	}
	t.Logf("a thousand rules are checked in %s", best)
	if best > 5*time.Second { // a second on a quiet machine; this one may be busy
		t.Errorf("a thousand rules take %s", best)
	}
}

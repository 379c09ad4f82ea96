package rules

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/fingerprint"
)

func TestBuiltinPack(t *testing.T) {
	set, err := LoadWithBuiltin(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range set.Problems {
		t.Errorf("%s", p)
	}
	report, err := RunTests(set, nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if !r.Passed() {
			t.Errorf("%s:%d: %s: %v\n%s", r.Test.File, r.Test.Line, r.Rule.ID, r.Mismatches, r.Test.Log)
		}
	}
	for _, c := range report.Counts {
		if gaps := c.Gaps(); gaps != nil {
			t.Errorf("%s: %v", c.Rule.ID, gaps)
		}
		if c.Rule.Priority >= 0 || c.Rule.Description == "" {
			t.Errorf("%s: priority %d, description %q", c.Rule.ID, c.Rule.Priority, c.Rule.Description)
		}
	}
	// What a trial finds is what fingerprint finds.
	x, err := NewRunner(set)
	if err != nil {
		t.Fatal(err)
	}
	for _, rule := range set.Rules {
		for i := range rule.Tests {
			o, err := x.run(&rule.Tests[i])
			if err != nil {
				t.Fatal(err)
			}
			if got := o.identity.Rule; got != o.rule && (o.rule != pollyTwin || got != fingerprint.RulePolly) {
				t.Errorf("fingerprint says %q, the trial %q for\n%s", got, o.rule, rule.Tests[i].Log)
			}
		}
	}
	mutants, err := Mutants(set, true)
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, m := range mutants {
		if m.Survives {
			t.Errorf("%s: no test notices when the %s %q is left out", m.Rule.ID, m.Atom, m.Detail)
		} else {
			killed++
		}
	}
	t.Logf("%d rules, %d tests, %d mutants killed", len(set.Rules), len(report.Results), killed)
}

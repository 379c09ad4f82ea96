package rules

import (
	"fmt"
)

// RuleCount says how a rule fared in all tests.
type RuleCount struct {
	Rule *Rule
	// TruePositive counts the records that the rule should have decided and
	// did, FalsePositive those it decided and should not have, FalseNegative
	// those it should have decided and did not, TrueNegative the tests that
	// say it must not match, where it did not.
	TruePositive, FalsePositive, FalseNegative, TrueNegative int
	// Unused are the exceptions (unless) that no test meets, counted from 1.
	Unused []int
	// Untaken are sentences about the ways through the rule's expressions that
	// no test takes, and about what the rule says of its records and no test
	// asks for.
	Untaken []string
}

// Covered reports whether the rule has a test in which it must match and one
// in which it must not, every exception is met by a test, every branch is
// taken, and what the rule says is asked for.
func (c *RuleCount) Covered() bool {
	return c.TruePositive+c.FalseNegative > 0 && c.TrueNegative+c.FalsePositive > 0 && len(c.Unused) == 0 && len(c.Untaken) == 0
}

// Gaps lists what the tests leave out.
func (c *RuleCount) Gaps() []string {
	var gaps []string
	if c.TruePositive+c.FalseNegative == 0 {
		gaps = append(gaps, "no test in which it matches")
	}
	if c.TrueNegative+c.FalsePositive == 0 {
		gaps = append(gaps, "no test in which it must not match (none: true)")
	}
	for _, i := range c.Unused {
		gaps = append(gaps, fmt.Sprintf("exception %d is met by no test", i))
	}
	return append(gaps, c.Untaken...)
}

// Report is the outcome of all tests of a Set.
type Report struct {
	Results []TestResult
	Counts  []RuleCount
}

// Failed returns how many tests failed.
func (r *Report) Failed() int {
	n := 0
	for i := range r.Results {
		if !r.Results[i].Passed() && !r.Results[i].Test.Todo {
			n++
		}
	}
	return n
}

// Todo returns how many tests fail that are known to.
func (r *Report) Todo() int {
	n := 0
	for i := range r.Results {
		if !r.Results[i].Passed() && r.Results[i].Test.Todo {
			n++
		}
	}
	return n
}

// Coverage returns the share of rules that are covered, between 0 and 1; 1
// where there are no rules.
func (r *Report) Coverage() float64 {
	covered := 0
	for i := range r.Counts {
		if r.Counts[i].Covered() {
			covered++
		}
	}
	if len(r.Counts) == 0 {
		return 1
	}
	return float64(covered) / float64(len(r.Counts))
}

// RunTests runs the tests that stand in the rules of s and the given further
// ones. Rules of the built-in pack are run only if builtin says so.
func RunTests(s *Set, further []Test, builtin bool) (*Report, error) {
	x, err := NewRunner(s)
	if err != nil {
		return nil, err
	}
	report := &Report{}
	index := map[string]int{}
	met := map[string][]bool{}
	ways := map[string]*ruleBranches{}
	positive := map[string][]*Test{} // tests in which a rule decides as it should
	for _, rule := range s.Rules {
		if rule.Builtin && !builtin {
			continue
		}
		index[rule.ID] = len(report.Counts)
		report.Counts = append(report.Counts, RuleCount{Rule: rule})
		met[rule.ID] = make([]bool, len(rule.Unless))
		ways[rule.ID] = newRuleBranches(rule)
	}
	add := func(rule *Rule, t *Test) error {
		res, err := x.Run(rule, t)
		if err != nil {
			return err
		}
		report.Results = append(report.Results, res)
		report.count(index, &res)
		if res.Rule != nil { // of a test file: the rule that must not decide
			rule = res.Rule
		} else if res.Want == res.Got {
			rule = x.byID[res.Got]
		}
		if rule == nil || ways[rule.ID] == nil {
			return nil
		}
		if res.Want == rule.ID && res.Got == rule.ID {
			positive[rule.ID] = append(positive[rule.ID], t)
		}
		return noteRecord(rule, t, met[rule.ID], ways[rule.ID])
	}
	for _, rule := range s.Rules {
		if rule.Builtin && !builtin {
			continue
		}
		for i := range rule.Tests {
			if err := add(rule, &rule.Tests[i]); err != nil {
				return nil, err
			}
		}
	}
	for i := range further {
		if err := add(nil, &further[i]); err != nil {
			return nil, err
		}
	}
	for i := range report.Counts {
		c := &report.Counts[i]
		for j, hit := range met[c.Rule.ID] {
			if !hit {
				c.Unused = append(c.Unused, j+1)
			}
		}
		if tests := positive[c.Rule.ID]; tests != nil {
			c.Untaken = append(ways[c.Rule.ID].gaps(), unwanted(c.Rule, tests)...)
		}
	}
	return report, nil
}

// count books one result on the rules it is about.
func (r *Report) count(index map[string]int, res *TestResult) {
	of := func(id string) *RuleCount {
		if i, ok := index[id]; ok && id != "" {
			return &r.Counts[i]
		}
		return &RuleCount{}
	}
	switch {
	case res.Test.None && res.Rule != nil:
		if res.Got == res.Rule.ID {
			of(res.Got).FalsePositive++
		} else {
			of(res.Rule.ID).TrueNegative++
		}
	case res.Want == res.Got:
		of(res.Got).TruePositive++
	default:
		of(res.Want).FalseNegative++
		of(res.Got).FalsePositive++
	}
}

// noteRecord notes which of a rule's exceptions the first record of a test
// meets, and which ways through its expressions it takes.
func noteRecord(rule *Rule, t *Test, hits []bool, ways *ruleBranches) error {
	records, err := t.records()
	if err != nil || len(records) == 0 {
		return err
	}
	ways.note(records[0])
	for i := range hits {
		u := Trial{silent: true}
		if !hits[i] && u.condition(&rule.Unless[i], records[0]) {
			hits[i] = true
		}
	}
	return nil
}

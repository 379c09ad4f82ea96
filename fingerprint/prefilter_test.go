package fingerprint

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// numberedRules makes n rules of which one can match a line of service k.
func numberedRules(t testing.TB, n int) []Rule {
	rules := make([]Rule, n)
	for i := range rules {
		rules[i] = Rule{ID: fmt.Sprintf("r%d", i), Source: "<op>", Condition: Condition{
			Pattern: mustPattern(t, fmt.Sprintf("service-%04d could not <op> the <_>", i)),
		}}
	}
	return rules
}

func TestPrefilterDecidesAlike(t *testing.T) {
	rules := numberedRules(t, 40)
	rules = append(rules,
		Rule{ID: "expression", Priority: 1, Condition: Condition{Regexp: regexp.MustCompile(`(?:shard|part) (?P<n>\d+) of (?P<t>\w+) lost`)}, Source: "<t>"},
		Rule{ID: "no literal", Priority: -1, Condition: Condition{Regexp: regexp.MustCompile(`^\d+$`)}, Source: "number"},
		Rule{ID: "folded", Condition: Condition{Regexp: regexp.MustCompile(`(?i)quota exceeded`)}, Source: "quota"},
		Rule{ID: "field", Condition: Condition{Fields: []FieldMatcher{{Name: "op"}}}, Source: "f"},
		Rule{ID: "short", Condition: Condition{Pattern: mustPattern(t, "<a>:=<b>")}, Source: "<a>"},
		Rule{ID: "category", Category: "Acme.*", Source: "cat"},
	)
	records := []ingest.Record{
		{Message: []byte("service-0007 could not open the door")},
		{Message: []byte("service-0039 could not close the door")},
		{Message: []byte("service-0041 could not close the door")},
		{Message: []byte("shard 7 of orders lost")},
		{Message: []byte("shard 7 of orders lost: service-0007 could not open the door")},
		{Message: []byte("12345")},
		{Message: []byte("QUOTA Exceeded")},
		{Message: []byte("x"), Fields: fields("op", "read")},
		{Message: []byte("a:=b")},
		{Message: []byte("x"), Category: []byte("Acme.Client")},
		{Message: []byte("decoded"), Text: []byte("service-0003 could not find the door")},
		{},
	}
	x := NewIdentifier(Options{Rules: rules})
	if x.rules.filter == nil {
		t.Fatal("no prefilter for so many rules")
	}
	slow := NewIdentifier(Options{Rules: rules})
	slow.rules.filter = nil
	matched := 0
	for i := range records {
		var got, want Identity
		a, b := x.Identify(&records[i], &got), slow.Identify(&records[i], &want)
		if a != b || got.Rule != want.Rule {
			t.Errorf("%q: rule %q with the prefilter, %q without", records[i].Message, got.Rule, want.Rule)
		}
		if got.Rule != "" {
			matched++
		}
	}
	if matched != 10 {
		t.Errorf("%d of %d records matched a rule, want 10", matched, len(records))
	}
}

func TestLiterals(t *testing.T) {
	pattern := mustPattern(t, "<_> lost lease <_>")
	for _, c := range []struct {
		re      string
		pattern *Pattern
		one     string
		any     []string
	}{
		{re: `Source: '([^']+)'.*TraceId=([0-9a-f]{32})$`, one: "Source: '", any: []string{"Source: '"}},
		{re: `^abc$`, one: "abc", any: []string{"abc"}},
		{re: `abc|abd`, one: "ab", any: []string{"ab"}},
		{re: `(?i)abc`},
		{re: `(abc)+d*`, one: "abc", any: []string{"abc"}},
		{re: `(?:abc)?de`, one: "de", any: []string{"de"}},
		{re: `\d+`},
		{re: `(?:connect|read|write) E[A-Z]+`, one: " E", any: []string{"connect", "read", "write"}},
		{re: `(?:connect|re) reset`, one: " reset", any: []string{" reset"}},
		{re: `(?:connect|\d+)x`, one: "x", any: []string{"x"}},
		{re: `connect|(?i)read`},
		{re: `E\d`, pattern: pattern, one: " lost lease ", any: []string{" lost lease "}},
		{pattern: pattern, one: " lost lease ", any: []string{" lost lease "}},
	} {
		cond := Condition{Pattern: c.pattern}
		if c.re != "" {
			cond.Regexp = regexp.MustCompile(c.re)
		}
		if got := cond.Literal(); got != c.one {
			t.Errorf("Literal of %q = %q, want %q", c.re, got, c.one)
		}
		if got := cond.Literals(); !slices.Equal(got, c.any) {
			t.Errorf("Literals of %q = %q, want %q", c.re, got, c.any)
		}
	}
}

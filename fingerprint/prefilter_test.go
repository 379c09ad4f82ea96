package fingerprint

import (
	"fmt"
	"regexp"
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

func TestRequiredLiteral(t *testing.T) {
	cases := []struct{ re, want string }{
		{`Source: '([^']+)'.*TraceId=([0-9a-f]{32})$`, "Source: '"},
		{`^abc$`, "abc"},
		{`abc|abd`, "ab"},
		{`(?i)abc`, ""},
		{`(abc)+d*`, "abc"},
		{`(?:abc)?de`, "de"},
		{`\d+`, ""},
	}
	for _, c := range cases {
		if got := regexpLiteral(regexp.MustCompile(c.re)); got != c.want {
			t.Errorf("regexpLiteral(%q) = %q, want %q", c.re, got, c.want)
		}
	}
}

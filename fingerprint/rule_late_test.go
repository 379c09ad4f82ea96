package fingerprint

import (
	"regexp"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestLateRules: a late rule is asked about what nothing else knows, however
// high its priority, with a prefilter and without.
func TestLateRules(t *testing.T) {
	polly := "Resilience event occurred. EventName: 'OnRetry', Source: 'a/b/c', Operation Key: '', Result: 'connection refused'"
	late := Rule{ID: "late", Late: true, Priority: 100, Event: "Refused", Condition: Condition{Regexp: regexp.MustCompile("connection refused")}}
	early := Rule{ID: "early", Priority: -5, Event: "Early", Condition: Condition{Regexp: regexp.MustCompile("refused")}}
	none := Rule{ID: "none", None: true, Condition: Condition{Regexp: regexp.MustCompile("refused")}}
	for _, c := range []struct {
		name, message string
		rules         []Rule
		want          string // rule|event
	}{
		{"alone", "connection refused", []Rule{late}, "late|Refused"},
		{"behind what is built in", polly, []Rule{late}, RulePolly + "|OnRetry"},
		{"behind another rule", "connection refused", []Rule{late, early}, "early|Early"},
		{"a rule before what is built in", polly, []Rule{late, early}, "early|Early"},
		{"after a rule that says none", "connection refused", []Rule{late, none}, "|"},
		{"what is built in after a rule that says none", polly, []Rule{late, none}, RulePolly + "|OnRetry"},
		{"nothing", "connection reset", []Rule{late, early, none}, "|"},
	} {
		for _, more := range []int{0, fewRules} {
			rules := c.rules
			for range more {
				rules = append(rules, Rule{ID: "other", Condition: Condition{Regexp: regexp.MustCompile("something else")}})
			}
			x := NewIdentifier(Options{Rules: rules})
			if more > 0 != (x.rules.filter != nil) {
				t.Fatalf("%d rules: prefilter %v", len(rules), x.rules.filter != nil)
			}
			var d Identity
			x.Identify(&ingest.Record{Message: []byte(c.message), Text: []byte(c.message)}, &d)
			if got := d.Rule + "|" + string(d.Event); got != c.want {
				t.Errorf("%s, with %d more rules: %q, want %q", c.name, more, got, c.want)
			}
		}
	}
}

// TestApart: a capture named apart is masked as a text of its own, one in
// quotes as one value otherwise.
func TestApart(t *testing.T) {
	message := []byte("call 'orders' ended: '504'")
	rule := Rule{ID: "r", Condition: Condition{Regexp: regexp.MustCompile(`call '(?P<name>[^']*)' ended: '(?P<result>.*)'$`)}, Source: "<name>"}
	for _, c := range []struct {
		apart []string
		want  string
	}{
		{nil, "call 'orders' ended: '<str>'"},
		{[]string{"result"}, "call 'orders' ended: '<num>'"},
	} {
		rule.Apart = c.apart
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		var d Identity
		NewIdentifier(Options{Rules: []Rule{rule}}).Identify(&ingest.Record{Message: message, Text: message}, &d)
		if string(d.Template) != c.want {
			t.Errorf("apart %q: template %q, want %q", c.apart, d.Template, c.want)
		}
	}
	rule.Apart = []string{"nothing"}
	if err := rule.Check(); err == nil || !strings.Contains(err.Error(), "apart") {
		t.Errorf("a name that nothing captures: %v", err)
	}
}

// TestPieces masks what stands between captures.
func TestPieces(t *testing.T) {
	for in, want := range map[string]string{
		"rpc error: code = ": "rpc error: code = ",
		"code=":              "code=",
		"=":                  "=",
		" \n ":               " ",
		" took 5 ms,  ":      " took <time>, ",
		"a=5 b=":             "a=<*> b=",
		"a=5":                "a=<*>",
	} {
		if got := string(maskPiece(nil, []byte(in), 0)); got != want {
			t.Errorf("maskPiece(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestCapturesInTheWholeText: where a rule matches outside the message, the
// template is what it would be without the rule, the error told in a field
// included.
func TestCapturesInTheWholeText(t *testing.T) {
	rec := &ingest.Record{Message: []byte("fetch failed"), Text: []byte(`{"msg":"fetch failed","error":"code = Unavailable desc = x"}`),
		Fields: fields("error", "code = Unavailable desc = no such host")}
	rule := Rule{ID: "r", Event: "<code>", Condition: Condition{Pattern: mustPattern(t, "<_>code = <code> desc<_>")}}
	var with, without Identity
	NewIdentifier(Options{Rules: []Rule{rule}}).Identify(rec, &with)
	NewIdentifier(Options{}).Identify(rec, &without)
	if string(with.Template) != string(without.Template) || string(with.Event) != "Unavailable" {
		t.Errorf("template %q, event %q; want %q, Unavailable", with.Template, with.Event, without.Template)
	}
}

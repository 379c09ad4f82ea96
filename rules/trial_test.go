package rules

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// one loads a file with one rule.
func one(t testing.TB, match string) *Rule {
	t.Helper()
	set, err := LoadSources(sources("r.yaml", "version: 1\nrules:\n  - id: r\n    match: "+match+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return set.Rules[0]
}

func record(t testing.TB, text string, labels ...ingest.Label) *ingest.Record {
	t.Helper()
	records, err := RecordsOf(text, labels)
	if err != nil || len(records) == 0 {
		t.Fatalf("%q: %v", text, err)
	}
	return records[0]
}

func TestTryTellsWhy(t *testing.T) {
	console := "fail: Shop.Cart[1]\n      Lease 'orders' lost to shop-1"
	tests := []struct {
		match, text string
		matched     bool
		last        string
	}{
		{`{level: error, pattern: "Lease <_>"}`, console, true, `pattern: fits "Lease <_>"`},
		{`{level: fatal, pattern: "Lease <_>"}`, console, false, "level: the level is error, at least fatal is wanted"},
		{`{category: "Shop.*", pattern: "Lease <_>"}`, console, true, `pattern: fits "Lease <_>"`},
		{`{category: "Ship.*"}`, console, false, `category: the category is "Shop.Cart", "Ship.*" is wanted`},
		{`{selector: '{pod="b", ns=~"x|y"}', pattern: "Lease <_>"}`, console, false, `selector: ns is "", =~"x|y" is wanted`},
		{`{selector: '{pod=~".+", pod!="b"}', pattern: "Lease <_>"}`, console, false, `selector: pod is "b", !="b" is wanted`},
		{`{pattern: "Lease <_>", unless: [{pattern: "<_>shop-2<_>"}, {regexp: "lost"}]}`, console, false, "unless: exception 2 holds"},
		{`{pattern: "Lease '<a>' renewed by <b>"}`, console, false, `pattern: fits up to "Lease '", then wants "<a>' renewed by <b>" where the text goes on with "orders' lost to shop-1"`},
		{`{pattern: "<_>renewed<_>"}`, console, false, `pattern: "renewed" is nowhere in the text`},
		{`{pattern: "Renewed<_>"}`, console, false, `pattern: the text begins with "Lease 'orders' lost to shop-1", not as "Renewed<_>" does`},
		{`{regexp: "lost to (shop|cart)-[0-9]"}`, console, true, `regexp: fits "lost to (shop|cart)-[0-9]"`},
		{`{regexp: "lost to (shop|cart)-[5-9]"}`, console, false, `regexp: fits up to "lost to (shop|cart)-", then wants "[5-9]" where the text goes on with "1"`},
		{`{regexp: "found"}`, console, false, `regexp: nothing in the text fits "found"`},
		{`{fields: {Kind: "Time*"}}`, `{"level":"error","msg":"x","Kind":"Timeout"}`, true, `field: the field Kind is "Timeout", "Time*" is wanted`},
		{`{fields: {Kind: "Cancel*"}}`, `{"level":"error","msg":"x","Kind":"Timeout"}`, false, `field: the field Kind is "Timeout", "Cancel*" is wanted`},
		{`{fields: {Kind: "<k>"}}`, console, false, "field: there is no field Kind"},
	}
	for _, tt := range tests {
		t.Run(tt.match, func(t *testing.T) {
			trial := one(t, tt.match).Try(record(t, tt.text, ingest.Label{Name: "pod", Value: "b"}))
			last := trial.Steps[len(trial.Steps)-1]
			if trial.Matched != tt.matched || last.Name+": "+last.Detail != tt.last {
				t.Errorf("matched %v\ngot  %s: %s\nwant %s", trial.Matched, last.Name, last.Detail, tt.last)
			}
			if last.Met != tt.matched {
				t.Errorf("the last step is met: %v", last.Met)
			}
		})
	}
}

func TestTryCaptures(t *testing.T) {
	trial := one(t, `{pattern: "Lease '<shard>' lost to <owner>", fields: {pod: "<p>"}}`).Try(&ingest.Record{
		Message: []byte("Lease 'orders' lost to shop-1"), Metadata: []ingest.Label{{Name: "pod", Value: "x"}},
	})
	want := []Capture{{"p", "x"}, {"shard", "orders"}, {"owner", "shop-1"}}
	if d := cmp.Diff(want, trial.Captures); d != "" {
		t.Error(d)
	}
}

// FuzzTry tries any pattern, expression and glob on any text and compares the
// outcome with fingerprint's.
func FuzzTry(f *testing.F) {
	f.Add("Lease '<a>' lost<_>", "lost|found", "Shop*", "Lease 'x' lost it")
	f.Add("<_>é<b>x", "(a+)(b|c)*", "*", "aébx\nfoo")
	f.Add("x<_>", "^$", "?", "\xff")
	f.Fuzz(func(t *testing.T, pattern, expr, category, text string) {
		rule := &Rule{Rule: fingerprint.Rule{ID: "r", Category: category}}
		p, err := fingerprint.CompilePattern(pattern)
		if err != nil || strings.Contains(category, "\x00") {
			return
		}
		rule.Pattern = p
		if re, err := regexp.Compile(expr); err == nil {
			rule.Regexp = re
		}
		rec := &ingest.Record{Message: []byte(text), Text: []byte("x: " + text), Category: []byte("Shop")}
		trial := rule.Try(rec)
		var d fingerprint.Identity
		fingerprint.NewIdentifier(fingerprint.Options{Rules: []fingerprint.Rule{rule.Rule}}).Identify(rec, &d)
		if got := d.Rule == "r"; got != trial.Matched {
			t.Errorf("fingerprint says %v, the trial %v: %+v", got, trial.Matched, trial.Steps)
		}
		q := quick([]*Rule{rule})[0]
		if q.matches(rec) != trial.Matched {
			t.Errorf("the quick look at %q differs from the trial: %+v", q.literals, trial.Steps)
		}
		for _, other := range mutantsOf(rule) {
			other.mutated.Try(rec)
		}
	})
}

package fingerprint

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func mustPattern(t testing.TB, s string) *Pattern {
	t.Helper()
	p, err := CompilePattern(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPattern(t *testing.T) {
	cases := []struct {
		pattern, in string
		want        string // captures joined by "|", "-" for no match
	}{
		{"<_>Source: '<source>'<_>", "x Source: 'a//b', y", "a//b"},
		{"<a>/<b>", "1/2/3", "1|2/3"},
		{"GET <path> HTTP", "GET /x HTTP/1.1", "/x"},
		{"GET <path> HTTP", " GET /x HTTP", "-"},
		{"<a>end", "no", "-"},
		{"<a>", "", ""},
		{"<a> <_> <c>", "1 2 3", "1|3"},
		{"a<b <c>", "a<b 7", "7"},
		{"<_1>=<x2>", "k=v", "k|v"},
	}
	for _, c := range cases {
		p := mustPattern(t, c.pattern)
		spans, ok := p.Match([]byte(c.in), nil)
		got := "-"
		if ok {
			var parts []string
			for _, s := range spans {
				parts = append(parts, c.in[s.Start:s.End])
			}
			got = strings.Join(parts, "|")
		}
		if got != c.want {
			t.Errorf("pattern %q on %q = %q, want %q", c.pattern, c.in, got, c.want)
		}
	}
}

func TestPatternErrors(t *testing.T) {
	cases := []struct {
		pattern string
		offset  int
		reason  string
	}{
		{"", 0, "empty"},
		{"words", 0, "no capture"},
		{"x <a><b>", 5, "without text between"},
		{"<a> <a>", 4, "twice"},
		{"<9>", 0, "no capture"},
	}
	for _, c := range cases {
		_, err := CompilePattern(c.pattern)
		var pe *PatternError
		if !errors.As(err, &pe) || pe.Offset != c.offset || !strings.Contains(pe.Reason, c.reason) {
			t.Errorf("CompilePattern(%q): error %v, want offset %d, %q", c.pattern, err, c.offset, c.reason)
		}
	}
}

func TestPatternProgress(t *testing.T) {
	p := mustPattern(t, "GET <path> took <n>ms")
	cases := []struct {
		in              string
		pattern, offset int
		matched         bool
	}{
		{"POST /x", 0, 0, false},
		{"GET /x in 5ms", 4, 4, false},
		{"GET /x took 5 s", 16, 12, false},
		{"GET /x took 5ms", 21, 15, true},
	}
	for _, c := range cases {
		pb, off, ok := p.Progress([]byte(c.in))
		if pb != c.pattern || off != c.offset || ok != c.matched {
			t.Errorf("Progress(%q) = %d, %d, %v; want %d, %d, %v", c.in, pb, off, ok, c.pattern, c.offset, c.matched)
		}
	}
}

func TestRules(t *testing.T) {
	line := "client shop: request 17 to https://h.example/x failed in stage headers"
	base := ingest.Record{
		Level: ingest.LevelError, Category: []byte("Acme.Client"), Message: []byte(line), Text: []byte(line),
		Stream: ingest.NewStream([]ingest.Label{{Name: "namespace", Value: "prod"}, {Name: "service_name", Value: "shop"}}),
	}
	whole := Rule{
		ID: "r", Condition: Condition{Pattern: mustPattern(t, "client <client>: request <n> to <url> failed in stage <stage>")},
		Source: "<client>@<category>", Event: "<stage>",
	}
	with := func(change func(r *Rule)) Rule {
		r := whole
		change(&r)
		return r
	}
	def := "Acme.Client|||client shop: request <num> to <url> failed in stage headers"
	cases := []struct {
		name  string
		rules []Rule
		want  string // Source|event|rule|template
	}{
		{"no rule", nil, def},
		{"pattern", []Rule{whole}, "shop@Acme.Client|headers|r|client shop: request <num> to <url> failed in stage headers"},
		{"mask and keep of captures", []Rule{with(func(r *Rule) { r.Mask = []string{"url"}; r.Keep = []string{"n"} })},
			"shop@Acme.Client|headers|r|client shop: request 17 to <url> failed in stage headers"},
		{"a mask by name", []Rule{with(func(r *Rule) { r.Event = ""; r.Mask = []string{"stage"} })},
			"shop@Acme.Client||r|client shop: request <num> to <url> failed in stage <stage>"},
		{"the Source is never masked", []Rule{with(func(r *Rule) { r.Mask = []string{"client"} })},
			"shop@Acme.Client|headers|r|client shop: request <num> to <url> failed in stage headers"},
		{"keep of a kind", []Rule{with(func(r *Rule) { r.Keep = []string{"url.host"} })},
			"shop@Acme.Client|headers|r|client shop: request <num> to https://h.example/<path> failed in stage headers"},
		{"regular expression", []Rule{{ID: "x", Condition: Condition{Regexp: regexp.MustCompile(`client (?P<c>\w+): request`)}, Source: "re/<c>"}},
			"re/shop||x|client shop: request <num> to <url> failed in stage headers"},
		{"level too low", []Rule{with(func(r *Rule) { r.MinLevel = ingest.LevelFatal })}, def},
		{"category glob", []Rule{with(func(r *Rule) { r.Category = "Acme.*" })}, "shop@Acme.Client|headers|r|client shop: request <num> to <url> failed in stage headers"},
		{"other category", []Rule{with(func(r *Rule) { r.Category = "Acme" })}, def},
		{"label", []Rule{with(func(r *Rule) { r.Labels = []LabelMatcher{{Name: "namespace", Value: "prod"}}; r.Source = "l" })},
			"l|headers|r|client <*>"},
		{"label that differs", []Rule{with(func(r *Rule) { r.Labels = []LabelMatcher{{Name: "namespace", Value: "prod", Negate: true}} })}, def},
		{"label that is absent", []Rule{with(func(r *Rule) { r.Labels = []LabelMatcher{{Name: "zone", Value: "x"}} })}, def},
		{"unless", []Rule{with(func(r *Rule) { r.Unless = []Condition{{Regexp: regexp.MustCompile("headers")}} })}, def},
		{"priority", []Rule{whole, with(func(r *Rule) { r.ID = "p"; r.Priority = 5; r.Source = "p" })}, "p|headers|p|client"},
		{"first of equals", []Rule{with(func(r *Rule) { r.ID = "1" }), with(func(r *Rule) { r.ID = "2" })}, "shop@Acme.Client|headers|1|client"},
		{"none ends the search", []Rule{with(func(r *Rule) { r.None = true; r.Priority = 1 }), whole}, def},
		{"no source leaves the default", []Rule{{ID: "e", Condition: Condition{Regexp: regexp.MustCompile("stage (?P<s>.*)")}, Event: "<s>"}},
			"Acme.Client|headers|e|client"},
	}
	for _, c := range cases {
		x := NewIdentifier(Options{Rules: c.rules})
		var d Identity
		x.Identify(&base, &d)
		got := strings.Join([]string{string(d.Source), string(d.Event), d.Rule, string(d.Template)}, "|")
		want := c.want
		if i := strings.LastIndexByte(want, '|'); strings.HasPrefix(want[i+1:], "client") && len(want[i+1:]) < 12 {
			got, want = got[:strings.LastIndexByte(got, '|')], want[:i] // the template is not what it is about
		}
		if got != want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, want)
		}
	}
}

func TestRuleFields(t *testing.T) {
	r := &ingest.Record{Message: []byte("x"), Fields: fields("State.Client", "shop", "code", "503"), Metadata: metadata("stage", "headers")}
	cases := []struct {
		name   string
		fields []FieldMatcher
		want   string
	}{
		{"all there", []FieldMatcher{{Name: "client"}, {Name: "stage", As: "s"}}, "f:shop/headers"},
		{"glob", []FieldMatcher{{Name: "client", Value: "s*p"}, {Name: "stage", As: "s"}}, "f:shop/headers"},
		{"other value", []FieldMatcher{{Name: "client", Value: "x*"}, {Name: "stage", As: "s"}}, ""},
		{"expression", []FieldMatcher{{Name: "code", Regexp: regexp.MustCompile("^5..$"), As: "client"}, {Name: "stage", As: "s"}}, "f:503/headers"},
		{"not there", []FieldMatcher{{Name: "none"}}, ""},
	}
	for _, c := range cases {
		rule := Rule{ID: "f", Condition: Condition{Fields: c.fields}, Source: "f:<client>/<s>"}
		x := NewIdentifier(Options{Rules: []Rule{rule}})
		var d Identity
		x.Identify(r, &d)
		if string(d.Source) != c.want {
			t.Errorf("%s: Source %q, want %q", c.name, d.Source, c.want)
		}
	}
}

// TestRuleCapturesBesideAnError keeps a capture where the record tells its
// error in a field.
func TestRuleCapturesBesideAnError(t *testing.T) {
	r := &ingest.Record{Message: []byte("shard 7 lost"), Fields: fields("error", "no such host")}
	rule := Rule{ID: "k", Condition: Condition{Pattern: mustPattern(t, "shard <n> lost")}, Keep: []string{"n"}}
	x := NewIdentifier(Options{Rules: []Rule{rule}})
	var d Identity
	x.Identify(r, &d)
	if string(d.Template) != "shard 7 lost" {
		t.Errorf("template %q, want the capture kept", d.Template)
	}
}

func TestRuleCheck(t *testing.T) {
	p := mustPattern(t, "a <x> b <y>")
	cases := []struct {
		name string
		rule Rule
		want string
	}{
		{"fine", Rule{Condition: Condition{Pattern: p}, Source: "<x>/<category>", Mask: []string{"y"}, Keep: []string{"num"}}, ""},
		{"source captures nothing", Rule{Condition: Condition{Pattern: p}, Source: "<z>"}, "<z>"},
		{"mask swallows the Source", Rule{Condition: Condition{Pattern: p}, Source: "<x>", Mask: []string{"x"}}, "swallows"},
		{"mask of nothing", Rule{Condition: Condition{Pattern: p}, Mask: []string{"q"}}, "names no capture"},
		{"keep of nothing", Rule{Condition: Condition{Pattern: p}, Keep: []string{"q"}}, "neither"},
	}
	for _, c := range cases {
		err := c.rule.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestRulePollyParts(t *testing.T) {
	msg := []byte("Resilience event occurred. EventName: 'OnTimeout', Source: 'a/b/c', Operation Key: '', Result: ''")
	rule := Rule{
		ID: "p", Source: "<pipeline>/<strategy>", Event: "<event>",
		Condition: Condition{Pattern: mustPattern(t, "Resilience event occurred. EventName: '<event>', Source: '<pipeline>/<_>/<strategy>', Operation<_>")},
	}
	x := NewIdentifier(Options{Rules: []Rule{rule}})
	var d Identity
	x.Identify(&ingest.Record{Message: msg, Text: msg}, &d)
	if string(d.Source) != "a/c" || string(d.Event) != "OnTimeout" || string(d.Parts.Pipeline) != "a" || string(d.Parts.Strategy) != "c" {
		t.Errorf("Source %q, event %q, parts %q", d.Source, d.Event, d.Parts)
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("<_>Source: '<source>'<_>", "x Source: 'a' y")
	f.Add("<a>/<b>", "//")
	f.Add("<<a>>", "<x>")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, err := CompilePattern(pattern)
		if err != nil {
			return
		}
		spans, ok := p.Match([]byte(text), nil)
		if _, _, matched := p.Progress([]byte(text)); matched != ok {
			t.Errorf("Progress and Match of %q on %q disagree", pattern, text)
		}
		if !ok {
			return
		}
		if len(spans) != len(p.Names()) {
			t.Errorf("%q on %q: %d spans for %d names", pattern, text, len(spans), len(p.Names()))
		}
		if !strings.Contains(text, p.Literal()) {
			t.Errorf("%q matches %q, which lacks its literal %q", pattern, text, p.Literal())
		}
		for i, s := range spans {
			if s.Start > s.End || s.End > len(text) || i > 0 && s.Start < spans[i-1].End {
				t.Errorf("%q on %q: spans %v", pattern, text, spans)
			}
		}
	})
}

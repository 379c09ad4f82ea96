package report

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// found makes an incident of its streams and samples.
func found(streams, samples []string, set func(*analyze.Incident)) *analyze.Incident {
	inc := &analyze.Incident{
		Fingerprint: "fp1:0123456789abcdef", Links: []analyze.Link{},
		FirstSeen: analyze.At(1_789_806_360_000_000_000), LastSeen: analyze.At(1_789_813_560_999_999_999),
	}
	for _, s := range streams {
		inc.Streams = append(inc.Streams, analyze.IncidentStream{Stream: s})
	}
	for _, s := range samples {
		inc.Samples = append(inc.Samples, analyze.Sample{Line: s})
	}
	set(inc)
	return inc
}

func TestIncidentQuery(t *testing.T) {
	portal := `{app="portal", container="portal", job="shop/portal", namespace="shop", pod="portal-1"}`
	polly := "fail: Polly[0]\n      Resilience event occurred. EventName: 'OnTimeout', Source: 'shop//Standard-AttemptTimeout', Result: ''"
	isPolly := func(i *analyze.Incident) {
		i.Source, i.Event = "shop//Standard-AttemptTimeout", "OnTimeout"
		i.Template = "Resilience event occurred. EventName: 'OnTimeout', Source: 'shop//Standard-AttemptTimeout', Result: '<str>'"
	}
	for _, c := range []struct {
		name, base string
		inc        *analyze.Incident
		want       string
	}{
		{"Source and event stand on one line", "", found([]string{portal}, []string{polly}, isPolly),
			`{namespace="shop", app="portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"the query that was read stays, and is narrowed", `{cluster="eu"} |= "Polly" | json`, found([]string{portal}, []string{polly}, isPolly),
			`{cluster="eu", namespace="shop", app="portal"} |= "Polly" | json |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"a comment ends before the filters", "{cluster=\"eu\"} # all", found([]string{portal}, []string{polly}, isPolly),
			"{cluster=\"eu\", namespace=\"shop\", app=\"portal\"} # all\n |= \"shop//Standard-AttemptTimeout\" |= \"OnTimeout\""},
		{"a selector of everything gives way to the place", `{service_name=~".+"}`, found([]string{portal}, []string{polly}, isPolly),
			`{namespace="shop", app="portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"but is better than none", `{service_name=~".+"}`, found([]string{"{}"}, []string{polly}, isPolly),
			`{service_name=~".+"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"an equality of the query is not repeated", `{namespace="shop"}`, found([]string{portal}, []string{polly}, isPolly),
			`{namespace="shop", app="portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"a place is narrower than the query's expression, and keeps what it excludes", `{namespace=~"s.*", app=~".*", app!="depot"}`, found([]string{portal}, []string{polly}, isPolly),
			`{app!="depot", namespace="shop", app="portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"several places", "", found([]string{portal, `{app="depot", namespace="shop", pod="depot-1"}`}, []string{polly}, isPolly),
			`{namespace="shop", app=~"depot|portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"pods where no place is known", "", found([]string{`{pod="a.1"}`, `{pod="b"}`}, []string{polly}, isPolly),
			`{pod=~"a\\.1|b"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"dots of OpenTelemetry's names are underscores in Loki", "", found([]string{`{k8s.namespace.name="shop", service.name="portal"}`}, []string{polly}, isPolly),
			`{k8s_namespace_name="shop", service_name="portal"} |= "shop//Standard-AttemptTimeout" |= "OnTimeout"`},
		{"no selector is known of a plain file", "", found([]string{`{filename="x.log"}`}, []string{polly}, isPolly), ""},
		{"a category stands on another line than the message, and every sample must have the text", "",
			found([]string{portal}, []string{"fail: Shop.Cart[0]\n      Paying order 7 of shop failed\n", "fail: Shop.Cart[0]\r\n      Paying order 8 of shop failed\r\n"}, func(i *analyze.Incident) {
				i.Source, i.Template = "Shop.Cart", "Paying order <num> of shop failed"
			}), `{namespace="shop", app="portal"} |= "Paying order" |= "of shop failed"`},
		{"a template joins lines", "",
			found([]string{portal}, []string{"fail: Shop.Cart[0]\n      Paying order 7\n      was refused   by the bank\n"}, func(i *analyze.Incident) {
				i.Template = "Paying order <num> was refused by the bank of it"
			}), `{namespace="shop", app="portal"} |= "Paying order"`},
		{"quotes are quoted", "", found([]string{portal}, []string{`a "b\c" is not readable`}, func(i *analyze.Incident) {
			i.Source, i.Template = `a "b\c" is`, "x"
		}), `{namespace="shop", app="portal"} |= "a \"b\\c\" is"`},
		{"no text is common", "", found([]string{portal}, []string{"one", "two"}, func(i *analyze.Incident) { i.Source = "three" }), ""},
		{"what was redacted is not in Loki", "", found([]string{portal}, []string{"token [redacted] refused"}, func(i *analyze.Incident) {
			i.Source, i.Template = "token [redacted] refused", "token <token> refused"
		}), `{namespace="shop", app="portal"} |= "token" |= "refused"`},
		{"broken UTF-8 is not in Loki", "", found([]string{portal}, []string{"bad \xff byte there"}, func(i *analyze.Incident) {
			i.Source, i.Template = "bad \xff byte", "bad <str> byte there"
		}), `{namespace="shop", app="portal"} |= "byte there"`},
		{"no sample, no query", "", found([]string{portal}, nil, isPolly), ""},
	} {
		got := incidentQuery(c.base, c.inc)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
		if got == "" {
			continue
		}
		if _, err := selector.ParseQuery(got); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestExplore(t *testing.T) {
	inc := found([]string{`{app="portal", namespace="shop"}`}, []string{"ERROR no \"bundle\" & <b> (x) é"}, func(i *analyze.Incident) { i.Source, i.Template = "no", "<b> (x) é" })
	an := &analyze.Analysis{Incidents: []analyze.Incident{*inc}}
	for _, c := range []struct {
		grafana, path string
		extra         string
	}{
		{"https://grafana.example", "/explore", ""},
		{"https://grafana.example/", "/explore", ""},
		{"http://host:3000/grafana/", "/grafana/explore", ""},
		{"https://grafana.example/explore", "/explore", ""},
		{"https://grafana.example/?orgId=2", "/explore", "2"},
		{"https://grafana.example/explore?orgId=2&schemaVersion=1&panes={panes}", "/explore", "2"},
	} {
		l := Links{Grafana: c.grafana, Datasource: "P8E80F9AEF21F6940"}
		if err := l.Add(an); err != nil {
			t.Fatalf("%s: %v", c.grafana, err)
		}
		if len(an.Incidents[0].Links) != 1 {
			t.Fatalf("%s: links %v", c.grafana, an.Incidents[0].Links)
		}
		link := an.Incidents[0].Links[0]
		if strings.ContainsAny(link.URL, " <>()[]|\"'`*\n") {
			t.Errorf("%s: the link %s would end early in a text", c.grafana, link.URL)
		}
		u, err := url.Parse(link.URL)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		if u.Path != c.path || q.Get("schemaVersion") != "1" || q.Get("orgId") != c.extra {
			t.Errorf("%s: %s", c.grafana, link.URL)
		}
		var panes map[string]any
		if err := json.Unmarshal([]byte(q.Get("panes")), &panes); err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"vdm": map[string]any{
			"datasource": "P8E80F9AEF21F6940",
			"queries": []any{map[string]any{
				"refId": "A", "expr": `{namespace="shop", app="portal"} |= "x) é"`, "queryType": "range", "editorMode": "code",
				"datasource": map[string]any{"type": "loki", "uid": "P8E80F9AEF21F6940"},
			}},
			"range": map[string]any{"from": "1789806300000", "to": "1789813621000"},
		}}
		if d := cmp.Diff(want, any(panes)); d != "" {
			t.Errorf("%s: %s", c.grafana, d)
		}
	}
	if first, last := an.Incidents[0].FirstSeen, an.Incidents[0].LastSeen; first.Before(time.UnixMilli(1789806300000)) || last.After(time.UnixMilli(1789813621000)) {
		t.Error("the range does not hold the incident")
	}
}

func TestLinkTemplate(t *testing.T) {
	inc := found([]string{`{namespace="shop"}`}, []string{"ERROR broke & burnt"}, func(i *analyze.Incident) { i.Source = "broke & burnt" })
	an := &analyze.Analysis{Incidents: []analyze.Incident{*inc}}
	l := Links{Grafana: "https://logs.example/search/{fingerprint}?s={source}&q={expr}&from={from}&to={to}"}
	if err := l.Add(an); err != nil {
		t.Fatal(err)
	}
	want := "https://logs.example/search/fp1%3A0123456789abcdef?s=broke%20%26%20burnt&q=%7Bnamespace%3D%22shop%22%7D%20%7C%3D%20%22broke%20%26%20burnt%22&from=1789806300000&to=1789813621000"
	if got := an.Incidents[0].Links[0].URL; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLinksCheck(t *testing.T) {
	for _, c := range []struct {
		links Links
		want  string // part of the error; empty for none
	}{
		{Links{}, ""},
		{Links{Datasource: "x"}, ""},
		{Links{Grafana: "https://grafana.example", Datasource: "x"}, ""},
		{Links{Grafana: "https://grafana.example"}, "the UID"},
		{Links{Grafana: "https://logs.example/?q={expr}"}, ""},
		{Links{Grafana: "https://logs.example/?q={panes}"}, "the UID"},
		{Links{Grafana: "https://logs.example/?q={expression}"}, "{expression} is no placeholder"},
		{Links{Grafana: "https://logs.example/?q={expr"}, "{expr is no placeholder"},
		{Links{Grafana: "https://logs.example/?q=expr}"}, "} is no placeholder"},
		{Links{Grafana: "grafana.example", Datasource: "x"}, "must begin with http:// or https://"},
		{Links{Grafana: "javascript:alert(1)//{expr}"}, "must begin with http:// or https://"},
		{Links{Grafana: "https:///explore", Datasource: "x"}, "must begin with"},
		{Links{Grafana: "https://ann:hunter2@grafana.example", Datasource: "x"}, "a user or a password"},
		{Links{Grafana: "https://ann:hunter2@grafana.example:port", Datasource: "x"}, "cannot be read"},
	} {
		err := c.links.Check()
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrLinks)):
			t.Errorf("%+v: error %v, want %q", c.links, err, c.want)
		case err != nil && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%+v: the error tells the password: %v", c.links, err)
		}
	}
}

// FuzzIncidentQuery wants a query that parses, and whose filters are on a line
// of the sample, of every incident.
func FuzzIncidentQuery(f *testing.F) {
	f.Add(`{app="a", namespace="b"}`, "Source", "text <num> more", "Source: text 1 more", `{x="y"} |= "z"`)
	f.Add("{", "\xff\xff\xff\xff", `"\`+"`", "\n\n", "{")
	f.Fuzz(func(t *testing.T, key, source, template, line, base string) {
		inc := found([]string{key}, []string{line}, func(i *analyze.Incident) { i.Source, i.Template = source, template })
		q := incidentQuery(base, inc)
		if q == "" {
			return
		}
		if _, err := selector.ParseQuery(q); err != nil {
			t.Errorf("%q: %v", q, err)
		}
	})
}

package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// renderPage writes a page and takes it apart.
func renderPage(t testing.TB, an *analyze.Analysis, o HTMLOptions) (string, *scanned) {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, an, o); err != nil {
		t.Fatal(err)
	}
	doc, err := scan(b.String())
	if err != nil {
		t.Fatalf("the page is not what it should be: %v", err)
	}
	return b.String(), doc
}

func TestHTMLShowsEverything(t *testing.T) {
	an := newPageMaker(1, false).analysis(4)
	page, doc := renderPage(t, an, HTMLOptions{})
	for _, want := range []string{
		"4 incidents, 1 finding demands action", "partial: not everything was read", "2026-09-19 08:10:16Z → 19:07:16Z", "66,280 entries",
		"do not reopen #server", "0 bytes had arrived at 17:02:41Z", "measure the endpoint from outside",
		"Every 180.000 s", "± 1.4 ms", "AdoptBudget (StallBudget + 1m)", "179.99990 – 180.00010 s", "30 of 180", "one period, 180.000 s",
		"a slot that was missed", "Grey: events that keep another time or none",
		"Stage body-stalled", "By StallBudget", "no-response or body-stalled", "2m00s", "1.91 MiB",
		"#4000 open", "fixed", "0.031", "silent for 3h",
		"fp1:", "masked id", "0000000000000000", "10 samples", "at Registry.Client.FetchAsync", "5 streams", "Update failed for node <path> after <dur>",
		"streaming transfer", "(before the window)", "#4222 closed: timeouts",
		"Ranges not read whole", "status 504", "700", `{namespace="portal"}`, "hatched: not read whole", "Grafana",
		"read around 812 lines that the server filtered, of 5,000,000 entries in 20 streams; rates are the server's", `|= "timed out"`, "what the server filtered out is not among them",
	} {
		if !strings.Contains(doc.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, c := range []struct {
		name, class string
		want        int
	}{
		{"article", "", 4}, {"svg", "spark", 4}, {"svg", "strip", 4 * 6}, {"path", "missed", 4 * 5}, {"path", "other", 4 * 5}, {"svg", "chart", 2 + 4}, {"script", "", 0},
	} {
		if got := doc.count(c.name, c.class); got != c.want {
			t.Errorf("%d elements %s.%s, want %d", got, c.name, c.class, c.want)
		}
	}
	const csp = `content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"`
	if !strings.Contains(page, csp) {
		t.Error("the page does not forbid what it does not need")
	}
	if again, _ := renderPage(t, an, HTMLOptions{}); again != page {
		t.Error("two pages of one analysis differ")
	}
}

func TestHTMLOfLittle(t *testing.T) {
	for _, c := range []struct {
		an   analyze.Analysis
		want string
	}{
		{analyze.Analysis{}, "Nothing was read"},
		{analyze.Analysis{Read: analyze.Read{Entries: 3}}, "No record at error level"},
		{analyze.Analysis{Read: analyze.Read{Entries: 3, Partial: true}}, "No incident in what was read"},
		{analyze.Analysis{Incidents: []analyze.Incident{{}}}, "1 incident, nothing that demands action"},
		{analyze.Analysis{Incidents: []analyze.Incident{{Template: "what <n>", Stage: &analyze.Stage{}, Recurrences: []analyze.Recurrence{{}}}}}, "(no Source) what <n>"},
		{analyze.Analysis{Findings: []analyze.Finding{{}}, Fixes: []analyze.Fix{{}}, MaskedFolds: []analyze.MaskedFold{{}}, Marks: []analyze.Mark{{}}}, "Worth knowing"},
	} {
		_, doc := renderPage(t, &c.an, HTMLOptions{})
		if !strings.Contains(doc.text, c.want) {
			t.Errorf("%+v:\n%s\ndoes not say %q", c.an, doc.text, c.want)
		}
	}
}

func TestHTMLTimesHaveTheirOffset(t *testing.T) {
	zone := time.FixedZone("", 5*3600+1800)
	_, doc := renderPage(t, newPageMaker(1, false).analysis(2), HTMLOptions{Zone: zone, Title: "portal at night"})
	for _, want := range []string{"2026-09-19 13:40:16+05:30 → 2026-09-20 00:37:16+05:30", "times in UTC+05:30", "portal at night", "09-19 22:32:41+05:30"} {
		if !strings.Contains(doc.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if i := strings.Index(doc.text, ":16Z"); i >= 0 {
		t.Errorf("a time in UTC: %q", doc.text[max(i-40, 0):i+10])
	}
}

func TestHTMLKeepsItsSize(t *testing.T) {
	for _, c := range []struct{ incidents, maxBytes int }{{500, 0}, {3000, 0}, {40, 250_000}} {
		an := newPageMaker(2, false).analysis(c.incidents)
		start := time.Now()
		page, doc := renderPage(t, an, HTMLOptions{MaxBytes: c.maxBytes})
		bound := c.maxBytes
		if bound == 0 {
			bound = 1_900_000
		}
		articles, brief := doc.count("article", ""), doc.count("article", "brief")
		t.Logf("%d incidents: %d bytes, %d articles, %d of them brief, %d in the overview, %d findings; made and checked in %s",
			c.incidents, len(page), articles, brief, doc.count("svg", "spark"), strings.Count(page, `<li id="f`), time.Since(start).Round(time.Millisecond))
		if len(page) > bound {
			t.Errorf("%d incidents make a page of %d bytes", c.incidents, len(page))
		}
		if len(page) < bound*8/10 {
			t.Errorf("%d incidents: a page of %d bytes leaves out what it has room for", c.incidents, len(page))
		}
		if brief == 0 || brief == articles {
			t.Errorf("%d incidents: %d articles, %d of them brief; some are told in full and some in brief", c.incidents, articles, brief)
		}
		if c.incidents <= 500 && articles != c.incidents {
			t.Errorf("%d incidents have %d articles", c.incidents, articles)
		}
		if rows := doc.count("svg", "spark"); rows < articles {
			t.Errorf("%d incidents: %d articles of which %d are in the overview", c.incidents, articles, rows)
		}
		if !strings.Contains(doc.text, fmt.Sprintf("%d of these are told in brief", brief)) {
			t.Error("the page does not say what is told in brief")
		}
	}
}

// TestHTMLBoundsEveryList makes everything long of which an analysis may have
// any number.
func TestHTMLBoundsEveryList(t *testing.T) {
	const many = 3000
	an := newPageMaker(4, false).analysis(2)
	inc := &an.Incidents[0]
	start, end := an.Window.Start, an.Window.End
	for i := range many {
		name := fmt.Sprintf("something-with-a-name-%d", i)
		at := analyze.Time{Time: start.Add(time.Duration(i-many/3) * end.Sub(start.Time) / (many / 3))}
		an.Marks = append(an.Marks, analyze.Mark{At: at, Kind: analyze.MarkRoll, Name: name})
		an.Read.Gaps = append(an.Read.Gaps, analyze.Gap{Start: at, End: analyze.Time{Time: at.Add(time.Second)}, Reason: name})
		an.Read.Problems = append(an.Read.Problems, name)
		an.Read.Sources = append(an.Read.Sources, analyze.ReadSource{Name: name})
		an.Read.Server.Filters = append(an.Read.Server.Filters, name)
		an.MaskedFolds = append(an.MaskedFolds, analyze.MaskedFold{MaskedID: name})
		an.MaskedFolds[0].Sources = append(an.MaskedFolds[0].Sources, name)
		an.Fixes = append(an.Fixes, analyze.Fix{Roll: name})
		an.Findings[0].Evidence = append(an.Findings[0].Evidence, name)
		inc.MaskedIDs = append(inc.MaskedIDs, name)
		inc.Marks = append(inc.Marks, i)
		inc.Pods = append(inc.Pods, name)
		inc.Streams = append(inc.Streams, analyze.IncidentStream{Stream: name, Pod: name, Records: 1})
		inc.Samples = append(inc.Samples, analyze.Sample{Line: name})
		inc.Stage.Candidates = append(inc.Stage.Candidates, name)
		inc.Stage.Evidence = append(inc.Stage.Evidence, name)
		inc.Stage.Counts[name] = 1
		inc.Recurrences[0].Phases = append(inc.Recurrences[0].Phases, inc.Recurrences[0].Phases[0])
		inc.Recurrences[0].Matches = append(inc.Recurrences[0].Matches, analyze.Match{Name: name})
		inc.Links = append(inc.Links, analyze.Link{Name: name, URL: "https://grafana.example/"})
		if i < many/10 {
			inc.Recurrences = append(inc.Recurrences, inc.Recurrences[0])
		}
	}
	page, doc := renderPage(t, an, HTMLOptions{})
	if len(page) > 500_000 {
		t.Errorf("the page of two incidents has %d bytes", len(page))
	}
	for _, want := range []string{"before the window", "after the window", "and 2999 more", "and 2951 more"} {
		if !strings.Contains(doc.text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	t.Logf("%d bytes", len(page))
}

func TestHTMLIsTextWhateverLogsSay(t *testing.T) {
	for seed := range uint64(20) {
		an := newPageMaker(seed, true).analysis(6)
		_, doc := renderPage(t, an, HTMLOptions{}) // scan refuses whatever is not of the page's own making
		for _, r := range doc.text {
			if r < 0x20 && r != '\n' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200b || r == 0xfffd {
				t.Fatalf("seed %d: the page holds the character %q", seed, r)
			}
		}
	}
}

func TestHTMLCutsLongText(t *testing.T) {
	an := newPageMaker(3, false).analysis(1)
	inc := &an.Incidents[0]
	long := strings.Repeat("<b>0123456789", 1<<20/13)
	inc.Samples[0].Line, inc.Template, inc.Source, an.Findings[0].Message, an.Findings[0].Evidence[0] = long, long, long, long, long
	an.Read.Problems = []string{long}
	page, doc := renderPage(t, an, HTMLOptions{})
	if !strings.Contains(doc.text, "the first 8,192 of 1,048,567 bytes are shown") {
		t.Error("the page does not say that a line was cut")
	}
	if len(page) > 200_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

func FuzzHTML(f *testing.F) {
	for i, s := range htmlHostile {
		f.Add(s, "source", int64(i)*1e9, int64(3600e9), int64(17))
	}
	f.Fuzz(func(t *testing.T, line, name string, start, length, n int64) {
		at := func(d int64) analyze.Time { return analyze.At(start%(1<<60) + d%(1<<60)) }
		tick := analyze.Ticks{From: at(n), MembersNs: []int64{0, n & 0xffff, length & 0xfffff}, OthersNs: []int64{n & 0xff}, MissedNs: []int64{5}}
		an := &analyze.Analysis{
			Window: analyze.Window{Start: at(0), End: at(length)},
			Read:   analyze.Read{Query: line, Problems: []string{line}, Gaps: []analyze.Gap{{Start: at(n), End: at(n + 5), Reason: line}}, Timeline: []int64{n, 1}},
			Incidents: []analyze.Incident{{
				Fingerprint: name, Source: name, Event: line, Template: line, Records: n, Pods: []string{name}, MaskedIDs: []string{line}, Timeline: []int64{1, n, 2},
				Marks: []int{0, int(n)}, Samples: []analyze.Sample{{Time: at(n), Pod: name, Line: line}}, Issue: &analyze.IssueRef{URL: line, State: name},
				Links: []analyze.Link{{Name: name, URL: line}}, Stage: &analyze.Stage{Name: name, Counts: map[string]int64{line: n, name: 1}, Evidence: []string{line}},
				Recurrences: []analyze.Recurrence{{PeriodNs: length, Period: line, Phases: []analyze.Phase{{Stream: name, Ticks: tick}}}},
			}},
			Findings:    []analyze.Finding{{Fingerprint: name, Message: name + line, Action: line, Evidence: []string{line}, Subject: line}},
			MaskedFolds: []analyze.MaskedFold{{MaskedID: line, Sources: []string{name, line}, Fingerprints: []string{name}}},
			Fixes:       []analyze.Fix{{Roll: line, Fingerprint: name, Reason: line}},
			Marks:       []analyze.Mark{{At: at(n), Name: line}},
		}
		var b bytes.Buffer
		if err := HTML(&b, an, HTMLOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := scan(b.String()); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}

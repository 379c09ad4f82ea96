package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// htmlHostile is text that would do harm if it were taken for anything but
// text.
var htmlHostile = []string{
	`<script>document.title="owned"</script>`, `</style><script>alert(1)</script>`, `</title><img src=x onerror=alert(1)>`,
	`" onmouseover="alert(1)`, `' style='position:fixed`, "`${alert(1)}`", `<!-- --><![CDATA[`, `</svg></pre></details></main>`,
	`<svg onload=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `javascript:alert(1)`, `&lt;b&gt; &amp;amp; &#x3c;`, `{{.Style}} {{"x"}}`,
	"\x1b[31mred\x1b[0m", "\x1b]8;;http://evil.example\x1b\\x", "\u202egnp.exe\u202c", "\u2066iso\u2069", "a\x00b", "\xff\xfe broken", "\u2028\u2029",
	"e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "עברית العربية", "漢字 👩\u200d👧", "one\r\ntwo\nthree\tfour", "url(http://evil.example/x)", `@import "http://evil.example"`,
}

// A pageMaker makes analyses for tests of the page.
type pageMaker struct {
	r    *rand.Rand
	wild bool // put hostile text wherever a log can
}

func (m *pageMaker) text(s string) string {
	if m.wild {
		s += " " + htmlHostile[m.r.IntN(len(htmlHostile))]
	}
	return s
}

var htmlDay = time.Date(2026, 9, 19, 8, 10, 16, 0, time.UTC)

// analysis makes one of n incidents as a busy day has them: samples with stack
// traces, clocks, stages, findings, verdicts, folds, marks and gaps.
func (m *pageMaker) analysis(n int) *analyze.Analysis {
	start, span := htmlDay, 10*time.Hour+57*time.Minute
	at := func(d time.Duration) analyze.Time { return analyze.Time{Time: start.Add(d)} }
	an := &analyze.Analysis{
		SchemaVersion: analyze.SchemaVersion,
		Window:        analyze.Window{Start: at(0), End: at(span)},
		Marks: []analyze.Mark{
			{At: at(-5 * time.Minute), Kind: analyze.MarkRoll, Name: m.text("streaming transfer")},
			{At: at(5 * time.Hour), Kind: analyze.MarkRoll, Name: m.text("v2")},
			{At: at(5*time.Hour + time.Minute), Kind: analyze.MarkIssueClosed, Issue: 4222, Name: m.text("timeouts")},
		},
	}
	counted := int64(700)
	an.Read = analyze.Read{
		Query: m.text(`{namespace="portal"}`), Entries: 66280, Records: 32680, Streams: 5, Bytes: 4303590, Partial: true,
		Sources: []analyze.ReadSource{{Name: m.text("http://loki.example"), Format: "loki", Entries: 66280}},
		Gaps:    []analyze.Gap{{Start: at(2 * time.Hour), End: at(2*time.Hour + 20*time.Minute), Received: 12, Counted: &counted, Reason: m.text("status 504")}},
		Problems: []string{
			m.text("[10:10:16, 10:30:16): 12 of 700 lines received: status 504"),
		},
		Timeline: m.counts(270),
		Server: &analyze.ServerRead{
			Mode: analyze.ServerTwoPhase, Filters: []string{m.text(`|= "timed out"`)}, HitLines: 812, CountedEntries: 5_000_000, CountedStreams: 20, Notes: []string{m.text("rates are the server's")},
		},
	}
	for i := range n {
		an.Incidents = append(an.Incidents, m.incident(i, n, at, span))
	}
	m.conclusions(an, at)
	return an
}

func (m *pageMaker) counts(most int) []int64 {
	out := make([]int64, 120)
	for i := range out {
		out[i] = m.r.Int64N(int64(most))
	}
	return out
}

func (m *pageMaker) incident(i, n int, at func(time.Duration) analyze.Time, span time.Duration) analyze.Incident {
	inc := analyze.Incident{
		Fingerprint: fmt.Sprintf("fp1:%016x", m.r.Uint64()), MaskedIDs: []string{fmt.Sprintf("%016x", i/3)},
		Source: m.text(fmt.Sprintf("Company.Product.Component%d.Registry.Client", i)), Event: m.text("OnTimeout"),
		Exception: m.text("System.TimeoutException"), Template: m.text("Update failed for node <path> after <dur>"), TopFrame: m.text("Registry.Client.FetchAsync"),
		Level: "error", Records: int64(10 * (n - i)), Occurrences: int64(9 * (n - i)), Attempts: 3, Duplicates: 4,
		FirstSeen: at(time.Duration(i) * time.Second), LastSeen: at(span - time.Minute), Namespaces: []string{m.text("portal")},
		Timeline: m.counts(9), Marks: []int{0, 1, 2}, Query: m.text(`{pod=~"a|b"} |= "x"`),
		Episode: &analyze.Episode{Shape: analyze.ShapeClock, Pods: 5, PodsSeen: 9, Evidence: m.text("recurs with a fixed period")},
		Issue:   &analyze.IssueRef{Number: 4000 + i, State: "open", URL: m.text("https://tracker.example/issues/1")},
		Links:   []analyze.Link{{Name: m.text("Grafana"), URL: "https://grafana.example/explore?x=%7B%22a%22%7D&y=<>\""}, {Name: "bad", URL: m.text("javascript:alert(1)")}},
	}
	received, declared, elapsed := int64(m.r.IntN(1e6)), int64(2e6), int64(120e9)
	inc.Stage = &analyze.Stage{
		Name: "body-stalled", Confidence: 0.7 + 0.3*m.r.Float64(), Budget: m.text("StallBudget"), Candidates: []string{"no-response", "body-stalled"},
		BytesReceived: analyze.Spread{Min: &received, Median: &received, Max: &declared, Unknown: 3},
		BytesDeclared: analyze.Spread{Min: &declared, Median: &declared, Max: &declared},
		ElapsedNs:     analyze.Spread{Min: &elapsed, Median: &elapsed, Max: &elapsed},
		Counts:        map[string]int64{"body-stalled": 8, "no-response": 2}, Evidence: []string{m.text("went silent")},
	}
	rec := analyze.Recurrence{
		PeriodNs: 180e9, Period: "180.000 s", LowNs: 179.9999e9, HighNs: 180.0001e9, Jitter: "1.4 ms", JitterNs: 1.4e6, Kind: "fixed-rate",
		Events: 150, Slots: 180, Missed: 30, Confidence: 0.9999, Matches: []analyze.Match{{Name: m.text("AdoptBudget"), Expression: "StallBudget + 1m", Kind: "budget"}},
	}
	for pod := range 5 {
		name := m.text(fmt.Sprintf("portal-6f9c7d5b8-pod%d", pod))
		inc.Pods = append(inc.Pods, name)
		inc.Streams = append(inc.Streams, analyze.IncidentStream{Stream: m.text(`{app="portal", pod="` + name + `"}`), Pod: name, Records: 30, FirstSeen: at(0), LastSeen: at(span / 2)})
		due := at(span + time.Minute)
		ph := analyze.Phase{Stream: name, Pod: name, Events: 30, Slots: 36, Missed: 6, NextDue: &due}
		ph.Ticks = analyze.Ticks{From: at(time.Duration(pod) * 20 * time.Second), Complete: true, OthersNs: []int64{90e9, 400e9}}
		for k := range int64(36) {
			if k%6 == 5 {
				ph.Ticks.MissedNs = append(ph.Ticks.MissedNs, k*180e9)
			} else {
				ph.Ticks.MembersNs = append(ph.Ticks.MembersNs, k*180e9+m.r.Int64N(3e6))
			}
		}
		rec.Phases = append(rec.Phases, ph)
	}
	inc.Recurrences = []analyze.Recurrence{rec}
	for k := range 10 {
		line := m.text("fail: Registry.Client[0]") + "\n      Update failed for node a/b/" + strings.Repeat("x", 40) +
			"\n      System.TimeoutException: The operation has timed out" + strings.Repeat("\n         at Registry.Client.FetchAsync(Uri address, CancellationToken token)", 12)
		inc.Samples = append(inc.Samples, analyze.Sample{Time: at(time.Duration(k) * time.Hour), Pod: inc.Pods[k%5], Line: line})
	}
	return inc
}

// conclusions adds what is concluded of the incidents.
func (m *pageMaker) conclusions(an *analyze.Analysis, at func(time.Duration) analyze.Time) {
	folds := map[string]int{}
	for i, inc := range an.Incidents {
		severity := []analyze.Severity{analyze.SeverityWarning, analyze.SeverityInfo, analyze.SeverityWarning, analyze.SeverityError}[i%4]
		kind := []analyze.Kind{analyze.KindBlame, analyze.KindRecurrence, analyze.KindStageUnrecoverable, analyze.KindIssueDoNotReopen}[i%4]
		an.Findings = append(an.Findings, analyze.Finding{
			Kind: kind, Severity: severity, Subject: m.text("server"), Fingerprint: inc.Fingerprint,
			Message: m.text(inc.Source + ": 0 bytes had arrived at 2026-09-19T17:02:41Z"), Action: m.text("measure the endpoint from outside"), Evidence: []string{m.text("evidence")},
		})
		if i%3 == 2 {
			due := at(20 * time.Hour)
			an.Fixes = append(an.Fixes, analyze.Fix{
				Roll: m.text("v2"), At: at(5 * time.Hour), Issue: 4222, Source: inc.Source, Fingerprint: inc.Fingerprint,
				Verdict: []string{analyze.Fixed, analyze.NotFixed, analyze.Undecided}[i/3%3], Probability: 0.031, DecidableAt: &due, Before: 12, Reason: m.text("silent for 3h"),
			})
		}
		id := inc.MaskedIDs[0]
		k, ok := folds[id]
		if !ok {
			k = len(an.MaskedFolds)
			folds[id] = k
			an.MaskedFolds = append(an.MaskedFolds, analyze.MaskedFold{MaskedID: id})
		}
		f := &an.MaskedFolds[k]
		f.Sources, f.Fingerprints, f.Records = append(f.Sources, inc.Source), append(f.Fingerprints, inc.Fingerprint), f.Records+inc.Records
	}
	// As an analysis has them: the gravest first.
	var sorted []analyze.Finding
	for _, s := range []analyze.Severity{analyze.SeverityError, analyze.SeverityWarning, analyze.SeverityInfo} {
		for _, f := range an.Findings {
			if f.Severity == s {
				sorted = append(sorted, f)
			}
		}
	}
	an.Findings = sorted
}

func newPageMaker(seed uint64, wild bool) *pageMaker {
	return &pageMaker{r: rand.New(rand.NewPCG(seed, 1)), wild: wild}
}

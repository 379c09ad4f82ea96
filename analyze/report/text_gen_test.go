package report

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// hostile are pieces of text that a log may hold and a terminal must not see.
var hostile = []string{
	"\x1b[2J\x1b]0;owned\x07", "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\", "\x9b31m", "\u009b31m",
	"\u202eevil\u202c", "\u2066iso\u2069", "a\x00b", "\b\b\b", "one\ntwo\r\nthree\rfour", "tab\there",
	"<script>alert(1)</script>", "zero\u200bwidth\u200d\u2060\ufeff", "\xff\xfe\xc3\x28", "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
	"漢字かな混じり文", "한국어", "👩\u200d👩\u200d👧\u200d👦", "❤\ufe0f", "🇩🇪🇫🇷", "👍🏽", "עברית العربية", "\U000e0041\U000e0042", "\u2028line\u2029para", "\u3164\u115f",
}

// generate makes an analysis of n incidents, with everything that text shows
// in all its shapes; wild puts hostile text wherever a log can.
func generate(r *rand.Rand, n int, wild bool) *analyze.Analysis {
	word := func(kinds ...string) string {
		s := kinds[r.IntN(len(kinds))]
		if wild && r.IntN(2) == 0 {
			s += hostile[r.IntN(len(hostile))]
		}
		if wild && r.IntN(8) == 0 {
			s = strings.Repeat(s, 1+r.IntN(40))
		}
		return s
	}
	spans := []time.Duration{90 * time.Second, 45 * time.Minute, 11 * time.Hour, 26 * time.Hour, 9 * 24 * time.Hour, 400 * 24 * time.Hour}
	span := spans[r.IntN(len(spans))]
	start := time.Date(2026, 3, 28, r.IntN(24), r.IntN(60), r.IntN(60), r.IntN(1e9), time.UTC)
	within := func() analyze.Time { return analyze.Time{Time: start.Add(time.Duration(r.Int64N(int64(span))))} }
	an := &analyze.Analysis{SchemaVersion: 1, Window: analyze.Window{Start: analyze.Time{Time: start}, End: analyze.Time{Time: start.Add(span)}}}
	an.Read = analyze.Read{Entries: r.Int64N(1e7), Records: r.Int64N(1e6), Streams: r.IntN(4000), Skipped: r.Int64N(3) * 1234, Partial: r.IntN(2) == 0}
	if an.Read.Partial {
		an.Read.Problems = []string{word("logs.jsonl:17: no JSON object")}
	}
	for range r.IntN(3) {
		g := analyze.Gap{Start: within(), Received: r.Int64N(9), Reason: word("the server closed")}
		if g.End = within(); g.End.Before(g.Start.Time) {
			g.Start, g.End = g.End, g.Start
		}
		if r.IntN(2) == 0 {
			n := r.Int64N(1e6)
			g.Counted = &n
		}
		an.Read.Gaps = append(an.Read.Gaps, g)
	}
	if r.IntN(3) == 0 {
		an.Read.Server = &analyze.ServerRead{Mode: analyze.ServerTwoPhase, HitLines: r.Int64N(1e5), CountedEntries: r.Int64N(1e7), CountedStreams: r.IntN(90), Notes: []string{word("some streams")}}
	}
	an.Read.Repeated, an.Read.OutOfOrder, an.Read.Deduplicated = r.Int64N(2)*r.Int64N(5000), r.Int64N(2)*r.Int64N(5000), r.IntN(2) == 0
	for i := range r.IntN(7) {
		m := analyze.Mark{At: analyze.Time{Time: start.Add(time.Duration(r.Int64N(int64(2*span))) - span/2)}, Kind: analyze.MarkRoll, Name: word("streaming transfer", "v1.2")}
		if r.IntN(2) == 0 {
			m.Kind, m.Issue = analyze.MarkIssueClosed, 4000+i
		}
		an.Marks = append(an.Marks, m)
	}
	for i := range n {
		inc := analyze.Incident{
			Fingerprint: fmt.Sprintf("fp1:%016x", r.Uint64()), Level: []string{"warn", "error", "fatal"}[r.IntN(3)],
			Source: word("", "shop//Total", "Company.Product.Component.With.A.Very.Long.Name.That.Fills.A.Row.And.More.Registry.Client", "svc"),
			Event:  word("", "OnTimeout", "System.InvalidOperationException"), Template: word("Update failed for <path>"),
			Records: 1 + r.Int64N(200_000), Pods: []string{}, Timeline: make([]int64, 120),
		}
		inc.Occurrences = inc.Records - r.Int64N(inc.Records)
		inc.Attempts, inc.Duplicates = r.Int64N(3)*r.Int64N(900), r.Int64N(3)*r.Int64N(900)
		inc.FirstSeen, inc.LastSeen = within(), within()
		if inc.LastSeen.Before(inc.FirstSeen.Time) {
			inc.FirstSeen, inc.LastSeen = inc.LastSeen, inc.FirstSeen
		}
		for range r.IntN(60) {
			inc.Timeline[r.IntN(120)] += r.Int64N(3000)
		}
		for range r.IntN(3) {
			inc.MaskedIDs = append(inc.MaskedIDs, fmt.Sprintf("%016x", r.Uint64()))
		}
		for j := range r.IntN(6) {
			pod := word(fmt.Sprintf("memex-portal-6f9c7d5b8-%dkcw%d", i%10, j), "node", "web-0")
			inc.Pods = append(inc.Pods, pod)
			inc.Streams = append(inc.Streams, analyze.IncidentStream{Pod: pod, Records: r.Int64N(5000)})
		}
		for j := range an.Marks {
			if r.IntN(2) == 0 {
				inc.Marks = append(inc.Marks, j)
			}
		}
		if r.IntN(2) == 0 {
			due := within()
			rec := analyze.Recurrence{Period: "180.000 s", Jitter: "1.4 ms", Kind: []string{"fixed-rate", "fixed-delay", "cron", "unknown-kind"}[r.IntN(4)],
				Events: 2 + r.Int64N(9000), Missed: r.Int64N(40), Slots: 9040, NextDue: &due, Phases: []analyze.Phase{{Pod: word("web-0-abcde"), NextDue: &due}, {}}}
			rec.Matches = []analyze.Match{{Name: word("PerPackageAdoptBudget")}}
			rec.Pass = &analyze.Pass{CycleNs: 1, Cycle: "48m", RunLength: 5}
			inc.Recurrences = append(inc.Recurrences, rec)
		}
		if r.IntN(2) == 0 {
			spread := func() analyze.Spread {
				if r.IntN(3) == 0 {
					return analyze.Spread{Unknown: 3}
				}
				a, b := r.Int64N(1e10), r.Int64N(1e10)
				a, b = min(a, b), max(a, b)
				return analyze.Spread{Min: &a, Median: &a, Max: &b, Unknown: r.Int64N(2) * 1300}
			}
			inc.Stage = &analyze.Stage{Name: "total-deadline", Confidence: r.Float64(), Candidates: []string{"no-response", "body-stalled"}, Budget: word("TransferStallBudget"),
				BytesReceived: spread(), BytesDeclared: spread(), ElapsedNs: spread(), Counts: map[string]int64{"total-deadline": 7, "truncated": r.Int64N(5000)}, Evidence: []string{word("EventName: 'OnTimeout'")}}
		}
		if r.IntN(2) == 0 {
			inc.Issue = &analyze.IssueRef{Number: 1 + r.IntN(99999), State: word("open", "closed"), URL: "https://example.org/1"}
		}
		if r.IntN(3) == 0 {
			inc.Links = []analyze.Link{{Name: "Grafana", URL: word("https://grafana.example/explore")}}
		}
		for range r.IntN(4) {
			inc.Samples = append(inc.Samples, analyze.Sample{Time: within(), Pod: word("", "web-0-abcde"), Line: word("fail: Shop[0]\n   took 120000 ms of 3600000", "a")})
		}
		an.Incidents = append(an.Incidents, inc)
		kind := analyze.Kinds[r.IntN(len(analyze.Kinds))]
		an.Findings = append(an.Findings, analyze.Finding{Kind: kind, Severity: analyze.Severity(r.IntN(3)), Subject: word("4222", "server"), Fingerprint: inc.Fingerprint,
			Message: inc.Source + " was last seen at 2026-03-29T01:02:03Z " + word("and is a clock's"), Action: word("", "leave it")})
		if r.IntN(3) == 0 {
			an.Fixes = append(an.Fixes, analyze.Fix{Fingerprint: inc.Fingerprint, Roll: word("v1.2"), At: within(), Verdict: "not-fixed", Before: r.Int64N(5000), After: r.Int64N(5000)})
		}
	}
	return an
}

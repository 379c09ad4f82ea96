package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestIssueIsHarmless(t *testing.T) {
	an := hostileAnalysis(t)
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		body, title := IssueBody(an, inc, nil), IssueTitle(an, inc)
		harmless(t, body, an)
		if strings.Contains(title, "\n") || visible(title) != title || utf8.RuneCountInString(title) > MaxIssueTitle {
			t.Errorf("title %q", title)
		}
		if again := IssueBody(an, inc, nil); again != body {
			t.Error("a second run differs")
		}
		if t.Failed() {
			t.Fatalf("of incident %d", i)
		}
	}
}

// TestIssueFits makes everything as long and as many as it can be, of
// characters that need the most bytes when they are made harmless.
func TestIssueFits(t *testing.T) {
	for _, c := range []string{"|", "`", "@ ", "\x1b", "💥 ", "```\n"} {
		many := strings.Repeat(c, 2000)
		inc := analyze.Incident{
			Fingerprint: "fp1:0123456789abcdef", Source: many, Event: many, Exception: many + "x", Template: many, TopFrame: many, Level: many, Rule: many,
			Records: 1 << 60, Stage: &analyze.Stage{Name: many, Phase: many, Budget: many, Counts: map[string]int64{many: 1, many + "y": 2}},
			Issue: &analyze.IssueRef{Number: 7, State: many, URL: "https://e.example/" + strings.Repeat("x", 10_000)}, Query: many,
		}
		an := &analyze.Analysis{Read: analyze.Read{Query: many}}
		for range 40 {
			inc.MaskedIDs = append(inc.MaskedIDs, many)
			inc.Pods = append(inc.Pods, many)
			inc.Recurrences = append(inc.Recurrences, analyze.Recurrence{Period: many, Jitter: many, Kind: many, Matches: []analyze.Match{{Name: many}}})
			inc.Samples = append(inc.Samples, analyze.Sample{Line: many, Pod: many})
			inc.Stage.Evidence = append(inc.Stage.Evidence, many)
			inc.Links = append(inc.Links, analyze.Link{Name: many, URL: "https://e.example/" + strings.Repeat("y", 3000)})
			an.Findings = append(an.Findings, analyze.Finding{Kind: analyze.KindBlame, Fingerprint: inc.Fingerprint, Subject: many, Message: many, Action: many, Severity: analyze.SeverityError})
			an.Fixes = append(an.Fixes, analyze.Fix{Fingerprint: inc.Fingerprint, Roll: many, Reason: many, Verdict: many})
		}
		an.Incidents = []analyze.Incident{inc}
		body := IssueBody(an, &inc, nil)
		if len(body) > MaxIssueBody || !utf8.ValidString(body) {
			t.Errorf("of %q: %d bytes", c, len(body))
		}
		for _, must := range []string{"fp1:0123456789abcdef", "| since |", "### Issues"} {
			if !strings.Contains(body, must) {
				t.Errorf("of %q: %q was cut", c, must)
			}
		}
		harmless(t, body, an)
		if title := IssueTitle(an, &inc); utf8.RuneCountInString(title) > MaxIssueTitle {
			t.Errorf("of %q: the title has %d characters", c, utf8.RuneCountInString(title))
		}
	}
}

func TestCutMarkdown(t *testing.T) {
	md := "# one\n\n````text\n" + strings.Repeat("```\nline\n", 100) + "````\n\nafter\n"
	for max := 250; max < len(md); max += 7 {
		got := cutMarkdown(md, max)
		if len(got) > max || !strings.HasSuffix(got, "````\n\n(cut: the rest did not fit)\n") {
			t.Fatalf("at %d: %d bytes, ending in %q", max, len(got), got[len(got)-60:])
		}
	}
}

// TestIssueTells wants everything that an issue needs to be in its body.
func TestIssueTells(t *testing.T) {
	an := filled(t)
	inc := &an.Incidents[0]
	an.Findings[0].Fingerprint, an.Findings[0].Kind, an.Findings[0].Subject = inc.Fingerprint, analyze.KindIssueRepoint, "4528"
	an.Findings[1].Fingerprint = "fp1:of another"
	an.Fixes[0].Fingerprint = inc.Fingerprint
	inc.Query, an.Read.Query = `{app="x"} |= "it's"`, `{app="x"}`
	inc.Links[0].URL = "https://grafana.example/explore?x=1"
	inc.Source = "pipe/it's/strategy"
	body := IssueBody(an, inc, nil)
	for name, want := range map[string]string{
		"Source": inc.Source, "event": inc.Event, "exception": inc.Exception, "template": essence(inc.Template), "frame": inc.TopFrame, "level": inc.Level,
		"first": inc.FirstSeen.Format("2006-01-02 15:04:05.000Z"), "records": thousands(inc.Records), "pod": inc.Pods[0], "period": "every text", "stage": "evidence",
		"fingerprint": inc.Fingerprint, "masked id": inc.MaskedIDs[0], "issue": "repoint to #4528", "roll": "fix: roll text",
		"sample": "text", "link": "[its lines](<https://grafana.example/explore?x=1>)", "query": "{app=\"x\"} |= \"it's\"",
		"command": `--source 'pipe/it'\''s/strategy' --query '{app="x"}'`, "partial": "**Partial**",
	} {
		want = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(want, "\u2028", `\u2028`), "evidence", "The stage is known by"))
		if !strings.Contains(body, want) {
			t.Errorf("%s: %q is not in the body", name, want)
		}
	}
	if strings.Contains(body, an.Findings[1].Message) {
		t.Error("it tells what was found of another incident")
	}
	if t.Failed() {
		t.Log(body)
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"a/b-c.jsonl": "a/b-c.jsonl", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'", "*": "'*'", "=x": "'=x'", "~": "'~'", "é": "'é'", "2026-09-19T08:00:00Z": "2026-09-19T08:00:00Z",
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestSamplesOfOneTextStandOnce(t *testing.T) {
	inc := &analyze.Incident{Samples: []analyze.Sample{{Line: "one"}, {Line: "two"}, {Line: "one", Pod: "p"}}}
	var b bytes.Buffer
	m := newMarkdown(&b, &analyze.Analysis{}, nil)
	m.samples(inc, sampleBounds{samples: 3, lines: 3, bytes: 100})
	m.w.Flush()
	if got := b.String(); strings.Count(got, "one") != 1 || !strings.Contains(got, "; the same 0001-01-01 00:00:00.000Z on `p`:") {
		t.Error(got)
	}
}

package report

import (
	"fmt"
	"io"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// manyIncidents is an analysis of n incidents that tell of all there is to
// tell.
func manyIncidents(n int) *analyze.Analysis {
	an := &analyze.Analysis{SchemaVersion: 1, Window: analyze.Window{Start: analyze.At(0), End: analyze.At(86_400e9)}}
	for i := range n {
		inc := analyze.Incident{
			Fingerprint: fmt.Sprintf("fp1:%016x", i), MaskedIDs: []string{fmt.Sprintf("%016x", i)}, Source: fmt.Sprintf("shop-%d//Standard-AttemptTimeout", i), Event: "OnTimeout",
			Template: fmt.Sprintf("Resilience event occurred. EventName: 'OnTimeout', Source: 'shop-%d//Standard-AttemptTimeout', Result: '<str>'", i), Level: "error",
			Records: int64(i), FirstSeen: analyze.At(1e9), LastSeen: analyze.At(80_000e9), Timeline: make([]int64, 120),
			Stage: &analyze.Stage{Name: "no-response", Confidence: 1, Evidence: []string{"EventName: 'OnTimeout'"}},
		}
		for p := range 5 {
			pod := fmt.Sprintf("portal-%d", p)
			inc.Pods = append(inc.Pods, pod)
			inc.Streams = append(inc.Streams, analyze.IncidentStream{Stream: fmt.Sprintf(`{app="portal", namespace="shop", pod="%s"}`, pod), Pod: pod, Namespace: "shop", Records: 1})
		}
		for s := range 10 {
			inc.Samples = append(inc.Samples, analyze.Sample{Time: analyze.At(int64(s) * 1e9), Pod: "portal-1",
				Line: fmt.Sprintf("fail: Polly[0]\n      Resilience event occurred. EventName: 'OnTimeout', Source: 'shop-%d//Standard-AttemptTimeout', Result: '%d'", i, s)})
		}
		inc.Timeline[i%120] = int64(i)
		an.Incidents = append(an.Incidents, inc)
		an.Findings = append(an.Findings, analyze.Finding{Kind: analyze.KindBurst, Fingerprint: inc.Fingerprint, Subject: inc.Source, Message: inc.Source + " came at once", Severity: analyze.SeverityWarning, Action: "look at it"})
	}
	return an
}

func BenchmarkMarkdown(b *testing.B) {
	an := manyIncidents(1000)
	var n countingWriter
	if err := Markdown(&n, an, MarkdownOptions{}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		if err := Markdown(io.Discard, an, MarkdownOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// countingWriter counts what is written to it.
type countingWriter int64

func (w *countingWriter) Write(p []byte) (int, error) {
	*w += countingWriter(len(p))
	return len(p), nil
}

func BenchmarkLinks(b *testing.B) {
	an := manyIncidents(1000)
	l := Links{Grafana: "https://grafana.example", Datasource: "loki"}
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Add(an); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIssueBody(b *testing.B) {
	an := manyIncidents(1000)
	b.SetBytes(int64(len(IssueBody(an, &an.Incidents[7], nil))))
	b.ReportAllocs()
	for b.Loop() {
		IssueBody(an, &an.Incidents[7], nil)
	}
}

func BenchmarkJSONL(b *testing.B) {
	an := manyIncidents(1000)
	var n countingWriter
	if err := JSONL(&n, an); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		if err := JSONL(io.Discard, an); err != nil {
			b.Fatal(err)
		}
	}
}

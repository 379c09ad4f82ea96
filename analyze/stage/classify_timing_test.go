package stage

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// timingLines are records as they come: most of them tell of nothing.
var timingLines = map[string]string{
	"chatter": `      Compiling a query which loads related collections; took 317 ms for tenant 63a849e9-43cf-48b3-ad2e-565e51b4a7ac`,
	"access":  `198.51.100.7 - - [29/Nov/2026:23:09:07 +0000] "GET /bundles/index.json HTTP/1.1" 200 5120 "-" "curl/7.88.1"`,
	"setting": `      HttpClient timeout set to 00:02:00, session timeout 20 minutes`,
	"polly":   `      Resilience event occurred. EventName: 'OnTimeout', Source: 'catalog-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''`,
	"curl":    `curl: (28) Operation timed out after 2010 milliseconds with 12345 out of 100000 bytes received`,
	"go":      `Error response from daemon: Get "https://registry.example.com/v2/": dial tcp 203.0.113.4:443: i/o timeout`,
	"seed":    `      Bundle index over HTTP from https://registry.example.com did NOT complete after 120000 ms — 0 of an undeclared number of byte(s) had arrived. Cause: Bundle index: the registry at https://registry.example.com did not begin a response within 120 s`,
}

func BenchmarkClassify(b *testing.B) {
	for _, name := range []string{"chatter", "access", "setting", "polly", "curl", "go", "seed"} {
		line := timingLines[name]
		b.Run(name, func(b *testing.B) {
			c, err := New(Options{})
			if err != nil {
				b.Fatal(err)
			}
			r := &ingest.Record{Text: []byte(line), Message: []byte(line), Format: ingest.FormatPlain}
			var a Attribution
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				c.Classify(r, &a)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

package stage

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func BenchmarkCompleted(b *testing.B) {
	c, err := New(Options{})
	if err != nil {
		b.Fatal(err)
	}
	line := []byte("Compiling a query which loads related collections; took 317 ms for tenant 63a849e9-43cf-48b3-ad2e-565e51b4a7ac")
	r := &ingest.Record{Text: line, Message: line, Format: ingest.FormatPlain, Level: ingest.LevelInfo}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		c.Completed(r)
	}
}

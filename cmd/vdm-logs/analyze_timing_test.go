package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// mixedEntries writes n entries made of the lines of two scenarios, one with
// incidents and one without, in logcli's form and in order of time.
func mixedEntries(tb testing.TB, path string, n int) int64 {
	tb.Helper()
	type entry struct {
		Labels    json.RawMessage `json:"labels"`
		Line      json.RawMessage `json:"line"`
		Timestamp string          `json:"timestamp"`
	}
	var lines []entry
	for _, name := range []string{"01-masked-source", "04-quiet-day"} {
		f, err := os.Open(filepath.Join("../../testdata/incidents", name, "logs.jsonl.zst"))
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		z, err := zstd.NewReader(f)
		if err != nil {
			tb.Fatal(err)
		}
		defer z.Close()
		for dec := json.NewDecoder(z); ; {
			var e entry
			if err := dec.Decode(&e); err == io.EOF {
				break
			} else if err != nil {
				tb.Fatal(err)
			}
			lines = append(lines, e)
		}
	}
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	at := time.Date(2026, 9, 19, 6, 40, 0, 0, time.UTC)
	for i := range n {
		e := lines[i%len(lines)]
		at = at.Add(70*time.Millisecond + time.Duration(i*7919%1000003))
		fmt.Fprintf(w, "{\"labels\":%s,\"line\":%s,\"timestamp\":%q}\n", e.Labels, e.Line, at.Format(time.RFC3339Nano))
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
	info, err := f.Stat()
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return info.Size()
}

// BenchmarkAnalyze runs the whole path, from a file of 200,000 mixed console
// entries to the JSON result. Run it with -cpu 1 for the figure of one core.
func BenchmarkAnalyze(b *testing.B) {
	const entries = 200_000
	path := filepath.Join(b.TempDir(), "mixed.jsonl")
	size := mixedEntries(b, path, entries)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		var errs bytes.Buffer
		if code := run(b.Context(), []string{"analyze", "-o", "json", path}, stdio{in: strings.NewReader(""), out: io.Discard, err: &errs}); code != 0 {
			b.Fatalf("exit code %d: %s", code, errs.String())
		}
	}
	b.ReportMetric(float64(entries)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

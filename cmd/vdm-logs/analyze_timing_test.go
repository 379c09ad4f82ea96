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

// mixedEntries writes n entries in logcli's form and in order of time: two
// scenarios, one with incidents and one without, one after the other and again
// and again, with the spacing that they have.
func mixedEntries(tb testing.TB, path string, n int) int64 {
	tb.Helper()
	type entry struct {
		Labels    json.RawMessage `json:"labels"`
		Line      json.RawMessage `json:"line"`
		Timestamp time.Time       `json:"timestamp"`
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
	at, shift, repeats := lines[0].Timestamp, time.Duration(0), time.Duration(0)
	for i := range n {
		e := lines[i%len(lines)]
		if e.Timestamp.Add(shift).Before(at) {
			// The next scenario begins, after a pause that keeps no period.
			repeats++
			shift = at.Sub(e.Timestamp) + repeats*repeats*997*time.Second%(6*time.Hour)
		}
		at = e.Timestamp.Add(shift)
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

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// pushed reads a scenario's entries as they are pushed to a server.
func pushed(t testing.TB, path string) []lokitest.Entry {
	t.Helper()
	return pushedLines(t, linesOf(t, path))
}

// pushedPlain is pushed for a file that is not compressed.
func pushedPlain(t testing.TB, path string) []lokitest.Entry {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return pushedLines(t, bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")))
}

func pushedLines(t testing.TB, lines [][]byte) []lokitest.Entry {
	t.Helper()
	var out []lokitest.Entry
	for _, l := range lines {
		var e struct {
			Labels    map[string]string `json:"labels"`
			Line      string            `json:"line"`
			Timestamp time.Time         `json:"timestamp"`
		}
		if err := json.NewDecoder(bytes.NewReader(l)).Decode(&e); err != nil {
			t.Fatal(err)
		}
		var labels []ingest.Label
		for name, value := range e.Labels {
			labels = append(labels, ingest.Label{Name: name, Value: value})
		}
		out = append(out, lokitest.Entry{Labels: labels, UnixNano: e.Timestamp.UnixNano(), Line: e.Line})
	}
	return out
}

// TestConclusionsDoNotDependOnPages reads every scenario from a server that
// has the real one's traps, with several page sizes, and wants what the file
// gives. A page of one entry needs a request an entry, so the smallest pages
// are held against the beginning of the longer scenarios only.
func TestConclusionsDoNotDependOnPages(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			entries, lines := pushed(t, s.logs), linesOf(t, s.logs)
			for i, c := range []struct{ page, most int }{{1, 1500}, {7, 3000}, {100, 1 << 30}, {5000, 1 << 30}} {
				n := min(len(entries), c.most)
				file := writeLines(t, filepath.Join(t.TempDir(), "logs.jsonl"), lines[:n])
				want, wantBytes := analyzed(t, append(slices.Clone(s.args), file)...)

				server := lokitest.New(lokitest.Options{ServiceName: true, Shuffle: uint64(i)})
				server.Push(entries[:n]...)
				_, got := analyzed(t, append(slices.Clone(s.args), "--loki", server.Start(t), "--batch", fmt.Sprint(c.page),
					"--from", want.Window.Start.String(), "--to", want.Window.End.String(), "--query", `{namespace=~".+"}`)...)
				sameConclusions(t, fmt.Sprintf("pages of %d", c.page), got, wantBytes)
			}
		})
	}
}

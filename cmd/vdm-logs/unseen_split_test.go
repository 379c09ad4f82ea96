package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestUnseenSplit deals the lines of drawn incidents to two files, and pushes
// them to a server, and wants the same conclusions each time.
func TestUnseenSplit(t *testing.T) {
	for name, draw := range map[string]func(uint64) (*world, string){"masked": drawMasked, "outer": drawOuter, "stage": drawStage} {
		t.Run(name, func(t *testing.T) {
			// Drawn without ties: between files those have no order.
			var w *world
			for seed := uint64(50); w == nil || w.tie > 0; seed++ {
				w, _ = draw(seed)
			}
			args, logs := w.files(t)
			want, wantBytes := analyzed(t, append(args, logs)...)
			b, err := os.ReadFile(logs)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			var dealt [2][][]byte
			for _, l := range bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) {
				i := w.rng.IntN(2)
				dealt[i] = append(dealt[i], append(bytes.TrimSuffix(l, []byte("\n")), '\n'))
			}
			one, two := writeLines(t, filepath.Join(dir, "one.jsonl"), dealt[0]), writeLines(t, filepath.Join(dir, "two.jsonl"), dealt[1])
			_, got := analyzed(t, append(args, two, one)...)
			sameConclusions(t, "dealt to two files", got, wantBytes)

			server := lokitest.New(lokitest.Options{ServiceName: true, Shuffle: 1})
			server.Push(pushedPlain(t, logs)...)
			_, got = analyzed(t, append(args, "--loki", server.Start(t), "--batch", "100",
				"--from", want.Window.Start.String(), "--to", want.Window.End.String(), "--query", `{namespace=~".+"}`)...)
			sameConclusions(t, "from a server", got, wantBytes)
		})
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// TestDedupeUndoesDoubling ships every scenario twice, in several ways, and
// wants with --dedupe what a single shipping gives.
func TestDedupeUndoesDoubling(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			args := append(slices.Clone(s.args), "--dedupe")
			_, want := analyzed(t, append(slices.Clone(args), s.logs)...)
			lines := linesOf(t, s.logs)
			lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
			dir := t.TempDir()

			var each [][]byte
			for _, l := range lines {
				each = append(each, l, l)
			}
			half := len(lines) / 2
			twice := writeLines(t, filepath.Join(dir, "twice.jsonl"), slices.Concat(lines, lines))
			one, other := writeLines(t, filepath.Join(dir, "one.jsonl"), lines), writeLines(t, filepath.Join(dir, "other.jsonl"), lines)
			part := writeLines(t, filepath.Join(dir, "part.jsonl"), lines[half:])
			for what, files := range map[string][]string{
				"one after the other":  {twice},
				"each line twice":      {writeLines(t, filepath.Join(dir, "each.jsonl"), each)},
				"two files":            {one, other},
				"two files, the other": {other, one},
				"half of it again":     {one, part},
			} {
				_, got := analyzed(t, append(slices.Clone(args), files...)...)
				sameConclusions(t, what, got, want)
			}

			// Not dropped, it is counted and told.
			_, raw := analyzed(t, append(slices.Clone(s.args), twice)...)
			var result struct {
				Read struct {
					Entries, Repeated int64
					Deduplicated      bool
				}
				Findings []struct{ Kind, Subject string }
			}
			if err := json.Unmarshal(raw, &result); err != nil {
				t.Fatal(err)
			}
			if r := result.Read; r.Entries != int64(2*len(lines)) || r.Repeated < r.Entries/2 || r.Deduplicated {
				t.Errorf("without --dedupe: %+v, want %d entries, half of them repeated", r, 2*len(lines))
			}
			if !bytes.Contains(raw, []byte(`"kind": "shipped-twice"`)) {
				t.Errorf("a doubled shipping is not told: %+v", result.Findings)
			}
			if _, single := analyzed(t, append(slices.Clone(s.args), s.logs)...); bytes.Contains(single, []byte(`"kind": "shipped-twice"`)) {
				t.Error("a single shipping is told as two")
			}
		})
	}
}

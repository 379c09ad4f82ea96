package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// conclusions are the parts of a result that must not depend on how the input
// was cut, packed, ordered or paged.
type conclusions struct {
	Incidents   json.RawMessage `json:"incidents"`
	MaskedFolds json.RawMessage `json:"maskedFolds"`
	Findings    json.RawMessage `json:"findings"`
}

func conclusionsOf(t testing.TB, result []byte) []byte {
	t.Helper()
	var c conclusions
	if err := json.Unmarshal(result, &c); err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameConclusions fails with the first place where two results differ.
func sameConclusions(t testing.TB, what string, got, want []byte) {
	t.Helper()
	g, w := conclusionsOf(t, got), conclusionsOf(t, want)
	if bytes.Equal(g, w) {
		return
	}
	i := 0
	for i < len(g) && i < len(w) && g[i] == w[i] {
		i++
	}
	from := max(i-300, 0)
	t.Errorf("%s: the conclusions differ at byte %d:\n got …%s\nwant …%s", what, i, g[from:min(i+200, len(g))], w[from:min(i+200, len(w))])
}

func linesOf(t testing.TB, path string) [][]byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
}

func writeLines(t testing.TB, path string, lines [][]byte) string {
	t.Helper()
	if err := os.WriteFile(path, append(bytes.TrimSuffix(bytes.Join(lines, nil), []byte("\n")), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeGzip(t testing.TB, path string, lines [][]byte) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, l := range lines {
		z.Write(l)
	}
	z.Close()
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestConclusionsDoNotDependOnFiles cuts every scenario into files in several
// ways, gives them in several orders, and wants the same bytes each time.
func TestConclusionsDoNotDependOnFiles(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			_, want := analyzed(t, append(s.args, s.logs)...)
			lines := linesOf(t, s.logs)
			lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
			dir := t.TempDir()
			file := func(format string, args ...any) string { return filepath.Join(dir, fmt.Sprintf(format, args...)) }
			try := func(what string, files ...string) {
				_, got := analyzed(t, append(slices.Clone(s.args), files...)...)
				sameConclusions(t, what, got, want)
			}

			var parts []string
			n := len(lines)
			for i := range 3 {
				parts = append(parts, writeLines(t, file("part%d.jsonl", i), lines[i*n/3:(i+1)*n/3]))
			}
			try("three parts in order", parts...)
			try("three parts in reverse", parts[2], parts[1], parts[0])
			try("three parts, shuffled", parts[1], parts[2], parts[0])

			var dealt [2][][]byte
			for i, l := range lines {
				dealt[i%2] = append(dealt[i%2], l)
			}
			a, b := writeLines(t, file("a.jsonl"), dealt[0]), writeLines(t, file("b.jsonl"), dealt[1])
			try("lines dealt to two files", a, b)
			try("lines dealt to two files, other order", b, a)

			try("gzip", writeGzip(t, file("logs.jsonl.gz"), lines))

			backward := slices.Clone(lines)
			slices.Reverse(backward)
			try("newest first, as logcli prints by default", writeLines(t, file("backward.jsonl"), backward))
		})
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMarkdownGolden holds the Markdown report and the issue about its first
// incident against what they were; -update rewrites them.
func TestMarkdownGolden(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	hostile := filepath.Join(t.TempDir(), "hostile.jsonl")
	if err := os.WriteFile(hostile, hostileLog(), 0o600); err != nil {
		t.Fatal(err)
	}
	cut := "testdata/markdown/cut.jsonl"
	seed, stages := "../../testdata/incidents/01-masked-source/", "../../testdata/incidents/03-named-stage/"
	for _, c := range []struct {
		name string
		args []string
		code int
	}{
		{"seed", []string{"--rules", seed + "context.yaml", "--grafana", "https://grafana.example", "--grafana-datasource", "P8E80F9AEF21F6940", seed + "logs.jsonl.zst"}, 0},
		{"stages", []string{"--rules", stages + "context.yaml", stages + "logs.jsonl.zst"}, 0},
		{"partial", []string{"--tz", "Europe/Berlin", cut}, exitPartial},
	} {
		golden(t, filepath.Join("testdata", "markdown", c.name+".md"), []byte(printed(t, c.code, append([]string{"analyze", "-o", "markdown"}, c.args...)...)))
		golden(t, filepath.Join("testdata", "markdown", c.name+"_issue.md"), []byte(printed(t, c.code, append([]string{"incident", "issue", "1"}, c.args...)...)))
	}
	// What a log says in a folder of this run is no golden; it is harmless.
	out := printed(t, exitPartial, "analyze", "-o", "markdown", hostile)
	for _, evil := range []string{"\x1b", "\u202e", "\x00", "\n<script>", strings.Repeat("A", 2000)} {
		if strings.Contains(out, evil) {
			t.Errorf("the report holds %.20q", evil)
		}
	}
	if len(out) > 64<<10 {
		t.Errorf("a line of 1 MiB makes a report of %d bytes", len(out))
	}
}

// printed is what a command prints, which must end with that exit code.
func printed(t *testing.T, code int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); got != code {
		t.Fatalf("%v: exit code %d\n%s", args, got, errs.String())
	}
	return out.String()
}

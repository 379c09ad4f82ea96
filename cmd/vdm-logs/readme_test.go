package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

// shown finds the outputs that the README shows: a comment with the command
// line, and the block after it.
var shown = regexp.MustCompile("(?s)<!-- output of: go run \\./cmd/vdm-logs (.*?) -->\n```\n(.*?)```\n")

// TestREADME runs the commands whose output the README shows and wants it to
// be what they print; -update rewrites it.
func TestREADME(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("COLUMNS", "")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("TERM", "xterm")
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	got := shown.ReplaceAllFunc(text, func(block []byte) []byte {
		found++
		m := shown.FindSubmatch(block)
		var out, errs bytes.Buffer
		if code := run(t.Context(), strings.Fields(string(m[1])), stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != 0 {
			t.Fatalf("%s: exit code %d\n%s", m[1], code, errs.String())
		}
		return bytes.Join([][]byte{[]byte("<!-- output of: go run ./cmd/vdm-logs "), m[1], []byte(" -->\n```\n"), out.Bytes(), []byte("```\n")}, nil)
	})
	if found == 0 {
		t.Fatal("the README shows no output")
	}
	if bytes.Equal(got, text) {
		return
	}
	if *update {
		if err := os.WriteFile("README.md", got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the README shows what the command does not print; run the test with -update and look at the difference:\n%s", got)
}

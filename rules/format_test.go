package rules

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormatProblems(t *testing.T) {
	for text, want := range map[string]string{
		"a: 'x\n":      "yaml/syntax",
		"a: 1\na: 2\n": "yaml/duplicate-key",
		"? a\n: b\n":   "format/layout",
	} {
		_, err := Format(Source{Name: "f.yaml", Data: []byte(text)})
		var pe *ProblemsError
		if !errors.As(err, &pe) || pe.Problems[0].Check != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestLineDiff(t *testing.T) {
	before := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n"
	after := strings.Replace(strings.Replace(before, "2\n3", "2\nnew\n3", 1), "14\n", "", 1)
	want := "--- f\n+++ f\n@@ -1,5 +1,6 @@\n 1\n 2\n+new\n 3\n 4\n 5\n@@ -11,6 +12,5 @@\n 11\n 12\n 13\n-14\n 15\n 16\n"
	if d := cmp.Diff(want, LineDiff("f", []byte(before), []byte(after))); d != "" {
		t.Error(d)
	}
	if got := LineDiff("f", []byte(before), []byte(before)); got != "" {
		t.Errorf("equal texts differ: %s", got)
	}
}

// TestLineDiffApplies takes the edits of random texts and makes both texts of
// them again.
func TestLineDiffApplies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := func() []string {
			l := make([]string, r.IntN(12))
			for i := range l {
				l[i] = string(rune('a' + r.IntN(4)))
			}
			return l
		}
		a, b := text(), text()
		var gotA, gotB []string
		for _, e := range lineEdits(a, b) {
			if e.op != '+' {
				gotA = append(gotA, e.text)
			}
			if e.op != '-' {
				gotB = append(gotB, e.text)
			}
		}
		if strings.Join(gotA, "") != strings.Join(a, "") || strings.Join(gotB, "") != strings.Join(b, "") {
			t.Fatalf("%v %v: edits give %v %v", a, b, gotA, gotB)
		}
		for _, h := range hunks(a, b) {
			if h.fromA < 0 || h.fromB < 0 || h.toA > len(a) || h.toB > len(b) {
				t.Fatalf("%v %v: %+v", a, b, h)
			}
		}
	}
}

func TestWordDiff(t *testing.T) {
	for _, tt := range []struct{ want, got, markedWant, markedGot string }{
		{"a/b", "a/b", "'a/b'", "'a/b'"},
		{"shop/orders lost", "shop/carts lost", "'shop/[orders] lost'", "'shop/[carts] lost'"},
		{"", "x\ty", "''", `'[x\ty]'`},
	} {
		w, g := WordDiff(tt.want, tt.got)
		if w != tt.markedWant || g != tt.markedGot {
			t.Errorf("%q, %q: got %s, %s", tt.want, tt.got, w, g)
		}
	}
}

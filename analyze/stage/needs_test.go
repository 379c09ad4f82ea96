package stage

import (
	"slices"
	"strings"
	"testing"
)

// TestNeedsCoverGate holds the list that a server is given against the
// prefilter: no text passes the latter that holds nothing of the former.
func TestNeedsCoverGate(t *testing.T) {
	c, err := New(Options{Rules: []Rule{{ID: "own", Match: "flux capacitor", Stage: BodyStalled}}})
	if err != nil {
		t.Fatal(err)
	}
	fold := func(s string) string {
		b := []byte(s)
		for i := range b {
			b[i] |= 0x20
		}
		return string(b)
	}
	needs := c.Needs()
	if needs.All || !slices.Contains(needs.Fold, "capacitor") {
		t.Errorf("a rule's own word is not asked for: all %v, %q", needs.All, needs.Fold)
	}
	var all []string
	for _, w := range append(slices.Clone(needs.Fold), needs.Exact...) {
		all = append(all, fold(w))
	}
	for _, words := range c.gate.words {
		for _, w := range words {
			number := slices.Contains(needs.Numbers, strings.Trim(w.text, signs))
			if !number && !slices.ContainsFunc(all, func(n string) bool { return strings.Contains(w.text, n) }) {
				t.Errorf("the gate lets %q pass, which holds nothing that is asked for", w.text)
			}
		}
	}
}

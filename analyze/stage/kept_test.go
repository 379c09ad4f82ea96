package stage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestKept(t *testing.T) {
	var k kept
	for round := range 3 {
		for i := range 1000 {
			for _, s := range []string{fmt.Sprint(i), fmt.Sprintf("%d timed out", i), strings.Repeat("x", i)} {
				b := []byte(s)
				got := k.string(b)
				clear(b)
				if got != s {
					t.Fatalf("round %d: got %q, want %q", round, got, s)
				}
			}
		}
	}
	for _, s := range k {
		if len(s) > keptLength {
			t.Errorf("keeps %d bytes", len(s))
		}
	}
}

// TestClassifyAllocates nothing, once what a record says has been said.
func TestClassifyAllocates(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, line := range familyLines {
		r := &ingest.Record{Text: []byte(line), Message: []byte(line)}
		var a Attribution
		if n := testing.AllocsPerRun(10, func() { c.Classify(r, &a) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

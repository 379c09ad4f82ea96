package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	cols := []Column{{Head: "events", Right: true}, {Head: "stream", Give: LoseMiddle}, {Head: "why", Give: WrapWords}}
	rows := [][]string{{"12", "portal-6f9c7d5b8-2kcwk", "short"}, {"1,234", "漢字\x1b[31m", "a sentence that needs more room than there is"}}
	for _, c := range []struct {
		width int
		want  string
	}{
		{100, "" +
			"  events  stream                  why\n" +
			"      12  portal-6f9c7d5b8-2kcwk  short\n" +
			"   1,234  漢字\\x1b[31m            a sentence that needs more room than there is\n"},
		{64, "" +
			"  events  stream                  why\n" +
			"      12  portal-6f9c7d5b8-2kcwk  short\n" +
			"   1,234  漢字\\x1b[31m            a sentence that needs more\n" +
			"                                  room than there is\n"},
		{60, "" +
			"  events  stream                why\n" +
			"      12  portal-6f9…5b8-2kcwk  short\n" +
			"   1,234  漢字\\x1b[31m          a sentence that needs more\n" +
			"                                room than there is\n"},
		{50, "" +
			"  events  stream\n" +
			"    why\n" +
			"      12  portal-6f9c7d5b8-2kcwk\n" +
			"    short\n" +
			"   1,234  漢字\\x1b[31m\n" +
			"    a sentence that needs more room than there is\n"},
	} {
		var b strings.Builder
		if err := (Screen{Width: c.width}).Table(&b, 2, cols, rows); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Errorf("width %d (-want +got):\n%s", c.width, d)
		}
	}
}

// TestTablesFitAndKeepNumbers lays out tables of anything at every width.
func TestTablesFitAndKeepNumbers(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		cols := make([]Column, 1+r.IntN(8))
		for i := range cols {
			cols[i] = Column{Right: r.IntN(2) == 0, Give: Give(r.IntN(4))}
			if seed%2 == 0 {
				cols[i].Head = "head"
			}
		}
		rows := make([][]string, r.IntN(5))
		for i := range rows {
			for _, c := range cols {
				cell := hostile[r.IntN(len(hostile))] + strings.Repeat(" words", r.IntN(12))
				if c.Give == KeepAll {
					cell = thousands(r.Int64N(1e12))
				}
				rows[i] = append(rows[i], cell)
			}
		}
		for _, width := range []int{40, 60, 80, 200} {
			var b strings.Builder
			if err := (Screen{Width: width}).Table(&b, 2, cols, rows); err != nil {
				t.Fatal(err)
			}
			for _, l := range strings.Split(b.String(), "\n") {
				if columns(l) > width || strings.ContainsAny(l, "\x1b\x00\r") || strings.TrimRight(l, " ") != l {
					t.Fatalf("seed %d, width %d: %q", seed, width, l)
				}
			}
			for _, row := range rows {
				for i, c := range cols {
					if c.Give == KeepAll && !strings.Contains(b.String(), row[i]) {
						t.Fatalf("seed %d, width %d: %s is lost in\n%s", seed, width, row[i], b.String())
					}
				}
			}
		}
	}
}

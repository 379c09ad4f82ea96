package fingerprint

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sourcesOf makes the identities of n pipelines whose instance is made by f.
func sourcesOf(n int, f func(i int) string) []Identity {
	var ds []Identity
	for i := range n {
		in := f(i)
		ds = append(ds, Identity{Source: []byte("orders/" + in + "/Timeout"), Parts: SourceParts{[]byte("orders"), []byte(in), []byte("Timeout")}})
	}
	return ds
}

func guid(i int) string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", uint32(i)*2654435761, i)
}

func TestSourceGuard(t *testing.T) {
	word := func(i int) string {
		return string([]byte{'a' + byte(i%26), 'a' + byte(i/26%26), 'a' + byte(i/676%26), 'x', 'y'})
	}
	cases := []struct {
		name  string
		in    []Identity
		part  string // "" wants no report
		about int64
	}{
		{"a few instances", sourcesOf(8, guid), "", 0},
		{"an instance per request", sourcesOf(3000, guid), "instance", 3000},
		{"forty GUIDs", sourcesOf(40, guid), "instance", 40},
		{"forty tenants by name", sourcesOf(40, word), "", 0},
		{"a thousand tenants by name", sourcesOf(1000, word), "instance", 1000},
	}
	for _, c := range cases {
		g := NewSourceGuard()
		for i := range c.in {
			g.Add(&c.in[i])
		}
		got := g.Unbounded()
		if c.part == "" {
			if len(got) > 0 {
				t.Errorf("%s: reported %+v, want nothing", c.name, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Part != c.part || got[0].Pattern != "orders/<*>/Timeout" {
			t.Errorf("%s: reported %+v, want one %s", c.name, got, c.part)
			continue
		}
		if d := got[0].Distinct; d < c.about*9/10 || d > c.about*11/10 {
			t.Errorf("%s: %d distinct, want about %d", c.name, d, c.about)
		}
	}
}

func TestSourceGuardOfCategories(t *testing.T) {
	g := NewSourceGuard()
	for i := range 100 {
		g.Add(&Identity{Source: fmt.Appendf(nil, "worker-%d.queue", i)})
		g.Add(&Identity{Source: fmt.Appendf(nil, "Portal.Area%c", 'A'+i%26)})
	}
	got := g.Unbounded()
	if len(got) != 1 || got[0].Part != "text" || got[0].Distinct != 100 {
		t.Fatalf("reported %+v, want the workers alone", got)
	}
}

func TestSourceGuardOrderAndShards(t *testing.T) {
	in := append(sourcesOf(500, guid), sourcesOf(200, func(i int) string { return "h" + guid(i*7) })...)
	whole := NewSourceGuard()
	for i := range in {
		whole.Add(&in[i])
	}
	want := whole.Unbounded()
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 1))
		shards := []*SourceGuard{NewSourceGuard(), NewSourceGuard(), NewSourceGuard()}
		for _, i := range rng.Perm(len(in)) {
			shards[rng.IntN(len(shards))].Add(&in[i])
		}
		for _, s := range shards[1:] {
			shards[0].Merge(s)
		}
		if diff := cmp.Diff(want, shards[0].Unbounded()); diff != "" {
			t.Errorf("seed %d: shards differ from the whole (-want +got)\n%s", seed, diff)
		}
	}
}

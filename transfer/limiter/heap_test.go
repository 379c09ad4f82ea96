package limiter

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap compares the heap with a sorted slice under random use.
func TestHeap(t *testing.T) {
	type element struct{ key, pos int }
	rng := rand.New(rand.NewPCG(1, 19))
	h := heap[*element]{
		less: func(a, b *element) bool { return a.key < b.key },
		pos:  func(e *element) *int { return &e.pos },
	}
	var in []*element
	for range 20_000 {
		switch op := rng.IntN(4); {
		case op < 2 || len(in) == 0:
			e := &element{key: rng.IntN(100), pos: absent}
			h.put(e)
			in = append(in, e)
		case op == 2:
			e := in[rng.IntN(len(in))]
			e.key = rng.IntN(100)
			h.put(e)
		default:
			i := rng.IntN(len(in))
			h.drop(in[i])
			h.drop(in[i]) // twice is once
			in = slices.Delete(in, i, i+1)
		}
		top, ok := h.top()
		if ok != (len(in) > 0) || len(h.items) != len(in) {
			t.Fatalf("the heap holds %d elements, want %d", len(h.items), len(in))
		}
		if !ok {
			continue
		}
		least := slices.MinFunc(in, func(a, b *element) int { return a.key - b.key })
		if top.key != least.key {
			t.Fatalf("top has key %d, want %d", top.key, least.key)
		}
		for i, e := range h.items {
			if e.pos != i {
				t.Fatalf("the element at %d believes to be at %d", i, e.pos)
			}
		}
	}
}

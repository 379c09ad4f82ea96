package period

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestClocks: few events of a grid leave the kind open; that their period is
// the length of a configured clock decides, and decides nothing where the
// events say that they wait.
func TestClocks(t *testing.T) {
	const every = 2 * time.Hour
	rng := rand.New(rand.NewPCG(4, 4))
	grid := func(n int) []int64 {
		at := rng.Int64N(int64(every))
		var out []int64
		for i := range n {
			out = append(out, at+int64(i)*int64(every)+int64(rng.NormFloat64()*3e6))
		}
		return out
	}
	walk := func(n int) []int64 {
		at := rng.Int64N(int64(every))
		var out []int64
		for range n {
			out = append(out, at)
			at += int64(every) + int64(rng.NormFloat64()*3e6)
		}
		return out
	}
	right, open, delays := 0, 0, 0
	const trials = 40
	for range trials {
		few := []Series{{Stream: "a", Times: grid(4)}, {Stream: "b", Times: grid(4)}}
		kindOf := func(s []Series, clocks ...time.Duration) Kind {
			rs := Find(s, Options{Clocks: clocks})
			if len(rs) != 1 {
				t.Fatalf("%d recurrences", len(rs))
			}
			return rs[0].Kind
		}
		if kindOf(few) == UnknownKind {
			open++
		}
		if k := kindOf(few, time.Minute, every); k == FixedRate || k == Cron {
			right++
		}
		if kindOf([]Series{{Stream: "a", Times: walk(60)}}, every) == FixedDelay {
			delays++
		}
	}
	if open == 0 || right < trials*95/100 || delays < trials*95/100 {
		t.Errorf("of %d: open without the clock's length %d, right with it %d; waits told as such %d", trials, open, right, delays)
	}
}

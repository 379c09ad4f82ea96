package period

import (
	"testing"
	"time"
)

// TestPeriodIsNoFraction: two streams of which no event lies in every second
// slot of half the period.
func TestPeriodIsNoFraction(t *testing.T) {
	at := func(offsets ...time.Duration) []int64 {
		var out []int64
		for i, o := range offsets {
			out = append(out, int64(o+time.Duration(i)*90*time.Second))
		}
		return out
	}
	rs := Find([]Series{
		{Stream: "a", Times: at(1620546398075, 1620545845525, 1620545775194, 1620544951912)},
		{Stream: "b", Times: at(4677120616777, 4677120647783, 4677120933349, 4677121510200, 4677122124660)},
	}, Options{})
	if len(rs) != 1 || (rs[0].Period-90*time.Second).Abs() > 10*time.Millisecond || rs[0].Missed != 0 {
		t.Errorf("got %+v, want 90 s and nothing missed", rs)
	}
}

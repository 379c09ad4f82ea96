package period

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestSpacingInsidePasses: a clock of whole seconds leaves room for a grid that
// fits the pauses between passes, too; the period is the spacing inside.
func TestSpacingInsidePasses(t *testing.T) {
	const spacing, cycle = 75 * time.Second, 830 * time.Second
	var series []Series
	for _, phase := range []time.Duration{20 * time.Second, 301 * time.Second, 555 * time.Second} {
		var times []int64
		for c := range 10 {
			for i := range 6 {
				times = append(times, int64(phase)+int64(c)*int64(cycle)+int64(i)*int64(spacing))
			}
		}
		series = append(series, Series{Times: times})
	}
	rs := Find(series, Options{})
	if len(rs) != 1 || (rs[0].Period-spacing).Abs() > 50*time.Millisecond || rs[0].Pass == nil || (rs[0].Pass.Cycle-cycle).Abs() > time.Second {
		t.Errorf("got %+v, want one recurrence of %v in passes every %v", rs, spacing, cycle)
	}
}

// TestRoundingIsNoWalk: times near the border of a clock's step jump by all of
// it, which is no delay that adds up.
func TestRoundingIsNoWalk(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	wrong := 0
	const trials = 20
	for range trials {
		var series []Series
		for _, phase := range []time.Duration{0, 300 * time.Millisecond, 600 * time.Millisecond, time.Second} {
			s := Series{Resolution: time.Second}
			for c := range 12 {
				for i := range 5 {
					at := time.Hour + 31*phase + time.Duration(c)*344*time.Second + time.Duration(i)*45*time.Second + time.Duration(rng.NormFloat64()*1e7)
					s.Times = append(s.Times, int64(at.Truncate(time.Second)))
				}
			}
			series = append(series, s)
		}
		for _, r := range Find(series, Options{}) {
			if r.Kind == FixedDelay {
				wrong++
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d told as fixed delay", wrong, trials)
	}
}

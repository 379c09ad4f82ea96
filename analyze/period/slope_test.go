package period

import (
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

package period

import (
	"math"
	"time"
)

// wallSteps are the periods a calendar schedule can have: divisors of the
// hour, of the day, and the week.
var wallSteps = [...]time.Duration{
	time.Minute, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute, 5 * time.Minute, 6 * time.Minute,
	10 * time.Minute, 12 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 6 * time.Hour, 8 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 7 * 24 * time.Hour,
}

// A schedule that is tied to the wall clock fires at a full minute and is
// late by no more than wallLate on the median, early by no more than
// wallEarly. A grid that knows nothing of the clock falls there by chance 5
// times in 100 for every phase.
const (
	wallEarly = 0.2
	wallLate  = 2.8
)

// wallClock reports whether all phases of p are aligned to full minutes of the
// clock in opt.Location and the period is one that a calendar schedule has.
func (d *describer) wallClock(p part, lanes []lane, r Recurrence) bool {
	known := false
	for _, w := range wallSteps {
		off := math.Abs(p.period - w.Seconds())
		known = known || w >= r.Low && w <= r.High || off < 1e-5*w.Seconds()
	}
	if !known || r.Jitter > 10*time.Second {
		return false
	}
	for _, l := range lanes {
		var sin, cos float64
		for _, x := range l.runs {
			for i := range x.events {
				t := time.Unix(0, d.abs(x.at(i)))
				second := float64(t.Second()) + float64(t.Nanosecond())/1e9
				second += math.Mod(d.zone(t.UnixNano()), 60)
				a := 2 * math.Pi * second / 60
				sin += math.Sin(a)
				cos += math.Cos(a)
			}
		}
		mean := math.Atan2(sin, cos) * 60 / (2 * math.Pi)
		if mean < -wallEarly || mean > wallLate {
			return false
		}
	}
	return true
}

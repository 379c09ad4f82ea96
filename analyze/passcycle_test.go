package analyze

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// TestShortPassesWithLosses: three events a step apart that come again after a
// pause, some of them lost, are told by their step and not by their cycle.
func TestShortPassesWithLosses(t *testing.T) {
	budget := Config{Budgets: []Budget{{Name: "Item", Duration: 75 * time.Second, Attempts: 1}}}
	for _, c := range []struct {
		name   string
		config Config
		pods   int
		places []time.Duration // within the cycle
		step   time.Duration   // 0: the cycle alone
	}{
		{"of a configured length", budget, 3, []time.Duration{0, 75 * time.Second, 150 * time.Second}, 75 * time.Second},
		{"of no known length", Config{}, 3, []time.Duration{0, 75 * time.Second, 150 * time.Second}, 75 * time.Second},
		{"uneven places are no steps", Config{}, 3, []time.Duration{0, 75 * time.Second, 191 * time.Second}, 0},
		{"uneven places, one gap of a configured length", budget, 3, []time.Duration{0, 75 * time.Second, 191 * time.Second}, 0},
		{"one place", budget, 3, []time.Duration{0}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			const cycle = 521 * time.Second
			for seed := range uint64(4) {
				rng := rand.New(rand.NewPCG(seed, 3))
				s := newScript(t)
				for pod := range c.pods {
					phase := time.Duration(rng.Int64N(int64(cycle)))
					for n := range 17 {
						for _, at := range c.places {
							if rng.Float64() >= 0.12 {
								s.timeout(fmt.Sprint("p", pod), phase+time.Duration(n)*cycle+at+time.Duration(rng.NormFloat64()*8e6)*time.Nanosecond, shop)
							}
						}
					}
				}
				rs := s.analyze(Options{Config: c.config}).of(t, shop).Recurrences
				if len(rs) != 1 {
					t.Fatalf("seed %d: %d recurrences, want 1: %+v", seed, len(rs), rs)
				}
				r := rs[0]
				want := c.step
				if want == 0 {
					want = cycle
				}
				if off := time.Duration(r.PeriodNs) - want; off.Abs() > 20*time.Millisecond || (r.Pass != nil) != (c.step > 0) {
					t.Fatalf("seed %d: period %s, pass %+v, want %s", seed, r.Period, r.Pass, want)
				}
				if r.Pass != nil && (r.Pass.RunLength != int64(len(c.places)) || (time.Duration(r.Pass.CycleNs)-cycle).Abs() > 20*time.Millisecond || len(r.Phases) != c.pods) {
					t.Errorf("seed %d: runs of %d every %s on %d streams, want 3 every %s on %d", seed, r.Pass.RunLength, r.Pass.Cycle, len(r.Phases), cycle, c.pods)
				}
			}
		})
	}
}

// TestStepsAreNoPass holds what is no run of steps against asPass.
func TestStepsAreNoPass(t *testing.T) {
	phases := func(series int, offsets ...time.Duration) (out []period.Phase) {
		for _, o := range offsets {
			out = append(out, period.Phase{Series: series, Offset: o * time.Second, Events: 10, Slots: 10})
		}
		return out
	}
	for _, c := range []struct {
		name   string
		phases []period.Phase
		named  []time.Duration
		want   time.Duration // the step, or 0
	}{
		{"two streams of one step", append(phases(0, 10, 30, 50), phases(1, 5, 25, 45)...), nil, 20 * time.Second},
		{"across the turn of the cycle, with a place lost", append(phases(0, 10, 280, 290), phases(1, 5, 15, 25)...), nil, 10 * time.Second},
		{"across the turn, evenly", append(phases(0, 5, 280, 290, 295+0), phases(1, 5, 15, 25)...), nil, 0},
		{"a place that a stream lost", append(phases(0, 10, 30, 50), append(phases(1, 5, 45), phases(2, 7, 27, 47)...)...), nil, 20 * time.Second},
		{"thirds of the cycle", append(phases(0, 10, 110, 210), phases(1, 5, 105, 205)...), nil, 0},
		{"another step on the other stream", append(phases(0, 10, 30, 50), phases(1, 5, 32, 59)...), nil, 0},
		{"one stream", phases(0, 10, 30, 50), nil, 0},
		{"one stream, a configured length", phases(0, 10, 30, 50), []time.Duration{20 * time.Second}, 20 * time.Second},
		{"two places", append(phases(0, 10, 30), phases(1, 5, 25)...), []time.Duration{20 * time.Second}, 0},
	} {
		r := period.Recurrence{Period: 300 * time.Second, Kind: period.FixedRate, Jitter: time.Millisecond, Events: 10 * len(c.phases), Phases: c.phases}
		got := asPass(r, c.named)
		if (got.Pass != nil) != (c.want > 0) {
			t.Errorf("%s: pass %+v, want one of %v", c.name, got.Pass, c.want)
		}
		if got.Pass != nil && (got.Period != c.want || got.Low >= got.Period || got.High <= got.Period || got.Pass.Cycle != r.Period) {
			t.Errorf("%s: period %v in [%v, %v] every %v", c.name, got.Period, got.Low, got.High, got.Pass.Cycle)
		}
	}
}

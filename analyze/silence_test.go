package analyze

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

const hour = int64(time.Hour)

// process makes events over [0, length).
type process func(rng *rand.Rand, length int64) []int64

func poisson(perHour float64) process {
	return func(rng *rand.Rand, length int64) []int64 {
		var out []int64
		for t := rng.ExpFloat64() / perHour; t < float64(length)/float64(hour); t += rng.ExpFloat64() / perHour {
			out = append(out, int64(t*float64(hour)))
		}
		return out
	}
}

// clumps are bursts of about size events within two minutes.
func clumps(perHour, size float64) process {
	return func(rng *rand.Rand, length int64) []int64 {
		var out []int64
		for _, t := range poisson(perHour/size)(rng, length) {
			for range 1 + int(rng.ExpFloat64()*size) {
				if e := t + rng.Int64N(int64(2*time.Minute)); e < length {
					out = append(out, e)
				}
			}
		}
		slices.Sort(out)
		return out
	}
}

// clock fires every d with a share of its slots missing.
func clock(d time.Duration, filled float64) process {
	return func(rng *rand.Rand, length int64) []int64 {
		var out []int64
		for t := rng.Int64N(int64(d)); t < length; t += int64(d) {
			if rng.Float64() < filled {
				out = append(out, t+rng.Int64N(int64(5*time.Millisecond)))
			}
		}
		return out
	}
}

// TestSilenceIsCalibrated draws processes that nothing changed and counts how
// often their silence after a moment is taken for a change, and processes
// that ended there and counts how often that is seen in time.
func TestSilenceIsCalibrated(t *testing.T) {
	const seed = 3
	for _, c := range []struct {
		name          string
		make          process
		before, after int64
		seen          float64 // share of real ends that must be seen
		trials        int
		clock         bool // look for a recurrence first
	}{
		{"six an hour, seen for a day, silent for two hours", poisson(6), 24 * hour, 2 * hour, 0.95, 1500, false},
		{"one an hour, seen for a day, silent for eight hours", poisson(1), 24 * hour, 8 * hour, 0.60, 1500, false},
		{"one an hour, silent for an hour", poisson(1), 24 * hour, hour, 0, 1500, false},
		{"bursts of eight, silent for four hours", clumps(8, 8), 48 * hour, 4 * hour, 0, 1500, false},
		{"bursts of eight, silent for a day", clumps(8, 8), 48 * hour, 24 * hour, 0.80, 1500, false},
		{"every three minutes, silent for half an hour", clock(3*time.Minute, 0.9), 12 * hour, hour / 2, 0.95, 120, true},
		{"every half hour, silent for two hours", clock(30*time.Minute, 1), 24 * hour, 2 * hour, 0, 120, true},
		{"every half hour, silent for six hours", clock(30*time.Minute, 1), 24 * hour, 6 * hour, 0.95, 120, true},
	} {
		rng := rand.New(rand.NewPCG(seed, 1))
		wrong, silences, seen, ended := 0, 0, 0, 0
		for range c.trials {
			all := c.make(rng, c.before+c.after)
			i, _ := slices.BinarySearch(all, c.before)
			if i == 0 {
				continue
			}
			var found []period.Recurrence
			if c.clock {
				found = period.Find([]period.Series{{Stream: "s", Times: all[:i]}}, period.Options{Until: c.before})
			}
			h := newHistory(all[:i], found, 0, c.before)
			p := h.unchanged(1, c.after)
			ended++
			if p <= undecidedAbove {
				seen++
			}
			if i == len(all) {
				silences++
				if p <= undecidedAbove {
					wrong++
				}
			}
		}
		if rate := float64(wrong) / float64(c.trials); rate > undecidedAbove {
			t.Errorf("seed %d, %s: unchanged and yet called changed in %.4f of all cases (%d silences), want at most %g", seed, c.name, rate, silences, undecidedAbove)
		}
		if rate := float64(seen) / float64(max(ended, 1)); rate < c.seen {
			t.Errorf("seed %d, %s: an end is seen in %.3f of the cases, want %.2f", seed, c.name, rate, c.seen)
		}
	}
}

func TestDecidable(t *testing.T) {
	var events []int64
	for i := range 48 {
		events = append(events, int64(i)*hour/2+int64(i*i)*int64(time.Second))
	}
	h := newHistory(events, nil, 0, 24*hour)
	w, ok := h.decidable(1)
	if !ok || h.unchanged(1, w) > undecidedAbove || h.unchanged(1, w-int64(2*time.Second)) <= undecidedAbove {
		t.Errorf("decidable after %s (%v), where the probability is %g", time.Duration(w), ok, h.unchanged(1, w))
	}
	half, _ := h.decidable(0.5)
	if math.Abs(float64(half)/float64(w)-2) > 0.01 {
		t.Errorf("with half the work it takes %s, want twice %s", time.Duration(half), time.Duration(w))
	}
	if _, ok := h.decidable(0); ok {
		t.Error("without any work silence is said to become evidence")
	}
	if p := newHistory(nil, nil, 0, hour); p.unchanged(1, hour) != 1 {
		t.Error("silence after silence is taken for evidence")
	}
}

package period

import (
	"math/rand/v2"
	"slices"
)

// epoch is where generated events start, in nanoseconds: an instant that is
// aligned to nothing.
const epoch = 1_790_000_123_456_789_000

// sorted turns seconds into the ascending times of a Series.
func sorted(seconds []float64) []int64 {
	out := make([]int64, len(seconds))
	for i, s := range seconds {
		out[i] = epoch + int64(s*1e9)
	}
	slices.Sort(out)
	return out
}

// grid makes a fixed-rate recurrence: slots at a random phase, each moved by
// its own normal error and left out with probability miss.
func grid(r *rand.Rand, period, sd float64, slots int, miss float64) []float64 {
	phase := r.Float64() * period
	var out []float64
	for k := range slots {
		t := phase + float64(k)*period + sd*r.NormFloat64()
		if r.Float64() >= miss {
			out = append(out, t)
		}
	}
	return out
}

// walk makes a fixed-delay recurrence: errors add up.
func walk(r *rand.Rand, period, sd float64, slots int, miss float64) []float64 {
	t := r.Float64() * period
	var out []float64
	for range slots {
		if r.Float64() >= miss {
			out = append(out, t)
		}
		t += max(period/10, period+sd*r.NormFloat64())
	}
	return out
}

// poisson makes n events at random times in [0, span).
func poisson(r *rand.Rand, span float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = span * r.Float64()
	}
	return out
}

package period

import (
	"math"
	"math/cmplx"
	"slices"
)

// The bounds of the search for phases that concentrate.
const (
	maxWindows    = 4    // streams of a sample that are transformed
	leastFill     = 0.33 // share of events a slot that the shortest period tried supposes
	leastCycles   = 2.5  // the longest period tried fits so often into the window
	spectrumPeaks = 6
)

// spectra returns the candidates of the first streams, each with a width that
// suits any jitter.
func (f *finder) spectra(streams []*stream) []candidate {
	var out []candidate
	for i, s := range streams {
		if i == maxWindows {
			break
		}
		out = append(out, f.spectrum(s)...)
	}
	for i := range out {
		out[i].width = 0.1 * out[i].period
	}
	return out
}

// spectrum returns the periods at which the events of a stream crowd
// around one phase, by Rayleigh's statistic (the squared length of the sum of
// unit vectors, divided by the number of events).
func (f *finder) spectrum(s *stream) []candidate {
	n := len(s.t)
	if n < 8 {
		return nil
	}
	found := f.spectrumOf(nil, s.t, s.step)
	byWeight(found)
	return distinct(found, spectrumPeaks)
}

func byWeight(c []candidate) {
	slices.SortStableFunc(c, func(a, b candidate) int {
		switch {
		case a.weight > b.weight:
			return -1
		case a.weight < b.weight:
			return 1
		}
		return 0
	})
}

// spectrumOf appends the highest peaks of the periodogram of t. The frequency
// grid has two points for each independent frequency; peaks are refined by a
// parabola.
func (f *finder) spectrumOf(out []candidate, t []float64, step float64) []candidate {
	n := len(t)
	span := t[n-1] - t[0]
	if span <= 0 {
		return out
	}
	shortest := math.Max(leastFill*span/float64(n), minStepsInP*step)
	cells := 2 * span / shortest * 2 // four cells a shortest period
	size := 1
	for float64(size) < 2*cells {
		size *= 2
	}
	if size > 1<<20 {
		return out
	}
	plan := f.plan(size)
	x := f.buf[:size]
	clear(x)
	// The window takes a whole number of cells; the rest of x is padding,
	// which sets the spacing of frequencies.
	dt := 2 * span / float64(size-2)
	for _, v := range t {
		at := (v - t[0]) / dt
		i := int(at)
		frac := at - float64(i)
		x[i] += complex(1-frac, 0)
		x[i+1] += complex(frac, 0)
	}
	plan.transform(x)
	length := float64(size) * dt
	lowest := int(math.Ceil(length * leastCycles / span))
	highest := min(size/2-2, int(length/shortest))
	power := func(k int) float64 {
		p := cmplx.Abs(x[k])
		// Linear interpolation onto cells is a triangular window.
		c := math.Pi * float64(k) / float64(size)
		sinc := math.Sin(c) / c
		return p * p / (sinc * sinc * sinc * sinc) / float64(n)
	}
	least := math.Log(float64(n)) // nothing weaker can matter
	var peaks []candidate
	prev, here := power(max(1, lowest-1)), power(max(1, lowest))
	for k := max(1, lowest); k <= highest; k++ {
		next := power(k + 1)
		if here > least && here >= prev && here > next {
			shift := 0.0
			if den := prev - 2*here + next; den < 0 {
				shift = 0.5 * (prev - next) / den
			}
			p := length / (float64(k) + shift)
			peaks = append(peaks, candidate{period: p, width: p * p / (4 * span), weight: here})
		}
		prev, here = here, next
	}
	byWeight(peaks)
	return append(out, peaks[:min(len(peaks), spectrumPeaks)]...)
}

// plan returns the transform of the given size, and makes f.buf large enough.
func (f *finder) plan(size int) *fft {
	if cap(f.buf) < size {
		f.buf = make([]complex128, size)
	}
	for _, p := range f.plans {
		if p.n == size {
			return p
		}
	}
	p := newFFT(size)
	f.plans = append(f.plans, p)
	return p
}

package period

import (
	"math"
	"slices"
)

// The bounds of the search for phases that concentrate.
const (
	maxSpectra    = 8 // streams of a sample that are transformed
	maxSpectrum   = 1 << 18
	leastFill     = 0.33 // share of events a slot that the shortest period tried supposes
	leastCycles   = 2.5  // the longest period tried fits so often into the window
	spectrumPeaks = 6
)

// spectra returns the periods at which the events of the streams crowd around
// one phase each, by the sum over streams of Rayleigh's statistic (the squared
// length of the sum of unit vectors, divided by the number of events). The
// frequency grid has two points for each independent frequency; peaks are
// refined by a parabola.
func (f *finder) spectra(streams []*stream) []candidate {
	span, events, step := 0.0, 0, 0.0
	total := 0.0
	used := make([]*stream, 0, maxSpectra)
	stride := max(1, len(streams)/maxSpectra)
	for i := 0; i < len(streams) && len(used) < maxSpectra; i += stride {
		s := streams[i]
		used = append(used, s)
		span = math.Max(span, s.span())
		total += s.span()
		events += len(s.t)
		step = math.Max(step, s.step)
	}
	if events < 8 || span <= 0 {
		return nil
	}
	shortest := math.Max(leastFill*total/float64(events), minStepsInP*step)
	if shortest*leastCycles > span {
		return nil
	}
	cells := 4 * span / shortest // four cells a shortest period
	size := 1
	for float64(size) < 2*cells {
		size *= 2
	}
	if size > maxSpectrum {
		return nil
	}
	plan := f.plan(size)
	x, power := f.buf[:size], f.power[:size/2]
	clear(power)
	// The window takes half of x; the rest is padding, which sets the spacing
	// of frequencies.
	dt := 2 * span / float64(size-2)
	for _, s := range used {
		clear(x)
		for _, v := range s.t {
			at := (v - s.t[0]) / dt
			i := int(at)
			frac := at - float64(i)
			x[i] += complex(1-frac, 0)
			x[i+1] += complex(frac, 0)
		}
		plan.transform(x)
		n := float64(len(s.t))
		for k := range power {
			re, im := real(x[k]), imag(x[k])
			power[k] += (re*re + im*im) / n
		}
	}
	for k := 1; k < len(power); k++ {
		// Linear interpolation onto cells is a triangular window.
		c := math.Pi * float64(k) / float64(size)
		sinc := math.Sin(c) / c
		power[k] /= sinc * sinc * sinc * sinc
	}
	length := float64(size) * dt
	lowest := max(1, int(math.Ceil(length*leastCycles/span)))
	highest := min(size/2-2, int(length/shortest))
	peaks := crests(nil, power, length, 1, len(used), lowest, highest)
	byWeight(peaks)
	peaks = distinct(peaks, spectrumPeaks)
	sums := overtoneSums(power)
	narrow := crests(nil, sums, length*overtones, overtones, overtones*len(used), lowest*overtones, min(len(sums)-2, highest*overtones))
	byWeight(narrow)
	peaks = append(peaks, distinct(narrow, spectrumPeaks/2)...)
	for i := range peaks {
		peaks[i].width = 0.1 * peaks[i].period // suits any jitter
	}
	return peaks
}

// overtones is how many multiples of a frequency are added for peaks that are
// narrow in phase: their power is spread over as many.
const overtones = 4

// overtoneSums returns, for frequencies in steps of a fourth of those of power,
// the sum of power over the frequency and its multiples.
func overtoneSums(power []float64) []float64 {
	out := make([]float64, len(power)-1)
	for j := range out {
		for h := 1; h <= overtones; h++ {
			out[j] += power[(j*h+overtones/2)/overtones]
		}
	}
	return out
}

// crests appends the local maxima of power between two indices, weighted by how
// improbable such a sum of terms exponential variables is.
func crests(out []candidate, power []float64, length float64, fine, terms, lowest, highest int) []candidate {
	least := float64(terms) + 3 // nothing weaker can matter
	for k := lowest; k <= highest; k++ {
		prev, here, next := power[k-1], power[k], power[k+1]
		if here <= least || here < prev || here <= next {
			continue
		}
		shift := 0.0
		if den := prev - 2*here + next; den < 0 {
			shift = 0.5 * (prev - next) / den
		}
		p := length / (float64(k) + shift)
		out = append(out, candidate{period: p, width: p * p / (2 * length / float64(fine)), weight: gammaSurprise(here, terms)})
	}
	return out
}

// gammaSurprise returns minus the logarithm of the probability that a gamma
// variable of integer shape exceeds x.
func gammaSurprise(x float64, shape int) float64 {
	term, sum := 1.0, 1.0
	for i := 1; i < shape; i++ {
		term *= x / float64(i)
		sum += term
	}
	return x - math.Log(sum)
}

func byWeight(c []candidate) {
	slices.SortStableFunc(c, func(a, b candidate) int { return descending(a.weight, b.weight) })
}

// plan returns the transform of the given size, and makes the buffers large
// enough.
func (f *finder) plan(size int) *fft {
	if cap(f.buf) < size {
		f.buf = make([]complex128, size)
		f.power = make([]float64, size/2)
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

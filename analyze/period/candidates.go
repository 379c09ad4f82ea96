package period

import (
	"math"
	"slices"
)

// A candidate is a period worth a closer look.
type candidate struct {
	period float64 // seconds
	width  float64 // standard deviation of one interval, seconds
	weight float64 // how much it stands out, nats
}

// The bounds of the search for intervals that repeat.
const (
	maxPairs      = 60000 // differences of event times looked at in one search
	minStepsInP   = 4     // a period is at least so many clock steps
	maxCandidates = 12
)

// differencePeaks looks for differences between events of one stream that
// come up more often than their surroundings let expect, at any relative
// width between 1e-5 and 0.3.
func differencePeaks(streams []*stream, reach int) []candidate {
	d, floor := differences(streams, reach)
	if len(d) < 2 {
		return nil
	}
	slices.Sort(d)
	// Prefix positions of the background window: [x/1.6, 1.6x].
	var found []candidate
	var local []candidate
	for width := 1e-5; width < 0.5; width *= 4 {
		local = peaksOfWidth(local[:0], d, width, floor)
		found = append(found, local...)
	}
	byWeight(found)
	return distinct(found, maxCandidates)
}

// distinct keeps the first max candidates that are not the same period seen
// at another width.
func distinct(c []candidate, limit int) []candidate {
	out := c[:0:0]
	for _, x := range c {
		if len(out) == limit {
			break
		}
		if !slices.ContainsFunc(out, func(y candidate) bool {
			return math.Abs(x.period-y.period) < math.Max(x.width, y.width) && x.width < 5*y.width && y.width < 5*x.width
		}) {
			out = append(out, x)
		}
	}
	return out
}

// differences returns up to maxPairs differences between an event and each of
// the reach events after it, and the largest clock step among the streams.
func differences(streams []*stream, reach int) (d []float64, floor float64) {
	events := 0
	for _, s := range streams {
		events += len(s.t)
		floor = math.Max(floor, s.step)
	}
	// Of too many events, blocks of consecutive ones are taken at even
	// distances.
	const block = 256
	want := maxPairs / reach
	share := math.Min(1, float64(want)/float64(events))
	d = make([]float64, 0, min(events, want+block)*reach)
	debt := 0.0
	for _, s := range streams {
		for b := 0; b < len(s.t); b += block {
			end := min(b+block, len(s.t))
			debt += share * float64(end-b)
			if debt < float64(end-b)-0.5 {
				continue
			}
			debt -= float64(end - b)
			for i := b; i < end; i++ {
				for j := i + 1; j <= i+reach && j < len(s.t); j++ {
					if x := s.t[j] - s.t[i]; x >= minStepsInP*s.step {
						d = append(d, x)
					}
				}
			}
		}
	}
	return d, floor
}

// peaksOfWidth appends the local maxima of the count of differences in
// [x, x(1+width)] over the count that [x/1.6, 1.6x] lets expect.
func peaksOfWidth(out []candidate, d []float64, width, floor float64) []candidate {
	n := len(d)
	hi, bgLo, bgHi := 0, 0, 0
	var last candidate
	lastEnd := 0.0
	flush := func() {
		if last.weight > 3 {
			out = append(out, last)
		}
		last = candidate{}
	}
	for lo := range n {
		x := d[lo]
		w := math.Max(x*width, 2*floor)
		if w > 0.45*x {
			continue
		}
		for hi < n && d[hi] <= x+w {
			hi++
		}
		for bgHi < n && d[bgHi] <= (x+w/2)*1.6 {
			bgHi++
		}
		for d[bgLo] < (x+w/2)/1.6 {
			bgLo++
		}
		c := float64(hi - lo)
		if c < 2 {
			continue
		}
		// The density is taken as flat in log x.
		bg := (float64(bgHi-bgLo) - c + 1) * math.Log1p(w/x) / (2 * math.Log(1.6))
		if excess := c - bg - 1; excess < 0 || excess*excess < 2.25*bg {
			continue
		}
		score := c*math.Log(c/bg) - (c - bg)
		if last.weight > 0 && x > lastEnd {
			flush()
		}
		if score > last.weight {
			mid := d[(lo+hi)/2]
			last = candidate{period: mid, width: math.Max(w/4, floor/3), weight: score}
			lastEnd = x + w
		}
	}
	flush()
	if len(out) > 4*maxCandidates {
		byWeight(out)
		out = out[:4*maxCandidates]
	}
	return out
}

package period

import "math"

// minFill is the least share of slots, within runs, that hold an event.
const minFill = 0.3

// refuse says why runs that look periodic are something else, or "".
func (g *groupFit) refuse(streams []*stream) string {
	links, slots := 0, 0
	for _, f := range g.fits {
		for _, l := range f.links {
			if l.gap > 0 {
				links++
				slots += l.gap
			}
		}
	}
	step := 0.0
	for _, s := range streams {
		step = math.Max(step, s.step)
	}
	switch {
	case links == 0:
		return "no runs"
	case float64(links) < minFill*float64(slots):
		return "too few slots are filled"
	case g.model.period < minStepsInP*step:
		return "the clock is too coarse"
	case g.drifts(streams, step):
		return "the spacing drifts"
	}
	return ""
}

// drifts compares successive intervals (von Neumann's ratio): intervals that
// scatter about a period differ from the one before as much as from the mean,
// intervals that grow or shrink steadily do not.
func (g *groupFit) drifts(streams []*stream, step float64) bool {
	var d []float64
	var follows []bool
	for i, f := range g.fits {
		t := streams[i].t
		for j, l := range f.links {
			if l.gap == 1 {
				d = append(d, t[l.event]-t[f.links[j-1].event])
				follows = append(follows, j >= 2 && f.links[j-1].gap == 1)
			}
		}
	}
	if len(d) < 5 {
		return false
	}
	mean := 0.0
	for _, x := range d {
		mean += x
	}
	mean /= float64(len(d))
	square, succession, pairs := 0.0, 0.0, 0.0
	for i, x := range d {
		square += (x - mean) * (x - mean)
		if follows[i] {
			succession += (x - d[i-1]) * (x - d[i-1])
			pairs++
		}
	}
	square /= float64(len(d))
	return pairs >= 4 && succession/pairs < 0.8*square && square > 4*step*step
}

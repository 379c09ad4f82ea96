package period

import "math"

// The shape of a retry ladder: intervals that grow by a steady factor.
const (
	ladderGrowth  = 1.15 // least factor from one interval to the next
	ladderSteady  = 0.4  // most that the logarithms of two successive factors differ
	ladderShare   = 0.5  // share of events in ladders above which a stream is one of retries
	looseSD       = 0.03 // jitter, as a share of the period, above which spacing is loose
	longestLadder = 12   // events in a row that a ladder can put on one grid
)

// climbers marks the events that are a later rung of a ladder of at least four
// events; events counts all that are part of one.
func climbers(t []float64) (later []bool, events int) {
	n := len(t)
	later = make([]bool, n)
	for i := 0; i+3 < n; {
		last := i + 1
		var prev float64
		for last+1 < n {
			grow := math.Log((t[last+1] - t[last]) / (t[last] - t[last-1]))
			if grow < math.Log(ladderGrowth) || last > i+1 && math.Abs(grow-prev) > ladderSteady {
				break
			}
			prev = grow
			last++
		}
		if last-i < 3 {
			i++
			continue
		}
		for j := i + 1; j <= last; j++ {
			later[j] = true
		}
		events += last - i
		i = last // the next ladder may start where this one seems to end
	}
	return later, events
}

// withoutLadders returns the streams with every ladder reduced to its first
// event where most events are part of one: a retry schedule has regular
// intervals, yet nothing in it recurs but its start.
func withoutLadders(streams []*stream) []*stream {
	out := make([]*stream, 0, len(streams))
	for _, s := range streams {
		later, events := climbers(s.t)
		if float64(events) >= ladderShare*float64(len(s.t)) {
			s = s.without(later)
		}
		if s != nil {
			out = append(out, s)
		}
	}
	return out
}

// climbs reports whether what looks periodic is made of retry ladders: most of
// the events are rungs, and either the runs are as short as a ladder, whose
// rungs lie on a grid when they double, or the spacing is loose.
func (g *groupFit) climbs(streams []*stream) bool {
	links, runs, on := 0, 0, 0
	for i, f := range g.fits {
		if len(f.links) == 0 {
			continue
		}
		links += len(f.links)
		runs += f.runs
		if _, events := climbers(streams[i].t); float64(events) >= ladderShare*float64(len(streams[i].t)) {
			on += len(f.links)
		}
	}
	return 2*on > links && (links < longestLadder*runs || g.model.sd > looseSD*g.model.period)
}

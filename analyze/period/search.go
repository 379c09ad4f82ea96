package period

import (
	"math"
	"slices"
)

// A finder searches sets of streams; it owns the scratch memory.
type finder struct {
	chain chainer
	plans []*fft
	buf   []complex128
}

// The bounds of one search.
const (
	sampleEvents = 3000 // events that candidates are compared on
	windowEvents = 750  // consecutive events taken at once when there are more
	reach        = 24   // differences are taken to so many following events
	finalists    = 5    // candidates that are fitted to the end
	rounds       = 3    // of alternating between runs and parameters
)

// search returns the best explanation of the streams by one recurrence.
func (f *finder) search(streams []*stream) (groupFit, bool) {
	part := sample(streams)
	best, ok := f.searchSample(part)
	if !ok || len(part) == len(streams) && part[0] == streams[0] {
		return best, ok
	}
	full := groupFit{score: math.Inf(-1)}
	for _, grid := range [...]bool{true, false} {
		if g := f.try(streams, best.model.period, best.model.sd, grid, rounds); g.score > full.score {
			full = g
		}
	}
	return full, !math.IsInf(full.score, -1)
}

func (f *finder) searchSample(streams []*stream) (groupFit, bool) {
	cands := differencePeaks(streams, reach)
	for i, s := range streams {
		if i == maxWindows {
			break
		}
		for _, c := range f.spectrum(s) {
			c.width = 0.1 * c.period
			cands = append(cands, c)
		}
	}
	quick := make([]groupFit, 0, len(cands))
	for _, c := range cands {
		if g := f.try(streams, c.period, c.width, false, 1); !math.IsInf(g.score, -1) {
			quick = append(quick, g)
		}
	}
	slices.SortStableFunc(quick, func(a, b groupFit) int { return descending(a.score, b.score) })
	best := groupFit{score: math.Inf(-1)}
	for i, q := range quick {
		if i == finalists || q.score < quick[0].score-40 {
			break
		}
		for _, grid := range [...]bool{true, false} {
			if g := f.try(streams, q.model.period, q.model.sd, grid, rounds); g.score > best.score {
				best = g
			}
		}
	}
	if math.IsInf(best.score, -1) {
		return best, false
	}
	if best.score > 0 {
		best = f.overtones(streams, best)
		best = f.split(streams, best)
	}
	return best, true
}

func descending(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// overtones moves to a multiple or a fraction of the period while that
// explains the events better.
func (f *finder) overtones(streams []*stream, best groupFit) groupFit {
	for improved := true; improved; {
		improved = false
		for _, r := range [...]float64{1. / 2, 1. / 3, 1. / 4, 1. / 5, 2, 3, 4, 2. / 3, 3. / 2} {
			g := f.try(streams, best.model.period*r, best.model.sd, best.model.keepsGrid, 1)
			if g.score < best.score-0.2*math.Abs(best.score)-5 {
				continue
			}
			g = f.try(streams, g.model.period, g.model.sd, best.model.keepsGrid, rounds)
			if g.score > best.score+1 {
				best, improved = g, true
			}
		}
	}
	return best
}

// split asks whether several recurrences of a multiple of the period, with
// phases of their own, explain more than the one; if so it returns the
// strongest of these. Passes are left alone: their period is the spacing
// inside the run.
func (f *finder) split(streams []*stream, best groupFit) groupFit {
	if best.passLike() || best.model.miss < 0.1 && best.model.sd < 0.002*best.model.period {
		return best
	}
	whole := best
	top := whole.score
	for q := 2; q <= 6; q++ {
		rest := streams
		total := 0.0
		var first groupFit
		for range q {
			g := f.try(rest, whole.model.period*float64(q), whole.model.sd/2, true, rounds)
			if g.score < 3 {
				break
			}
			if total == 0 {
				first = g
			}
			total += g.score
			if rest = remaining(rest, g); len(rest) == 0 {
				break
			}
		}
		if total > top+3 {
			top, best = total, first
		}
	}
	return best
}

// passLike reports whether most events stand in rows of three or more without
// a missing slot, rows that end.
func (g *groupFit) passLike() bool {
	in, all, rows := 0, 0, 0
	for _, f := range g.fits {
		row := 0
		flush := func() {
			all += row
			if row >= 3 {
				in += row
				rows++
			}
			row = 0
		}
		for _, l := range f.links {
			if l.gap != 1 {
				flush()
			}
			row++
		}
		flush()
	}
	return rows > len(g.fits) && in*5 >= all*4
}

// try fits a period; a fit that is refused has a score of minus infinity.
func (f *finder) try(streams []*stream, period, sd float64, grid bool, rounds int) groupFit {
	m := chainModel{period: period, sd: sd, keepsGrid: grid, miss: 0.3}
	if grid {
		m.sd *= math.Sqrt2 / 2
	}
	g := f.chain.fitGroup(streams, m, rounds)
	if why := g.refuse(streams); why != "" {
		g.score = math.Inf(-1)
	}
	return g
}

// remaining returns the streams less the events that g explains.
func remaining(streams []*stream, g groupFit) []*stream {
	out := make([]*stream, 0, len(streams))
	for i, s := range streams {
		if len(g.fits[i].links) == 0 {
			out = append(out, s)
			continue
		}
		gone := make([]bool, len(s.t))
		for _, l := range g.fits[i].links {
			gone[l.event] = true
		}
		if r := s.without(gone); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// sample returns the streams themselves when they are small, else some of
// them, and of long ones some windows, as streams of their own.
func sample(streams []*stream) []*stream {
	total := 0
	for _, s := range streams {
		total += len(s.t)
	}
	if total <= sampleEvents {
		return streams
	}
	var windows []*stream
	for _, s := range streams {
		if len(s.t) <= windowEvents {
			windows = append(windows, s)
			continue
		}
		n := (len(s.t) + windowEvents - 1) / windowEvents
		for i := range n {
			lo := (len(s.t) - windowEvents) * i / (n - 1)
			windows = append(windows, s.window(lo, lo+windowEvents))
		}
	}
	total = 0
	for _, w := range windows {
		total += len(w.t)
	}
	// Take windows at even distances, first and last included.
	count := max(2, int(float64(len(windows))*sampleEvents/float64(total)))
	if count >= len(windows) {
		return windows
	}
	out := make([]*stream, 0, count)
	for i := range count {
		w := windows[(len(windows)-1)*i/(count-1)]
		if w.rate == nil {
			w.observe()
		}
		out = append(out, w)
	}
	return out
}

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
	power []float64
	need  float64 // nats below which no answer matters
	least int     // streams below which no answer matters
}

// The bounds of one search.
const (
	sampleEvents = 3000 // events that candidates are compared on
	windowEvents = 750  // consecutive events taken at once when there are more
	reach        = 24   // differences are taken to so many following events
	reachFew     = 16   // the same in a small search
	fewEvents    = 64
	finalists    = 5   // candidates that are fitted to the end
	hopeless     = 0.5 // weight of a candidate, as a share of what is needed, that never comes to it
	rounds       = 3   // of alternating between runs and parameters
)

// search returns the best explanation of the streams by one recurrence.
func (f *finder) search(streams []*stream) (groupFit, bool) {
	part := sample(streams)
	best, ok := f.searchSample(part)
	if ok && f.least > 1 && f.lumped(part, best) {
		return best, false
	}
	if !ok || len(part) == len(streams) && part[0] == streams[0] {
		return best, ok
	}
	if best.score < f.need || len(part) > 1 && best.takingPart() < f.least {
		return best, false
	}
	full := groupFit{score: math.Inf(-1)}
	for _, grid := range [...]bool{true, false} {
		if g := f.try(streams, best.model.period, best.model.sd, grid, rounds); g.score > full.score {
			full = g
		}
	}
	if best.folded {
		again := []candidate{{period: best.model.period, weight: math.Inf(1)}}
		if g := f.folds(streams, again, math.Max(full.score+1, f.need)); g.score > full.score+1 {
			full = g
		}
	}
	return full, !math.IsInf(full.score, -1)
}

// lumped reports whether the streams that take part have periods of their own,
// near each other, which a wide jitter covers.
func (f *finder) lumped(streams []*stream, g groupFit) bool {
	sum := 0.0
	for i := range streams {
		if g.gains[i] > 2 && len(g.fits[i].links) > 2 {
			own := f.try(streams[i:i+1], g.model.period, g.model.sd, g.model.keepsGrid, rounds)
			sum += math.Max(0, own.gains[0]-g.gains[i]-ownCost)
		}
	}
	return sum > 10
}

// ownCost is what a stream's own period and jitter must gain, in nats.
const ownCost = 4

func (f *finder) searchSample(streams []*stream) (groupFit, bool) {
	far := reach
	if len(streams) == 1 && len(streams[0].t) <= fewEvents {
		far = reachFew
	}
	quick, clear := f.quick(nil, streams, differencePeaks(streams, far))
	var waves []candidate
	if !clear {
		waves = f.spectra(streams)
		quick, _ = f.quick(quick, streams, waves)
	}
	slices.SortStableFunc(quick, func(a, b groupFit) int { return descending(a.score, b.score) })
	best := groupFit{score: math.Inf(-1)}
	for i, q := range quick {
		if i == finalists || q.score < math.Max(quick[0].score-40, f.need-20) {
			break
		}
		for _, grid := range [...]bool{true, false} {
			if g := f.try(streams, q.model.period, q.model.sd, grid, rounds); g.score > best.score {
				best = g
			}
		}
		if clear {
			break
		}
	}
	plain := best.plain(streams)
	if best.score > 0 && !plain {
		best = f.overtones(streams, best)
	}
	if folded := f.folds(streams, waves, math.Max(best.score+1, f.need)); folded.score > best.score+1 {
		if total, _ := f.phases(streams, best.model.period, best.model.sd, 1, 1); folded.overPoisson(streams) > total {
			best = folded
		}
	}
	if best.score > 0 && !plain {
		best = f.split(streams, best)
	}
	return best, !math.IsInf(best.score, -1)
}

// plain reports whether every event but two or so is in nearly every slot, with
// little jitter: neither a multiple nor a fraction can then explain more.
func (g *groupFit) plain(streams []*stream) bool {
	total := 0
	for _, s := range streams {
		total += len(s.t)
	}
	return g.model.miss < 0.1 && g.model.sd < 0.02*g.model.period && total-g.events <= 2
}

// quick appends a rough fit of every candidate. It stops at one that leaves no
// doubt: far beyond what is needed, and most events are in its runs.
func (f *finder) quick(out []groupFit, streams []*stream, cands []candidate) (fits []groupFit, clear bool) {
	for _, c := range cands {
		if c.weight < hopeless*f.need {
			continue
		}
		g := f.try(streams, c.period, c.width, false, 1)
		if math.IsInf(g.score, -1) {
			continue
		}
		if g.score > f.need+20 && g.covers(streams, 0.8) {
			return append(out[:0], g), true
		}
		out = append(out, g)
	}
	return out, false
}

// folds returns the best fold of the streams over the candidates that scores at
// least least.
func (f *finder) folds(streams []*stream, cands []candidate, least float64) groupFit {
	best := groupFit{score: math.Inf(-1)}
	tried := 0.0
	for _, s := range streams {
		tried = math.Max(tried, 3*float64(len(s.t)))
	}
	costs := foldCost + foldPhaseCost + math.Log(tried)
	for _, c := range cands {
		if 1.5*c.weight+6 < least+costs {
			continue // no fit gains much more than its crest
		}
		for _, rel := range foldStarts {
			x := fold(streams, c.period, rel)
			if math.Abs(x.period-c.period) > 0.1*c.period {
				continue
			}
			if !x.weigh(streams, tried, math.Max(least, best.score)) || x.crowded(streams) {
				continue
			}
			g := x.group(streams)
			if why := g.refuse(streams); why != "" {
				continue
			}
			best = g
		}
	}
	return best
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
			if math.IsInf(g.score, -1) || g.score+g.adaptation() < 0.7*best.score-5 {
				continue
			}
			g = f.try(streams, g.model.period, g.model.sd, best.model.keepsGrid, rounds)
			if g.score+g.adaptation() > best.score+best.adaptation()+1 {
				best, improved = g, true
			}
		}
	}
	return best
}

// split asks whether several recurrences of multiples of the period, each with
// a phase of its own, explain more than the one; if so it returns the strongest
// of these. Passes are left alone: their period is the spacing inside the run.
func (f *finder) split(streams []*stream, whole groupFit) groupFit {
	if whole.passLike() || whole.model.miss < 0.1 && whole.model.sd < 0.002*whole.model.period {
		return whole
	}
	total, first := f.phases(streams, whole.model.period, whole.model.sd/2, 2, maxPhases)
	alone := whole.overPoisson(streams) + whole.adaptation() + 3
	if first.events == 0 || total <= alone {
		return whole
	}
	// The parts may have explained events that the whole left to others.
	if rest := remaining(streams, whole.part(streams).runs); len(rest) > 0 {
		more, _ := f.phases(rest, whole.model.period, whole.model.sd/2, 1, maxPhases)
		if total <= alone+more {
			return whole
		}
	}
	if g := f.try(streams, first.model.period, first.model.sd, true, rounds); !math.IsInf(g.score, -1) {
		return g
	}
	return whole
}

// maxPhases is how many recurrences one is split into at most.
const maxPhases = 12

// phases takes recurrences of lo to hi times the period from the streams, one
// after the other while there are any, and returns by how many nats they
// explain the events better than Poisson events, and the first of them.
func (f *finder) phases(streams []*stream, period, sd float64, lo, hi int) (total float64, first groupFit) {
	rest := streams
	for turn := range maxPhases {
		next := groupFit{}
		most := 3.0
		for q := lo; q <= hi; q++ {
			g := f.try(rest, period*float64(q), sd, true, 1)
			if x := g.overPoisson(rest); x > most {
				next, most = g, x
			}
		}
		if next.events == 0 {
			break
		}
		if turn == 0 {
			first = next
		}
		total += most
		if rest = remaining(rest, next.part(rest).runs); len(rest) == 0 {
			break
		}
	}
	return total, first
}

// overPoisson is the score before the null's own regularity is taken off; it
// compares explanations of the same events with each other.
func (g *groupFit) overPoisson(streams []*stream) float64 {
	sum := g.score
	for i, s := range streams {
		if len(streams) == 1 || g.gains[i] > 0 {
			sum += s.excess
		}
	}
	return sum
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

// remaining returns the streams less the events of the runs.
func remaining(streams []*stream, runs []run) []*stream {
	gone := map[*stream][]bool{}
	for _, r := range runs {
		g := gone[r.s]
		if g == nil {
			g = make([]bool, len(r.s.t))
			gone[r.s] = g
		}
		for _, e := range r.events {
			g[e] = true
		}
	}
	out := make([]*stream, 0, len(streams))
	for _, s := range streams {
		if g := gone[s]; g != nil {
			s = s.without(g)
		}
		if s != nil {
			out = append(out, s)
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

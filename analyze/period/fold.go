package period

import (
	"math"
	"slices"
)

// A foldFit sees each stream as one grid with a phase of its own, jitter of
// normal shape, and other events between: every event has phase density
//
//	g = 1 - share + share * wrappedNormal(sd)
//
// relative to what the null lets expect. It uses all of the phase information
// at once, so it finds wide jitter under much noise where following from event
// to event does not; it needs a phase that never breaks.
type foldFit struct {
	period float64
	sd     float64 // seconds
	phase  []float64
	share  []float64
	gain   []float64 // nats, one a stream
	score  float64
}

// The settings of the fold.
const (
	foldRounds = 12
	foldBins   = 128 // steps of the phase in the null's correction
	// maxPerSlot is the most events a slot may hold in its peak on average: a
	// modulated rate has more, a recurrence has one.
	maxPerSlot = 1.15
)

// fold fits period, phases, jitter and shares by expectation maximisation:
// weights are the probabilities to belong to the grid, the grid is the
// weighted regression of times on slots. rel is the jitter to start from, as a
// share of the period.
func fold(streams []*stream, period, rel float64) foldFit {
	n := len(streams)
	f := foldFit{period: period, sd: rel * period, phase: make([]float64, n), share: make([]float64, n), gain: make([]float64, n)}
	step := 0.0
	for i, s := range streams {
		f.phase[i] = crowdedPhase(s.t, period, rel)
		f.share[i] = 0.5
		step = math.Max(step, s.step)
	}
	floor := math.Max(0.41*step, 1e-5*period)
	for range foldRounds {
		var num, den, square, weight float64
		for i, s := range streams {
			f.moments(i, s, &num, &den, &square, &weight)
		}
		if weight < 2 || den <= 0 {
			break
		}
		// The slope moves every phase about the middle of its stream.
		f.period += num / den
		sd := math.Sqrt(math.Max(square-num*num/den, 0) / weight)
		f.sd = math.Min(math.Max(sd, floor), 0.25*f.period)
	}
	return f
}

// moments adds one stream's weighted moments of residuals over slots, and
// updates its phase and share.
func (f *foldFit) moments(i int, s *stream, num, den, square, weight *float64) {
	p, sd := f.period, f.sd
	mid := s.t[0] + s.span()/2
	peak := p / (sd * math.Sqrt(2*math.Pi))
	var w, wk, we, wkk, wke, wee float64
	for _, t := range s.t {
		x := (t - f.phase[i]) / p
		k := math.Round(x)
		e := (x - k) * p
		z := e / sd
		r := 0.0
		if z < 6 && z > -6 {
			in := f.share[i] * peak * math.Exp(-z*z/2)
			r = in / (in + 1 - f.share[i])
		}
		if r < 1e-6 {
			continue
		}
		slot := (t - mid) / p
		w += r
		wk += r * slot
		we += r * e
		wkk += r * slot * slot
		wke += r * slot * e
		wee += r * e * e
	}
	if w < 1e-3 {
		f.share[i] = 0.01
		return
	}
	*num += wke - wk*we/w
	*den += wkk - wk*wk/w
	*square += wee - we*we/w
	*weight += w
	// The phase is kept where the slots are counted from, so a change of the
	// period turns about the middle: bring the phase to the middle first.
	shift := math.Round((mid - f.phase[i]) / p)
	f.phase[i] += shift*p + we/w
	f.share[i] = math.Min(math.Max(w/float64(len(s.t)), 0.01), 1-0.5/float64(len(s.t)+1))
}

// foldStarts are the jitters to start from, as a share of the period.
var foldStarts = [...]float64{0.15, 0.04}

// crowdedPhase returns a time at the phase around which, within rel periods,
// most events are.
func crowdedPhase(t []float64, period, rel float64) float64 {
	const bins = 64
	var count, smooth [bins]float64
	for _, x := range t {
		c := (x - t[0]) / period
		count[min(int((c-math.Floor(c))*bins), bins-1)]++
	}
	reach := min(bins/2-1, int(2*rel*bins)+1)
	for d := -reach; d <= reach; d++ {
		z := float64(d) / bins / rel
		w := math.Exp(-z * z / 2)
		for b := range smooth {
			smooth[b] += w * count[(b+d+bins)%bins]
		}
	}
	best := 0
	for b := range smooth {
		if smooth[b] > smooth[best] {
			best = b
		}
	}
	return t[0] + (float64(best)+0.5)/bins*period
}

// density returns g at a phase x in cycles from the peak, |x| <= 0.5.
func density(x, rel, share float64) float64 {
	d := 0.0
	for w := -1.0; w <= 1; w++ {
		z := (x + w) / rel
		if z*z < 80 {
			d += math.Exp(-z * z / 2)
		}
	}
	return 1 - share + share*d/(rel*math.Sqrt(2*math.Pi))
}

// weigh computes the evidence: the log-likelihood ratio to the renewal process
// whose intervals are the stream's own, smoothed, so that bursts and fairly
// regular intervals explain the phases they imply. tried is the number of
// independent periods looked at. It reports whether the score is at least
// least; when it cannot be, the costly part is left out.
func (f *foldFit) weigh(streams []*stream, tried, least float64) bool {
	rel := f.sd / f.period
	// A narrow peak had more places to be at.
	narrow := math.Max(0, math.Log(0.1/rel))
	f.score = -math.Log(tried) - foldCost - narrow
	// First against events without any structure.
	for i, s := range streams {
		gain := -foldPhaseCost - narrow
		for _, t := range s.t[1:] {
			x := (t - f.phase[i]) / f.period
			gain += math.Log(density(x-math.Round(x), rel, f.share[i]))
		}
		f.gain[i] = gain
		f.score += mixed(gain, len(streams))
	}
	if f.score+3 < least { // the correction below seldom adds as much
		return false
	}
	f.score = -math.Log(tried) - foldCost - narrow
	for i, s := range streams {
		if len(streams) > 1 && f.gain[i] < -5 { // takes no part either way
			f.score += mixed(f.gain[i], len(streams))
			continue
		}
		f.gain[i] -= f.expected(s, i)
		f.score += mixed(f.gain[i], len(streams))
	}
	return f.score >= least
}

// What the maximum over phase and share of a stream, and over jitter and the
// exact period, costs in nats; set so that exp(-score) is the share of
// structureless streams that reach it (see TestCalibration).
const (
	foldPhaseCost = 1.5
	foldCost      = 3.0
)

// leastClass is the number of intervals from which a class of its own is made.
const leastClass = 20

// expected returns the log-likelihood that the null gives to the phases of
// stream i: the larger of that of independent intervals and that of intervals
// which depend on the one before, by its third. The latter is for sequences
// with rules of their own, such as retries and chaos.
func (f *foldFit) expected(s *stream, i int) float64 {
	rel := f.sd / f.period
	n := len(s.t) - 1
	w := make([]float64, n)
	for j := range w {
		w[j] = math.Max(s.t[j+1]-s.t[j], s.step)
	}
	ranked := slices.Clone(w)
	slices.Sort(ranked)
	bin := func(t float64) int {
		x := (t - f.phase[i]) / f.period
		return min(int((x-math.Round(x)+0.5)*foldBins), foldBins-1)
	}
	any := nullPhases(ranked, f.period, rel, f.share[i])
	sum := 0.0
	for _, t := range s.t[:n] {
		sum += math.Log(any[bin(t)])
	}
	if n < 3*leastClass {
		return sum
	}
	low, high := ranked[n/3], ranked[2*n/3]
	class := func(w float64) int {
		switch {
		case w < low:
			return 0
		case w < high:
			return 1
		}
		return 2
	}
	var after [3][]float64
	for j := 1; j < n; j++ {
		c := class(w[j-1])
		after[c] = append(after[c], w[j])
	}
	var by [3][]float64
	for c, x := range after {
		if by[c] = any; len(x) >= leastClass {
			slices.Sort(x)
			by[c] = nullPhases(x, f.period, rel, f.share[i])
		}
	}
	dependent := math.Log(any[bin(s.t[0])])
	for j := 1; j < n; j++ {
		dependent += math.Log(by[class(w[j-1])][bin(s.t[j])])
	}
	return math.Max(sum, dependent)
}

// nullPhases returns the expectation of the density g at the next event under
// the null, by the phase of the event before, in foldBins steps from -0.5. The
// null's intervals are distributed as w, which is sorted, smoothed.
func nullPhases(w []float64, period, rel, share float64) []float64 {
	const strata = 16
	n := len(w)
	// Cumulative g over one cycle from the peak, for averages over intervals.
	const fine = 8 * foldBins
	var cum [fine + 1]float64
	for i := range fine {
		x := (float64(i)+0.5)/fine - 0.5
		cum[i+1] = cum[i] + density(x, rel, share)/fine
	}
	whole := cum[fine]
	integral := func(x float64) float64 { // from -0.5 to x
		k := math.Floor(x + 0.5)
		y := (x + 0.5 - k) * fine
		b := min(int(y), fine-1)
		return k*whole + cum[b] + (y-float64(b))*(cum[b+1]-cum[b])
	}
	// The smoothed distribution of intervals as equally likely pieces.
	type piece struct{ lo, hi float64 }
	var pieces []piece
	offsets := [...]float64{-1.28, -0.52, 0, 0.52, 1.28} // normal quintiles' middles
	for q := range strata {
		lo := math.Log(w[n*q/strata])
		hi := math.Log(w[min(n-1, n*(q+1)/strata)])
		for _, o := range offsets {
			mid, half := (lo+hi)/2+o*kernelWidth, (hi-lo)/2+0.25*kernelWidth
			pieces = append(pieces, piece{math.Exp(mid-half) / period, math.Exp(mid+half) / period})
		}
	}
	out := make([]float64, foldBins)
	for b := range out {
		x := (float64(b)+0.5)/foldBins - 0.5
		sum := 0.0
		for _, p := range pieces {
			sum += (integral(x+p.hi) - integral(x+p.lo)) / (p.hi - p.lo)
		}
		out[b] = sum / float64(len(pieces))
	}
	return out
}

// group returns the fold as runs: of every slot the event nearest its centre,
// if that is more likely of the grid than not.
func (f *foldFit) group(streams []*stream) groupFit {
	g := groupFit{
		model:  chainModel{period: f.period, sd: f.sd, keepsGrid: true},
		fits:   make([]chainFit, len(streams)),
		gains:  f.gain,
		score:  f.score,
		folded: true,
	}
	rel := f.sd / f.period
	slots, links := 0, 0
	for i, s := range streams {
		if len(streams) > 1 && f.gain[i] < 0 {
			continue
		}
		fit := &g.fits[i]
		slotOf := math.Inf(-1)
		for j, t := range s.t {
			x := (t - f.phase[i]) / f.period
			k := math.Round(x)
			x -= k
			peak := density(x, rel, f.share[i]) - (1 - f.share[i])
			if peak < 0.5*(1-f.share[i]) {
				continue
			}
			if k == slotOf {
				if last := &fit.links[len(fit.links)-1]; math.Abs(x*f.period) < math.Abs(last.err) {
					last.event, last.err = j, x*f.period
				}
				continue
			}
			gap := 0
			if len(fit.links) > 0 {
				gap = int(k - slotOf)
				slots += gap
				links++
			} else {
				fit.runs = 1
			}
			fit.links = append(fit.links, link{event: j, gap: gap, err: x * f.period, scale: 1})
			slotOf = k
		}
		g.events += len(fit.links)
		fit.score = f.gain[i]
	}
	g.model.miss = float64(slots-links) / float64(max(slots, 1))
	return g
}

// crowded reports whether the peaks hold more events than there are slots: a
// rate that swells and ebbs is not a recurrence.
func (f *foldFit) crowded(streams []*stream) bool {
	in, slots := 0.0, 0.0
	for i, s := range streams {
		if len(streams) > 1 && f.gain[i] < 0 {
			continue
		}
		in += f.share[i] * float64(len(s.t))
		slots += s.span()/f.period + 1
	}
	return in > maxPerSlot*slots+2*math.Sqrt(maxPerSlot*slots)*0.5
}

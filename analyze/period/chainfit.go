package period

import "math"

// minRelSD is the smallest jitter told apart, as a share of the period: what
// is more regular gains no further evidence.
const minRelSD = 2e-6

// maxRelSD is the largest: intervals that scatter more are not periodic.
const maxRelSD = 0.22

// A groupFit is one chainModel fitted to several streams.
type groupFit struct {
	model  chainModel
	fits   []chainFit // one a stream
	gains  []float64  // one a stream: nats over the null, before sharing costs
	score  float64    // nats, after all costs that do not depend on the number of candidates
	events int        // events in runs
	folded bool       // it comes from a foldFit
}

// fitGroup fits model to the streams by alternating between the best runs and
// the best parameters, a few times.
func (c *chainer) fitGroup(streams []*stream, m chainModel, rounds int) groupFit {
	g := groupFit{model: m, fits: make([]chainFit, len(streams)), gains: make([]float64, len(streams))}
	start := make([]float64, len(streams))
	other := make([]float64, len(streams))
	step := 0.0
	for i, s := range streams {
		start[i] = math.Max(0.05, 1/float64(len(s.t)+1))
		other[i] = 0.3
		step = math.Max(step, s.step)
	}
	floor := sdFloor(m.period, step)
	g.model.sd = math.Max(g.model.sd, floor)
	for round := 0; ; round++ {
		for i, s := range streams {
			g.fits[i] = c.fit(s, g.model, start[i], other[i])
		}
		if round == rounds {
			break
		}
		if !g.refine(streams, floor, start, other) {
			break
		}
	}
	g.weigh(streams)
	return g
}

func sdFloor(period, step float64) float64 {
	return math.Max(0.41*step, minRelSD*period)
}

// refine sets the parameters to what the runs say. It reports whether there
// were any.
func (g *groupFit) refine(streams []*stream, floor float64, start, other []float64) bool {
	links, slots := 0, 0
	sumErr, sumWeight := 0.0, 0.0
	num, den := 0.0, 0.0
	s2 := g.model.sd * g.model.sd
	for i, f := range g.fits {
		n := float64(len(streams[i].t))
		in := float64(len(f.links))
		start[i] = (float64(f.runs) + 0.5) / (n + 1)
		other[i] = (n - in + 0.5) / (n + 1)
		for j, l := range f.links {
			if l.gap == 0 {
				continue
			}
			links++
			slots += l.gap
			w := 5 / (4 + l.err*l.err/(s2*l.scale))
			sumErr += w * l.err * l.err / l.scale
			sumWeight++
			if !g.model.keepsGrid {
				k := float64(l.gap)
				d := streams[i].t[l.event] - streams[i].t[f.links[j-1].event]
				num += w * d
				den += w * k
			}
		}
		if g.model.keepsGrid {
			a, b := slopeOfRuns(streams[i], f.links)
			num += a
			den += b
		}
	}
	if links == 0 {
		return false
	}
	if den > 0 {
		g.model.period = num / den
	}
	dof := math.Max(sumWeight-1, 1) / sumWeight
	g.model.sd = math.Min(math.Max(math.Sqrt(sumErr/sumWeight/dof), floor), maxRelSD*g.model.period)
	g.model.miss = (float64(slots-links) + 0.5) / (float64(slots) + 1)
	return true
}

// slopeOfRuns returns numerator and denominator of the least-squares slope of
// time over slot number, each run with a phase of its own.
func slopeOfRuns(s *stream, links []link) (num, den float64) {
	for i := 0; i < len(links); {
		j := i + 1
		k, n := 0.0, 1.0
		sumK, sumT := 0.0, 0.0
		t0 := s.t[links[i].event]
		for ; j < len(links) && links[j].gap > 0; j++ {
			k += float64(links[j].gap)
			sumK += k
			sumT += s.t[links[j].event] - t0
			n++
		}
		meanK, meanT := sumK/n, sumT/n
		k = 0
		num += meanK * meanT
		den += meanK * meanK
		for q := i + 1; q < j; q++ {
			k += float64(links[q].gap)
			num += (k - meanK) * (s.t[links[q].event] - t0 - meanT)
			den += (k - meanK) * (k - meanK)
		}
		i = j
	}
	return num, den
}

// weigh computes the evidence of the whole from the fits.
func (g *groupFit) weigh(streams []*stream) {
	g.events = 0
	total := 0.0
	largest := 0.0
	for i, f := range g.fits {
		s := streams[i]
		gain := f.score
		if f.runs == 1 && len(f.links) >= 2 && len(s.t)-len(f.links) <= len(s.t)/5 {
			// One run that is all of the stream: its first interval is
			// evidence too, unless it is the one that told the period.
			pair := math.Max(f.links[1].gain, 0)
			gain += pair
			largest = math.Max(largest, pair)
		}
		gain -= s.excess
		g.gains[i] = gain
		g.events += len(f.links)
		total += mixed(gain, len(streams))
	}
	n := 0
	for _, s := range streams {
		n += len(s.t)
	}
	g.score = total - largest - choiceCost(n)
}

// choiceCost is what choosing the period among the differences of n event
// times, and the jitter, costs in nats. The number of differences sets its
// form; its two constants are set so that exp(-score) is the share of
// structureless streams that reach the score, for every n (see TestCalibration).
func choiceCost(n int) float64 {
	return 1.5*math.Log(min(float64(n)*float64(n-1)/2, 40)) - 3.45
}

// mixed is what a stream adds to the evidence of a group: among several, the
// logarithm of the even mixture of "it takes part", by gain nats better than
// the null, and "it does not".
func mixed(gain float64, streams int) float64 {
	switch {
	case streams == 1:
		return gain
	case gain > 30:
		return gain - math.Ln2
	}
	return math.Log1p(math.Exp(gain)) - math.Ln2
}

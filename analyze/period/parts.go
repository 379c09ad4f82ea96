package period

import "math"

// A part is one recurrence as the search found it, before it is described.
type part struct {
	period float64 // seconds
	sd     float64
	score  float64
	runs   []run
}

// A run is a stretch of one stream's events with unbroken phase.
type run struct {
	s      *stream
	events []int // indices into s.t
	slot   []int // slot of each, from 0
}

func (r run) slots() int        { return r.slot[len(r.slot)-1] + 1 }
func (r run) at(i int) float64  { return r.s.t[r.events[i]] }
func (r run) lastTime() float64 { return r.at(len(r.events) - 1) }

// part turns a fit into a recurrence. Where the spacing changes to a multiple
// on the way, only the events of the most common spacing belong to it; the
// others are left to be found on their own.
func (g *groupFit) part(streams []*stream) part {
	var byFactor [maxGap + 1][]run
	var events [maxGap + 1]int
	for i, f := range g.fits {
		if len(f.links) == 0 || len(streams) > 1 && g.gains[i] < 0 {
			continue
		}
		factor, _ := spacingFactors(f.links)
		var cur run
		of := 0
		flush := func() {
			if len(cur.events) > 1 {
				byFactor[of] = append(byFactor[of], cur)
				events[of] += len(cur.events)
			}
			cur = run{}
		}
		for j, l := range f.links {
			if l.gap == 0 || l.gap > maxGap || factor[j] != of && len(cur.events) > 1 {
				flush()
			}
			of = factor[j]
			if len(cur.events) == 0 {
				cur = run{s: streams[i], events: []int{l.event}, slot: []int{0}}
				continue
			}
			cur.events = append(cur.events, l.event)
			cur.slot = append(cur.slot, cur.slot[len(cur.slot)-1]+max(1, l.gap/of))
		}
		flush()
	}
	q := 1
	for k := range events {
		if events[k] > events[q] {
			q = k
		}
	}
	p := part{period: g.model.period * float64(q), sd: g.model.sd, score: g.score, runs: byFactor[q]}
	p.refine(g.model.keepsGrid)
	return p
}

// refine estimates the period from the part's own runs.
func (p *part) refine(grid bool) {
	num, den := 0.0, 0.0
	for _, r := range p.runs {
		if grid {
			a, b := r.slope()
			num, den = num+a, den+b
		} else {
			num += r.lastTime() - r.at(0)
			den += float64(r.slots() - 1)
		}
	}
	if den > 0 {
		p.period = num / den
	}
}

// slope returns the parts of the least-squares slope of time over slot.
func (r run) slope() (num, den float64) {
	n := float64(len(r.events))
	meanK, meanT := 0.0, 0.0
	for i, k := range r.slot {
		meanK += float64(k)
		meanT += r.at(i) - r.at(0)
	}
	meanK, meanT = meanK/n, meanT/n
	for i, k := range r.slot {
		num += (float64(k) - meanK) * (r.at(i) - r.at(0) - meanT)
		den += (float64(k) - meanK) * (float64(k) - meanK)
	}
	return num, den
}

// switchCost is what a change of spacing must gain, in nats, to be believed.
const switchCost = 8

// spacingFactors says for every link of how many slots the true spacing is at
// that place: 1, or more where all gaps are multiples. It is the most likely
// path through hidden states (factor, share of slots missing), with a cost for
// every change. The second result is the log-likelihood of the gaps on it.
func spacingFactors(links []link) ([]int, float64) {
	fills := [...]float64{0.97, 0.8, 0.5}
	type state struct {
		factor int
		fill   float64
	}
	var states []state
	for q := 1; q <= maxGap; q++ {
		for _, f := range fills {
			states = append(states, state{q, f})
		}
	}
	n := len(links)
	out := make([]int, n)
	value := make([]float64, len(states))
	for s, st := range states {
		if st.factor > 1 {
			value[s] = -switchCost
		}
	}
	from := make([][]int8, n)
	for i, l := range links {
		best := 0
		for s := range value {
			if value[s] > value[best] {
				best = s
			}
		}
		top := value[best] - switchCost
		from[i] = make([]int8, len(states))
		for s, st := range states {
			from[i][s] = int8(s)
			if value[s] < top {
				value[s], from[i][s] = top, int8(best)
			}
			if l.gap == 0 {
				continue
			}
			if l.gap%st.factor != 0 {
				value[s] -= 7
				continue
			}
			value[s] += math.Log(st.fill) + float64(l.gap/st.factor-1)*math.Log(1-st.fill)
		}
	}
	s := 0
	for i := range value {
		if value[i] > value[s] {
			s = i
		}
	}
	top := value[s]
	for i := n - 1; i >= 0; i-- {
		out[i] = states[s].factor
		s = int(from[i][s])
	}
	return out, top
}

// adaptation returns by how many nats the gaps are better told with changes of
// spacing than with one share of missing slots; at least zero.
func (g *groupFit) adaptation() float64 {
	sum := 0.0
	for _, f := range g.fits {
		if len(f.links) < 8 {
			continue
		}
		_, with := spacingFactors(f.links)
		without := 0.0
		for _, l := range f.links {
			if l.gap > 0 {
				without += math.Log(1-g.model.miss) + float64(l.gap-1)*math.Log(math.Max(g.model.miss, 1e-3))
			}
		}
		sum += math.Max(0, with-without)
	}
	return sum
}

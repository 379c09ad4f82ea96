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

// parts turns a fit into recurrences: one, or several where the spacing
// changes to a multiple on the way.
func (g *groupFit) parts(streams []*stream) []part {
	byFactor := map[int][]run{}
	events := map[int]int{}
	total := 0
	for i, f := range g.fits {
		if len(f.links) == 0 || len(streams) > 1 && g.gains[i] < 0 {
			continue
		}
		factor := spacingFactors(f.links)
		var cur run
		was := 0
		flush := func() {
			if len(cur.events) > 1 {
				byFactor[was] = append(byFactor[was], cur)
				events[was] += len(cur.events)
				total += len(cur.events)
			}
			cur = run{}
		}
		for j, l := range f.links {
			if l.gap == 0 || factor[j] != was && was != 0 && len(cur.events) > 1 {
				flush()
			}
			was = factor[j]
			if len(cur.events) == 0 {
				cur = run{s: streams[i], events: []int{l.event}, slot: []int{0}}
				continue
			}
			cur.events = append(cur.events, l.event)
			cur.slot = append(cur.slot, cur.slot[len(cur.slot)-1]+max(1, l.gap/was))
		}
		flush()
	}
	var out []part
	for q := 1; q <= maxGap; q++ {
		if len(byFactor[q]) == 0 {
			continue
		}
		p := part{period: g.model.period * float64(q), sd: g.model.sd, runs: byFactor[q], score: g.score * float64(events[q]) / float64(total)}
		p.refine(g.model.keepsGrid)
		out = append(out, p)
	}
	return out
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
// every change.
func spacingFactors(links []link) []int {
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
	for i := n - 1; i >= 0; i-- {
		out[i] = states[s].factor
		s = int(from[i][s])
	}
	return out
}

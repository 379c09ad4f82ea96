package period

import (
	"cmp"
	"math"
	"slices"
)

// merge joins parts that tell of one cause: equal periods, and a period of
// which another on the same stream at the same time is a small multiple; the
// former is then several phases of the latter.
func merge(parts []part) []part {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.period, a.period) })
	out := make([]part, 0, len(parts))
	on := map[int][]int{} // series to indices in out
	for _, p := range parts {
		to, q := -1, 1
		// Equal periods stand next to each other.
		for i := len(out) - 1; i >= 0 && out[i].period < 1.03*p.period; i-- {
			if sameLength(out[i], p, 1) {
				to = i
			}
		}
		for _, i := range on[p.runs[0].s.series] {
			if to < 0 && remnant(out[i], p) {
				to = i
			}
			for k := 2; k <= maxPhases/2 && to < 0; k++ {
				if sameLength(out[i], p, float64(k)) && p.overlaps(out[i]) && 2*k*out[i].events() >= p.events() {
					to, q = i, k
				}
			}
		}
		if to < 0 {
			to = len(out)
			out = append(out, p)
		} else {
			out[to].absorb(p, q)
		}
		for _, r := range p.runs {
			if l := on[r.s.series]; !slices.Contains(l, to) {
				on[r.s.series] = append(l, to)
			}
		}
	}
	return out
}

// absorb adds p, whose period is a q-th of o's, as further phases.
func (o *part) absorb(p part, q int) {
	if p.events() > o.events() {
		o.period, o.sd = p.period*float64(q), p.sd
	}
	o.runs = append(o.runs, p.phases(q)...)
	o.score = math.Max(o.score, p.score)
}

// sameLength reports whether long is q times short within what the two know.
func sameLength(long, short part, q float64) bool {
	tol := math.Max(0.002*long.period, 3*math.Hypot(long.stdErr(), q*short.stdErr()))
	return math.Abs(long.period-q*short.period) <= math.Min(tol, 0.02*long.period)
}

// remnant reports whether one is a small rest of the other: within 2 % of its
// period, on the same streams, at other times.
func remnant(a, b part) bool {
	if math.Abs(a.period-b.period) > 0.02*a.period || a.overlaps(b) || b.overlaps(a) {
		return false
	}
	small, large := a, b
	if a.events() > b.events() {
		small, large = b, a
	}
	if 5*small.events() > large.events() {
		return false
	}
	on := map[int]bool{}
	for _, r := range large.runs {
		on[r.s.series] = true
	}
	return !slices.ContainsFunc(small.runs, func(r run) bool { return !on[r.s.series] })
}

// stdErr is a cautious standard error of the period.
func (p *part) stdErr() float64 {
	slots := 0.0
	for _, r := range p.runs {
		slots += float64(r.slots() - 1)
	}
	return p.sd / math.Sqrt(math.Max(slots, 1))
}

func (p *part) events() int {
	n := 0
	for _, r := range p.runs {
		n += len(r.events)
	}
	return n
}

// overlaps reports whether more than half of p's time lies within runs of o on
// the same stream.
func (p *part) overlaps(o part) bool {
	of := map[int][]run{}
	for _, r := range o.runs {
		of[r.s.series] = append(of[r.s.series], r)
	}
	in, all := 0.0, 0.0
	for _, r := range p.runs {
		all += r.lastTime() - r.at(0)
		for _, x := range of[r.s.series] {
			in += math.Max(0, math.Min(x.lastTime(), r.lastTime())-math.Max(x.at(0), r.at(0)))
		}
	}
	return 2*in > all
}

// phases returns the runs as seen with every q-th slot only.
func (p *part) phases(q int) []run {
	if q == 1 {
		return p.runs
	}
	var out []run
	for _, r := range p.runs {
		lanes := make([]run, q)
		for i, k := range r.slot {
			l := &lanes[k%q]
			l.s = r.s
			l.events = append(l.events, r.events[i])
			l.slot = append(l.slot, k/q)
		}
		for _, l := range lanes {
			if len(l.events) == 0 {
				continue
			}
			for i := len(l.slot) - 1; i >= 0; i-- {
				l.slot[i] -= l.slot[0]
			}
			out = append(out, l)
		}
	}
	return out
}

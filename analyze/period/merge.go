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
	var out []part
next:
	for _, p := range parts {
		for i := range out {
			o := &out[i]
			for q := 1; q <= 6; q++ {
				if !sameLength(*o, p, float64(q)) || q > 1 && !(p.overlaps(*o) && 2*q*o.events() >= p.events()) {
					continue
				}
				o.runs = append(o.runs, p.phases(q)...)
				o.score = math.Max(o.score, p.score)
				if p.events() > o.events()/2 {
					o.refine(true)
				}
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// sameLength reports whether long is q times short within what the two know.
func sameLength(long, short part, q float64) bool {
	tol := math.Max(0.002*long.period, 3*math.Hypot(long.stdErr(), q*short.stdErr()))
	return math.Abs(long.period-q*short.period) <= math.Min(tol, 0.02*long.period)
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

// overlaps reports whether more than half of p's runs lie within the time
// that o has events on the same stream.
func (p *part) overlaps(o part) bool {
	type span struct{ lo, hi float64 }
	of := map[int]span{}
	for _, r := range o.runs {
		s, ok := of[r.s.series]
		if !ok {
			s = span{r.at(0), r.lastTime()}
		}
		of[r.s.series] = span{math.Min(s.lo, r.at(0)), math.Max(s.hi, r.lastTime())}
	}
	in := 0
	for _, r := range p.runs {
		if s, ok := of[r.s.series]; ok && math.Min(s.hi, r.lastTime())-math.Max(s.lo, r.at(0)) > 0.5*(r.lastTime()-r.at(0)) {
			in += len(r.events)
		}
	}
	return 2*in > p.events()
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

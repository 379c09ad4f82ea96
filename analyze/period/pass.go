package period

import (
	"math"
	"slices"
)

// pass describes the runs when they are passes: three events or more, again
// and again after a pause, alike in length or coming at a fixed cycle.
func (d *describer) pass(p part) *Pass {
	if len(p.runs) < 3 {
		return nil
	}
	var lengths []int
	starts := map[int][]float64{}
	steps := map[int]float64{}
	var order []int
	for _, r := range p.runs {
		lengths = append(lengths, len(r.events))
		i := r.s.series
		if _, ok := starts[i]; !ok {
			order = append(order, i)
		}
		if s := starts[i]; len(s) > 0 && r.at(0) < s[len(s)-1]+p.period {
			return nil // overlapping phases
		}
		starts[i] = append(starts[i], r.at(0))
		steps[i] = math.Max(r.s.step, p.sd)
	}
	slices.Sort(lengths)
	median := lengths[len(lengths)/2]
	again := false
	var streams []*stream
	for _, i := range order {
		if n := len(starts[i]); n >= 2 {
			again = true
			s := &stream{series: i, step: steps[i], t: starts[i], first: make([]int, n), last: make([]int, n)}
			s.observe()
			streams = append(streams, s)
		}
	}
	if median < 3 || !again {
		return nil
	}
	pass := &Pass{RunLength: median, Runs: len(p.runs)}
	if g, ok := d.finder.search(streams); ok && g.score >= -math.Log(d.opt.FalseAlarm) && g.model.period > float64(median)*p.period {
		pass.Cycle = nanos(g.model.period)
		return pass
	}
	alike := 0
	for _, n := range lengths {
		if n >= median-1 && n <= median+1 {
			alike++
		}
	}
	if 3*alike < 2*len(lengths) {
		return nil
	}
	return pass
}

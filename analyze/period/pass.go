package period

import (
	"math"
	"slices"
)

// pass describes the runs when they are passes: three events or more, again
// and again after a pause, alike in length or coming at a fixed cycle. The
// second result is the passes, one run each.
func (d *describer) pass(p part) (*Pass, []run) {
	rows := rowsOf(p.runs)
	if len(rows) < 3 {
		return nil, nil
	}
	var lengths []int
	var streams []*stream
	var pauses []float64 // in slots
	again := false
	for i, r := range rows {
		lengths = append(lengths, len(r.events))
		n := len(streams)
		if n == 0 || streams[n-1].series != r.s.series {
			streams = append(streams, &stream{series: r.s.series, step: math.Max(r.s.step, p.sd)})
			n++
		}
		s := streams[n-1]
		if len(s.t) > 0 {
			if r.at(0) < s.t[len(s.t)-1]+p.period {
				return nil, nil // overlapping phases
			}
			again = true
			pauses = append(pauses, (r.at(0)-rows[i-1].lastTime())/p.period-1)
		}
		s.t = append(s.t, r.at(0))
	}
	slices.Sort(lengths)
	median := lengths[len(lengths)/2]
	alike, in, all := 0, 0, 0
	for _, n := range lengths {
		all += n
		if n >= 3 {
			in += n
		}
		if n >= median-1 && n <= median+1 {
			alike++
		}
	}
	if median < 3 || !again || 5*in < 4*all || 3*alike < 2*len(lengths) {
		return nil, nil
	}
	pass := &Pass{RunLength: median, Runs: len(rows)}
	streams = slices.DeleteFunc(streams, func(s *stream) bool { return len(s.t) < 2 })
	for _, s := range streams {
		s.first, s.last = make([]int, len(s.t)), make([]int, len(s.t))
		s.observe()
	}
	if g, ok := d.finder.search(streams); ok && g.score >= -math.Log(d.opt.FalseAlarm) {
		if c := g.part(streams); c.period > float64(median)*p.period {
			pass.Cycle = nanos(c.period)
		}
	}
	slices.Sort(pauses)
	if pass.Cycle == 0 && pauses[len(pauses)/2] < math.Max(1.5, 0.2*float64(median)) {
		return nil, nil // rows with a slot missing now and then
	}
	return pass, rows
}

// rowsOf cuts the runs wherever a slot is missing.
func rowsOf(runs []run) []run {
	var out []run
	for _, r := range runs {
		lo := 0
		for i := 1; i <= len(r.events); i++ {
			if i < len(r.events) && r.slot[i] == r.slot[i-1]+1 {
				continue
			}
			slot := make([]int, i-lo)
			for j := range slot {
				slot[j] = j
			}
			out = append(out, run{s: r.s, events: r.events[lo:i], slot: slot})
			lo = i
		}
	}
	return out
}

package analyze

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// asPass tells a cycle of several phases a stream as what it is where the
// phases stand one step apart: runs of events that come again after a pause.
// Short runs with losses show their cycle better than their step, since every
// event keeps the cycle and a lost one breaks two steps. The step must be the
// same wherever two phases of a run meet: at three places on two streams, or at
// two if it is of a configured length; by chance that is rarer than the
// recurrences that are looked for. Anything else is returned as it is.
func asPass(r period.Recurrence, named []time.Duration) period.Recurrence {
	if r.Pass != nil || r.Kind != period.FixedRate && r.Kind != period.Cron {
		return r
	}
	tolerance := max(4*r.Jitter, 2*time.Millisecond)
	var runs []run
	step := r.Period
	for first := 0; first < len(r.Phases); {
		end := first + 1
		for end < len(r.Phases) && r.Phases[end].Series == r.Phases[first].Series {
			end++
		}
		c := runOf(r.Phases[first:end], r.Period)
		for _, g := range c.gaps {
			step = min(step, g)
		}
		runs = append(runs, c)
		first = end
	}
	met, streams, length := 0, 0, 0
	sum := time.Duration(0)
	for i := range runs {
		n, total, ok := runs[i].steps(step, tolerance)
		if !ok || runs[i].pause < step+step/4 {
			return r
		}
		for _, g := range runs[i].gaps {
			if (g - step).Abs() <= tolerance {
				met++
				sum += g
			}
		}
		if n >= 2 {
			streams++
		}
		length = max(length, total+1)
	}
	configured := slices.ContainsFunc(named, func(d time.Duration) bool { return (d - step).Abs() <= tolerance })
	if length < 3 || met < 2 || !configured && (met < 3 || streams < 2) || step*time.Duration(length) >= r.Period {
		return r
	}
	return merged(r, runs, sum/time.Duration(met), met, length)
}

// withoutCycles drops what is the cycle of another recurrence's passes, found
// on its streams once more: the places of which many events were lost.
func withoutCycles(rs []period.Recurrence) []period.Recurrence {
	var out []period.Recurrence
	for _, r := range rs {
		cycleOf := func(of period.Recurrence) bool {
			return of.Pass != nil && of.Pass.Cycle > 0 && (of.Pass.Cycle-r.Period).Abs() <= r.Period/1000 && within(r.Phases, of.Phases)
		}
		if r.Pass != nil || !slices.ContainsFunc(rs, cycleOf) {
			out = append(out, r)
		}
	}
	return out
}

// within reports whether all streams of the phases have one of the others.
func within(phases, of []period.Phase) bool {
	for _, p := range phases {
		if !slices.ContainsFunc(of, func(q period.Phase) bool { return q.Series == p.Series }) {
			return false
		}
	}
	return true
}

// run is the phases of one stream in the order of the run.
type run struct {
	phases []period.Phase
	gaps   []time.Duration // between neighbours
	pause  time.Duration   // between the last and the first of the next run
}

// runOf orders a stream's phases so that the longest gap is the pause.
func runOf(phases []period.Phase, cycle time.Duration) run {
	phases = slices.SortedFunc(slices.Values(phases), func(x, y period.Phase) int { return cmp.Compare(x.Offset, y.Offset) })
	n := len(phases)
	gap := func(i int) time.Duration {
		if i+1 < n {
			return phases[i+1].Offset - phases[i].Offset
		}
		return phases[0].Offset + cycle - phases[i].Offset
	}
	last := 0
	for i := range n {
		if gap(i) > gap(last) {
			last = i
		}
	}
	c := run{pause: gap(last)}
	for i := range n {
		k := (last + 1 + i) % n
		c.phases = append(c.phases, phases[k])
		if i+1 < n {
			c.gaps = append(c.gaps, gap(k))
		}
	}
	return c
}

// steps reports whether every gap is one to three steps, how many gaps there
// are, and how many steps they make.
func (c *run) steps(step, tolerance time.Duration) (gaps, total int, ok bool) {
	for _, g := range c.gaps {
		n := int(math.Round(float64(g) / float64(step)))
		if n < 1 || n > 3 || (g-time.Duration(n)*step).Abs() > time.Duration(n)*tolerance {
			return 0, 0, false
		}
		total += n
	}
	return len(c.gaps), total, true
}

// merged makes the recurrence of the step: one phase a stream.
func merged(r period.Recurrence, runs []run, step time.Duration, met, length int) period.Recurrence {
	perPhase := max(1, r.Events/max(1, len(r.Phases)))
	// The step is the mean of differences of phases, each the mean of its events.
	slack := time.Duration(2*float64(r.Jitter)*math.Sqrt(2/float64(perPhase*met))) + time.Microsecond
	out := r
	out.Period, out.Low, out.High = step, step-slack, step+slack
	out.Pass = &period.Pass{Cycle: r.Period, RunLength: length}
	out.Phases = nil
	for _, c := range runs {
		p := c.phases[0]
		p.Offset %= step
		p.Members, p.MissedAt = slices.Clone(p.Members), slices.Clone(p.MissedAt)
		for _, q := range c.phases[1:] {
			p.Events, p.Slots, p.Missed = p.Events+q.Events, p.Slots+q.Slots, p.Missed+q.Missed
			p.Members = append(p.Members, q.Members...)
			p.MissedAt = append(p.MissedAt, q.MissedAt...)
			p.NextDue, p.Overdue = min(p.NextDue, q.NextDue), min(p.Overdue, q.Overdue)
		}
		slices.Sort(p.Members)
		slices.Sort(p.MissedAt)
		out.Pass.Runs += (p.Slots + length - 1) / length
		out.Phases = append(out.Phases, p)
	}
	return out
}

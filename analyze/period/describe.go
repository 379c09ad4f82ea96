package period

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// A describer turns what the search found into what is reported.
type describer struct {
	series []Series
	origin int64
	opt    Options
	finder *finder
}

const (
	maxMissedAt = 100
	// kindDoubt is the posterior probability below which a kind is unknown.
	kindDoubt = 0.6
	// kindEvents bounds the events that the kind is judged by.
	kindEvents = 5000
	// joinSlots is the longest pause, in slots, over which a kept phase joins
	// two runs to one segment.
	joinSlots = 60
)

// A lane is the runs of one stream and phase, in time.
type lane struct {
	series int
	runs   []run
}

func (d *describer) describe(p part) Recurrence {
	slices.SortStableFunc(p.runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.s.series, b.s.series), cmp.Compare(a.at(0), b.at(0)))
	})
	p = coarsen(p)
	r := Recurrence{
		Period:     nanos(p.period),
		Evidence:   p.score,
		FalseAlarm: math.Min(1, math.Exp(-p.score)),
	}
	step := 0.0
	for _, x := range p.runs {
		step = math.Max(step, x.s.step)
	}
	pass, rows := d.pass(p)
	if r.Pass = pass; pass != nil {
		p.runs = rows
		p.period += gridSlope(rows, p.period)
		r.Period = nanos(p.period)
	}
	lanes := lanesOf(p)
	odds := kindOdds(firstRuns(p.runs, kindEvents), p.period, step)
	d.spread(&r, p, step, odds)
	aligned := pass == nil && odds > -alignedOdds && d.wallClock(p, lanes, r)
	if aligned {
		odds += alignedOdds
	}
	if d.configured(r) {
		odds += clockOdds
	}
	r.Kind, r.KindConfidence = kindOf(odds)
	if aligned && r.Kind == FixedRate {
		r.Kind = Cron
	}
	d.spread(&r, p, step, odds)
	if pass == nil && (r.Kind == FixedRate || r.Kind == Cron) {
		d.joinRuns(lanes, p.period, r)
	}
	total := 0
	counted := map[int]bool{}
	members := 0
	for _, l := range lanes {
		ph := d.phase(l, p.period, r)
		r.Phases = append(r.Phases, ph)
		for _, x := range l.runs {
			r.Segments = append(r.Segments, Segment{
				Stream: d.series[l.series].Stream, Series: l.series,
				First: d.abs(x.at(0)), Last: d.abs(x.lastTime()),
				Events: len(x.events), Slots: x.slots(),
			})
		}
		r.Events += ph.Events
		r.Slots += ph.Slots
		r.Missed += ph.Missed
		members += len(ph.Members)
		if !counted[l.series] {
			counted[l.series] = true
			total += len(d.series[l.series].Times)
		}
	}
	r.Explained = float64(members) / float64(total)
	slices.SortStableFunc(r.Segments, func(a, b Segment) int {
		return cmp.Or(cmp.Compare(a.Series, b.Series), cmp.Compare(a.First, b.First), cmp.Compare(a.Last, b.Last))
	})
	return r
}

// alignedOdds is what alignment to the wall clock says against fixed delay:
// one place in twenty is aligned by chance.
const alignedOdds = 3

// clockOdds is what the length of a configured clock says against fixed delay,
// which would be longer than that by the work between.
const clockOdds = 3

// configured reports whether one of Options.Clocks lies within the period's
// confidence interval.
func (d *describer) configured(r Recurrence) bool {
	return slices.ContainsFunc(d.opt.Clocks, func(c time.Duration) bool { return r.Low <= c && c <= r.High })
}

// kindOf returns the kind that the odds of fixed rate over fixed delay tell,
// and its probability.
func kindOf(odds float64) (Kind, float64) {
	sure := 1 / (1 + math.Exp(-math.Abs(odds)))
	switch {
	case sure < kindDoubt:
		return UnknownKind, sure
	case odds > 0:
		return FixedRate, sure
	}
	return FixedDelay, sure
}

func nanos(seconds float64) time.Duration { return time.Duration(math.Round(seconds * 1e9)) }

// abs returns a time of the search as nanoseconds since the Unix epoch.
func (d *describer) abs(t float64) int64 { return d.origin + int64(math.Round(t*1e9)) }

// firstRuns returns the runs up to a number of events, the last one cut short.
func firstRuns(runs []run, events int) []run {
	var out []run
	for _, r := range runs {
		if events < 2 {
			break
		}
		if n := len(r.events); n > events {
			r.events, r.slot = r.events[:events], r.slot[:events]
		}
		events -= len(r.events)
		if len(r.events) > 1 {
			out = append(out, r)
		}
	}
	return out
}

// spread sets Jitter and the confidence interval: by the regression on slots
// for a grid, by the mean interval for a walk, by the wider when unknown.
func (d *describer) spread(r *Recurrence, p part, step, odds float64) {
	kind, _ := kindOf(odds)
	dof, slots := -1.0, 0.0
	for _, x := range p.runs {
		dof += float64(len(x.events) - 1)
		slots += float64(x.slots() - 1)
	}
	ssGrid, _ := gridResidual(p.runs, p.period)
	ssWalk, _ := walkResidual(p.runs, p.period, 0)
	den := 0.0
	for _, x := range p.runs {
		_, b := x.slope()
		den += b
	}
	dof = math.Max(dof, 1)
	sdGrid, sdWalk := math.Sqrt(ssGrid/dof), math.Sqrt(ssWalk/dof)
	half := 0.0
	if kind != FixedDelay {
		half = math.Max(sdGrid, step/6) / math.Sqrt(den)
		r.Jitter = nanos(sdGrid)
	}
	if kind != FixedRate {
		half = math.Max(half, math.Max(sdWalk, step/6)/math.Sqrt(slots))
		r.Jitter = nanos(sdWalk)
	}
	half *= studentQuantile(dof)
	r.Low, r.High = max(0, r.Period-nanos(half)), r.Period+nanos(half)
}

// studentQuantile returns the 97.5 % quantile of Student's t, within half a
// per cent.
func studentQuantile(dof float64) float64 {
	small := [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if i := int(dof) - 1; i < len(small) {
		return small[max(i, 0)]
	}
	return 1.96 + 2.5/dof + 2/(dof*dof)
}

// lanesOf sorts runs into lanes: a run that overlaps another of its stream in
// time is another phase.
func lanesOf(p part) []lane {
	var lanes []lane
	for _, x := range p.runs {
		best, bestOff := -1, math.Inf(1)
		for i := range lanes {
			l := &lanes[i]
			last := l.runs[len(l.runs)-1]
			if l.series != x.s.series || last.lastTime()+p.period/4 > x.at(0) {
				continue
			}
			k := math.Round((x.at(0) - last.lastTime()) / p.period)
			off := math.Abs(x.at(0) - last.lastTime() - k*p.period)
			if off < bestOff {
				best, bestOff = i, off
			}
		}
		if best < 0 {
			lanes = append(lanes, lane{series: x.s.series, runs: []run{x}})
			continue
		}
		lanes[best].runs = append(lanes[best].runs, x)
	}
	return lanes
}

// joinRuns joins successive runs of a lane over a pause that kept the phase; the
// phase of a schedule is kept on the wall clock.
func (d *describer) joinRuns(lanes []lane, period float64, r Recurrence) {
	jitter := r.Jitter.Seconds()
	for i := range lanes {
		l := &lanes[i]
		joined := l.runs[:1:1]
		for _, x := range l.runs[1:] {
			last := &joined[len(joined)-1]
			gap := x.at(0) - last.lastTime()
			if r.Kind == Cron {
				gap += d.zone(d.abs(x.at(0))) - d.zone(d.abs(last.lastTime()))
			}
			k := math.Round(gap / period)
			if k < 1 || k > joinSlots || math.Abs(gap-k*period) > math.Max(4*jitter, 2*x.s.step) {
				joined = append(joined, x)
				continue
			}
			base := last.slot[len(last.slot)-1] + int(k)
			merged := run{s: last.s, events: slices.Clone(last.events), slot: slices.Clone(last.slot)}
			if x.s == last.s {
				merged.events = append(merged.events, x.events...)
			} else {
				joined = append(joined, x)
				continue
			}
			for _, s := range x.slot {
				merged.slot = append(merged.slot, base+s)
			}
			*last = merged
		}
		l.runs = joined
	}
}

// phase describes one lane.
func (d *describer) phase(l lane, period float64, r Recurrence) Phase {
	ph := Phase{Stream: d.series[l.series].Stream, Series: l.series}
	for _, x := range l.runs {
		ph.Events += len(x.events)
		ph.Slots += x.slots()
		for i, e := range x.events {
			for m := x.s.first[e]; m < x.s.last[e]; m++ {
				ph.Members = append(ph.Members, m)
			}
			if i == 0 {
				continue
			}
			for k := x.slot[i-1] + 1; k < x.slot[i] && len(ph.MissedAt) < maxMissedAt; k++ {
				share := float64(k-x.slot[i-1]) / float64(x.slot[i]-x.slot[i-1])
				ph.MissedAt = append(ph.MissedAt, d.abs(x.at(i-1)+share*(x.at(i)-x.at(i-1))))
			}
		}
	}
	ph.Missed = ph.Slots - ph.Events
	last := l.runs[len(l.runs)-1]
	anchor := last.lastTime()
	if r.Kind == FixedRate || r.Kind == Cron {
		anchor = d.predicted(last, period, r.Kind)
	}
	at := d.abs(anchor)
	ph.Offset = time.Duration(mod(at-d.midnight(), int64(r.Period)))
	ph.NextDue, ph.Overdue = d.nextDue(at, r, last)
	slices.Sort(ph.Members)
	return ph
}

// midnight returns the start of the UTC day of the search's origin.
func (d *describer) midnight() int64 { return d.origin - mod(d.origin, int64(24*time.Hour)) }

// mod returns the remainder of a by b that is not negative.
func mod(a, b int64) int64 { return ((a % b) + b) % b }

// zone returns the wall clock's distance from UTC at a time, in seconds.
func (d *describer) zone(ns int64) float64 {
	if d.opt.Location == nil {
		return 0
	}
	_, off := time.Unix(0, ns).In(d.opt.Location).Zone()
	return float64(off)
}

// predicted returns the centre of the last slot by the run's average phase.
func (d *describer) predicted(r run, period float64, kind Kind) float64 {
	n := len(r.slot)
	lo := max(0, n-64)
	sum := 0.0
	for i := lo; i < n; i++ {
		sum += r.at(i) - float64(r.slot[i]-r.slot[n-1])*period
		if kind == Cron {
			sum += d.zone(d.abs(r.at(i))) - d.zone(d.abs(r.lastTime()))
		}
	}
	return sum / float64(n-lo)
}

// nextDue returns the first slot after Until and how many have passed since
// the last event without one.
func (d *describer) nextDue(anchor int64, r Recurrence, last run) (next int64, overdue int) {
	until := d.opt.Until
	slack := 4 * int64(r.Jitter)
	after := func(from, step int64) (int64, int) {
		k := int64(1)
		if until > from {
			k = (until-from)/step + 1
		}
		next := from + k*step
		if r.Kind == Cron {
			next -= int64(1e9 * (d.zone(next) - d.zone(from)))
		}
		late := k - 1
		if late > 0 && until-(from+late*step) < slack {
			late--
		}
		return next, int(late)
	}
	if r.Pass == nil || r.Pass.Cycle == 0 {
		return after(anchor, int64(r.Period))
	}
	if len(last.events) < r.Pass.RunLength && until-anchor < int64(r.Period) {
		return anchor + int64(r.Period), 0
	}
	return after(d.abs(last.at(0)), int64(r.Pass.Cycle))
}

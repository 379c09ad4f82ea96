package analyze

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// allRecurrences looks for the recurrences of every incident, several
// incidents at a time; the result is in the order of the incidents.
func (a *Analyzer) allRecurrences() [][]Recurrence {
	out := make([][]Recurrence, len(a.order))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(a.order)) {
		workers.Go(func() {
			for i := range next {
				out[i] = a.recurrences(a.order[i], a.order[i].sortedShares())
			}
		})
	}
	for i := range a.order {
		next <- i
	}
	close(next)
	workers.Wait()
	return out
}

// recurrences looks for fixed periods in the times of an incident's records,
// stream by stream. It changes nothing that other incidents share.
func (a *Analyzer) recurrences(inc *incident, shares []*streamFacts) []Recurrence {
	series := make([]period.Series, 0, len(shares))
	total := 0
	for _, f := range shares {
		ts := inc.streams[f].times.Times()
		total += len(ts)
		series = append(series, period.Series{Stream: f.stream.Key, Times: ts})
	}
	out := []Recurrence{}
	if total < 3 {
		return out
	}
	until := a.until()
	found := period.Find(series, period.Options{Until: until, Clocks: a.clocks()})
	for i := range found {
		found[i] = asPass(found[i], a.clocks())
	}
	for _, r := range withoutCycles(found) {
		rec := Recurrence{
			PeriodNs: int64(r.Period), Period: measured(r.Period, r.High-r.Low),
			LowNs: int64(r.Low), HighNs: int64(r.High),
			JitterNs: int64(r.Jitter), Jitter: measured(r.Jitter, r.Jitter/4),
			Kind: string(r.Kind),
			Pods: []string{}, Phases: []Phase{},
			Events: int64(r.Events), Slots: int64(r.Slots), Missed: int64(r.Missed),
			Confidence: math.Max(0, 1-r.FalseAlarm),
			Matches:    a.matches(r),
		}
		for i := range r.Phases {
			p := &r.Phases[i]
			f := shares[p.Series]
			ph := Phase{
				Stream: f.stream.Name(), Pod: f.stream.Pod, PhaseNs: int64(p.Offset),
				Events: int64(p.Events), Slots: int64(p.Slots), Missed: int64(p.Missed),
				Ticks: ticks(&r, p, series[p.Series].Times),
			}
			if p.NextDue > until && p.Overdue <= mayMiss(*p) {
				due := At(p.NextDue)
				ph.NextDue = &due
				if rec.NextDue == nil || due.Before(rec.NextDue.Time) {
					rec.NextDue = &due
				}
			}
			rec.Phases = append(rec.Phases, ph)
			if f.stream.Pod != "" {
				rec.Pods = appendNew(rec.Pods, f.stream.Pod)
			}
		}
		if len(rec.Phases) > 0 {
			rec.PhaseNs = rec.Phases[0].PhaseNs
		}
		if r.Pass != nil {
			rec.Pass = &Pass{CycleNs: int64(r.Pass.Cycle), Cycle: span(r.Pass.Cycle.Round(cycleStep(r.Pass.Cycle))), RunLength: int64(r.Pass.RunLength)}
		}
		out = append(out, rec)
	}
	return out
}

// clocks are the lengths that the rule files configure.
func (a *Analyzer) clocks() []time.Duration {
	var out []time.Duration
	for _, b := range a.opts.Config.Budgets {
		out = append(out, b.Duration)
	}
	for _, s := range a.opts.Config.Schedules {
		out = append(out, s.Every)
	}
	return out
}

// mayMiss is how many slots in a row a stream may have left empty since its
// last event and still be expected to fill the next: three, or more where it
// often misses. What has stopped longer ago has no next event.
func mayMiss(p period.Phase) int {
	if p.Events == 0 {
		return 0
	}
	return max(3, 3*p.Slots/p.Events)
}

// until is the newest time anything was read of: what the window promises
// beyond it has not been seen and is not missed.
func (a *Analyzer) until() int64 {
	newest := int64(math.MinInt64)
	for _, f := range a.streams {
		newest = max(newest, f.last)
	}
	return newest
}

func appendNew(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

// cycleStep is what a cycle is rounded to where it is printed: about one in a
// thousand, in whole units.
func cycleStep(d time.Duration) time.Duration {
	switch {
	case d >= 30*time.Minute:
		return time.Minute
	case d >= time.Minute:
		return time.Second
	}
	return time.Millisecond
}

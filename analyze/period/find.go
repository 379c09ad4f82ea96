package period

import (
	"cmp"
	"math"
	"slices"
)

// Find returns the recurrences in the series, those with most events first,
// then by period, then by the first stream. The result depends on nothing but
// the arguments; Find may be called from several goroutines at once.
func Find(series []Series, opt Options) []Recurrence {
	if opt.FalseAlarm <= 0 {
		opt.FalseAlarm = DefaultFalseAlarm
	}
	if opt.MaxRecurrences <= 0 {
		opt.MaxRecurrences = DefaultMaxRecurrences
	}
	streams, origin := prepare(series)
	if opt.Until == 0 {
		for _, s := range series {
			if n := len(s.Times); n > 0 {
				opt.Until = max(opt.Until, s.Times[n-1])
			}
		}
	}
	var f finder
	parts := f.all(streams, opt)
	d := describer{series: series, origin: origin, opt: opt, finder: &f}
	out := make([]Recurrence, 0, len(parts))
	for _, p := range parts {
		out = append(out, d.describe(p))
	}
	slices.SortStableFunc(out, func(a, b Recurrence) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), cmp.Compare(a.Period, b.Period), cmp.Compare(a.Phases[0].Series, b.Phases[0].Series))
	})
	return out[:min(len(out), opt.MaxRecurrences)]
}

// laterCost is what every recurrence after the first must show beyond: what is
// left over after one is taken away is not quite the data of the null.
const laterCost = 8

// all returns the recurrences of the streams together, then those of each
// stream alone.
func (f *finder) all(streams []*stream, opt Options) []part {
	need := -math.Log(opt.FalseAlarm)
	var parts []part
	rest := f.drain(streams, opt, need, &parts)
	if len(rest) > 1 {
		alone := need + math.Log(float64(len(rest)))
		for i := range rest {
			f.drain(rest[i:i+1], opt, alone, &parts)
		}
	}
	return merge(parts)
}

// drain appends recurrences until there is none of need nats, and returns the
// streams less their events.
func (f *finder) drain(streams []*stream, opt Options, need float64, parts *[]part) []*stream {
	// Ends: every turn takes three events at least; the bound on turns is
	// for streams made to be costly.
	for turn := 0; turn < 4*opt.MaxRecurrences && len(streams) > 0; turn++ {
		g, ok := f.search(streams)
		if ok && g.score >= need && g.climbs(streams) {
			if streams = withoutLadders(streams); len(streams) == 0 {
				break
			}
			g, ok = f.search(streams)
		}
		if !ok || g.score < need {
			break
		}
		if turn == 0 {
			need += laterCost
		}
		p := g.part(streams)
		if len(p.runs) == 0 {
			break
		}
		*parts = append(*parts, p)
		streams = remaining(streams, p.runs)
	}
	return streams
}

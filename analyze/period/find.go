package period

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
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

// all returns the recurrences that several streams share, then those of each
// stream alone, then what the rest of the streams show only together.
func (f *finder) all(streams []*stream, opt Options) []part {
	need := -math.Log(opt.FalseAlarm)
	var parts []part
	if len(streams) < 2 {
		f.drain(streams, opt, need, 1, &parts)
		return merge(parts)
	}
	need += math.Ln2 // one half for what is shared, one for each alone
	streams = f.drain(streams, opt, need, 2, &parts)
	shared := len(parts)
	var rest []*stream
	for _, one := range eachAlone(streams, opt, need+math.Log(float64(max(len(streams), 1)))) {
		parts = append(parts, one.parts...)
		rest = append(rest, one.rest...)
	}
	if len(parts) > shared && len(rest) > 1 {
		f.drain(rest, opt, need+laterCost, 2, &parts)
	}
	return merge(parts)
}

// alone is what one stream shows on its own.
type alone struct {
	parts []part
	rest  []*stream
}

// eachAlone searches every stream on its own, on as many processors as there
// are; the result does not depend on their number.
func eachAlone(streams []*stream, opt Options, need float64) []alone {
	out := make([]alone, len(streams))
	workers := min(runtime.GOMAXPROCS(0), 1+len(streams)/streamsPerWorker)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			var f finder
			for i := int(next.Add(1)) - 1; i < len(streams); i = int(next.Add(1)) - 1 {
				out[i].rest = f.drain(streams[i:i+1], opt, need, 1, &out[i].parts)
			}
		})
	}
	wait.Wait()
	return out
}

// streamsPerWorker is how many streams make a further goroutine worth while.
const streamsPerWorker = 16

// drain appends recurrences of at least least streams until there is none of
// need nats, and returns the streams less their events.
func (f *finder) drain(streams []*stream, opt Options, need float64, least int, parts *[]part) []*stream {
	// Ends: every turn takes three events at least; the bound on turns is
	// for streams made to be costly.
	f.need, f.least = need, least
	for turn := 0; turn < 4*DefaultMaxRecurrences && len(streams) > 0; turn++ {
		var g groupFit
		var ok bool
		if streams, g, ok = f.honest(streams); len(streams) == 0 {
			break
		}
		if !ok || g.score < need || g.takingPart() < least {
			break
		}
		p := g.part(streams)
		if len(p.runs) == 0 {
			break
		}
		if turn == 0 {
			need += laterCost
			f.need = need
		}
		*parts = append(*parts, p)
		streams = remaining(streams, p.runs)
	}
	return streams
}

// honest searches the streams, and again without the events that retry ladders
// and pairs explain when they may have made what was found. It returns the
// streams on which the answer stands.
func (f *finder) honest(streams []*stream) ([]*stream, groupFit, bool) {
	g, ok := f.search(streams)
	if ok && g.score >= f.need && g.climbs(streams) {
		if streams = withoutLadders(streams); len(streams) == 0 {
			return nil, g, false
		}
		g, ok = f.search(streams)
	}
	if !ok || g.score < f.need {
		return streams, g, false
	}
	if g.covers(streams, 0.8) && g.model.sd < 0.06*g.model.period {
		return streams, g, true // pairs at random times do not fit one grid
	}
	single, paired := withoutCompanions(streams)
	if !paired {
		return streams, g, true
	}
	if len(single) == 0 {
		return nil, g, false
	}
	h, ok := f.search(single)
	switch {
	case !ok || h.score < f.need:
		return single, h, false
	case related(g.model.period, h.model.period):
		return streams, g, true
	}
	return single, h, true
}

// covers reports whether the runs hold at least share of all events.
func (g *groupFit) covers(streams []*stream, share float64) bool {
	total := 0
	for _, s := range streams {
		total += len(s.t)
	}
	return float64(g.events) >= share*float64(total)
}

// takingPart counts the streams that gain by the fit beyond doubt.
func (g *groupFit) takingPart() int {
	n := 0
	for i, gain := range g.gains {
		if len(g.fits[i].links) > 0 && (gain > 2 || len(g.gains) == 1) {
			n++
		}
	}
	return n
}

package analyze

import (
	"fmt"
	"slices"
	"time"
)

// The shapes of an incident's episode.
const (
	ShapePass     = "sequential-pass" // one after the other, a budget apart
	ShapeBurst    = "burst"           // nearly all within moments
	ShapeRollWave = "roll-wave"       // each pod in its first minutes
	ShapeClock    = "clock"           // recurs with a fixed period
	ShapeTrickle  = "trickle"         // spread over the window
)

// Episode says how an incident's records lie in time and over the streams.
type Episode struct {
	Shape string `json:"shape"` // how the incident lies in time
	// Pods is how many pods are concerned, PodsSeen how many the window
	// shows in the namespaces concerned.
	Pods     int    `json:"pods"`
	PodsSeen int    `json:"podsSeen"` // pods that logged anything
	Evidence string `json:"evidence"` // what the shape follows from
}

const (
	// burstLeast is the least number of records of a burst, burstShare the
	// share of all records that lie in it.
	burstLeast = 10
	burstShare = 0.9
	// burstLength bounds a burst, in a short window; in a long one a burst
	// may last a fiftieth of it, up to burstLongest.
	burstLength  = int64(2 * time.Minute)
	burstLongest = int64(15 * time.Minute)
	// waveLength is how long after its first record a pod is starting.
	waveLength = int64(10 * time.Minute)
	waveShare  = 0.8
)

// episode names the shape of an incident, the most telling first.
func (a *Analyzer) episode(inc *incident, recurs, pass bool) *Episode {
	e := &Episode{Shape: ShapeTrickle}
	pods, seen, namespaces := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for f := range inc.streams {
		pods[f.stream.Name()] = true
		namespaces[f.stream.Namespace] = true
	}
	for _, f := range a.streams {
		if !f.skip && namespaces[f.stream.Namespace] {
			seen[f.stream.Name()] = true
		}
	}
	e.Pods, e.PodsSeen = len(pods), len(seen)
	switch {
	case pass:
		e.Shape, e.Evidence = ShapePass, "one after the other on one stream, a budget apart"
	case recurs:
		e.Shape, e.Evidence = ShapeClock, "recurs with a fixed period"
	default:
		if evidence, ok := a.rollWave(inc); ok {
			e.Shape, e.Evidence = ShapeRollWave, evidence
		} else if evidence, ok := a.burst(inc); ok {
			e.Shape, e.Evidence = ShapeBurst, evidence
		}
	}
	return e
}

// burst finds the shortest stretch that holds nearly all records.
func (a *Analyzer) burst(inc *incident) (string, bool) {
	var ts []int64
	for _, sh := range inc.streams {
		ts = append(ts, sh.times.Times()...)
	}
	slices.Sort(ts)
	need := int(burstShare*float64(len(ts)) + 0.999)
	span := a.opts.Window.End - a.opts.Window.Start
	bound := min(max(burstLength, span/50), burstLongest)
	if len(ts) < burstLeast || span < 10*bound {
		return "", false
	}
	best := 0
	for i := 0; i+need <= len(ts); i++ {
		if ts[i+need-1]-ts[i] < ts[best+need-1]-ts[best] {
			best = i
		}
	}
	length := ts[best+need-1] - ts[best]
	if length > bound {
		return "", false
	}
	return fmt.Sprintf("%d of %d records within %s from %s", need, len(ts), measured(time.Duration(length), time.Second), moment(ts[best])), true
}

// rollWave reports whether the records follow the starts of pods: the first
// record of a stream that was not there when the window began.
func (a *Analyzer) rollWave(inc *incident) (string, bool) {
	late := a.opts.Window.Start + max(waveLength, (a.opts.Window.End-a.opts.Window.Start)/50)
	near, all, started := 0, 0, 0
	for f, sh := range inc.streams {
		ts := sh.times.Times()
		all += len(ts)
		if f.first < late {
			continue
		}
		i, _ := slices.BinarySearch(ts, f.first+waveLength)
		near += i
		// A stream that falls silent right away shows no start, but an end.
		if i > 0 && f.last > f.first+2*waveLength {
			started++
		}
	}
	if started < 2 || near < 3 || float64(near) < waveShare*float64(all) {
		return "", false
	}
	return fmt.Sprintf("%d of %d records within %s of the start of %d pods", near, all, span(time.Duration(waveLength)), started), true
}

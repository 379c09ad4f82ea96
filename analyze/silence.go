package analyze

import (
	"math"
	"slices"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// undecidedAbove is the probability above which silence is no evidence of a
// change.
const undecidedAbove = 0.01

// history is what is known of an incident before something was changed: the
// alternative against which silence since then is weighed.
type history struct {
	events   []int64 // before the change, ascending
	from, at int64   // the observed stretch before the change
	// steady is a recurrence of the events before the change, if there is one
	// that was still going when the change came.
	steady *steady
}

// steady is a population of slots of which a share is filled.
type steady struct {
	period time.Duration // from one chance of an event to the next
	filled float64       // share of the chances that were taken
	// streams is how many streams have such slots, each on its own.
	streams int
}

// newHistory weighs what happened in [from, at); time that was not read is no
// part of it.
func newHistory(events []int64, found []period.Recurrence, from, at int64) history {
	h := history{events: slices.Sorted(slices.Values(events)), from: from, at: at}
	for i := range found {
		r := &found[i]
		if r.Explained < 0.8 || r.Slots == 0 {
			continue
		}
		s := &steady{period: r.Period, filled: float64(r.Events) / float64(max(r.Slots, r.Events)), streams: len(r.Phases)}
		if r.Pass != nil {
			if r.Pass.Cycle <= 0 {
				continue // passes that come at no fixed time are a rate, not a clock
			}
			// A pass comes or does not come as a whole.
			s.period = r.Pass.Cycle
			s.filled = math.Min(1, float64(r.Pass.Runs)*float64(s.period)*float64(1)/(float64(max(at-from, 1))*float64(s.streams)))
		}
		last := h.events[len(h.events)-1]
		if int64(s.period) < at-last-int64(s.period) {
			continue // it had stopped before the change
		}
		h.steady = s
		break
	}
	return h
}

// unchanged returns the probability that a process with this history, had
// nothing changed, makes no event in stretches of the given lengths. Work is
// the traffic of those stretches as a share of what it was before, at most 1: a
// service that does half of its work has half of its chances to fail.
//
// With a recurrence each slot is a chance that is taken with the share filled
// before (Laplace's rule of succession keeps it from certainty). Without one
// the events are a Poisson process of clumps: n events whose counts scatter
// with dispersion index D weigh as n/D of them, and the probability is the
// predictive one, with the rate's own uncertainty in it: (1 + w/L)^(-n/D) for
// L before and w since.
func (h *history) unchanged(work float64, lengths ...int64) float64 {
	n := len(h.events)
	work = min(max(work, 0), 1)
	whole, slots := 0.0, 0.0
	for _, l := range lengths {
		length := float64(l) * work
		whole += max(length, 0)
		if h.steady != nil {
			// One slot less than fits: the stretch may begin anywhere in a slot.
			slots += math.Max(math.Floor(length/float64(h.steady.period))-1, 0)
		}
	}
	if n == 0 || whole <= 0 || h.at <= h.from {
		return 1
	}
	p := math.Pow(1+whole/float64(h.at-h.from), -h.weight())
	if s := h.steady; s != nil {
		seen := float64(h.at-h.from) / float64(s.period) * float64(s.streams)
		filled := (s.filled*seen + 1) / (seen + 2)
		p = math.Min(p, math.Pow(1-filled, slots*float64(s.streams)))
	}
	return p
}

// weight is the number of independent events that the history is worth.
func (h *history) weight() float64 {
	n := float64(len(h.events))
	worst := 1.0
	for _, slices := range []int{10, 20, 40, 80} {
		if float64(slices) > 4*n && slices > 10 {
			break
		}
		counts := make([]float64, slices)
		for _, t := range h.events {
			i := int(float64(t-h.from) / float64(h.at-h.from) * float64(slices))
			counts[min(max(i, 0), slices-1)]++
		}
		mean, variance := n/float64(slices), 0.0
		for _, c := range counts {
			variance += (c - mean) * (c - mean)
		}
		worst = math.Max(worst, variance/float64(slices-1)/mean)
	}
	return n / worst
}

// decidable returns how long a silence must last to be evidence, and false if
// no silence of a length that anyone would wait for is.
func (h *history) decidable(work float64) (int64, bool) {
	const longest = int64(365 * 24 * time.Hour)
	if h.unchanged(work, longest) > undecidedAbove {
		return 0, false
	}
	lo, hi := int64(0), longest
	for hi-lo > int64(time.Second) {
		mid := lo + (hi-lo)/2
		if h.unchanged(work, mid) > undecidedAbove {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, true
}

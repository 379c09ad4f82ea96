package analyze

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
)

// event is one record that tells of a failed transfer, as joining needs it.
type event struct {
	t        int64
	elapsed  int64 // ns, negative where unknown
	bound    int64 // ns of the clock that fired, negative where unknown
	trace    uint64
	target   uint64
	pipeline uint64 // of a resilience strategy
	stage    stage.Name
	stream   int32
	incident int32
	budget   int32
	named    bool // names its stage itself
	strategy bool // a resilience strategy's event
	timer    bool // that of the strategy's own timer
	isDup    bool // repeats what another event tells
	isCause  bool // is repeated by another
}

// duplicateWindow is how far apart two layers' records of one event may be,
// and by how much an outer budget may miss the end of an inner one.
const duplicateWindow = int64(time.Second)

// maxNeighbours bounds how many later events one event is held against, so
// that a burst costs no square of its size.
const maxNeighbours = 64

// pair says that the record of event dup only repeats what that of event
// cause tells.
type pair struct {
	distance   int64
	cause, dup int
}

// join finds the events that several layers tell of: a client's own line and
// the timers that fired for it, on one stream or in one trace, and an outer
// budget with the inner one that it contains.
func (a *Analyzer) join() {
	es := a.events
	slices.SortFunc(es, func(x, y event) int {
		return cmp.Or(cmp.Compare(x.stream, y.stream), cmp.Compare(x.t, y.t), cmp.Compare(x.incident, y.incident),
			cmp.Compare(x.elapsed, y.elapsed), cmp.Compare(x.bound, y.bound), strings.Compare(string(x.stage), string(y.stage)))
	})
	all := make([]*event, len(es))
	for i := range es {
		all[i] = &es[i]
	}
	for group := range groups(all, func(x, y *event) bool { return x.stream == y.stream }) {
		a.joinDuplicates(group)
		a.joinOuter(group)
	}
	traced := slices.DeleteFunc(all, func(e *event) bool { return e.trace == 0 })
	slices.SortFunc(traced, func(x, y *event) int {
		return cmp.Or(cmp.Compare(x.trace, y.trace), cmp.Compare(x.t, y.t), cmp.Compare(x.incident, y.incident), cmp.Compare(x.stream, y.stream))
	})
	for group := range groups(traced, func(x, y *event) bool { return x.trace == y.trace }) {
		a.joinDuplicates(group)
		a.joinAttempts(group)
	}
}

// groups yields the runs of events that are the same to same.
func groups(es []*event, same func(x, y *event) bool) iter.Seq[[]*event] {
	return func(yield func([]*event) bool) {
		for i := 0; i < len(es); {
			j := i + 1
			for j < len(es) && same(es[i], es[j]) {
				j++
			}
			if !yield(es[i:j]) {
				return
			}
			i = j
		}
	}
}

// joinAttempts takes the later records of one incident in one trace for
// further attempts of the operation that the first of them tells of.
func (a *Analyzer) joinAttempts(es []*event) {
	seen := map[int32]bool{}
	for _, e := range es {
		if e.isDup {
			continue
		}
		if seen[e.incident] {
			inc := a.order[e.incident]
			inc.repeats++
			inc.attempts++
			e.isDup = true
		}
		seen[e.incident] = true
	}
}

// joinDuplicates pairs events in order of time, nearest first. One record
// repeats one other at the most; a record is repeated by at most one of each
// other incident.
func (a *Analyzer) joinDuplicates(es []*event) {
	var pairs []pair
	for i := range es {
		for j := i + 1; j < len(es) && j <= i+maxNeighbours && es[j].t-es[i].t <= duplicateWindow; j++ {
			if es[i].incident == es[j].incident {
				continue
			}
			if c, d, ok := a.layers(es, i, j); ok {
				pairs = append(pairs, pair{distance: es[j].t - es[i].t, cause: c, dup: d})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y pair) int {
		return cmp.Or(cmp.Compare(x.distance, y.distance), cmp.Compare(x.cause, y.cause), cmp.Compare(x.dup, y.dup))
	})
	type told struct {
		cause    int
		incident int32
	}
	repeated := map[told]bool{}
	for _, p := range pairs {
		by := told{p.cause, es[p.dup].incident}
		if es[p.dup].isDup || es[p.dup].isCause || es[p.cause].isDup || repeated[by] {
			continue
		}
		es[p.dup].isDup, es[p.cause].isCause, repeated[by] = true, true, true
		cause, dup := a.order[es[p.cause].incident], a.order[es[p.dup].incident]
		cause.addDuplicate(dup)
		dup.repeats++
		if dup.duplicateOf == nil {
			dup.duplicateOf = map[int32]int64{}
		}
		dup.duplicateOf[cause.index]++
	}
}

func (inc *incident) addDuplicate(of *incident) {
	inc.duplicates++
	if inc.layers == nil {
		inc.layers = map[string]int64{}
	}
	inc.layers[of.source]++
}

// layers decides whether two events within the window are one event told by
// two layers, and which of the two is the cause.
func (a *Analyzer) layers(es []*event, i, j int) (cause, dup int, ok bool) {
	x, y := es[i], es[j]
	if x.trace != 0 && y.trace != 0 && x.trace != y.trace {
		return 0, 0, false
	}
	switch {
	case x.named && !y.named:
		return i, j, a.timerOf(x, y)
	case y.named && !x.named:
		return j, i, a.timerOf(y, x)
	case x.named && y.named:
		return i, j, a.sameEvent(x, y)
	case x.strategy && !y.strategy:
		return i, j, a.callerOf(x, y)
	case y.strategy && !x.strategy:
		return j, i, a.callerOf(y, x)
	case x.pipeline != 0 && x.pipeline == y.pipeline && x.timer != y.timer:
		// The attempt that the timer ended, the retry that follows it.
		if x.timer {
			return i, j, true
		}
		return j, i, true
	}
	return 0, 0, false
}

// sameEvent reports whether two records that both name their stage tell of one
// event: from different Sources, of one stage, and linked by more than the
// time, since in an outage many transfers fail in one second.
func (a *Analyzer) sameEvent(x, y *event) bool {
	if x.stage != y.stage || a.order[x.incident].source == a.order[y.incident].source {
		return false
	}
	if x.target != 0 && y.target != 0 && x.target != y.target {
		return false
	}
	return x.trace != 0 && x.trace == y.trace || x.target != 0 && x.target == y.target ||
		x.elapsed > 0 && y.elapsed > 0 && max(x.elapsed-y.elapsed, y.elapsed-x.elapsed) <= int64(sameElapsed)
}

// sameElapsed is how closely two layers' clocks agree on one transfer.
const sameElapsed = 50 * time.Millisecond

// timerOf reports whether timer can be the clock that fired for what cause
// names: a size over its bound has no clock, and a clock of another length, or
// of a budget that contains the cause's, is another one.
func (a *Analyzer) timerOf(cause, timer *event) bool {
	if cause.stage == stage.SizeExceeded {
		return false
	}
	if cause.budget != noBudget && timer.budget != noBudget {
		return cause.budget == timer.budget
	}
	clock := timer.bound
	if timer.budget != noBudget {
		clock = int64(a.budgets.budgets[timer.budget].Duration)
	}
	ran := cause.bound
	if ran < 0 {
		ran = cause.elapsed
	}
	if clock > 0 && ran > 0 {
		return max(clock-ran, ran-clock) <= max(ran/10, duplicateWindow)
	}
	return true
}

// callerOf reports whether record, a timeout that names no stage, can be the
// caller's word for the strategy's timer: unless a budget claims it.
func (a *Analyzer) callerOf(timer, record *event) bool {
	if record.budget != noBudget {
		return false
	}
	if timer.bound > 0 && record.bound > 0 {
		return timer.bound == record.bound
	}
	return true
}

// joinOuter links each event of a containing budget with the event of an
// inner one that fired earlier by the difference of the two. Both tell of one
// occurrence, yet each is its own layer's event: neither is dropped.
func (a *Analyzer) joinOuter(es []*event) {
	byBudget := map[int][]int{} // event indices of each budget, in time
	for i := range es {
		if b := int(es[i].budget); b != noBudget {
			byBudget[b] = append(byBudget[b], i)
		}
	}
	used := map[int]bool{}
	for o := range es {
		if es[o].budget == noBudget {
			continue
		}
		outer := &a.budgets.budgets[es[o].budget]
		best, off := -1, duplicateWindow+1
		for inner := range a.budgets.inside[es[o].budget] {
			due := es[o].t - int64(outer.Duration-a.budgets.budgets[inner].Duration)
			events := byBudget[inner]
			from, _ := slices.BinarySearchFunc(events, due-duplicateWindow, func(i int, t int64) int { return cmp.Compare(es[i].t, t) })
			for _, i := range events[from:] {
				d := es[i].t - due
				if d > duplicateWindow {
					break
				}
				if d = max(d, -d); !used[i] && !es[i].isDup && es[i].incident != es[o].incident && (d < off || d == off && i < best) {
					best, off = i, d
				}
			}
		}
		if best >= 0 {
			used[best] = true
			x, y := a.order[es[o].incident], a.order[es[best].incident]
			x.addDuplicate(y)
			y.addDuplicate(x)
		}
	}
}

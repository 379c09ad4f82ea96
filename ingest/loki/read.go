package loki

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

const (
	// maxGivenUp is how many ranges in a row may be given up before the
	// reading ends: the server is down then.
	maxGivenUp = 3
	// maxFailures is how many requests in a row, with their repetitions, may
	// fail while ranges are halved.
	maxFailures = 16
	// maxHalvings bounds how often a range that comes with too few lines is
	// halved to find the gap.
	maxHalvings = 12
)

// worker reads tasks one after the other.
type worker struct {
	*run
	ctx  context.Context
	part *part         // of the task
	out  chan<- *batch // of the task
	p    page
	kept map[*ingest.Stream][]ingest.Window
	// full says that a stream had a nanosecond as full as an answer can be:
	// a count from before it was read proves nothing then.
	full bool
	// received is how many lines of the task came, gapped that a gap was noted
	// in it.
	received int64
	gapped   bool
}

// read reads a task and sends its batches, in order of time.
func (w *worker) read(t *task) error {
	w.part, w.out = t.part, t.out
	if t.part.lean && t.expected == toCount {
		if done, err := w.atOnce(t.window); done {
			return err
		}
	}
	width := t.window.End - t.window.Start
	if limit := w.maxLength.Load(); t.expected == toCount && limit > 0 && width > limit {
		return w.split(t.window, width/limit+1, 0)
	}
	if t.expected == toCount {
		n, err := w.count(w.ctx, w.part.query.String(), t.window)
		var length *lengthLimitError
		switch {
		case err == nil:
			t.expected = n
		case errors.As(limitsIn(err), &length) && width > int64(length.limit):
			w.maxLength.Store(int64(length.limit))
			return w.split(t.window, width/int64(length.limit)+1, 0)
		case w.countRefused(err):
			t.expected = notCounted
		default:
			return err
		}
	}
	if t.expected == notCounted {
		return w.unverified(t.window)
	}
	w.received, w.gapped = 0, false
	err := w.verified(t.window, t.expected, 0)
	if err == nil && len(t.part.counted) > 0 && w.received < t.expected && !w.gapped {
		// The count was of more streams than are read here.
		w.gap(Gap{Window: t.window, Counted: t.expected, Received: w.received})
	}
	return err
}

// gap notes a range of the task that could not be read whole, with the streams
// it is of where they are not all.
func (w *worker) gap(g Gap) {
	w.gapped = true
	if w.groups > 1 {
		of := fmt.Errorf("of the streams %s", w.part.query.Selector)
		if g.Err != nil {
			of = fmt.Errorf("%w, %w", of, g.Err)
		}
		g.Err = of
	}
	w.run.gap(g)
}

// send hands a batch on, sorted and without what was read beside the window
// because lines are counted in whole milliseconds.
func (w *worker) send(b *batch) error {
	w.received += int64(len(b.entries))
	b.clip(w.part.window)
	w.keepNear(b)
	if len(b.entries) == 0 {
		w.release(b)
		return nil
	}
	b.sort()
	select {
	case w.out <- b:
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// verified reads a range in which expected lines were counted.
func (w *worker) verified(win ingest.Window, expected int64, halvings int) error {
	if expected == 0 {
		return nil
	}
	divisible := expected > 1 && win.End-win.Start > tick
	if limit := w.capacity(); expected > limit && divisible {
		return w.split(win, expected/limit+1, halvings)
	}
	var b *batch
	for try := 0; try < 4; try++ {
		if b != nil {
			w.release(b)
		}
		b = w.take()
		if err := w.gather(win, b, divisible); err != nil {
			w.release(b)
			return w.failed(win, expected, err, halvings)
		}
		w.succeeded()
		got := int64(len(b.entries))
		if got == expected && !w.full {
			return w.send(b)
		}
		// Lines may have arrived since they were counted.
		again, err := w.count(w.ctx, w.part.query.String(), win)
		if err != nil {
			w.release(b)
			return err
		}
		if got == again {
			return w.send(b)
		}
		if again == expected && try > 0 {
			break
		}
		expected = again
	}
	got := int64(len(b.entries))
	switch {
	case got < expected && divisible && halvings < maxHalvings:
		w.release(b)
		return w.split(win, 2, halvings+1)
	case got < expected:
		w.gap(Gap{Window: win, Counted: expected, Received: got})
	default:
		w.note(place(win), fmt.Errorf("%d lines received, though Loki counts %d", got, expected))
	}
	return w.send(b)
}

// split reads a range in n parts of whole milliseconds, each counted.
func (w *worker) split(win ingest.Window, n int64, halvings int) error {
	width := (win.End - win.Start) / tick
	n = max(min(n, width), 1)
	for i := range n {
		part := ingest.Window{Start: win.Start + mulDiv(width, i, n)*tick, End: win.Start + mulDiv(width, i+1, n)*tick}
		lines, err := w.count(w.ctx, w.part.query.String(), part)
		if err != nil {
			return err
		}
		if err := w.verified(part, lines, halvings); err != nil {
			return err
		}
	}
	return nil
}

// mulDiv is a*b/c for b <= c without overflow.
func mulDiv(a, b, c int64) int64 { return a/c*b + a%c*b/c }

// failed decides what becomes of a range that could not be read: an answer
// that broke off or timed out may have been too large, so that the range is
// halved; a refusal or a server that is down ends the reading; else it is a
// gap.
func (w *worker) failed(win ingest.Window, expected int64, err error, halvings int) error {
	var length *lengthLimitError
	if errors.As(err, &length) && win.End-win.Start > int64(length.limit) {
		w.maxLength.Store(int64(length.limit))
		return w.split(win, (win.End-win.Start)/int64(length.limit)+1, halvings)
	}
	switch {
	case w.ctx.Err() != nil:
		return w.ctx.Err()
	case notConnected(err) || isFinal(err):
		return err
	case tooLarge(err) && win.End-win.Start > tick && expected > 1 && halvings < maxHalvings && w.failures.Add(1) < maxFailures*w.groups:
		return w.split(win, 2, halvings+1)
	}
	return w.giveUp(win, expected, err)
}

// giveUp notes a range as a gap; it returns err when the server is down.
func (w *worker) giveUp(win ingest.Window, expected int64, err error) error {
	w.gap(Gap{Window: win, Counted: expected, Err: err})
	if w.givenUp.Add(1) >= maxGivenUp*w.groups {
		return err
	}
	return nil
}

// isFinal reports whether a refusal will be the same for every range.
func isFinal(err error) bool {
	var s *StatusError
	if errors.As(err, &s) {
		return !s.temporary()
	}
	var notLoki *NotLokiError
	var config *ConfigError
	return errors.As(err, &notLoki) || errors.As(err, &config)
}

// tooLarge reports whether a smaller range may succeed where this one failed.
func tooLarge(err error) bool {
	var s *StatusError
	if errors.As(err, &s) {
		return s.Code == 504 || s.Code == 500 || s.Code == 502
	}
	return brokeOff(err)
}

// gather reads all lines of a range into b. With impatient set, a range that
// fails is not asked for as often, because halving it may be the cure.
func (w *worker) gather(win ingest.Window, b *batch, impatient bool) error {
	tries := w.client.tries()
	if impatient {
		tries = min(tries, 2)
	}
	limit := w.pageSize()
	w.full = false
	for at := win.Start; at < win.End; {
		rest := ingest.Window{Start: at, End: win.End}
		alone := len(b.entries) == 0
		if alone {
			// The page is read into the batch's room, and mostly is the batch.
			w.p.reset()
			w.p.batch, *b = *b, w.p.batch
		}
		if err := w.page(w.ctx, w.part.query.String(), rest, limit, tries, &w.p); err != nil {
			return err
		}
		n := len(w.p.entries)
		// A full page is not the end though it makes up the count: a line that
		// came late may stand in for one that is still to come.
		if n < min(limit, int(w.maxEntries.Load())) {
			if alone {
				w.p.batch, *b = *b, w.p.batch
			} else {
				b.append(&w.p.batch, math.MaxInt64)
			}
			return nil
		}
		var err error
		if at, err = w.keep(&w.p, b, true); err != nil {
			return err
		}
	}
	return nil
}

// keep appends to b the lines of a full page before its last nanosecond, and
// returns where to go on. The last nanosecond may have more lines than the
// page; if the page has no other, it is read by itself.
func (w *worker) keep(p *page, b *batch, counted bool) (next int64, err error) {
	first, last := p.entries[0].nano, p.entries[0].nano
	for i := range p.entries {
		first, last = min(first, p.entries[i].nano), max(last, p.entries[i].nano)
	}
	if first < last {
		b.append(&p.batch, last)
		return last, nil
	}
	return last + 1, w.nanosecond(last, b, counted)
}

// nanosecond reads all lines of one nanosecond, stream by stream where they
// are more than the server gives at once. What one stream has more than that
// cannot be had: where lines are counted it will be found missing, else it is
// noted here.
func (w *worker) nanosecond(at int64, b *batch, counted bool) error {
	win := ingest.Window{Start: at, End: at + 1}
	most := int(w.maxEntries.Load())
	if err := w.page(w.ctx, w.part.query.String(), win, most, w.client.tries(), &w.p); err != nil {
		return err
	}
	if len(w.p.entries) < int(w.maxEntries.Load()) {
		b.append(&w.p.batch, math.MaxInt64)
		return nil
	}
	series, err := w.client.Series(w.ctx, w.part.query.Selector, win)
	if err != nil {
		return err
	}
	for _, q := range narrower(w.part.query, series) {
		if err := w.page(w.ctx, q.String(), win, most, w.client.tries(), &w.p); err != nil {
			return err
		}
		switch got := len(w.p.entries); {
		case got < int(w.maxEntries.Load()):
		case counted:
			w.full = true
		default:
			w.gap(Gap{Window: win, Counted: notCounted, Received: int64(got),
				Err: fmt.Errorf("stream %s may have more lines in this nanosecond: the server gives no more at once", q.Selector)})
		}
		b.append(&w.p.batch, math.MaxInt64)
	}
	return nil
}

// narrower makes a query for each series, so that together they match what q
// matches, and none matches what another does.
func narrower(q selector.Query, series []map[string]string) []selector.Query {
	names := map[string]bool{}
	for _, labels := range series {
		for name := range labels {
			names[name] = true
		}
	}
	seen := map[string]bool{}
	var all []selector.Query
	for _, labels := range series {
		var list []ingest.Label
		for name := range names {
			list = append(list, ingest.Label{Name: name, Value: labels[name]})
		}
		slices.SortFunc(list, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
		parts := []string{}
		for _, l := range lokijson.WithoutShard(list) {
			parts = append(parts, fmt.Sprintf("%s=%q", l.Name, l.Value))
		}
		one, err := selector.ParseQuery("{" + strings.Join(parts, ", ") + "} " + q.Rest)
		if err != nil || seen[one.Selector] {
			continue
		}
		seen[one.Selector] = true
		all = append(all, one)
	}
	return all
}

// append adds the entries of another batch that lie before a time.
func (b *batch) append(from *batch, before int64) {
	for i := range from.entries {
		e := from.entries[i]
		if e.nano >= before {
			continue
		}
		start := len(b.text)
		b.text = append(b.text, from.line(&e)...)
		e.start, e.end = start, len(b.text)
		b.entries = append(b.entries, e)
	}
}

// unverified reads a range whose lines nobody counted, page by page.
func (w *worker) unverified(win ingest.Window) error {
	for at := win.Start; at < win.End; {
		rest := ingest.Window{Start: at, End: win.End}
		limit := int(min(int64(w.pageSize()), w.capacity()))
		err := w.page(w.ctx, w.part.query.String(), rest, limit, w.client.tries(), &w.p)
		if err != nil {
			var stop bool
			if at, stop, err = w.unverifiedFailed(rest, err); stop {
				return err
			}
			continue
		}
		w.succeeded()
		b := w.take()
		n := len(w.p.entries)
		if n < min(limit, int(w.maxEntries.Load())) {
			b.append(&w.p.batch, math.MaxInt64)
			return w.send(b)
		}
		if at, err = w.keep(&w.p, b, false); err != nil {
			w.release(b)
			return err
		}
		if err := w.send(b); err != nil {
			return err
		}
	}
	return nil
}

// unverifiedFailed is failed for a range without a count: it returns where to
// go on, or that there is no going on.
func (w *worker) unverifiedFailed(win ingest.Window, err error) (next int64, stop bool, _ error) {
	var length *lengthLimitError
	width := win.End - win.Start
	switch {
	case errors.As(err, &length) && width > int64(length.limit):
		w.maxLength.Store(int64(length.limit))
		return w.parts(win, width/int64(length.limit)+1)
	case w.ctx.Err() != nil:
		return 0, true, w.ctx.Err()
	case notConnected(err) || isFinal(err):
		return 0, true, err
	case tooLarge(err) && width > tick && w.failures.Add(1) < maxFailures*w.groups:
		return w.parts(win, 2)
	}
	err = w.giveUp(win, -1, err)
	return win.End, err != nil, err
}

// parts reads a range in n parts without counts.
func (w *worker) parts(win ingest.Window, n int64) (next int64, stop bool, err error) {
	width := win.End - win.Start
	for i := range n {
		part := ingest.Window{Start: win.Start + mulDiv(width, i, n), End: win.Start + mulDiv(width, i+1, n)}
		if err := w.unverified(part); err != nil {
			return 0, true, err
		}
	}
	return win.End, false, nil
}

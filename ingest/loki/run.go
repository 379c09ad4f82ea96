package loki

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

const (
	// assumedLineBytes is the size of a line before one has been seen.
	assumedLineBytes = 300
	// answerBytes is how large an answer may become: servers break off at
	// 4 MiB by default, counted in another encoding.
	answerBytes = 3 << 20
	// keptGaps bounds the gaps that are remembered one by one.
	keptGaps = 100
)

// run is one reading, shared by the planner and the workers.
type run struct {
	client  *Client
	opts    ReadOptions
	limits  Limits
	streams streams
	free    chan *batch
	near    neighbourhoods // what is kept of what is read; nil is all

	maxEntries atomic.Int64 // lines the server gives at once
	maxLength  atomic.Int64 // nanoseconds a query may span; 0 is any
	lineBytes  atomic.Int64 // a line's size, as seen lately
	requests   atomic.Int64
	failures   atomic.Int64 // requests for lines in a row that failed
	givenUp    atomic.Int64 // ranges in a row that were given up
	unverified atomic.Bool  // lines are not counted
	groups     int64        // of streams that are read beside each other, at least 1

	mu        sync.Mutex
	gaps      []Gap
	moreGaps  int64
	notes     []ingest.Problem
	cutLines  int64
	badValues int64
}

// capacity is how many lines a range may have to be read at once.
func (r *run) capacity() int64 {
	fit := answerBytes / max(r.lineBytes.Load(), 1)
	return max(min(fit, r.maxEntries.Load()), 1)
}

// pageSize is the limit to ask for.
func (r *run) pageSize() int {
	size := r.maxEntries.Load()
	if n := int64(r.opts.PageSize); n > 0 && n < size {
		size = n
	}
	return int(size)
}

// maxRange bounds a request in nanoseconds.
func (r *run) maxRange() int64 {
	length := int64(time.Hour)
	if r.opts.MaxRange > 0 {
		length = int64(r.opts.MaxRange)
	}
	if limit := r.maxLength.Load(); limit > 0 {
		length = min(length, limit)
	}
	return max(length-length%tick, tick)
}

// take returns an empty batch.
func (r *run) take() *batch {
	select {
	case b := <-r.free:
		b.reset()
		return b
	default:
		return &batch{}
	}
}

// release gives a batch back for reuse.
func (r *run) release(b *batch) {
	select {
	case r.free <- b:
	default:
	}
}

// gap notes a range that could not be read whole.
func (r *run) gap(g Gap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.gaps) == keptGaps {
		r.moreGaps++
		return
	}
	r.gaps = append(r.gaps, g)
}

// succeeded notes that the server answers.
func (r *run) succeeded() {
	r.failures.Store(0)
	r.givenUp.Store(0)
}

// note adds a problem that makes nothing partial, unless it stands already.
func (r *run) note(place string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.notes {
		if n.Place == place && n.Err.Error() == err.Error() {
			return
		}
	}
	if len(r.notes) < keptGaps {
		r.notes = append(r.notes, ingest.Problem{Place: place, Err: err})
	}
}

// addTo adds what is known of gaps to the statistics of a Reader.
func (r *run) addTo(s *ingest.ReadStats) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gaps := slices.Clone(r.gaps)
	slices.SortFunc(gaps, func(a, b Gap) int { return compareWindows(a.Window, b.Window) })
	for _, g := range gaps {
		s.Problems = append(s.Problems, ingest.Problem{Place: place(g.Window), Err: g.reason()})
	}
	if r.moreGaps > 0 {
		s.Problems = append(s.Problems, ingest.Problem{Place: "Loki", Err: fmt.Errorf("%d more ranges could not be read whole", r.moreGaps)})
	}
	if r.cutLines > 0 {
		s.Problems = append(s.Problems, ingest.Problem{Place: "Loki", Err: fmt.Errorf("%d lines were longer than the bound and cut", r.cutLines)})
	}
	if r.badValues > 0 {
		s.Problems = append(s.Problems, ingest.Problem{Place: "Loki", Err: fmt.Errorf("%d values of answers are no lines", r.badValues)})
	}
	s.Skipped += r.badValues
	s.Partial = s.Partial || len(gaps) > 0 || r.cutLines > 0 || r.badValues > 0
	s.Problems = append(s.Problems, r.notes...)
}

// reason says what a gap is.
func (g Gap) reason() error {
	counts := fmt.Sprintf("%d lines received", g.Received)
	if g.Counted >= 0 {
		counts = fmt.Sprintf("%d of %d lines received", g.Received, g.Counted)
	}
	if g.Err != nil {
		return fmt.Errorf("%s: %w", counts, g.Err)
	}
	return errors.New(counts)
}

func compareWindows(a, b ingest.Window) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

func place(w ingest.Window) string {
	at := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
	return at(w.Start) + " to " + at(w.End)
}

// clipLookback takes off the window what the server answers with nothing, and
// notes it as a gap.
func (r *run) clipLookback(w ingest.Window) ingest.Window {
	horizon := r.horizon()
	if w.Start >= horizon {
		return w
	}
	lost := ingest.Window{Start: w.Start, End: min(horizon, w.End)}
	r.gap(Gap{Window: lost, Counted: notCounted, Err: fmt.Errorf("older than the %v for which this tenant may look back", r.limits.MaxLookback)})
	w.Start = lost.End
	return w
}

// horizon is the time before which the server answers with nothing.
func (r *run) horizon() int64 {
	now := r.client.cfg.Now
	if r.limits.MaxLookback <= 0 || now == nil {
		return math.MinInt64
	}
	return now().Add(-r.limits.MaxLookback).UnixNano()
}

// count counts the lines of a range.
func (r *run) count(ctx context.Context, query string, w ingest.Window) (int64, error) {
	r.requests.Add(1)
	return r.client.Count(ctx, query, w)
}

// page fetches the first lines of a range and follows the limits that the
// server names.
func (r *run) page(ctx context.Context, query string, w ingest.Window, limit int, tries uint, p *page) error {
	for {
		if most := int(r.maxEntries.Load()); limit > most {
			limit = most
		}
		r.requests.Add(1)
		err := r.client.fetchPage(ctx, query, w, limit, tries, &r.streams, p, r.opts.MaxLine)
		var entries *entriesLimitError
		if errors.As(err, &entries) && entries.limit < limit {
			r.maxEntries.Store(int64(entries.limit))
			continue
		}
		if err == nil {
			r.saw(p)
		}
		return err
	}
}

// saw learns from a page.
func (r *run) saw(p *page) {
	if n := int64(len(p.entries)); n > 0 {
		// A quarter of the news is enough to follow and slow enough to be
		// calm; 40 bytes stand around each line.
		size := int64(p.bytes())/n + 40
		old := r.lineBytes.Load()
		r.lineBytes.Store(max(size, old+(size-old)/4))
	}
	r.mu.Lock()
	r.cutLines += p.cutLines
	r.badValues += p.bad
	r.mu.Unlock()
	for _, w := range p.summary.Warnings {
		r.note("Loki", fmt.Errorf("the server warns: %s", oneLine([]byte(w))))
	}
}

package loki

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

const (
	// maxBuckets bounds the points of one count; servers refuse 11,000.
	maxBuckets = 1000
	// planSpan bounds the range of one count, so that reading can begin
	// before a long window has been counted whole.
	planSpan = 6 * time.Hour
)

// buckets are the widths in which lines are counted: all of them divide an
// hour.
var buckets = [...]time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
}

// bucket chooses the width so that several buckets fit one page, by the
// server's estimate of how dense the lines are.
func (r *run) bucket(ctx context.Context, p *part) time.Duration {
	width, w := time.Minute, p.window
	stats, err := r.client.IndexStats(ctx, p.query.Selector, w)
	if err == nil && stats.Entries > 0 {
		if stats.Bytes > stats.Entries {
			r.lineBytes.Store(stats.Bytes/stats.Entries + 40)
		}
		wanted := (w.End - w.Start) / max(stats.Entries, 1) * r.capacity() / 8
		for _, b := range buckets {
			if width = b; int64(b) >= wanted {
				break
			}
		}
	}
	return min(width, time.Duration(r.maxRange()).Truncate(time.Second))
}

// plan cuts the parts into tasks, in order of time.
func (r *run) plan(ctx context.Context, parts []*part, emit func(*task) error) error {
	if r.opts.Unverified {
		r.unverified.Store(true)
	}
	for _, one := range parts {
		p := planner{run: r, part: one, emit: emit}
		if err := p.plan(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *planner) plan(ctx context.Context) error {
	r, w := p.run, p.part.window
	switch {
	case w.End <= w.Start:
		return nil
	case r.unverified.Load():
		return p.uncounted(w)
	case p.part.short:
		return p.emit(newTask(p.part, ticks(w), toCount))
	case len(p.part.counted) > 0:
		for _, b := range p.part.counted {
			if err := p.add(b.Window, b.Lines); err != nil {
				return err
			}
		}
		return p.flush()
	case p.part.sparse:
		return p.pieces(ticks(w), toCount)
	}
	w = ticks(w)
	width := int64(r.bucket(ctx, p.part))
	if width <= 0 {
		width = r.maxRange()
	}
	for at := w.Start; at < w.End; {
		end, n := min(w.End, nextEdge(at, width)), int64(0)
		if (at-1)%width == 0 && at+width <= w.End {
			n = min((w.End-at)/width, r.maxBuckets(width))
			end = at + n*width
		}
		span := ingest.Window{Start: at, End: end}
		limit := r.maxLength.Load()
		if err := p.count(ctx, span, n, width); err != nil {
			if r.shortened(err, limit) {
				width = min(width, r.maxRange())
				continue
			}
			if !r.countRefused(err) {
				return err
			}
			if err := p.flush(); err != nil {
				return err
			}
			return p.uncounted(ingest.Window{Start: p.reached(at), End: w.End})
		}
		at = end
	}
	return p.flush()
}

// maxBuckets is how many buckets of a width may be counted at once.
func (r *run) maxBuckets(width int64) int64 {
	span := int64(planSpan)
	if limit := r.maxLength.Load(); limit > 0 {
		// The server adds the range of the first value to the query's.
		span = min(span, limit-width)
	}
	return max(min(maxBuckets, span/width), 1)
}

// shortened follows a limit of a query's length that the server names, and
// reports whether that is news to one that knew another: several may ask at
// once, and be told the same.
func (r *run) shortened(err error, known int64) bool {
	var limit *lengthLimitError
	if !errors.As(limitsIn(err), &limit) {
		return false
	}
	r.maxLength.Store(int64(limit.limit))
	return known != int64(limit.limit)
}

// nextEdge is the least time above at that lies one nanosecond behind a
// multiple of width: see tick.
func nextEdge(at, width int64) int64 { return nextMultiple(at-1, width) + 1 }

// nextMultiple is the least multiple of width above at.
func nextMultiple(at, width int64) int64 {
	down := at - at%width
	if at < 0 && at%width != 0 {
		down -= width
	}
	return down + width
}

// countRefused reports whether the server does not count this query, though
// it may well read it, and notes that.
func (r *run) countRefused(err error) bool {
	var s *StatusError
	if !errors.As(err, &s) || s.Refused() || s.temporary() {
		return false
	}
	r.unverified.Store(true)
	r.note("Loki", fmt.Errorf("lines are read without being counted: %w", err))
	return true
}

// planner gathers buckets into tasks.
type planner struct {
	run   *run
	part  *part
	emit  func(*task) error
	open  ingest.Window
	lines int64
}

// reached is where the next task starts.
func (p *planner) reached(at int64) int64 {
	if p.lines > 0 {
		return p.open.Start
	}
	return at
}

// count counts a span, which is n buckets wide or, if n is 0, less than one.
func (p *planner) count(ctx context.Context, span ingest.Window, n, width int64) error {
	if n == 0 {
		lines, err := p.run.count(ctx, p.part.query.String(), span)
		if err != nil {
			return err
		}
		return p.add(span, lines)
	}
	p.run.requests.Add(1)
	all, err := p.run.client.counts(ctx, p.part.query.String(), span, time.Duration(width))
	if err != nil {
		return err
	}
	for i, lines := range all {
		start := span.Start + int64(i)*width
		if err := p.add(ingest.Window{Start: start, End: start + width}, lines); err != nil {
			return err
		}
	}
	return nil
}

// add appends a bucket to the open task, or begins a new one.
func (p *planner) add(w ingest.Window, lines int64) error {
	if lines == 0 {
		return nil
	}
	length := p.run.maxRange()
	fits := p.lines+lines <= p.run.capacity() && w.End-p.open.Start <= length &&
		nextEdge(p.open.Start, length) >= w.End
	if p.lines > 0 && !fits {
		if err := p.flush(); err != nil {
			return err
		}
	}
	if p.lines == 0 {
		p.open.Start = w.Start
	}
	p.open.End = w.End
	p.lines += lines
	return nil
}

// flush emits the open task.
func (p *planner) flush() error {
	if p.lines == 0 {
		return nil
	}
	t := newTask(p.part, p.open, p.lines)
	p.lines = 0
	return p.emit(t)
}

func newTask(p *part, w ingest.Window, expected int64) *task {
	return &task{part: p, window: w, expected: expected, out: make(chan *batch, p.ahead)}
}

// uncounted emits tasks for a window whose lines nobody counted.
func (p *planner) uncounted(w ingest.Window) error { return p.pieces(w, notCounted) }

// pieces emits tasks that are as long as one request may be.
func (p *planner) pieces(w ingest.Window, expected int64) error {
	for at := w.Start; at < w.End; {
		end := min(w.End, nextEdge(at, p.run.maxRange()))
		if err := p.emit(newTask(p.part, ingest.Window{Start: at, End: end}, expected)); err != nil {
			return err
		}
		at = end
	}
	return nil
}

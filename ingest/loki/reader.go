package loki

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// ReadOptions say how a window is read. The zero value is right for most.
type ReadOptions struct {
	// PageSize is how many lines are asked for at once; 0 is as many as the
	// server gives, up to 5000.
	PageSize int
	// Parallel is how many ranges are read at a time; 0 is 4.
	Parallel int
	// Unverified leaves the counting out: pages are read one after the other.
	Unverified bool
	// MaxRange bounds the range of one request; 0 is an hour, the interval
	// by which servers split queries.
	MaxRange time.Duration
	// MaxLine bounds a line in bytes; longer ones are cut and counted as a
	// problem. 0 is 1 MiB.
	MaxLine int
	// Budget bounds what is read, together with other readings; nil is no
	// bound. At its end Next gives an *OverBudgetError.
	Budget *Budget
}

// defaultMaxEntries is the limit of a server that tells none.
const defaultMaxEntries = 5000

// Reader yields the lines of a query over a window in the total order. It
// must be closed.
type Reader struct {
	run    *run
	cancel context.CancelFunc
	wait   *sync.WaitGroup
	tasks  <-chan *task
	failed *error // of the planner, set before tasks is closed
	done   error  // why there is nothing more

	current *task
	batch   *batch
	at      int

	stats   ingest.ReadStats
	arrival uint64
	last    int64
}

var _ ingest.Reader = (*Reader)(nil)

// task is a range that one worker reads, in order of time.
type task struct {
	part     *part
	window   ingest.Window
	expected int64 // lines counted in it, or one of the two below
	out      chan *batch
	err      error // set before out is closed
}

const (
	notCounted = -1 // nobody counts the lines
	toCount    = -2 // the worker counts them
)

// part is a range with what is read in it.
type part struct {
	window ingest.Window
	query  selector.Query
	// short says that the range is so short that it is counted at once, sparse
	// that so few lines are expected that each of its hours is.
	short, sparse bool
	// lean says that the range need not be counted where the server answers
	// from one shard.
	lean bool
	// counted are the lines of the range, where they are known already.
	counted []Bucket
}

// Read starts reading a query over a window. It asks for the server's limits
// first, so that an unreachable server is an error here (*UnreachableError);
// other errors come from Next.
func (c *Client) Read(ctx context.Context, q selector.Query, w ingest.Window, opts ReadOptions) (*Reader, error) {
	r, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, err
	}
	return r.start(ctx, []*part{{window: r.clipLookback(w), query: q}}), nil
}

// newRun asks for the limits and makes a run.
func (c *Client) newRun(ctx context.Context, opts ReadOptions) (*run, error) {
	limits, err := c.Limits(ctx)
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) || ctx.Err() != nil {
		return nil, err
	}
	r := &run{client: c, opts: opts, limits: limits, free: make(chan *batch, 16)}
	r.maxEntries.Store(int64(firstPositive(limits.MaxEntries, defaultMaxEntries)))
	r.maxLength.Store(int64(limits.MaxLength))
	r.lineBytes.Store(assumedLineBytes)
	return r, nil
}

// start sets the planner and the workers going on parts that lie one after
// the other.
func (r *run) start(ctx context.Context, parts []*part) *Reader {
	ctx, cancel := context.WithCancel(ctx)
	parallel := firstPositive(r.opts.Parallel, 4)
	tasks, work := make(chan *task, parallel), make(chan *task)
	var wait sync.WaitGroup
	var failed error
	wait.Go(func() {
		defer close(tasks)
		defer close(work)
		failed = r.plan(ctx, parts, func(t *task) error { return handOut(ctx, t, tasks, work) })
	})
	for range parallel {
		wait.Go(func() {
			w := &worker{run: r, ctx: ctx}
			for t := range work {
				t.end(w.read(t))
			}
		})
	}
	return &Reader{run: r, cancel: cancel, wait: &wait, tasks: tasks, failed: &failed}
}

// handOut puts a task in line for the Reader and gives it to a worker. The
// order of both is the same, so that the Reader never waits for a task that
// no worker has while others wait for the Reader.
func handOut(ctx context.Context, t *task, tasks, work chan<- *task) error {
	select {
	case tasks <- t:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case work <- t:
		return nil
	case <-ctx.Done():
		t.end(ctx.Err())
		return ctx.Err()
	}
}

// end says that nothing more comes of the task.
func (t *task) end(err error) {
	t.err = err
	close(t.out)
}

func firstPositive(values ...int) int {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 0
}

// Next fills e with the next entry; see [ingest.Reader]. The order of entries
// of one stream and time is not known, so Ordered is false.
func (r *Reader) Next(ctx context.Context, e *ingest.Entry) error {
	for r.batch == nil || r.at == len(r.batch.entries) {
		if err := r.advance(ctx); err != nil {
			return err
		}
	}
	one := &r.batch.entries[r.at]
	r.at++
	*e = ingest.Entry{
		UnixNano: one.nano, Stream: one.stream, Line: r.batch.line(one), Metadata: one.metadata, Arrival: r.arrival,
	}
	r.arrival++
	r.stats.Entries++
	r.stats.Bytes += int64(one.end - one.start)
	r.last = one.nano
	return nil
}

// advance takes the next batch.
func (r *Reader) advance(ctx context.Context) error {
	if r.done != nil {
		return r.done
	}
	if r.batch != nil {
		r.run.release(r.batch)
		r.batch = nil
	}
	for {
		if r.current == nil {
			select {
			case t, ok := <-r.tasks:
				if !ok {
					// The error comes in the place of the range that was not planned.
					return r.finish(*r.failed)
				}
				r.current = t
			case <-ctx.Done():
				return r.finish(ctx.Err())
			}
		}
		select {
		case b, ok := <-r.current.out:
			if ok {
				r.batch, r.at = b, 0
				return nil
			}
			if r.current.err != nil {
				return r.finish(r.current.err)
			}
			r.current = nil
		case <-ctx.Done():
			return r.finish(ctx.Err())
		}
	}
}

// finish ends the stream.
func (r *Reader) finish(err error) error {
	r.cancel()
	r.done = io.EOF
	if err != nil {
		how := "before the first entry"
		if r.stats.Entries > 0 {
			how = "after the entry of " + time.Unix(0, r.last).UTC().Format(time.RFC3339Nano)
		}
		r.done = fmt.Errorf("reading Loki ended %s: %w", how, err)
	}
	return r.done
}

// Stats tells what has been read so far, with the gaps found so far.
func (r *Reader) Stats() ingest.ReadStats {
	s := r.stats
	r.run.addTo(&s)
	return s
}

// Gap is a range of which not everything could be read.
type Gap struct {
	Window ingest.Window
	// Counted is how many lines the server counts there, -1 if it was not
	// asked; Received is how many it gave out.
	Counted, Received int64
	Err               error // why, where that is known
}

// Gaps lists the gaps found so far, in order of time.
func (r *Reader) Gaps() []Gap {
	r.run.mu.Lock()
	defer r.run.mu.Unlock()
	gaps := slices.Clone(r.run.gaps)
	slices.SortFunc(gaps, func(a, b Gap) int { return compareWindows(a.Window, b.Window) })
	return gaps
}

// Progress is how far a Reader is.
type Progress struct {
	Entries, Bytes int64
	// Reached is the time of the last entry yielded, in nanoseconds; 0
	// before the first.
	Reached int64
	// Requests counts answers received, Retried those that were asked for
	// again; Verified says that lines are counted.
	Requests int64
	Verified bool
}

// Progress tells how far the Reader is; like Next, it is for one goroutine.
func (r *Reader) Progress() Progress {
	return Progress{
		Entries: r.stats.Entries, Bytes: r.stats.Bytes, Reached: r.last,
		Requests: r.run.requests.Load(), Verified: !r.run.unverified.Load(),
	}
}

// Close ends all requests and waits for them. It may be called more than once.
func (r *Reader) Close() error {
	r.cancel()
	for t := range r.tasks {
		for range t.out {
		}
	}
	if r.current != nil {
		for range r.current.out {
		}
		r.current = nil
	}
	r.wait.Wait()
	if r.done == nil {
		r.done = io.EOF
	}
	return nil
}

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
	// Lanes is into how many groups the streams are divided that are read
	// beside each other, which spares the server work; 0 chooses, 1 is none.
	Lanes int
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

// defaultParallel is how many ranges are read at a time where nothing is said.
const defaultParallel = 4

// defaultMaxEntries is the limit of a server that tells none.
const defaultMaxEntries = 5000

// Reader yields the lines of a query over a window in the total order. It
// must be closed.
type Reader struct {
	run    *run
	cancel context.CancelFunc
	wait   *sync.WaitGroup
	lanes  []*lane // all of them
	open   []*lane // those that have not ended
	done   error   // why there is nothing more

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
	// ahead is how many batches of a task wait for the Reader beside the one
	// that is being handed to it.
	ahead int
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
	w = r.clipLookback(w)
	var lanes [][]*part
	for _, one := range r.lanes(ctx, q, w) {
		lanes = append(lanes, []*part{{window: w, query: one}})
	}
	return r.startLanes(ctx, lanes), nil
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
	return r.startLanes(ctx, [][]*part{parts})
}

// startLanes does so for several groups of streams, which share the workers.
func (r *run) startLanes(ctx context.Context, all [][]*part) *Reader {
	ctx, cancel := context.WithCancel(ctx)
	reader := &Reader{run: r, cancel: cancel, wait: &sync.WaitGroup{}}
	r.groups = int64(max(len(all), 1))
	parallel := max(firstPositive(r.opts.Parallel, defaultParallel)/len(all), 1)
	for _, parts := range all {
		for _, p := range parts {
			if len(all) == 1 {
				p.ahead = 1 // else the others wait as well, and hold enough
			}
		}
		reader.lanes = append(reader.lanes, r.startLane(ctx, parts, parallel, reader.wait))
	}
	reader.open = slices.Clone(reader.lanes)
	return reader
}

// startLane sets a planner and its workers going.
func (r *run) startLane(ctx context.Context, parts []*part, parallel int, wait *sync.WaitGroup) *lane {
	tasks, work := make(chan *task, parallel), make(chan *task)
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
	return &lane{tasks: tasks, failed: &failed}
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
	l, err := r.first(ctx)
	if err != nil {
		return err
	}
	one := &l.batch.entries[l.at]
	if err := r.run.opts.Budget.take(int64(one.end - one.start)); err != nil {
		return r.finish(err)
	}
	l.at++
	*e = ingest.Entry{
		UnixNano: one.nano, Stream: one.stream, Line: l.batch.line(one), Metadata: one.metadata, Arrival: r.arrival,
	}
	r.arrival++
	r.stats.Entries++
	r.stats.Bytes += int64(one.end - one.start)
	r.last = one.nano
	return nil
}

// first returns the lane that has the next entry of all.
func (r *Reader) first(ctx context.Context) (*lane, error) {
	if r.done != nil {
		return nil, r.done
	}
	var first *lane
	for i := 0; i < len(r.open); {
		l := r.open[i]
		if l.empty() {
			more, err := r.advance(ctx, l)
			if err != nil {
				return nil, r.finish(err)
			}
			if !more {
				r.open = slices.Delete(r.open, i, i+1)
				continue
			}
		}
		if first == nil || l.before(first) {
			first = l
		}
		i++
	}
	if first == nil {
		return nil, r.finish(nil)
	}
	return first, nil
}

// advance takes the next batch of a lane, if there is one.
func (r *Reader) advance(ctx context.Context, l *lane) (more bool, err error) {
	if l.batch != nil {
		r.run.release(l.batch)
		l.batch = nil
	}
	for {
		if l.current == nil {
			select {
			case t, ok := <-l.tasks:
				if !ok {
					// The error comes in the place of the range that was not planned.
					return false, *l.failed
				}
				l.current = t
			case <-ctx.Done():
				return false, ctx.Err()
			}
		}
		select {
		case b, ok := <-l.current.out:
			if ok {
				l.batch, l.at = b, 0
				return true, nil
			}
			if l.current.err != nil {
				return false, l.current.err
			}
			l.current = nil
		case <-ctx.Done():
			return false, ctx.Err()
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
	for _, l := range r.lanes {
		for t := range l.tasks {
			for range t.out {
			}
		}
		if l.current != nil {
			for range l.current.out {
			}
			l.current = nil
		}
	}
	r.wait.Wait()
	if r.done == nil {
		r.done = io.EOF
	}
	return nil
}

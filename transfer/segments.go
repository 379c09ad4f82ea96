package transfer

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
)

// errTurnedAway says that a server that serves one request does not take
// another one beside it.
type errTurnedAway struct{ err error }

func (e errTurnedAway) Error() string { return e.err.Error() }
func (e errTurnedAway) Unwrap() error { return e.err }

// segments returns how many parts an object of that many bytes is got in.
func (d *download) segments(total int64) int {
	wanted, least := int64(d.file.Segments), int64(minSegmentWanted)
	if wanted == 0 {
		wanted, least = DefaultSegments, minSegment
	}
	return int(min(wanted, total/least))
}

// split cuts gaps into pieces of the size or less.
func split(gaps [][2]int64, size int64) [][2]int64 {
	var pieces [][2]int64
	for _, g := range gaps {
		for g[1]-g[0] > size {
			pieces = append(pieces, [2]int64{g[0], g[0] + size})
			g[0] += size
		}
		pieces = append(pieces, g)
	}
	return pieces
}

// parallel gets the first gap by the function and the others by requests of
// their own, as many at once as there may be segments. The first fault, in
// time, is the transfer's; it ends the others.
func (d *download) parallel(gaps [][2]int64, first func() error) error {
	d.base.res.Segments = min(d.segments(1<<62), len(gaps))
	q := &gapQueue{d: d, gaps: gaps[1:], workers: d.base.res.Segments}
	var wg sync.WaitGroup
	for i := 1; i < d.base.res.Segments; i++ {
		wg.Go(func() { q.work(i + 1) })
	}
	q.fail(first())
	q.work(1)
	wg.Wait()
	return q.fault
}

// gapQueue are the gaps that nobody works on yet.
type gapQueue struct {
	d *download

	mu      sync.Mutex
	gaps    [][2]int64
	workers int
	fault   error
}

// work gets gaps until there are none. A worker that the server turns away
// leaves its gap to the others; the last one tries again, as often and with
// such waits as Client.Retry says, since the server may not have noticed yet
// that the others are gone.
func (q *gapQueue) work(segment int) {
	retry := q.d.c.Retry
	alone := 0 // how often the last worker was turned away in a row
	for {
		gap, ok := q.take()
		if !ok {
			return
		}
		err := q.d.fetch(gap, segment)
		if away := (errTurnedAway{}); errors.As(err, &away) {
			if q.giveBack(gap) {
				return
			}
			alone++
			if err = away.err; alone < retry.attempts() && wait(q.d.ctx, q.d.c.clock(), retry.wait(alone, q.d.c.random())) {
				continue
			}
		} else {
			alone = 0
		}
		q.fail(err)
	}
}

// take returns the next gap; without one, or after a fault, it counts the
// worker out.
func (q *gapQueue) take() (gap [2]int64, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.gaps) == 0 || q.fault != nil {
		q.workers--
		return gap, false
	}
	gap, q.gaps = q.gaps[0], q.gaps[1:]
	return gap, true
}

// giveBack returns a gap to the queue, and reports whether others are there to
// get it, the worker then being counted out.
func (q *gapQueue) giveBack(gap [2]int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.gaps = append(q.gaps, gap)
	if q.workers > 1 {
		q.workers--
		return true
	}
	return false
}

// fail notes the first fault and ends the other workers.
func (q *gapQueue) fail(err error) {
	if err == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fault == nil {
		q.fault = err
		q.d.cancel(errSibling)
	}
}

// fetch gets one gap by a request of its own. Anything but that part, of that
// version, makes the transfer start again.
func (d *download) fetch(gap [2]int64, segment int) error {
	x := d.exchange(&span{from: gap[0], to: gap[1], validator: d.part.validator, total: d.part.total}, segment)
	resp, err := x.open()
	if err != nil {
		if err = restartIf(err); d.ctx.Err() == nil && !errors.Is(err, ErrStalled) && !errors.As(err, new(errRestart)) {
			x.emit(Event{Kind: EventRetry, Err: err})
			err = errTurnedAway{err}
		}
		return d.close(x, err)
	}
	if resp.StatusCode != http.StatusPartialContent {
		resp.Body.Close()
		return d.close(x, errRestart{x.fault(KindChanged, fmt.Sprintf("a part was asked for and the answer was %s", statusText(resp.StatusCode)), nil)})
	}
	return d.fill(x, resp, gap[0], 0)
}

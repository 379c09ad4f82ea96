package limiter

import (
	"context"
	"time"
)

// waiter is one request that could not be granted at once.
type waiter struct {
	task       *Task
	prev, next *waiter
	size, left int // bytes asked for, and those not yet granted
	arrival    uint64
	granted    bool
	wake       chan struct{} // receives one value when granted
}

// Wait blocks until n bytes may pass, or until ctx is done, and then returns
// ctx.Err(). Requests of one task are granted in the order in which they were
// made. A request that returns an error has consumed nothing, however much of
// it had been set aside. A request for no bytes, or fewer, is granted at once.
func (t *Task) Wait(ctx context.Context, n int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if n <= 0 || t.free() {
		return nil
	}
	l := t.queue.limiter
	l.mu.Lock()
	now := l.now()
	if l.waiting == 0 && l.grantAtOnce(t, float64(n), now) {
		l.mu.Unlock()
		return nil
	}
	w := l.enqueue(t, n, now)
	l.mu.Unlock()

	var err error
	select {
	case <-w.wake:
	case <-ctx.Done():
		l.abandon(w)
		err = ctx.Err()
	}
	w.task = nil
	l.waiters.Put(w)
	return err
}

// grantAtOnce grants n bytes if nobody waits and all levels cover them.
func (l *Limiter) grantAtOnce(t *Task, n float64, now int64) bool {
	q := t.queue
	l.advance(t, now)
	if now-l.charged >= idleAfter && l.bucket.full() && q.bucket.full() {
		l.forgive(q)
	}
	if !l.bucket.covers(n) || !q.bucket.covers(n) || !t.bucket.covers(n) {
		return false
	}
	t.tag = max(t.tag, q.floor())
	l.charge(t, n, now)
	return true
}

// idleAfter is how long nothing must have been granted before a limiter for
// which nobody waits counts as idle, in nanoseconds.
const idleAfter = int64(50 * time.Millisecond)

// forgive ends a busy period: there was more to give than was wanted, so
// nobody is ahead of anybody any longer.
func (l *Limiter) forgive(q *Queue) {
	l.virtual = max(l.virtual, l.finish)
	q.virtual = max(q.virtual, q.finish)
}

// enqueue makes a request wait; it may be granted before enqueue returns.
func (l *Limiter) enqueue(t *Task, n int, now int64) *waiter {
	w := l.waiters.Get().(*waiter)
	l.arrived++
	w.task, w.size, w.left, w.arrival, w.granted = t, n, n, l.arrived, false
	l.advance(t, now)
	t.link(w)
	if t.first == w {
		l.placeTask(t, now)
	}
	l.dispatch(now)
	return w
}

// abandon withdraws a request, and gives back what it was granted.
func (l *Limiter) abandon(w *waiter) {
	t := w.task
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.granted {
		<-w.wake
		l.giveBack(t, w.size)
		return
	}
	if t.first != w {
		t.unlink(w)
		return
	}
	l.advance(t, l.now())
	t.unlink(w)
	l.giveBack(t, w.size-w.left)
}

// giveBack returns n granted bytes to the task's three levels, as though they
// had never been granted, and lets others have them.
func (l *Limiter) giveBack(t *Task, n int) {
	q := t.queue
	now := l.now()
	l.advance(t, now)
	back := float64(n)
	l.bucket.giveBack(back)
	q.bucket.giveBack(back)
	t.bucket.giveBack(back)
	t.tag -= back / t.weight
	l.placeTask(t, now)
	l.dispatch(now)
	if t.first == nil {
		t.bucket.trim()
	}
	if q.waiting == 0 {
		q.bucket.trim()
	}
	if l.waiting == 0 {
		l.bucket.trim()
	}
}

// step returns how many bytes the task's first waiter is to be granted next.
func (t *Task) step() float64 { return float64(min(t.first.left, MaxStep)) }

// link appends w to those who wait. The buckets must have been advanced.
func (t *Task) link(w *waiter) {
	w.prev, w.next = t.last, nil
	if t.last != nil {
		t.last.next = w
	} else {
		t.first = w
	}
	t.last = w
	q := t.queue
	l := q.limiter
	q.waiting++
	l.waiting++
	step := float64(min(w.size, MaxStep))
	t.bucket.awaited(step)
	q.bucket.awaited(step)
	l.bucket.awaited(step)
}

// unlink removes w from those who wait. The buckets must have been advanced.
func (t *Task) unlink(w *waiter) {
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		t.first = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		t.last = w.prev
	}
	w.prev, w.next = nil, nil
	q := t.queue
	l := q.limiter
	if t.first == nil {
		t.bucket.left()
	}
	if q.waiting--; q.waiting == 0 {
		q.bucket.left()
	}
	if l.waiting--; l.waiting == 0 {
		l.bucket.left()
	}
}

package limiter

import (
	"math"
	"time"
)

// The methods in this file need l.mu.

// now returns the time in nanoseconds since the limiter was made, and takes
// over from the timer if that should have fired by then: whoever calls now
// must dispatch afterwards, unless nobody waits.
func (l *Limiter) now() int64 {
	now := int64(l.clock.Now().Sub(l.base))
	l.late = 0
	if l.armed != 0 && l.armed <= now {
		l.late, l.armed = now-l.armed, 0
	}
	return now
}

// dispatch makes every grant that is possible at the time now and sets the
// timer to the next time at which another will be.
func (l *Limiter) dispatch(now int64) {
	if l.waiting == 0 {
		l.rest()
		return
	}
	next := int64(never)
	l.bucket.advance(now, l.late)
	for {
		l.releaseHeld(now)
		q, ok := l.ready.top()
		if !ok {
			break
		}
		t, _ := q.ready.top()
		step := t.step()
		if !l.bucket.covers(step) {
			next = l.bucket.due(step)
			break
		}
		l.grant(t, step, now)
		l.placeTask(t, now)
	}
	l.arm(next, now)
}

// releaseHeld moves the tasks and queues whose own buckets cover their next
// step by now to where they compete with others.
func (l *Limiter) releaseHeld(now int64) {
	for {
		t, ok := l.heldTasks.top()
		if !ok || t.due > now {
			break
		}
		l.placeTask(t, now)
	}
	for {
		q, ok := l.heldQueues.top()
		if !ok || q.due > now {
			break
		}
		l.placeQueue(q, now)
	}
}

// grant gives the task's first waiter a step, on all three levels together,
// and wakes it if that was its last.
func (l *Limiter) grant(t *Task, step float64, now int64) {
	l.charge(t, step, now)
	w := t.first
	w.left -= int(step)
	if w.left == 0 {
		t.unlink(w)
		w.granted = true
		w.wake <- struct{}{}
	}
}

// charge takes n bytes from the task's three buckets and moves the tags on.
func (l *Limiter) charge(t *Task, n float64, now int64) {
	q := t.queue
	l.advance(t, now)
	l.bucket.take(n)
	q.bucket.take(n)
	t.bucket.take(n)
	l.charged = now
	q.virtual = max(q.virtual, t.tag)
	l.virtual = max(l.virtual, q.offset+t.tag)
	t.tag += n / t.weight
	q.finish = max(q.finish, t.tag)
	l.finish = max(l.finish, q.offset+t.tag)
}

// advance brings the three buckets above a task's requests to the time now.
func (l *Limiter) advance(t *Task, now int64) {
	l.bucket.advance(now, l.late)
	t.queue.bucket.advance(now, l.late)
	t.bucket.advance(now, l.late)
}

// floor is the least tag with which a task may begin to compete. In a queue
// without a limit of its own that is the limiter's virtual time, so that all
// tasks of such queues compete as if there were no queues. In a limited queue
// it is the queue's: such a queue may be far behind the limiter, and its tasks
// must keep their places relative to one another.
func (q *Queue) floor() float64 {
	if q.bucket.rate == 0 {
		return max(q.virtual, q.limiter.virtual-q.offset)
	}
	return q.virtual
}

// placeTask puts a task where it belongs after its first waiter, its bucket
// or the time has changed: among those of its queue that compete, among those
// that their own limit holds, or nowhere.
func (l *Limiter) placeTask(t *Task, now int64) {
	q := t.queue
	if t.first == nil {
		q.ready.drop(t)
		l.heldTasks.drop(t)
		l.placeQueue(q, now)
		return
	}
	t.bucket.advance(now, l.late)
	if step := t.step(); t.bucket.covers(step) {
		l.heldTasks.drop(t)
		if t.readyPos == absent {
			t.tag = max(t.tag, q.floor())
		}
		q.ready.put(t)
	} else {
		t.due = t.bucket.due(step)
		q.ready.drop(t)
		l.heldTasks.put(t)
	}
	l.placeQueue(q, now)
}

// placeQueue does for a queue what placeTask does for a task.
func (l *Limiter) placeQueue(q *Queue, now int64) {
	t, ok := q.ready.top()
	if !ok {
		l.ready.drop(q)
		l.heldQueues.drop(q)
		return
	}
	q.bucket.advance(now, l.late)
	if step := t.step(); q.bucket.covers(step) {
		l.heldQueues.drop(q)
		if behind := l.virtual - (q.offset + t.tag); q.readyPos == absent && behind > 0 {
			q.offset += behind
		}
		q.key = q.offset + t.tag
		q.arrival = t.first.arrival
		l.ready.put(q)
	} else {
		q.due = q.bucket.due(step)
		l.ready.drop(q)
		l.heldQueues.put(q)
	}
}

// never is a time that does not come.
const never = math.MaxInt64

// arm makes sure that the timer fires no later than the next grant is due:
// at the time next, or when a held task or queue may go on. A timer that is
// due earlier is left alone: it costs one look at the heaps.
func (l *Limiter) arm(next, now int64) {
	if t, ok := l.heldTasks.top(); ok {
		next = min(next, t.due)
	}
	if q, ok := l.heldQueues.top(); ok {
		next = min(next, q.due)
	}
	if next == never {
		l.rest()
		return
	}
	if l.armed != 0 && l.armed <= next {
		return
	}
	l.armed = next
	if l.timer == nil {
		l.timer = l.clock.AfterFunc(time.Duration(next-now), l.tick)
		return
	}
	l.timer.Reset(time.Duration(next - now))
}

// rest stops the timer when nobody waits any more.
func (l *Limiter) rest() {
	if l.armed != 0 {
		l.armed = 0
		l.timer.Stop()
	}
}

// tick is called by the timer. Whether it comes when it was due, late, or
// early by the limiter's clock: afterwards the timer counts as not running.
func (l *Limiter) tick() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.armed = 0
	l.dispatch(now)
}

package limiter

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// manual is a clock that a test moves, with one timer.
type manual struct {
	now time.Time
	due time.Time // zero if the timer does not run
	f   func()
}

func (c *manual) Now() time.Time { return c.now }

func (c *manual) AfterFunc(d time.Duration, f func()) Timer {
	c.f = f
	c.Reset(d)
	return c
}

func (c *manual) Reset(d time.Duration) bool { c.due = c.now.Add(d); return true }
func (c *manual) Stop() bool                 { c.due = time.Time{}; return true }

// TestInvariants makes random requests, cancellations and changes of limits
// and weights, and checks the whole state after each.
func TestInvariants(t *testing.T) {
	for seed := range uint64(300) {
		w := newWorld(seed)
		for op := range 400 {
			did := w.step()
			if broken := w.check(); broken != "" {
				t.Fatalf("seed %d, operation %d (%s): %s", seed, op, did, broken)
			}
		}
		// Whoever still waits gets through when time passes.
		for range 10_000 {
			if w.l.waiting == 0 {
				break
			}
			w.sleepUntilDue()
		}
		if w.l.waiting > 0 {
			t.Fatalf("seed %d: %d requests wait for ever", seed, w.l.waiting)
		}
	}
}

// world is a limiter and all that has been made below it.
type world struct {
	rng    *rand.Rand
	clock  *manual
	l      *Limiter
	queues []*Queue
	tasks  []*Task
	asked  []*waiter
}

func newWorld(seed uint64) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 31)), clock: &manual{now: time.Unix(0, 0)}}
	w.l = New(w.rate(), WithClock(w.clock), WithBurst(time.Duration(w.rng.IntN(3))*4*time.Millisecond))
	w.queues = []*Queue{w.l.root, w.l.NewQueue(w.rate()), w.l.NewQueue(w.rate())}
	for range 6 {
		w.tasks = append(w.tasks, w.queues[w.rng.IntN(3)].NewTask(w.rate(), 1+w.rng.IntN(4)))
	}
	return w
}

func (w *world) rate() Rate {
	if w.rng.IntN(3) == 0 {
		return Unlimited
	}
	return Rate(1 + w.rng.IntN(4<<20))
}

// step does one thing and says what.
func (w *world) step() string {
	switch w.rng.IntN(8) {
	case 0, 1, 2:
		n := 1 + w.rng.IntN(3*MaxStep)
		i := w.rng.IntN(len(w.tasks))
		w.l.mu.Lock()
		now := w.l.now()
		if w.l.waiting > 0 || !w.l.grantAtOnce(w.tasks[i], float64(n), now) {
			w.asked = append(w.asked, w.l.enqueue(w.tasks[i], n, now))
		}
		w.l.mu.Unlock()
		return fmt.Sprint("ask for ", n)
	case 3:
		if len(w.asked) == 0 {
			return "nothing"
		}
		i := w.rng.IntN(len(w.asked))
		w.l.abandon(w.asked[i])
		w.asked[i] = w.asked[len(w.asked)-1]
		w.asked = w.asked[:len(w.asked)-1]
		return "abandon"
	case 4:
		w.clock.now = w.clock.now.Add(time.Duration(w.rng.IntN(int(50 * time.Millisecond))))
		if !w.clock.due.IsZero() && !w.clock.due.After(w.clock.now) && w.rng.IntN(4) > 0 {
			w.fire()
			return "time passes, and the timer fires late"
		}
		return "time passes, and the timer is later still"
	case 5:
		w.sleepUntilDue()
		return "the timer fires in time"
	case 6:
		switch i := w.rng.IntN(10); {
		case i == 0:
			w.l.SetRate(w.rate())
		case i < 4:
			w.queues[1+w.rng.IntN(2)].SetRate(w.rate())
		default:
			w.tasks[w.rng.IntN(len(w.tasks))].SetRate(w.rate())
		}
		return "change a limit"
	}
	w.tasks[w.rng.IntN(len(w.tasks))].SetWeight(w.rng.IntN(5))
	return "change a weight"
}

func (w *world) sleepUntilDue() {
	if w.clock.due.IsZero() {
		return
	}
	if w.clock.due.After(w.clock.now) {
		w.clock.now = w.clock.due
	}
	w.fire()
}

func (w *world) fire() {
	w.clock.due = time.Time{}
	w.clock.f()
}

// check returns what is wrong with the state, or nothing. It presumes that
// the last operation has dispatched, unless only time has passed.
func (w *world) check() string {
	l := w.l
	waiting, next := 0, int64(never)
	for i, t := range w.tasks {
		n := 0
		for e := t.first; e != nil; e = e.next {
			if e.granted || e.left <= 0 || e.left > e.size || e != t.first && e.left != e.size {
				return fmt.Sprintf("task %d: a waiter has %d of %d bytes to come, granted %v", i, e.left, e.size, e.granted)
			}
			n++
		}
		waiting += n
		ready, held := t.readyPos != absent, t.heldPos != absent
		switch {
		case n == 0 && (ready || held || t.last != nil || t.bucket.step != 0):
			return fmt.Sprintf("task %d has no waiter and is ready %v, held %v", i, ready, held)
		case n > 0 && ready == held:
			return fmt.Sprintf("task %d has waiters and is ready %v, held %v", i, ready, held)
		case ready && !t.bucket.covers(t.step()):
			return fmt.Sprintf("task %d competes though its own limit holds it", i)
		case held:
			next = min(next, t.due)
			if got := t.bucket.level + t.bucket.rate*float64(t.due-t.bucket.last); got+slack < t.step() {
				return fmt.Sprintf("task %d is due with %.1f of %.0f bytes", i, got, t.step())
			}
		}
	}
	inQueues := 0
	for i, q := range w.queues {
		inQueues += q.waiting
		ready, held := q.readyPos != absent, q.heldPos != absent
		first, any := q.ready.top()
		switch {
		case !any && (ready || held):
			return fmt.Sprintf("queue %d has no ready task and is ready %v, held %v", i, ready, held)
		case any && ready == held:
			return fmt.Sprintf("queue %d has a ready task and is ready %v, held %v", i, ready, held)
		case ready && !q.bucket.covers(first.step()):
			return fmt.Sprintf("queue %d competes though its own limit holds it", i)
		case ready && q.key != q.offset+first.tag:
			return fmt.Sprintf("queue %d competes under %v and not %v", i, q.key, q.offset+first.tag)
		case held:
			next = min(next, q.due)
			if got := q.bucket.level + q.bucket.rate*float64(q.due-q.bucket.last); got+slack < first.step() {
				return fmt.Sprintf("queue %d is due with %.1f of %.0f bytes", i, got, first.step())
			}
		}
	}
	if waiting != l.waiting || inQueues != l.waiting {
		return fmt.Sprintf("%d wait, %d by the queues' count, %d by the limiter's", waiting, inQueues, l.waiting)
	}
	if q, ok := l.ready.top(); ok {
		first, _ := q.ready.top()
		if l.bucket.covers(first.step()) {
			return "a grant was possible and was not made"
		}
		next = min(next, l.bucket.due(first.step()))
	}
	// A timer that is overdue and no longer needed may be left to fire.
	overdue := !w.clock.due.IsZero() && !w.clock.due.After(w.clock.now)
	if running := !w.clock.due.IsZero(); running != (l.armed != 0) && !overdue {
		return fmt.Sprintf("the timer is due at %v and counts as due at %d", w.clock.due, l.armed)
	}
	if next != never && (l.armed == 0 || l.armed > next) {
		return fmt.Sprintf("the next grant is due at %d and the timer at %d", next, l.armed)
	}
	for name, b := range map[string]*bucket{"global": &l.bucket, "queue": &w.queues[1].bucket, "task": &w.tasks[0].bucket} {
		if b.rate > 0 && b.level < -slack*100 {
			return fmt.Sprintf("the %s bucket has %.3f bytes", name, b.level)
		}
	}
	return ""
}

package limiter

import (
	"testing"
	"time"
)

// stopped is a clock that stands still and whose timers never fire.
type stopped struct{ running int }

func (*stopped) Now() time.Time { return time.Unix(0, 0) }
func (c *stopped) AfterFunc(time.Duration, func()) Timer {
	c.running++
	return stoppedTimer{c}
}

type stoppedTimer struct{ clock *stopped }

func (t stoppedTimer) Reset(time.Duration) bool { t.clock.running++; return false }
func (t stoppedTimer) Stop() bool               { t.clock.running--; return true }

// TestAbandonGranted withdraws a request in the moment in which it has been
// granted and its caller has not yet run: it must go back whole.
func TestAbandonGranted(t *testing.T) {
	l := New(1<<20, WithClock(&stopped{}), WithBurst(time.Second))
	q := l.NewQueue(1 << 20)
	task := q.NewTask(1<<20, 1)
	for range 3 {
		l.mu.Lock()
		w := l.enqueue(task, 1<<20, l.now()) // all that there is
		l.mu.Unlock()
		if !w.granted {
			t.Fatal("the request was not granted")
		}
		l.abandon(w)
		for name, b := range map[string]*bucket{"global": &l.bucket, "queue": &q.bucket, "task": &task.bucket} {
			if b.level != 1<<20 {
				t.Errorf("%s bucket holds %.0f bytes, want all", name, b.level)
			}
		}
		if task.tag > q.virtual || len(w.wake) != 0 {
			t.Errorf("tag %v at virtual time %v, %d wake-ups left; want no debt and no wake-up", task.tag, q.virtual, len(w.wake))
		}
	}
}

// TestTimerRests checks that a limiter for which nobody waits has no timer
// running.
func TestTimerRests(t *testing.T) {
	clock := &stopped{}
	l := New(1, WithClock(clock))
	task := l.NewTask(1, 1)
	for range 3 {
		l.mu.Lock()
		w := l.enqueue(task, 100, l.now())
		l.mu.Unlock()
		if clock.running != 1 {
			t.Errorf("%d timers run while a request waits, want 1", clock.running)
		}
		l.abandon(w)
		if clock.running != 0 {
			t.Errorf("%d timers run while nobody waits", clock.running)
		}
	}
	l.mu.Lock()
	l.enqueue(task, 100, l.now())
	l.mu.Unlock()
	l.SetRate(Unlimited)
	task.SetRate(Unlimited)
	if clock.running != 0 || l.Waiting() != 0 {
		t.Errorf("%d timers run, %d requests wait without any limit", clock.running, l.Waiting())
	}
}

// TestWithdrawGranted does for slots what TestAbandonGranted does for bytes.
func TestWithdrawGranted(t *testing.T) {
	s := NewSlots(1)
	h, other := s.NewHolder(), s.NewHolder()
	c := &claim{granted: make(chan struct{})}
	s.mu.Lock()
	h.queue = append(h.queue, c)
	s.want(h)
	s.assign()
	s.mu.Unlock()
	select {
	case <-c.granted:
	default:
		t.Fatal("the slot was not granted")
	}
	h.withdraw(c)
	if err := other.Acquire(t.Context()); err != nil || s.taken != 1 || h.held != 0 {
		t.Errorf("after the withdrawal: Acquire = %v, %d slots taken, %d by the one who left", err, s.taken, h.held)
	}
}

package transfer

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"
)

// handClock is a Clock that is moved by hand.
type handClock struct {
	mu     sync.Mutex
	now    time.Time
	timers []*handTimer
}

type handTimer struct {
	c  *handClock
	at time.Time // zero when it is not running
	f  func()
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) AfterFunc(d time.Duration, f func()) Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &handTimer{c: c, at: c.now.Add(d), f: f}
	c.timers = append(c.timers, t)
	return t
}

func (t *handTimer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	was := !t.at.IsZero()
	t.at = time.Time{}
	return was
}

func (t *handTimer) Reset(d time.Duration) bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	was := !t.at.IsZero()
	t.at = t.c.now.Add(d)
	return was
}

// advance moves the clock and runs what is due, in this goroutine.
func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	for {
		var due func()
		c.mu.Lock()
		for _, t := range c.timers {
			if !t.at.IsZero() && !t.at.After(c.now) {
				t.at, due = time.Time{}, t.f
				break
			}
		}
		c.mu.Unlock()
		if due == nil {
			return
		}
		due()
	}
}

func TestStallClockStates(t *testing.T) {
	const budget = 100 * time.Second
	begin := func() (*stallClock, *handClock, context.Context) {
		clock := &handClock{now: time.Unix(1000, 0)}
		ctx, cancel := context.WithCancelCause(context.Background())
		s := &stallClock{}
		s.start(clock, budget, cancel)
		return s, clock, ctx
	}
	t.Run("trips after the budget and its last call", func(t *testing.T) {
		s, clock, ctx := begin()
		s.arm()
		clock.advance(budget - 1)
		if s.tripped() {
			t.Fatal("tripped early")
		}
		clock.advance(1)
		if s.tripped() {
			t.Fatal("tripped without a last call")
		}
		clock.advance(s.lastCall())
		if !s.tripped() || !errors.Is(context.Cause(ctx), errStall{}) {
			t.Fatal("not tripped, or without cancelling")
		}
		if silence, ok := s.disarm(); ok || silence != budget+s.lastCall() {
			t.Errorf("disarm = %v, %v", silence, ok)
		}
		s.arm()
		s.stop()
		if !s.tripped() {
			t.Error("arm or stop took the trip back")
		}
	})
	t.Run("a word within the last call counts", func(t *testing.T) {
		s, clock, _ := begin()
		s.arm()
		clock.advance(budget)
		if silence, ok := s.disarm(); !ok || silence != budget {
			t.Errorf("disarm = %v, %v", silence, ok)
		}
		s.arm()
		clock.advance(budget - 1)
		if s.tripped() {
			t.Error("the second silence was charged with the first")
		}
	})
	t.Run("stands while disarmed", func(t *testing.T) {
		s, clock, _ := begin()
		for range 10 {
			clock.advance(3 * budget)
			s.arm()
			clock.advance(budget / 2)
			s.disarm()
		}
		if s.tripped() {
			t.Error("tripped by waits of its own")
		}
	})
	t.Run("resumes where it was paused", func(t *testing.T) {
		s, clock, _ := begin()
		s.arm()
		clock.advance(budget * 3 / 4)
		silence, _ := s.pause()
		clock.advance(10 * budget)
		s.resume(silence)
		clock.advance(budget/4 - 1)
		if left, ok := s.remaining(); !ok || left != 1 || s.tripped() {
			t.Errorf("remaining = %v, %v", left, ok)
		}
		clock.advance(1)
		clock.advance(s.lastCall())
		if !s.tripped() {
			t.Error("not tripped")
		}
	})
	t.Run("unread bytes keep it for a while", func(t *testing.T) {
		s, clock, _ := begin()
		s.unread = func() bool { return true }
		s.arm()
		clock.advance(budget)
		clock.advance(s.lastCall())
		waited := time.Duration(0)
		for !s.tripped() && waited < time.Minute {
			clock.advance(time.Millisecond)
			waited += time.Millisecond
		}
		if limit := budget / 20; waited < limit/2 || waited > limit {
			t.Errorf("tripped %v after the budget, want up to %v", waited, limit)
		}
	})
	t.Run("fires no more once stopped", func(t *testing.T) {
		s, clock, ctx := begin()
		s.arm()
		s.stop()
		clock.advance(10 * budget)
		if s.tripped() || ctx.Err() != nil {
			t.Error("tripped after stop")
		}
	})
}

// TestInjectedClock lets days pass in no time.
func TestInjectedClock(t *testing.T) {
	clock := &handClock{now: time.Unix(1000, 0)}
	asked := make(chan struct{})
	c := &Client{Clock: clock, Budget: Budget{Duration: 48 * time.Hour}, Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
		close(asked)
		<-r.Context().Done()
		return nil, r.Context().Err()
	})}
	done := make(chan error)
	go func() {
		_, err := c.Get(context.Background(), Request{URL: "http://registry.test/"})
		done <- err
	}()
	<-asked
	clock.advance(48 * time.Hour)
	clock.advance(time.Second)
	var refusal *Error
	if err := <-done; !errors.As(err, &refusal) || refusal.Silence != 48*time.Hour+time.Second {
		t.Errorf("error = %v", err)
	}
}

// Package peek is a rate limiter that must not be used: one token bucket that
// every caller looks into, is told when its tokens will be there, and looks
// into again at that time. Nothing is set aside meanwhile and nobody is in
// order, so that whoever happens to look first takes what the others were
// told of, and a caller with bad luck waits without bound.
//
// It is the opponent of package limiter in tests and in the load test, where
// it shows that the measurements of fairness can fail.
package peek

import (
	"context"
	"sync"
	"time"
)

// Limiter is one bucket for all callers. It may be used by any number of
// goroutines at once.
type Limiter struct {
	mu    sync.Mutex
	rate  float64 // bytes per nanosecond
	burst float64
	level float64
	last  time.Time
}

// New returns a limiter of so many bytes per second that saves up burst bytes.
// No request may be larger than burst.
func New(bytesPerSecond, burst int) *Limiter {
	return &Limiter{
		rate:  float64(bytesPerSecond) / float64(time.Second),
		burst: float64(burst),
		level: float64(burst),
		last:  time.Now(),
	}
}

// Wait blocks until n bytes may pass, or returns ctx.Err() when ctx is done.
func (l *Limiter) Wait(ctx context.Context, n int) error {
	var timer *time.Timer
	for {
		wait := l.consume(float64(n))
		if wait == 0 {
			return ctx.Err()
		}
		if timer == nil {
			timer = time.NewTimer(wait)
			defer timer.Stop()
		} else {
			timer.Reset(wait)
		}
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// consume takes n bytes and returns 0, or takes nothing and returns after what
// time there will be enough, if nobody else takes them.
func (l *Limiter) consume(n float64) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.level = min(l.burst, l.level+l.rate*float64(now.Sub(l.last)))
	l.last = now
	if l.level >= n {
		l.level -= n
		return 0
	}
	return max(1, time.Duration((n-l.level)/l.rate))
}

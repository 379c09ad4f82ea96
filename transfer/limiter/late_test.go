package limiter_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// eager is the bubble's clock with timers that fire after three quarters of
// their time.
type eager struct{}

func (eager) Now() time.Time { return time.Now() }
func (eager) AfterFunc(d time.Duration, f func()) limiter.Timer {
	return eagerTimer{time.AfterFunc(max(1, d*3/4), f)}
}

type eagerTimer struct{ timer *time.Timer }

func (t eagerTimer) Reset(d time.Duration) bool { return t.timer.Reset(max(1, d*3/4)) }
func (t eagerTimer) Stop() bool                 { return t.timer.Stop() }

// sleepy is the bubble's clock with timers that fire late.
type sleepy struct{ late time.Duration }

func (c sleepy) Now() time.Time { return time.Now() }
func (c sleepy) AfterFunc(d time.Duration, f func()) limiter.Timer {
	return sleepyTimer{time.AfterFunc(d+c.late, f), c.late}
}

type sleepyTimer struct {
	timer *time.Timer
	late  time.Duration
}

func (t sleepyTimer) Reset(d time.Duration) bool { return t.timer.Reset(d + t.late) }
func (t sleepyTimer) Stop() bool                 { return t.timer.Stop() }

// TestEarlyTimer checks that nobody is forgotten when timers fire before the
// clock says that they should.
func TestEarlyTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limiter.New(1<<20, limiter.WithBurst(0), limiter.WithClock(eager{}))
		task := l.NewTask(limiter.Unlimited, 1)
		start := time.Now()
		for range 10 {
			if err := task.Wait(t.Context(), 4<<10); err != nil {
				t.Fatal(err)
			}
		}
		if took, want := time.Since(start), seconds(40<<10, 1<<20); took < want-time.Microsecond || took > want+10*time.Microsecond {
			t.Errorf("took %v, want %v", took, want)
		}
	})
}

// TestLateTimer checks that the rate is kept when the machine wakes us late,
// and that a suspended one does not pay out the time it slept.
func TestLateTimer(t *testing.T) {
	for _, tt := range []struct {
		name      string
		late      time.Duration
		from, to  float64 // of the limit
		segments  int
		bytes     int
		ownLimits bool
	}{
		{"on time", 0, 0.999, 1.002, 1, 16 << 10, false},
		{"1 ms", time.Millisecond, 0.999, 1.002, 1, 16 << 10, false},
		{"50 ms", 50 * time.Millisecond, 0.99, 1.002, 1, 16 << 10, false},
		{"50 ms, equal limits on all levels", 50 * time.Millisecond, 0.99, 1.002, 1, 16 << 10, true},
		{"200 ms, many", 200 * time.Millisecond, 0.99, 1.002, 32, 16 << 10, false},
		{"suspended", time.Hour, 0, 0.01, 4, 16 << 10, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const bps = 4 << 20
				length := max(time.Minute, 10*tt.late)
				ctx, cancel := context.WithTimeout(t.Context(), length)
				defer cancel()
				l := limiter.New(bps, limiter.WithClock(sleepy{tt.late}))
				task := l.NewTask(limiter.Unlimited, 1)
				if tt.ownLimits {
					task = l.NewQueue(bps).NewTask(bps, 1)
				}
				var all grants
				var wg sync.WaitGroup
				for range tt.segments {
					wg.Go(func() {
						for task.Wait(ctx, tt.bytes) == nil {
							all.add(0, tt.bytes)
							time.Sleep(20 * time.Microsecond)
						}
					})
				}
				wg.Wait()
				if got := float64(all.of(0)) / (bps * length.Seconds()); got < tt.from || got > tt.to {
					t.Errorf("granted %.4f of the limit, want %.3f to %.3f", got, tt.from, tt.to)
				}
			})
		})
	}
}

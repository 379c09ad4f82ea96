package limiter_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// plenty is a limit that never binds.
const plenty = limiter.Rate(1 << 50)

func BenchmarkWait(b *testing.B) {
	for _, bb := range []struct {
		name string
		task *limiter.Task
	}{
		{"unlimited", limiter.New(limiter.Unlimited).NewTask(limiter.Unlimited, 1)},
		{"global", limiter.New(plenty).NewTask(limiter.Unlimited, 1)},
		{"all levels", limiter.New(plenty).NewQueue(plenty).NewTask(plenty, 1)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			ctx, cancel := context.WithCancel(b.Context())
			defer cancel()
			b.SetBytes(16 << 10)
			b.ReportAllocs()
			for b.Loop() {
				if err := bb.task.Wait(ctx, 16<<10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkContended measures a grant that was waited for, with so many tasks
// waiting at a limit that is always just ahead of them.
func BenchmarkContended(b *testing.B) {
	for _, tasks := range []int{2, 32, 1000} {
		b.Run(fmt.Sprint(tasks, " tasks"), func(b *testing.B) {
			l := limiter.New(64 << 30)
			b.SetBytes(16 << 10)
			b.ReportAllocs()
			var wg sync.WaitGroup
			for range tasks {
				task := l.NewTask(limiter.Unlimited, 1)
				wg.Go(func() {
					for range b.N/tasks + 1 {
						_ = task.Wait(b.Context(), 16<<10)
					}
				})
			}
			wg.Wait()
		})
	}
}

// TestWaitCosts holds the numbers that are promised: what is granted at once
// takes at most 300 ns and no allocation, and so does a limit that is absent.
func TestWaitCosts(t *testing.T) {
	if raceEnabled {
		t.Log("not measured under the race detector")
		return
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, tt := range []struct {
		name string
		task *limiter.Task
	}{
		{"unlimited", limiter.New(limiter.Unlimited).NewTask(limiter.Unlimited, 1)},
		{"all levels", limiter.New(plenty).NewQueue(plenty).NewTask(plenty, 1)},
	} {
		if n := testing.AllocsPerRun(1000, func() { _ = tt.task.Wait(ctx, 1<<10) }); n != 0 {
			t.Errorf("%s: %v allocations a request, want none", tt.name, n)
		}
		best := time.Hour
		for range 20 { // the least of several, for the machine may be busy
			const rounds = 2000
			start := time.Now()
			for range rounds {
				_ = tt.task.Wait(ctx, 1<<10)
			}
			best = min(best, time.Since(start)/rounds)
		}
		t.Logf("%s: %v", tt.name, best)
		if best > 300*time.Nanosecond {
			t.Errorf("%s: a request takes %v, want at most 300 ns", tt.name, best)
		}
	}
}

// TestWaitingAllocatesNothing lets requests wait one after the other: the
// waiter is used again.
func TestWaitingAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Log("not measured under the race detector")
		return
	}
	task := limiter.New(64<<20).NewTask(limiter.Unlimited, 1)
	n := testing.AllocsPerRun(200, func() { _ = task.Wait(t.Context(), 64<<10) })
	if n >= 1 {
		t.Errorf("%v allocations a request that waits, want none", n)
	}
}

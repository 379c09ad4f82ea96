package limiter_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

func TestWaitErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done, cancel := context.WithCancel(t.Context())
		cancel()
		late, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		caused, cut := context.WithCancelCause(t.Context())
		cut(errors.New("the caller's own reason"))
		free := limiter.New(limiter.Unlimited).NewTask(limiter.Unlimited, 1)
		narrow := limiter.New(1).NewTask(limiter.Unlimited, 1)
		tests := []struct {
			name string
			task *limiter.Task
			ctx  context.Context
			n    int
			want error
			took time.Duration
		}{
			{"unlimited", free, t.Context(), 1 << 40, nil, 0},
			{"unlimited, done", free, done, 1, context.Canceled, 0},
			{"nothing", narrow, t.Context(), 0, nil, 0},
			{"less than nothing", narrow, t.Context(), -5, nil, 0},
			{"done", narrow, done, 1, context.Canceled, 0},
			{"done for a reason", narrow, caused, 1, context.Canceled, 0},
			{"deadline", narrow, late, 10, context.DeadlineExceeded, time.Second},
		}
		for _, tt := range tests {
			start := time.Now()
			if err := tt.task.Wait(tt.ctx, tt.n); !errors.Is(err, tt.want) {
				t.Errorf("%s: Wait = %v, want %v", tt.name, err, tt.want)
			}
			if took := time.Since(start); took != tt.took {
				t.Errorf("%s: Wait took %v, want %v", tt.name, took, tt.took)
			}
		}
	})
}

// TestRefund runs random requests twice, the second time together with others
// that are cancelled before they are granted in full or in part: what the
// first ones see must be as though the cancelled ones had never been made,
// but for the turn that a step of a cancelled one had already taken.
func TestRefund(t *testing.T) {
	for seed := range uint64(20) {
		var want, got []time.Duration
		synctest.Test(t, func(t *testing.T) { want = refundRun(t, seed, false) })
		synctest.Test(t, func(t *testing.T) { got = refundRun(t, seed, true) })
		for i := range want {
			// The tags go back too, so that nobody is worse off later.
			if d := got[i] - want[i]; d > time.Microsecond || d < -time.Microsecond {
				t.Fatalf("seed %d: request %d was granted after %v, without the cancelled ones after %v\n%s",
					seed, i, got[i], want[i], cmp.Diff(want, got))
			}
		}
	}
}

// refundRun lets 40 requests wait, one after the other, and returns when each
// was granted. Between them requests are made and cancelled at once, before
// time passes, or after it has, while they were second in line.
func refundRun(t *testing.T, seed uint64, withCancelled bool) []time.Duration {
	rng := rand.New(rand.NewPCG(seed, 5))
	l := limiter.New(100 << 10)
	queue := l.NewQueue(90 << 10)
	tasks := []*limiter.Task{queue.NewTask(80<<10, 1), queue.NewTask(0, 2), l.NewTask(0, 1)}
	start := time.Now()
	var at []time.Duration
	for range 40 {
		who, n := rng.IntN(3), limiter.MaxStep+rng.IntN(150<<10)
		pause := time.Duration(rng.IntN(int(time.Second)))
		first, second, extra := rng.IntN(3), rng.IntN(3), 1+rng.IntN(150<<10)
		var wg sync.WaitGroup
		ctx, cancel := context.WithCancel(t.Context())
		if withCancelled {
			cancelled(t, tasks[first], extra)
		}
		wg.Go(func() {
			if err := tasks[who].Wait(t.Context(), n); err != nil {
				t.Error(err)
			}
			at = append(at, time.Since(start))
			cancel()
		})
		synctest.Wait()
		if withCancelled && second == who {
			wg.Go(func() { _ = tasks[who].Wait(ctx, 1<<30+extra) }) // behind the request above
			cancelled(t, tasks[who], extra)
			synctest.Wait()
			if ctx.Err() == nil {
				cancel()
			}
		}
		wg.Wait()
		cancel()
		time.Sleep(pause)
	}
	return at
}

// cancelled makes a request and withdraws it before time passes.
func cancelled(t *testing.T, task *limiter.Task, n int) {
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- task.Wait(ctx, 1<<30+n) }()
	synctest.Wait()
	cancel()
	if err := <-done; err != context.Canceled {
		t.Errorf("a cancelled request returned %v", err)
	}
}

// TestRefundOfParts cancels a request of which two steps of three had been
// granted: another must find them.
func TestRefundOfParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limiter.New(limiter.MaxStep, limiter.WithBurst(0)) // a step a second
		a, b := l.NewTask(0, 1), l.NewTask(0, 1)
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		var wg sync.WaitGroup
		var took time.Duration
		wg.Go(func() {
			if err := a.Wait(ctx, 3*limiter.MaxStep); err != context.Canceled {
				t.Errorf("Wait = %v, want %v", err, context.Canceled)
			}
		})
		synctest.Wait()
		time.Sleep(2500 * time.Millisecond)
		wg.Go(func() {
			if err := b.Wait(t.Context(), 3*limiter.MaxStep); err != nil {
				t.Error(err)
			}
			took = time.Since(start)
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		if want := 3 * time.Second; took.Round(time.Millisecond) != want {
			t.Errorf("the other request had its three steps after %v, want %v", took, want)
		}
	})
}

// TestCancelRacesGrant cancels at the moment of the grant, many times: what is
// not reported as granted must not have been consumed.
func TestCancelRacesGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const bps, n, rounds = 1 << 20, 1 << 10, 3000
		l := limiter.New(bps, limiter.WithBurst(0))
		task := l.NewTask(0, 1)
		start := time.Now()
		granted := 0
		rng := rand.New(rand.NewPCG(1, 13))
		for range rounds {
			due := seconds(n, bps) + time.Duration(rng.IntN(3)) // around the nanosecond of the grant
			ctx, cancel := context.WithTimeout(t.Context(), due)
			first := make(chan error)
			go func() { first <- task.Wait(ctx, n) }()
			synctest.Wait()
			second := make(chan error)
			go func() { second <- task.Wait(t.Context(), n) }()
			if <-first == nil {
				granted++
			}
			if err := <-second; err != nil {
				t.Fatal(err)
			}
			granted++
			cancel()
		}
		if raced := granted - rounds; raced < rounds/10 || raced > rounds*9/10 {
			t.Errorf("%d of %d raced requests were granted: no race", raced, rounds)
		}
		if ideal, took := seconds(granted*n, bps), time.Since(start); took < ideal || took > ideal+2*rounds*time.Nanosecond {
			t.Errorf("%d grants took %v, want %v", granted, took, ideal)
		}
	})
}

// TestCrowd lets 10,000 requests wait, and once cancels 9,000 of them: the
// rest must not notice.
func TestCrowd(t *testing.T) {
	const crowd, n, bps = 10_000, 4 << 10, 8 << 20
	for _, cancelled := range []int{0, 9_000} {
		for _, tasks := range []int{1, 100, crowd} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				l := limiter.New(bps)
				all := make([]*limiter.Task, tasks)
				for i := range all {
					all[i] = l.NewTask(0, 1)
				}
				var wg sync.WaitGroup
				for i := range crowd {
					mine := t.Context()
					if i%10 < cancelled*10/crowd {
						mine = ctx
					}
					wg.Go(func() {
						if err := all[i%tasks].Wait(mine, n); err != nil && mine != ctx {
							t.Error(err)
						}
					})
				}
				synctest.Wait()
				start := time.Now()
				if cancelled > 0 {
					cancel()
				}
				wg.Wait()
				ideal := seconds((crowd-cancelled)*n, bps)
				// The burst that is free at the start weighs less in a longer queue.
				least := 0.99
				if cancelled > 0 {
					least = 0.98
				}
				if got := float64(time.Since(start)) / float64(ideal); got < least || got > 1.01 {
					t.Errorf("%d tasks, %d cancelled: the crowd took %.4f of the ideal time", tasks, cancelled, got)
				}
			})
		}
	}
}

// TestCrowdCosts measures what a waiting request occupies, its goroutine
// included, and how long 9,000 of 10,000 take to leave, in real time. Of the
// times the least of up to ten counts, for the machine may be busy; of the
// sizes the first does, for later crowds find the stacks of earlier ones.
func TestCrowdCosts(t *testing.T) {
	const bar = 50 * time.Millisecond
	each, left := crowdCosts(t)
	for try := 1; try < 10 && left > bar && !raceEnabled; try++ {
		_, again := crowdCosts(t)
		left = min(left, again)
	}
	t.Logf("%d bytes for each of 10,000 waiting; 9,000 cancelled in %v", each, left)
	if raceEnabled {
		return
	}
	if each > 4<<10 {
		t.Errorf("a waiting request occupies %d bytes, want at most 4 KiB", each)
	}
	if left > bar {
		t.Errorf("9,000 requests took %v to leave, want at most %v", left, bar)
	}
}

func crowdCosts(t *testing.T) (each int64, left time.Duration) {
	const crowd = 10_000
	l := limiter.New(1)
	tasks := make([]*limiter.Task, 100)
	for i := range tasks {
		tasks[i] = l.NewTask(0, 1)
	}
	stay, release := context.WithCancel(t.Context())
	leave, cancel := context.WithCancel(t.Context())
	before := inUse()
	var staying, leaving sync.WaitGroup
	for i := range crowd {
		ctx, wg := leave, &leaving
		if i%10 == 0 {
			ctx, wg = stay, &staying
		}
		wg.Go(func() { _ = tasks[i%len(tasks)].Wait(ctx, 1<<20) })
	}
	for l.Waiting() < crowd {
		runtime.Gosched()
	}
	each = (inUse() - before) / crowd
	start := time.Now()
	cancel()
	leaving.Wait()
	left = time.Since(start)
	if got := l.Waiting(); got != crowd/10 {
		t.Errorf("%d requests wait, want %d", got, crowd/10)
	}
	release()
	staying.Wait()
	return each, left
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// TestNothingSavedUpByLeavers lets a large request wait for long and leave: an
// idle limiter lends its burst, and not what had gathered for the one that left.
func TestNothingSavedUpByLeavers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limiter.New(64<<10, limiter.WithBurst(100*time.Millisecond))
		task := l.NewTask(0, 1)
		ctx, cancel := context.WithTimeout(t.Context(), 800*time.Millisecond)
		defer cancel()
		if err := task.Wait(ctx, limiter.MaxStep); err != context.DeadlineExceeded {
			t.Fatalf("Wait = %v, want %v", err, context.DeadlineExceeded)
		}
		start := time.Now()
		if err := task.Wait(t.Context(), limiter.MaxStep); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start).Round(time.Millisecond); took != 900*time.Millisecond {
			t.Errorf("the next request took %v, want 900ms: a second less the burst", took)
		}
	})
}

// TestRefundOfTurns cancels a large request that has had its turns, with
// another of its task behind it: that one has its turn at once.
func TestRefundOfTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const step = limiter.MaxStep
		l := limiter.New(step, limiter.WithBurst(0)) // a step a second
		a, b := l.NewTask(0, 1), l.NewTask(0, 10)
		ctx, cancel := context.WithCancel(t.Context())
		start := time.Now()
		var took time.Duration
		var wg sync.WaitGroup
		wg.Go(func() { _ = a.Wait(ctx, 10*step) })
		synctest.Wait()
		wg.Go(func() {
			if err := a.Wait(t.Context(), step); err != nil {
				t.Error(err)
			}
			took = time.Since(start)
		})
		time.Sleep(3500 * time.Millisecond) // a has had three turns
		for range 4 {
			wg.Go(func() {
				if err := b.Wait(t.Context(), step); err != nil {
					t.Error(err)
				}
			})
		}
		time.Sleep(time.Second)
		cancel() // three or four steps go back, and a's tag with them
		wg.Wait()
		if want := 4500 * time.Millisecond; took != want {
			t.Errorf("the second request of the task was granted after %v, want %v", took, want)
		}
	})
}

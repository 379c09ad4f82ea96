package limiter_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// TestShares runs tasks under nested limits and compares what each gets with
// what it must get: its share of what nothing else bounds.
func TestShares(t *testing.T) {
	const (
		none = limiter.Unlimited
		mib  = limiter.Rate(1 << 20)
	)
	type task struct {
		queue  int // -1 for none
		limit  limiter.Rate
		weight int
		want   limiter.Rate
	}
	tests := []struct {
		name   string
		global limiter.Rate
		queues []limiter.Rate
		tasks  []task
	}{
		{"only the task's limit", none, nil, []task{{-1, mib, 1, mib}}},
		{"only the queue's limit", none, []limiter.Rate{mib}, []task{{0, none, 1, mib / 2}, {0, none, 1, mib / 2}}},
		{"equal limits on all levels", mib, []limiter.Rate{mib}, []task{{0, mib, 1, mib}}},
		{"limits a little apart", mib, []limiter.Rate{mib * 10 / 9}, []task{{0, mib * 10 / 8, 1, mib}}},
		{"a narrow task leaves the rest", 4 * mib, nil, []task{{-1, mib, 1, mib}, {-1, none, 1, 3 * mib / 2}, {-1, none, 1, 3 * mib / 2}}},
		{"a wide task limit does not bind", 4 * mib, nil, []task{{-1, 3 * mib, 1, 2 * mib}, {-1, none, 1, 2 * mib}}},
		{"a narrow queue leaves the rest", 4 * mib, []limiter.Rate{mib}, []task{{0, none, 1, mib / 2}, {0, none, 1, mib / 2}, {-1, none, 1, 3 * mib}}},
		{"a queue is no share", 4 * mib, []limiter.Rate{none, none}, []task{{0, none, 1, mib}, {0, none, 1, mib}, {0, none, 1, mib}, {1, none, 1, mib}}},
		{"a wide queue limit does not bind", 4 * mib, []limiter.Rate{100 * mib}, []task{{0, none, 1, mib}, {0, none, 1, mib}, {0, none, 1, mib}, {-1, none, 1, mib}}},
		{"weights under a queue's limit", 8 * mib, []limiter.Rate{3 * mib}, []task{{0, none, 1, mib}, {0, none, 2, 2 * mib}, {-1, none, 1, 5 * mib}}},
		{"weights across queues", 6 * mib, []limiter.Rate{none}, []task{{0, none, 3, 3 * mib}, {-1, none, 1, mib}, {-1, none, 2, 2 * mib}}},
		{"a narrow task in a narrow queue", 8 * mib, []limiter.Rate{2 * mib}, []task{{0, mib / 4, 1, mib / 4}, {0, none, 1, mib * 7 / 4}, {-1, none, 1, 6 * mib}}},
	}
	for _, tt := range tests {
		for _, waiters := range []int{1, 3} {
			for _, chunk := range []int{4 << 10, 64 << 10, 256 << 10} {
				t.Run(fmt.Sprintf("%s/%d waiters/%d bytes", tt.name, waiters, chunk), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						const length = 15 * time.Second
						ctx, cancel := context.WithTimeout(t.Context(), length)
						defer cancel()
						l := limiter.New(tt.global)
						var queues []*limiter.Queue
						for _, r := range tt.queues {
							queues = append(queues, l.NewQueue(r))
						}
						var all grants
						var wg sync.WaitGroup
						for i, spec := range tt.tasks {
							var task *limiter.Task
							if spec.queue < 0 {
								task = l.NewTask(spec.limit, spec.weight)
							} else {
								task = queues[spec.queue].NewTask(spec.limit, spec.weight)
							}
							for range waiters {
								wg.Go(func() {
									for task.Wait(ctx, chunk) == nil {
										all.add(i, chunk)
										time.Sleep(10 * time.Microsecond)
									}
								})
							}
						}
						wg.Wait()
						for i, spec := range tt.tasks {
							got := float64(all.of(i)) / length.Seconds()
							off := float64(waiters*chunk)/length.Seconds() + 0.01*float64(spec.want)
							if want := float64(spec.want); got < want-off || got > want+off {
								t.Errorf("task %d got %.0f B/s, want %.0f ± %.0f", i, got, want, off)
							}
						}
					})
				})
			}
		}
	}
}

// TestBurst checks the bound of the package comment on every level, in every
// interval, under random load.
func TestBurst(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 3))
				const global, queued, single = 1 << 20, 600 << 10, 200 << 10
				l := limiter.New(global, limiter.WithBurst(20*time.Millisecond))
				queue := l.NewQueue(queued)
				tasks := []*limiter.Task{queue.NewTask(single, 1), queue.NewTask(0, 1), l.NewTask(0, 2)}
				var all grants
				var wg sync.WaitGroup
				for range 400 {
					who, n := rng.IntN(3), 1+rng.IntN(limiter.MaxStep)
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rng.IntN(int(2*time.Second))))
					wg.Go(func() {
						defer cancel()
						if tasks[who].Wait(ctx, n) == nil {
							all.add(who, n)
						}
					})
					if rng.IntN(3) == 0 {
						time.Sleep(time.Duration(rng.IntN(int(300 * time.Millisecond))))
					}
				}
				wg.Wait()
				checkBurst(t, "task", all.list, single, 0)
				checkBurst(t, "queue", all.list, queued, 0, 1)
				checkBurst(t, "global", all.list, global, 0, 1, 2)
			})
		})
	}
}

func checkBurst(t *testing.T, level string, list []granted, bytesPerSecond float64, of ...int) {
	t.Helper()
	member := map[int]bool{}
	for _, who := range of {
		member[who] = true
	}
	bound := bytesPerSecond*0.020 + 2*limiter.MaxStep + 1
	for i, from := range list {
		sum := 0.0
		for _, e := range list[i:] {
			if !member[e.who] {
				continue
			}
			sum += float64(e.bytes)
			if d := e.at.Sub(from.at); sum > bytesPerSecond*d.Seconds()+bound {
				t.Fatalf("%s: %.0f bytes in %v, want at most %.0f", level, sum, d, bytesPerSecond*d.Seconds()+bound)
			}
		}
	}
}

// TestRateChange changes limits under those who wait: each must go on at the
// time that the new limit gives it, be it sooner or later.
func TestRateChange(t *testing.T) {
	type levels struct {
		l *limiter.Limiter
		q *limiter.Queue
		t *limiter.Task
	}
	type setter interface{ SetRate(limiter.Rate) }
	for _, level := range []struct {
		name string
		of   func(levels) setter
	}{
		{"global", func(x levels) setter { return x.l }},
		{"queue", func(x levels) setter { return x.q }},
		{"task", func(x levels) setter { return x.t }},
	} {
		for _, change := range []struct {
			name string
			to   limiter.Rate
			want time.Duration
		}{
			{"to unlimited", limiter.Unlimited, time.Second},
			{"faster", 2 << 10, 1500 * time.Millisecond},
			{"slower", 512, 3 * time.Second},
			{"much faster", 1 << 30, time.Second},
		} {
			t.Run(level.name+" "+change.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					l := limiter.New(limiter.Unlimited, limiter.WithBurst(0))
					q := l.NewQueue(limiter.Unlimited)
					x := levels{l, q, q.NewTask(limiter.Unlimited, 1)}
					level.of(x).SetRate(1 << 10)
					start := time.Now()
					done := make(chan time.Duration)
					go func() {
						if err := x.t.Wait(t.Context(), 2<<10); err != nil {
							t.Error(err)
						}
						done <- time.Since(start)
					}()
					time.Sleep(time.Second) // half of it is there
					level.of(x).SetRate(change.to)
					if got := <-done; got.Round(10*time.Microsecond) != change.want {
						t.Errorf("granted after %v, want %v", got, change.want)
					}
				})
			})
		}
	}
}

// TestRateChangesLoseNoWaiter lets limits and weights change at random under
// many waiters, of which some give up. Everybody else must get through.
func TestRateChangesLoseNoWaiter(t *testing.T) {
	for seed := range uint64(10) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 11))
			l := limiter.New(1 << 20)
			queues := []*limiter.Queue{l.NewQueue(0), l.NewQueue(256 << 10)}
			var tasks []*limiter.Task
			for i := range 8 {
				tasks = append(tasks, queues[i%2].NewTask(limiter.Rate(i%3)<<18, i))
			}
			any := func() limiter.Rate { return limiter.Rate(rng.IntN(4) * rng.IntN(1<<20)) }
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var wg sync.WaitGroup
			for i := range 2000 {
				n, mine := 1+rng.IntN(200<<10), t.Context()
				if rng.IntN(3) == 0 {
					mine = ctx
				}
				wg.Go(func() {
					if err := tasks[i%8].Wait(mine, n); err != nil && mine != ctx {
						t.Error(err)
					}
				})
			}
			for i := range 200 {
				time.Sleep(time.Duration(rng.IntN(int(100 * time.Millisecond))))
				switch rng.IntN(4) {
				case 0:
					l.SetRate(any())
				case 1:
					queues[rng.IntN(2)].SetRate(any())
				case 2:
					tasks[rng.IntN(8)].SetRate(any())
				case 3:
					tasks[rng.IntN(8)].SetWeight(rng.IntN(5))
				}
				if i == 100 {
					cancel()
				}
			}
			start := time.Now()
			l.SetRate(1 << 20)
			for i := range queues {
				queues[i].SetRate(1 << 20)
			}
			for i := range tasks {
				tasks[i].SetRate(1 << 20)
			}
			waiting := l.Waiting()
			wg.Wait()
			if took, bar := time.Since(start), seconds(2000*200<<10, 1<<20); took > bar {
				t.Errorf("seed %d: %d waiters took %v, want at most %v", seed, waiting, took, bar)
			}
		})
	}
}

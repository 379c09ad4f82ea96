package limiter_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// grants records who was granted how much and when, in order.
type grants struct {
	mu   sync.Mutex
	list []granted
}

type granted struct {
	who   int
	bytes int
	at    time.Time
}

func (g *grants) add(who, bytes int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = append(g.list, granted{who, bytes, time.Now()})
}

func (g *grants) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.list = nil
}

func (g *grants) of(who int) (sum int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, e := range g.list {
		if e.who == who {
			sum += e.bytes
		}
	}
	return sum
}

// TestFirstComeFirstServed lets requests of random size wait at one task and
// beside others: each task's must be granted in the order of their arrival.
func TestFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		l := limiter.New(1 << 20)
		queue := l.NewQueue(700 << 10)
		tasks := []*limiter.Task{l.NewTask(0, 1), queue.NewTask(0, 3), queue.NewTask(100<<10, 1)}
		order := make([]grants, len(tasks))
		var wg sync.WaitGroup
		for i := range 600 {
			who, n := i%len(tasks), 1+rng.IntN(100<<10)
			wg.Go(func() {
				if err := tasks[who].Wait(t.Context(), n); err != nil {
					t.Error(err)
				}
				order[who].add(i, n)
			})
			synctest.Wait()
			if rng.IntN(8) == 0 {
				time.Sleep(time.Duration(rng.IntN(int(50 * time.Millisecond))))
			}
		}
		wg.Wait()
		for who := range order {
			for i, e := range order[who].list {
				if want := i*len(tasks) + who; e.who != want {
					t.Fatalf("task %d: grant %d went to arrival %d, want %d", who, i, e.who, want)
				}
			}
		}
	})
}

// TestFairnessTheorem checks the bound of the package comment in every
// interval between two grants, for random weights and sizes, while the global
// limit changes. All tasks wait all the time.
func TestFairnessTheorem(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 7))
				ctx, cancel := context.WithCancel(t.Context())
				l := limiter.New(1, limiter.WithBurst(0))
				n := 2 + rng.IntN(6)
				weight, step := make([]int, n), make([]int, n)
				tasks := make([]*limiter.Task, n)
				var all grants
				var wg sync.WaitGroup
				for i := range tasks {
					weight[i], step[i] = 1+rng.IntN(4), 1+rng.IntN(limiter.MaxStep)
					owner := []interface {
						NewTask(limiter.Rate, int) *limiter.Task
					}{l, l.NewQueue(limiter.Unlimited)}[rng.IntN(2)]
					tasks[i] = owner.NewTask(limiter.Unlimited, weight[i])
					for range 2 { // so that one waits while the other comes back
						wg.Go(func() {
							for tasks[i].Wait(ctx, step[i]) == nil {
								all.add(i, step[i])
							}
						})
					}
				}
				for range 10 {
					synctest.Wait() // at first until all wait
					l.SetRate(limiter.Rate(256<<10 + rng.IntN(8<<20)))
					time.Sleep(500 * time.Millisecond)
				}
				cancel()
				wg.Wait()
				checkTheorem(t, all.list, weight, step)
			})
		})
	}
}

// checkTheorem compares every pair of tasks over every interval: the extremes
// of the difference of their normalised service may not be further apart than
// the bound.
func checkTheorem(t *testing.T, list []granted, weight, step []int) {
	t.Helper()
	n := len(weight)
	for f := range n {
		for m := range f {
			bound := float64(step[f])/float64(weight[f]) + float64(step[m])/float64(weight[m])
			var diff, low, high float64
			for _, e := range list {
				switch e.who {
				case f:
					diff += float64(e.bytes) / float64(weight[f])
				case m:
					diff -= float64(e.bytes) / float64(weight[m])
				}
				low, high = min(low, diff), max(high, diff)
			}
			if high-low > bound+1 {
				t.Errorf("tasks %d and %d: normalised service differs by %.0f, bound %.0f", f, m, high-low, bound)
			}
		}
	}
}

// TestWeights gives tasks weights 1, 2 and 5, and then changes one.
func TestWeights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := limiter.New(8 << 20)
		tasks := []*limiter.Task{l.NewTask(0, 1), l.NewTask(0, 2), l.NewTask(0, 5), l.NewTask(0, -3)}
		var all grants
		var wg sync.WaitGroup
		for i := range tasks {
			for range 2 {
				wg.Go(func() {
					for tasks[i].Wait(ctx, 16<<10) == nil {
						all.add(i, 16<<10)
					}
				})
			}
		}
		check := func(want ...float64) {
			t.Helper()
			all.forget()
			time.Sleep(10 * time.Second)
			synctest.Wait()
			var total float64
			for _, w := range want {
				total += w
			}
			for i, w := range want {
				got, share := float64(all.of(i)), w/total*80*(1<<20)
				if got < share*0.99 || got > share*1.01 {
					t.Errorf("task %d got %.0f bytes in 10 s, want %.0f", i, got, share)
				}
			}
		}
		check(1, 2, 5, 1)
		tasks[0].SetWeight(4)
		check(4, 2, 5, 1)
		cancel()
		wg.Wait()
	})
}

// TestNoCredit lets a task idle while another works: on its return it gets its
// share, and not what it did not ask for.
func TestNoCredit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := limiter.New(1 << 20)
		var all grants
		var wg sync.WaitGroup
		work := func(who int, task *limiter.Task) {
			for range 2 {
				wg.Go(func() {
					for task.Wait(ctx, 16<<10) == nil {
						all.add(who, 16<<10)
					}
				})
			}
		}
		a, b := l.NewTask(0, 1), l.NewTask(0, 1)
		if err := b.Wait(ctx, 1); err != nil {
			t.Fatal(err)
		}
		work(0, a)
		time.Sleep(time.Minute)
		all.forget()
		work(1, b)
		time.Sleep(4 * time.Second)
		cancel()
		wg.Wait()
		if got, want := all.of(1), 2<<20; got < want*98/100 || got > want*102/100 {
			t.Errorf("the task that had idled got %d bytes of 4 MiB, want about %d", got, want)
		}
	})
}

// TestNoDebtAfterIdle checks that what a task of small weight was granted in a
// busy period does not follow it past an idle one.
func TestNoDebtAfterIdle(t *testing.T) {
	type makeTask func(weight int) *limiter.Task
	for _, tt := range []struct {
		name string
		make func() (light, heavy makeTask)
	}{
		{"under the global limit", func() (_, _ makeTask) {
			l := limiter.New(1 << 20)
			of := func(w int) *limiter.Task { return l.NewTask(0, w) }
			return of, of
		}},
		{"in one limited queue", func() (_, _ makeTask) {
			q := limiter.New(limiter.Unlimited).NewQueue(1 << 20)
			of := func(w int) *limiter.Task { return q.NewTask(0, w) }
			return of, of
		}},
		{"in two queues", func() (_, _ makeTask) {
			l := limiter.New(1 << 20)
			p, q := l.NewQueue(0), l.NewQueue(0)
			return func(w int) *limiter.Task { return p.NewTask(0, w) }, func(w int) *limiter.Task { return q.NewTask(0, w) }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				makeLight, makeHeavy := tt.make()
				light, heavy := makeLight(1), makeHeavy(1000)
				if err := light.Wait(ctx, 64<<10); err != nil { // now 64 MiB of heavy's ahead
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				var wg sync.WaitGroup
				for range 4 {
					wg.Go(func() {
						for heavy.Wait(ctx, 16<<10) == nil {
						}
					})
				}
				synctest.Wait()
				start := time.Now()
				if err := light.Wait(ctx, 1<<10); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took > 100*time.Millisecond {
					t.Errorf("the light task waited %v for a debt from before the pause", took)
				}
				cancel()
				wg.Wait()
			})
		})
	}
}

// TestNewcomerInQueue lets a task begin in a queue that another task of large
// steps keeps busy, while many tasks of other queues work: it starts where
// they are and not where its queue was served last.
func TestNewcomerInQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := limiter.New(1<<20, limiter.WithBurst(0))
		var all grants
		var wg sync.WaitGroup
		work := func(who int, task *limiter.Task, n int) {
			for range 2 {
				wg.Go(func() {
					for task.Wait(ctx, n) == nil {
						all.add(who, n)
					}
				})
			}
		}
		q := l.NewQueue(limiter.Unlimited)
		for range 7 {
			work(0, l.NewTask(0, 1), 1<<10)
		}
		work(1, q.NewTask(0, 1), 64<<10)
		synctest.Wait()
		for all.of(1) == 0 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(400 * time.Millisecond) // the next large step is about to come
		all.forget()
		work(2, q.NewTask(0, 1), 1<<10)
		time.Sleep(50 * time.Millisecond)
		cancel()
		wg.Wait()
		if got, share := all.of(2), 50*1024/7; got > 2*share {
			t.Errorf("the newcomer got %d bytes in its first 50 ms, its share is below %d", got, share)
		}
	})
}

// TestNoCreditForAHeldQueue takes the limit away that has kept a queue below
// its share for a minute: from then on the shares are equal.
func TestNoCreditForAHeldQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		l := limiter.New(1 << 20)
		q := l.NewQueue(64 << 10)
		var all grants
		var wg sync.WaitGroup
		for who, task := range []*limiter.Task{q.NewTask(0, 1), l.NewTask(0, 1)} {
			for range 2 {
				wg.Go(func() {
					for task.Wait(ctx, 16<<10) == nil {
						all.add(who, 16<<10)
					}
				})
			}
		}
		time.Sleep(time.Minute)
		q.SetRate(limiter.Unlimited)
		all.forget()
		time.Sleep(4 * time.Second)
		cancel()
		wg.Wait()
		if got, want := all.of(1), 2<<20; got < want*98/100 {
			t.Errorf("the other task got %d bytes of 4 MiB, want about %d", got, want)
		}
	})
}

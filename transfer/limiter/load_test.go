package limiter_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
	"github.com/vdm-logs/vdm-logs/transfer/limiter/peek"
)

// admission is what a transfer asks before it moves n bytes on.
type admission interface {
	Wait(ctx context.Context, n int) error
}

// contender makes the admission that each task's segments ask.
type contender struct {
	name string
	make func(bytesPerSecond, tasks int) []admission
}

var (
	fair = contender{"fair", func(bps, tasks int) []admission {
		l := limiter.New(limiter.Rate(bps))
		all := make([]admission, tasks)
		for i := range all {
			all[i] = l.NewTask(limiter.Unlimited, 1)
		}
		return all
	}}
	// old is the bucket of ADR 0016, one for all.
	old = contender{"peek", func(bps, tasks int) []admission {
		return shared(peek.New(bps, 64<<10), tasks)
	}}
	// fifo serves all callers in the order in which they asked, whoever they
	// belong to and however much they ask for.
	fifo = contender{"x/time/rate", func(bps, tasks int) []admission {
		return shared(fifoBucket{rate.NewLimiter(rate.Limit(bps), 64<<10)}, tasks)
	}}
)

type fifoBucket struct{ *rate.Limiter }

func (b fifoBucket) Wait(ctx context.Context, n int) error { return b.WaitN(ctx, n) }

func shared(a admission, tasks int) []admission {
	all := make([]admission, tasks)
	for i := range all {
		all[i] = a
	}
	return all
}

// load is the load test of ADR 0016 on a fake clock: tasks of several segments
// each, all of one size, over a bounded number of slots under one limit.
type load struct {
	tasks, segments, slots int
	grant, taskBytes       int
	bytesPerSecond         int
}

// measures is what a load test came to.
type measures struct {
	slowestOverIdeal    float64
	longestWaitOverFair float64
	jain, minOverMean   float64 // of bytes per task while all tasks were active
	rateError           float64 // of the aggregate
}

func (m measures) fair() bool {
	return m.slowestOverIdeal <= 1.05 && m.longestWaitOverFair <= 2 && m.jain >= 0.99 &&
		m.minOverMean >= 0.9 && max(m.rateError, -m.rateError) <= 0.01
}

// run must be called in a synctest bubble.
func (c load) run(t *testing.T, of contender) measures {
	t.Helper()
	admissions := of.make(c.bytesPerSecond, c.tasks)
	slots := limiter.NewSlots(0)
	var (
		mu      sync.Mutex
		wg      sync.WaitGroup
		bytes   = make([]int, c.tasks)
		steady  []int // bytes when the first task was done
		longest time.Duration
	)
	start := time.Now()
	for i := range c.tasks {
		holder := slots.NewHolder()
		for range c.segments {
			wg.Go(func() {
				if err := holder.Acquire(t.Context()); err != nil {
					t.Error(err)
					return
				}
				defer holder.Release()
				for left := c.taskBytes / c.segments; left > 0; left -= c.grant {
					n := min(left, c.grant)
					asked := time.Now()
					if err := admissions[i].Wait(t.Context(), n); err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					longest = max(longest, time.Since(asked))
					bytes[i] += n
					if bytes[i] == c.taskBytes && steady == nil {
						steady = append(steady, bytes...)
					}
					mu.Unlock()
				}
			})
		}
	}
	synctest.Wait() // all want a slot: the first ones go round all tasks
	slots.Resize(c.slots)
	wg.Wait()
	elapsed := time.Since(start)
	ideal := seconds(c.tasks*c.taskBytes, c.bytesPerSecond)
	var m measures
	m.slowestOverIdeal = float64(elapsed) / float64(ideal)
	m.longestWaitOverFair = float64(longest) / float64(seconds(min(c.slots, c.tasks*c.segments)*c.grant, c.bytesPerSecond))
	m.rateError = float64(ideal)/float64(elapsed) - 1
	m.jain, m.minOverMean = evenness(steady)
	return m
}

// evenness returns Jain's index (Jain, Chiu, Hawe: "A quantitative measure of
// fairness", DEC-TR-301) and the least over the mean.
func evenness(xs []int) (jain, minOverMean float64) {
	var sum, squares, least float64
	least = float64(xs[0])
	for _, x := range xs {
		v := float64(x)
		sum += v
		squares += v * v
		least = min(least, v)
	}
	n := float64(len(xs))
	return sum * sum / (n * squares), least * n / sum
}

func seconds(bytes, bytesPerSecond int) time.Duration {
	return time.Duration(float64(bytes) / float64(bytesPerSecond) * float64(time.Second))
}

func TestLoad(t *testing.T) {
	tests := []struct {
		name string
		load load
		of   contender
		fair bool
	}{
		{"32 slots", load{20, 8, 32, 16 << 10, 1 << 20, 4 << 20}, fair, true},
		{"160 slots", load{20, 8, 160, 16 << 10, 1 << 20, 4 << 20}, fair, true},
		{"slow", load{20, 8, 32, 16 << 10, 512 << 10, 256 << 10}, fair, true},
		{"fast", load{20, 8, 32, 64 << 10, 32 << 20, 1 << 30}, fair, true},
		{"32 slots", load{20, 8, 32, 16 << 10, 1 << 20, 4 << 20}, old, false},
		{"160 slots", load{20, 8, 160, 16 << 10, 1 << 20, 4 << 20}, old, false},
	}
	for _, tt := range tests {
		t.Run(tt.of.name+"/"+tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := tt.load.run(t, tt.of)
				t.Logf("%+v", m)
				if m.fair() != tt.fair {
					t.Errorf("fair() = %v, want %v: %+v", m.fair(), tt.fair, m)
				}
			})
		})
	}
}

// TestLoadWaitBar checks that the bar on the longest wait is one that a plain
// first-come-first-served bucket reaches and the old bucket does not, while
// the bar on the slowest task is reached by both: it alone shows nothing.
func TestLoadWaitBar(t *testing.T) {
	c := load{20, 8, 32, 16 << 10, 1 << 20, 4 << 20}
	for _, tt := range []struct {
		of     contender
		inTime bool
	}{{fair, true}, {fifo, true}, {old, false}} {
		synctest.Test(t, func(t *testing.T) {
			m := c.run(t, tt.of)
			if m.slowestOverIdeal > 1.05 {
				t.Errorf("%s: slowest over ideal = %.3f, want at most 1.05", tt.of.name, m.slowestOverIdeal)
			}
			if (m.longestWaitOverFair <= 2) != tt.inTime {
				t.Errorf("%s: longest wait over fair = %.3f, want at most 2: %v", tt.of.name, m.longestWaitOverFair, tt.inTime)
			}
		})
	}
}

// TestSmallAndLargeAskers runs one task that asks for 2 KiB at a time beside
// one that asks for 64 KiB: fair by bytes, where the buckets that are fair by
// requests at best give the large asker thirty times as much.
func TestSmallAndLargeAskers(t *testing.T) {
	const bps = 4 << 20
	tests := []struct {
		of       contender
		segments int
		fair     bool
	}{{fair, 1, true}, {fair, 8, true}, {fifo, 1, false}, {fifo, 8, false}}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			admissions := tt.of.make(bps, 2)
			var got [2]int
			var mu sync.Mutex
			var wg sync.WaitGroup
			for i, n := range []int{2 << 10, 64 << 10} {
				for range tt.segments {
					wg.Go(func() {
						for admissions[i].Wait(ctx, n) == nil {
							mu.Lock()
							got[i] += n
							mu.Unlock()
							time.Sleep(50 * time.Microsecond) // the chunk is handled
						}
					})
				}
			}
			wg.Wait()
			ratio := float64(max(got[0], got[1])) / float64(min(got[0], got[1]))
			t.Logf("%s, %d segments: %v, ratio %.3f", tt.of.name, tt.segments, got, ratio)
			if (ratio <= 1.2) != tt.fair {
				t.Errorf("%s, %d segments: byte ratio %.3f (%v), want at most 1.2: %v", tt.of.name, tt.segments, ratio, got, tt.fair)
			}
		})
	}
}

// TestLateProbe lets 159 transfers run and adds one that asks for 64 KiB once.
func TestLateProbe(t *testing.T) {
	const bps, background = 4 << 20, 159
	for _, tt := range []struct {
		name     string
		tasks    int // over which the background is spread
		sameTask bool
		fairTime time.Duration
	}{
		{"own task beside 159", background, false, seconds((background+1)*64<<10, bps)},
		{"own task beside one of 159 segments", 1, false, seconds(2*64<<10, bps)},
		{"own task beside 20", 20, false, seconds(21*64<<10, bps)},
		{"last of one task", 1, true, seconds(background*16<<10+64<<10, bps)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				l := limiter.New(bps)
				tasks := make([]*limiter.Task, tt.tasks)
				for i := range tasks {
					tasks[i] = l.NewTask(limiter.Unlimited, 1)
				}
				var wg sync.WaitGroup
				for i := range background {
					wg.Go(func() {
						for tasks[i%len(tasks)].Wait(ctx, 16<<10) == nil {
						}
					})
				}
				time.Sleep(2 * time.Second)
				probe := tasks[0]
				if !tt.sameTask {
					probe = l.NewTask(limiter.Unlimited, 1)
				}
				start := time.Now()
				if err := probe.Wait(ctx, 64<<10); err != nil {
					t.Fatal(err)
				}
				if took, bar := time.Since(start), tt.fairTime*11/10; took > bar {
					t.Errorf("the probe took %v, want at most %v", took, bar)
				}
				cancel()
				wg.Wait()
			})
		})
	}
}

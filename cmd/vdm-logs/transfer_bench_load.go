package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
	"github.com/vdm-logs/vdm-logs/transfer/limiter"
	"github.com/vdm-logs/vdm-logs/transfer/limiter/peek"
)

// benchGrant is how many bytes are asked of the limiter at a time.
const benchGrant = 16 << 10

// bench is one load test under way: tasks of several segments each, which a
// server on loopback sends, over a bounded number of slots.
type bench struct {
	o      transferBenchOptions
	url    string
	client *transfer.Client
	slots  *limiter.Slots
	tasks  []*benchTask

	mu       sync.Mutex
	started  time.Time
	first    time.Time // when the limiter was asked first
	complete time.Time // when the first task was complete; zero before
}

// benchTask is one task and what came of it. The numbers are guarded by
// bench.mu.
type benchTask struct {
	bench    *bench
	size     int64
	holder   *limiter.Holder
	limit    transfer.Limiter // nil without a limiter
	bytes    int64
	steady   int64 // bytes when the first task was complete
	open     int   // segments that are not complete
	elapsed  time.Duration
	waits    int
	waited   time.Duration
	longest  time.Duration
	stalls   int
	failures int
	err      error // the first
}

// Wait asks the task's limiter for a grant at a time and measures each wait.
func (t *benchTask) Wait(ctx context.Context, n int) error {
	for n > 0 {
		grant := min(n, benchGrant)
		start := time.Now()
		err := t.limit.Wait(ctx, grant)
		t.note(grant, start, err == nil)
		if err != nil {
			return err
		}
		n -= grant
	}
	return nil
}

// note counts a wait that began at start and is over.
func (t *benchTask) note(bytes int, start time.Time, granted bool) {
	b := t.bench
	b.mu.Lock()
	defer b.mu.Unlock()
	waited := time.Since(start)
	if b.first.IsZero() || start.Before(b.first) {
		b.first = start
	}
	t.waits++
	t.waited += waited
	t.longest = max(t.longest, waited)
	if granted {
		t.count(int64(bytes))
	}
}

// count notes bytes that have passed; it needs bench.mu.
func (t *benchTask) count(n int64) {
	b := t.bench
	t.bytes += n
	if t.bytes >= t.size && b.complete.IsZero() {
		b.complete = time.Now()
		for _, other := range b.tasks {
			other.steady = other.bytes
		}
	}
}

// Write counts what a segment received where no limiter is asked for it.
func (t *benchTask) Write(p []byte) (int, error) {
	if t.limit == nil {
		t.bench.mu.Lock()
		t.count(int64(len(p)))
		t.bench.mu.Unlock()
	}
	return len(p), nil
}

// runBench does the load test. It returns what was measured also when
// transfers failed or ctx ended.
func runBench(ctx context.Context, o transferBenchOptions) (*bench, error) {
	server, url, err := serveBench(int64(o.size))
	if err != nil {
		return nil, err
	}
	defer server.Close()
	transport := transfer.NewTransport()
	transport.MaxIdleConnsPerHost = o.slots
	b := &bench{o: o, url: url, started: time.Now(), slots: limiter.NewSlots(0), client: &transfer.Client{
		Transport: transport,
		Budget:    transfer.Budget{Name: "--stall-budget", Duration: time.Duration(o.stallBudget)},
		MaxSize:   -1,
	}}
	defer transport.CloseIdleConnections()
	b.makeTasks()

	var wg sync.WaitGroup
	segments := 0
	for _, t := range b.tasks {
		for _, span := range cutSegments(t.size, o.segments) {
			segments++
			t.open++
			wg.Go(func() { t.receive(ctx, span) })
		}
	}
	// All ask for a slot before there is one, so that the first ones go round
	// all tasks: what is measured is a load that is already there.
	for b.slots.Waiting() < segments && ctx.Err() == nil {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
		}
	}
	b.mu.Lock()
	b.started = time.Now()
	b.mu.Unlock()
	b.slots.Resize(o.slots)
	wg.Wait()
	return b, nil
}

// makeTasks makes the tasks with their limiter.
func (b *bench) makeTasks() {
	o := b.o
	task := func() transfer.Limiter { return nil }
	switch o.limiter {
	case "fair":
		l := limiter.New(limiter.Rate(o.limitRate))
		task = func() transfer.Limiter { return l.NewTask(limiter.Unlimited, 1) }
	case "peek":
		l := peek.New(int(o.limitRate), 4*benchGrant)
		task = func() transfer.Limiter { return l }
	}
	for range o.tasks {
		b.tasks = append(b.tasks, &benchTask{bench: b, size: int64(o.size), holder: b.slots.NewHolder(), limit: task()})
	}
}

// receive gets one segment.
func (t *benchTask) receive(ctx context.Context, span [2]int64) {
	b := t.bench
	req := transfer.Request{URL: b.url, Header: http.Header{"Range": {fmt.Sprintf("bytes=%d-%d", span[0], span[1])}}, Slots: t.holder}
	if t.limit != nil {
		req.Limiter = t
	}
	_, err := b.client.Receive(ctx, req, t)
	b.mu.Lock()
	defer b.mu.Unlock()
	if t.open--; t.open == 0 {
		t.elapsed = time.Since(b.started)
	}
	if err == nil {
		return
	}
	t.failures++
	if errors.Is(err, transfer.ErrStalled) {
		t.stalls++ // the server is never silent
	}
	if t.err == nil {
		t.err = err
	}
}

// cutSegments divides size bytes into at most n parts [first, last].
func cutSegments(size int64, n int) [][2]int64 {
	var spans [][2]int64
	for i := range int64(n) {
		first, next := size*i/int64(n), size*(i+1)/int64(n)
		if next > first {
			spans = append(spans, [2]int64{first, next - 1})
		}
	}
	return spans
}

// serveBench serves an object of so many zero bytes on loopback, with ranges.
func serveBench(size int64) (*http.Server, string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", fmt.Errorf("starting the load test's server: %w", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(zeros{}, 0, size))
	})}
	go server.Serve(l)
	return server, "http://" + l.Addr().String() + "/object", nil
}

// zeros is an endless file of zero bytes.
type zeros struct{}

func (zeros) ReadAt(p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

// fairWait is how long a grant takes where all slots wait for one each.
func (o *transferBenchOptions) fairWait() time.Duration {
	if o.limiter == "none" {
		return 0
	}
	slots := min(int64(o.slots), int64(o.tasks)*int64(o.segments))
	return time.Duration(float64(slots*benchGrant) / float64(o.limitRate) * float64(time.Second))
}

// ideal is how long the whole takes at the limit.
func (o *transferBenchOptions) ideal() time.Duration {
	if o.limiter == "none" {
		return 0
	}
	return time.Duration(float64(o.tasks) * float64(o.size) / float64(o.limitRate) * float64(time.Second))
}

// evenness returns Jain's index of xs (Jain, Chiu, Hawe: "A quantitative
// measure of fairness", DEC-TR-301), which is 1 where all are equal, and the
// least of them over their mean. It returns NaN where nothing was measured.
func evenness(xs []int64) (jain, minOverMean float64) {
	var sum, squares float64
	least := math.Inf(1)
	for _, x := range xs {
		v := float64(x)
		sum += v
		squares += v * v
		least = min(least, v)
	}
	n := float64(len(xs))
	return sum * sum / (n * squares), least * n / sum
}

package limiter

import (
	"sync"
	"sync/atomic"
	"time"
)

// Rate is a limit in bytes per second. Zero and negative rates are Unlimited.
type Rate int64

// Unlimited is the absence of a limit.
const Unlimited Rate = 0

// MaxStep is how many bytes are granted at most in one step. A larger request
// takes its turn once for every MaxStep bytes, and is told when it has them
// all.
const MaxStep = 64 << 10

// DefaultBurst is the time for which an idle limiter saves up unless WithBurst
// says otherwise: long enough to bridge the moment in which every transfer is
// busy with its last chunk, too short to be seen in a rate over a second.
const DefaultBurst = 5 * time.Millisecond

// Limiter is a global limit with the queues and tasks below it. Make one with
// New.
type Limiter struct {
	clock Clock
	base  time.Time
	burst time.Duration
	root  *Queue // unlimited; holds the tasks that are in no queue

	limited atomic.Bool // whether the global bucket limits
	waiters sync.Pool   // of *waiter; each limiter has its own, and no channel crosses a synctest bubble

	mu      sync.Mutex
	bucket  bucket
	waiting int     // waiters in all queues
	arrived uint64  // arrivals so far, to break ties first come, first served
	virtual float64 // virtual time: the largest key served
	finish  float64 // the largest key that any task will resume with
	ready   heap[*Queue]
	// heldQueues and heldTasks wait for their own buckets, by time due.
	heldQueues heap[*Queue]
	heldTasks  heap[*Task]
	timer      Timer
	armed      int64 // when the timer is due; 0 if it is not running
	late       int64 // by how much the timer had overslept at the last call of now
	charged    int64 // when something was granted last
}

// An Option changes how New makes a Limiter.
type Option func(*Limiter)

// WithClock sets where time comes from; the default is the system's clock.
func WithClock(c Clock) Option { return func(l *Limiter) { l.clock = c } }

// WithBurst sets for how long an idle limit saves up: every bucket holds at
// most its rate times d. The default is DefaultBurst; negative is 0.
func WithBurst(d time.Duration) Option { return func(l *Limiter) { l.burst = max(0, d) } }

// New returns a Limiter with a global limit.
func New(global Rate, opts ...Option) *Limiter {
	l := &Limiter{clock: systemClock{}, burst: DefaultBurst}
	l.waiters.New = func() any { return &waiter{wake: make(chan struct{}, 1)} }
	for _, o := range opts {
		o(l)
	}
	l.base = l.clock.Now()
	l.ready = heap[*Queue]{
		less: func(a, b *Queue) bool {
			return a.key < b.key || a.key == b.key && a.arrival < b.arrival
		},
		pos: func(q *Queue) *int { return &q.readyPos },
	}
	l.heldQueues = heap[*Queue]{
		less: func(a, b *Queue) bool { return a.due < b.due },
		pos:  func(q *Queue) *int { return &q.heldPos },
	}
	l.heldTasks = heap[*Task]{
		less: func(a, b *Task) bool { return a.due < b.due },
		pos:  func(t *Task) *int { return &t.heldPos },
	}
	l.root = l.NewQueue(Unlimited)
	l.SetRate(global)
	return l
}

// SetRate changes the global limit. Those who wait are reconsidered at once.
func (l *Limiter) SetRate(global Rate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.dispatch(now)
	l.bucket.advance(now, 0)
	l.bucket.setRate(global, l.burst)
	l.limited.Store(global > 0)
	l.dispatch(now)
}

// Waiting returns how many requests wait at this moment.
func (l *Limiter) Waiting() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting
}

// Queue is a limit over a group of tasks. Make one with Limiter.NewQueue; it
// needs no closing.
type Queue struct {
	limiter *Limiter
	limited atomic.Bool

	// All below is guarded by limiter.mu.
	bucket  bucket
	waiting int         // waiters in all tasks
	ready   heap[*Task] // tasks whose own bucket covers their next step
	virtual float64     // the largest tag served, on the queue's own axis
	finish  float64     // the largest tag that any task will resume with
	// offset translates the queue's axis of tags to the limiter's. It grows
	// by what the queue fell behind while its own limit held it.
	offset  float64
	key     float64 // offset + tag of the first task
	arrival uint64  // arrival of the first task's first waiter
	due     int64   // when the bucket covers the first task
	// Positions in the limiter's heaps.
	readyPos, heldPos int
}

// NewQueue returns a queue with a limit of its own below the global one.
func (l *Limiter) NewQueue(limit Rate) *Queue {
	q := &Queue{limiter: l, readyPos: absent, heldPos: absent}
	q.ready = heap[*Task]{
		less: func(a, b *Task) bool {
			return a.tag < b.tag || a.tag == b.tag && a.first.arrival < b.first.arrival
		},
		pos: func(t *Task) *int { return &t.readyPos },
	}
	q.SetRate(limit)
	return q
}

// SetRate changes the queue's limit. Those who wait are reconsidered at once.
func (q *Queue) SetRate(limit Rate) {
	l := q.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.dispatch(now)
	q.bucket.advance(now, 0)
	q.bucket.setRate(limit, l.burst)
	q.limited.Store(limit > 0)
	l.placeQueue(q, now)
	l.dispatch(now)
}

// Task is one piece of work that is fair against others. Make one with
// NewTask; it needs no closing.
type Task struct {
	queue   *Queue
	limited atomic.Bool

	// All below is guarded by limiter.mu.
	bucket      bucket
	weight      float64
	tag         float64 // start tag of the next step, on the queue's axis
	first, last *waiter // those who wait, in order of arrival
	due         int64   // when the bucket covers the next step
	// Positions in the queue's and the limiter's heaps.
	readyPos, heldPos int
}

// NewTask returns a task below the global limit and in no queue, with a limit
// of its own and a weight; see Queue.NewTask.
func (l *Limiter) NewTask(limit Rate, weight int) *Task { return l.root.NewTask(limit, weight) }

// NewTask returns a task in the queue with a limit of its own. Of bandwidth
// that tasks compete for, each gets a share proportional to its weight; a
// weight below 1 counts as 1.
func (q *Queue) NewTask(limit Rate, weight int) *Task {
	t := &Task{queue: q, readyPos: absent, heldPos: absent}
	t.SetWeight(weight)
	t.SetRate(limit)
	return t
}

// SetRate changes the task's limit. Those who wait are reconsidered at once.
func (t *Task) SetRate(limit Rate) {
	l := t.queue.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.dispatch(now)
	t.bucket.advance(now, 0)
	t.bucket.setRate(limit, l.burst)
	t.limited.Store(limit > 0)
	l.placeTask(t, now)
	l.dispatch(now)
}

// SetWeight changes the task's weight for all that is granted from now on; a
// weight below 1 counts as 1.
func (t *Task) SetWeight(weight int) {
	l := t.queue.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	t.weight = float64(max(1, weight))
}

// free reports that no limit applies to the task.
func (t *Task) free() bool {
	return !t.queue.limiter.limited.Load() && !t.queue.limited.Load() && !t.limited.Load()
}

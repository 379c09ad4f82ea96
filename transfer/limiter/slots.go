package limiter

import (
	"context"
	"sync"
)

// Slots is a bound on how many segments of all tasks are active at once. A
// slot that becomes free goes to the task that holds the fewest of those that
// wait, and within one task to whoever asked first, so that a task with many
// segments cannot crowd out the others. Time spent waiting for a slot is not
// the peer's silence.
//
// Slots may be used by any number of goroutines at once.
type Slots struct {
	mu      sync.Mutex
	size    int
	taken   int
	arrived uint64
	wanting heap[*Holder]
}

// NewSlots returns so many slots; with none, all wait until there are some.
func NewSlots(size int) *Slots {
	return &Slots{
		size: size,
		wanting: heap[*Holder]{
			less: func(a, b *Holder) bool {
				return a.held < b.held || a.held == b.held && a.queue[0].arrival < b.queue[0].arrival
			},
			pos: func(h *Holder) *int { return &h.pos },
		},
	}
}

// Resize changes the number of slots. Slots that are held stay held.
func (s *Slots) Resize(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size = size
	s.assign()
}

// Waiting returns how many wait for a slot at this moment.
func (s *Slots) Waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, h := range s.wanting.items {
		n += len(h.queue)
	}
	return n
}

// Holder is one task's claim on slots. Make one with Slots.NewHolder; it
// needs no closing.
type Holder struct {
	slots *Slots
	held  int
	queue []*claim // those who wait, in order of arrival
	pos   int
}

type claim struct {
	arrival uint64
	granted chan struct{} // closed when granted
}

// NewHolder returns a new task's claim.
func (s *Slots) NewHolder() *Holder { return &Holder{slots: s, pos: absent} }

// Acquire blocks until the holder has one slot more, or until ctx is done, and
// then returns ctx.Err(). Every Acquire that returns nil needs one Release.
func (h *Holder) Acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s := h.slots
	s.mu.Lock()
	s.arrived++
	c := &claim{arrival: s.arrived, granted: make(chan struct{})}
	h.queue = append(h.queue, c)
	s.want(h)
	s.assign()
	s.mu.Unlock()

	select {
	case <-c.granted:
		return nil
	case <-ctx.Done():
		h.withdraw(c)
		return ctx.Err()
	}
}

// Release gives one slot back.
func (h *Holder) Release() {
	s := h.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	h.release()
}

// release needs slots.mu.
func (h *Holder) release() {
	s := h.slots
	if h.held == 0 {
		panic("limiter: Release without Acquire")
	}
	h.held--
	s.taken--
	s.want(h)
	s.assign()
}

// withdraw removes a claim; a slot that it has been given meanwhile goes back.
func (h *Holder) withdraw(c *claim) {
	s := h.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range h.queue {
		if other == c {
			s.wanting.drop(h)
			h.queue = append(h.queue[:i], h.queue[i+1:]...)
			s.want(h)
			return
		}
	}
	h.release()
}

// want puts h in its place among those that want slots, if it does; it needs
// mu. A holder leaves the heap before its queue may become empty.
func (s *Slots) want(h *Holder) {
	if len(h.queue) > 0 {
		s.wanting.put(h)
	}
}

// assign hands out free slots; it needs mu.
func (s *Slots) assign() {
	for s.taken < s.size {
		h, ok := s.wanting.top()
		if !ok {
			return
		}
		s.wanting.drop(h)
		close(h.queue[0].granted)
		h.queue = h.queue[1:]
		h.held++
		s.taken++
		s.want(h)
	}
}

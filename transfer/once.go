package transfer

import (
	"context"
	"sync"
)

// Once reads something once for everybody: an index that every package of a
// pass needs. The first caller starts the read; it runs apart from any caller,
// and all who ask meanwhile or later get its value. A fault goes to those who
// were waiting for it and is forgotten: the next caller asks again. A caller
// that leaves does not end the read for the others.
//
// The read belongs outside the budget of any one caller, since it serves them
// all; it must be bounded by itself, as a Client's transfers are. Make one
// Once for each pass; its methods may be called by many goroutines at once.
type Once[T any] struct {
	read func(context.Context) (T, error)

	mu      sync.Mutex
	current *onceRun[T]
}

type onceRun[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// NewOnce returns a Once that reads with the function. Its context has the
// values of the first caller's context and is never cancelled.
func NewOnce[T any](read func(context.Context) (T, error)) *Once[T] {
	return &Once[T]{read: read}
}

// Get returns the value, reading it if nobody has. When ctx ends first, it
// returns what ctx says, as a Client does.
func (o *Once[T]) Get(ctx context.Context) (T, error) {
	if ctx.Err() != nil {
		var zero T
		return zero, cancellation(ctx)
	}
	o.mu.Lock()
	run := o.current
	if run == nil {
		run = &onceRun[T]{done: make(chan struct{})}
		o.current = run
		go o.run(context.WithoutCancel(ctx), run)
	}
	o.mu.Unlock()
	select {
	case <-run.done:
		return run.value, run.err
	case <-ctx.Done():
	}
	// Both may have come; the value is then as good as ever.
	select {
	case <-run.done:
		return run.value, run.err
	default:
		var zero T
		return zero, cancellation(ctx)
	}
}

func (o *Once[T]) run(ctx context.Context, run *onceRun[T]) {
	run.value, run.err = o.read(ctx)
	if run.err != nil {
		o.mu.Lock()
		o.current = nil
		o.mu.Unlock()
	}
	close(run.done)
}

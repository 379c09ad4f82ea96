package limiter

import (
	"context"
	"io"
	"time"
)

// Reader returns a reader of r that asks the task for every byte it has read,
// before it hands it on, and reads at most MaxStep bytes at a time. It pays
// for what arrived and not for what might: a peer that is silent holds back
// nobody else. When ctx is done the bytes read last are returned beside
// ctx.Err().
func (t *Task) Reader(ctx context.Context, r io.Reader) *Reader {
	return &Reader{task: t, ctx: ctx, r: r}
}

// Reader is a limited reader; it must not be used by two goroutines at once.
type Reader struct {
	task   *Task
	ctx    context.Context
	r      io.Reader
	waited time.Duration
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p[:min(len(p), MaxStep)])
	waited, werr := r.task.waitTimed(r.ctx, n)
	r.waited += waited
	if werr != nil && (err == nil || err == io.EOF) {
		err = werr
	}
	return n, err
}

// Waited returns how long reads have waited for the limiter so far.
func (r *Reader) Waited() time.Duration { return r.waited }

// Writer returns a writer to w that asks the task for every byte before it
// writes it, at most MaxStep bytes at a time. What w does not take is given
// back.
func (t *Task) Writer(ctx context.Context, w io.Writer) *Writer {
	return &Writer{task: t, ctx: ctx, w: w}
}

// Writer is a limited writer; it must not be used by two goroutines at once.
type Writer struct {
	task   *Task
	ctx    context.Context
	w      io.Writer
	waited time.Duration
}

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (written int, err error) {
	for len(p) > 0 {
		chunk := p[:min(len(p), MaxStep)]
		waited, err := w.task.waitTimed(w.ctx, len(chunk))
		w.waited += waited
		if err != nil {
			return written, err
		}
		n, err := w.w.Write(chunk)
		written += n
		if n < len(chunk) {
			w.task.returnUnused(len(chunk) - n)
			if err == nil {
				err = io.ErrShortWrite
			}
		}
		if err != nil {
			return written, err
		}
		p = p[n:]
	}
	return written, nil
}

// Waited returns how long writes have waited for the limiter so far.
func (w *Writer) Waited() time.Duration { return w.waited }

// waitTimed is Wait that also says how long it took.
func (t *Task) waitTimed(ctx context.Context, n int) (time.Duration, error) {
	if t.free() {
		return 0, t.Wait(ctx, n)
	}
	clock := t.queue.limiter.clock
	start := clock.Now()
	err := t.Wait(ctx, n)
	return clock.Now().Sub(start), err
}

// returnUnused gives back n bytes that were granted and not used.
func (t *Task) returnUnused(n int) {
	if t.free() {
		return
	}
	l := t.queue.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveBack(t, n)
}

package logfile

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Reader yields the entries of all inputs in the total order. It is used by
// one goroutine, and must be closed.
type Reader struct {
	inputs  []*input
	spool   *spool
	merged  *merger
	ties    *ties
	window  ingest.Window
	arrival uint64
	entries int64
	bytes   int64
	last    int64
}

var _ ingest.Reader = (*Reader)(nil)

// Next fills e with the next entry; see [ingest.Reader].
func (r *Reader) Next(ctx context.Context, e *ingest.Entry) error {
	if r.arrival%1024 == 0 && ctx.Err() != nil {
		return fmt.Errorf("stopped %s: %w", describe(r.last, r.entries > 0), ctx.Err())
	}
	it, err := r.ties.next()
	if err == io.EOF {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("%w, %s", err, describe(r.last, r.entries > 0))
	}
	*e = ingest.Entry{
		UnixNano:  it.nano,
		Stream:    it.stream,
		Line:      it.line,
		Metadata:  it.metadata,
		Arrival:   r.arrival,
		Ordered:   it.ordered,
		Inherited: it.inherited,
	}
	r.arrival++
	r.entries++
	r.bytes += int64(len(it.line))
	r.inputs[it.source].yielded++
	r.last = it.nano
	return nil
}

// Window is what is read: resolved from the options, and from the times of
// the entries where they leave a side open. It is empty when there is no
// entry and no bound was given.
func (r *Reader) Window() ingest.Window { return r.window }

// Stats tells what has been read so far.
func (r *Reader) Stats() ingest.ReadStats {
	s := ingest.ReadStats{Entries: r.entries, Bytes: r.bytes, Problems: collectProblems(r.inputs)}
	for _, in := range r.inputs {
		s.Skipped += in.skipped
		s.Partial = s.Partial || in.partial
	}
	return s
}

// Source says what one input was and what came of it.
type Source struct {
	Path        string
	Format      string
	Compression string // "none", "gzip" or "zstd"
	// First and Last are the times of its earliest and newest entry, in
	// nanoseconds, whether in the window or not; 0 when it has none.
	First, Last int64
	// OutOfOrder is how many of its entries stand before one that is earlier
	// (for an input written newest first: later).
	OutOfOrder  int64
	NewestFirst bool
	Entries     int64 // yielded so far
	Skipped     int64 // pieces that were no entry
	Partial     bool  // something of it could not be read
}

// Sources lists the inputs in the order in which they were given.
func (r *Reader) Sources() []Source {
	list := make([]Source, len(r.inputs))
	for i, in := range r.inputs {
		list[i] = Source{
			Path: in.name(), Compression: in.compression, Entries: in.yielded,
			Skipped: in.skipped, Partial: in.partial, First: in.first, Last: in.last,
			OutOfOrder: min(in.ascents, in.descents), NewestFirst: in.descents > in.ascents,
		}
		if in.format != nil {
			list[i].Format = in.format.Name
		}
	}
	return list
}

// Close releases files and memory. It may be called more than once.
func (r *Reader) Close() error {
	if r.merged != nil {
		r.merged.close()
	}
	if r.spool != nil {
		r.spool.close()
	}
	for _, in := range r.inputs {
		in.close()
	}
	return nil
}

func timeText(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

package ingest

import (
	"bytes"
	"context"
	"hash/maphash"
)

// Repeats is a Reader that counts entries shipped twice: those that equal an
// earlier one in stream, time and line. It hands them on, or drops them.
//
// Equal lines at one time may also be two events, where the clock is coarse;
// that is why they are only counted unless the caller knows better. Lines
// without a time of their own are never taken for repeated, and of a stream's
// lines at one time those behind the first repeatsBytes are not compared.
type Repeats struct {
	from Reader
	drop bool
	seed maphash.Seed

	count  int64
	nano   int64
	stream *Stream
	begun  bool
	seen   []seenLine     // of the current stream and time
	latest map[uint64]int // index in seen by hash
	text   []byte         // their lines
}

// repeatsBytes bounds what is remembered of one stream and time.
const repeatsBytes = 1 << 20

type seenLine struct {
	start, end int
	previous   int // line with the same hash, -1 for none
}

// NewRepeats wraps a Reader, which must yield entries in the total order.
func NewRepeats(from Reader, drop bool) *Repeats {
	return &Repeats{from: from, drop: drop, seed: maphash.MakeSeed(), latest: map[uint64]int{}}
}

// Next fills e with the next entry; see [Reader].
func (r *Repeats) Next(ctx context.Context, e *Entry) error {
	for {
		if err := r.from.Next(ctx, e); err != nil {
			return err
		}
		if !r.repeated(e) {
			return nil
		}
		r.count++
		if !r.drop {
			return nil
		}
	}
}

// repeated reports whether e equals an entry before it, and remembers it.
func (r *Repeats) repeated(e *Entry) bool {
	if !r.begun || e.UnixNano != r.nano || e.Stream != r.stream {
		r.begun, r.nano, r.stream = true, e.UnixNano, e.Stream
		r.seen, r.text = r.seen[:0], r.text[:0]
		clear(r.latest)
	}
	if e.Inherited {
		return false
	}
	hash := maphash.Bytes(r.seed, e.Line)
	last, known := r.latest[hash]
	if !known {
		last = -1
	}
	for i := last; i >= 0; i = r.seen[i].previous {
		if s := r.seen[i]; bytes.Equal(r.text[s.start:s.end], e.Line) {
			return true
		}
	}
	if len(r.text) < repeatsBytes {
		start := len(r.text)
		r.text = append(r.text, e.Line...)
		r.latest[hash] = len(r.seen)
		r.seen = append(r.seen, seenLine{start: start, end: len(r.text), previous: last})
	}
	return false
}

// Repeated returns how many repeated entries have come so far.
func (r *Repeats) Repeated() int64 { return r.count }

// Stats tells what has been read; dropped entries are not among the entries.
func (r *Repeats) Stats() ReadStats {
	s := r.from.Stats()
	if r.drop {
		s.Entries -= r.count
	}
	return s
}

package ingest

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"strings"
)

// Repeats is a Reader that counts entries shipped twice: those that equal an
// earlier one in stream, time and line. It hands them on, or drops them.
//
// Equal lines at one time may also be two events, where the clock is coarse;
// that is why they are only counted unless the caller knows better. A line
// without a time of its own is repeated where it follows a repeated one and
// equals a line of that stream and time. Of a stream's lines at one time those
// behind the first repeatsBytes are not compared.
type Repeats struct {
	from Reader
	drop bool
	seed maphash.Seed

	count   int64
	nano    int64
	stream  *Stream
	begun   bool
	follows bool           // the last line with a time of its own was repeated
	seen    []seenLine     // of the current stream and time
	table   map[uint64]int // index in seen by hash
	text    []byte         // their lines
	single  int            // lines of seen that came once
	group   int64          // repeated entries of the current stream and time
	streams map[*Stream]*StreamRepeats
	facts   *StreamRepeats
}

// StreamRepeats says how many entries of one stream came more than once.
type StreamRepeats struct {
	Stream   *Stream
	Entries  int64 // all of them, the repeated ones included
	Repeated int64
	// Whole counts the times at which every line of the stream came more than
	// once, and Times those at which it has any: a stream shipped twice has
	// the former, a program that says the same thing twice hardly ever.
	Whole, Times int64
	// ResolutionNano is the largest power of ten, in nanoseconds and up to a
	// second, of which every time is a multiple.
	ResolutionNano int64
}

// repeatsBytes bounds what is remembered of one stream and time.
const repeatsBytes = 1 << 20

type seenLine struct {
	start, end int
	previous   int // line with the same hash, -1 for none
	again      bool
}

// NewRepeats wraps a Reader, which must yield entries in the total order.
func NewRepeats(from Reader, drop bool) *Repeats {
	return &Repeats{from: from, drop: drop, seed: maphash.MakeSeed(), table: map[uint64]int{}, streams: map[*Stream]*StreamRepeats{}}
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
		r.facts.Repeated++
		r.group++
		if !r.drop {
			return nil
		}
	}
}

// repeated reports whether e equals an entry before it, and remembers it.
func (r *Repeats) repeated(e *Entry) bool {
	if !r.begun || e.UnixNano != r.nano || e.Stream != r.stream {
		r.turn(e)
	}
	r.facts.Entries++
	if len(r.seen) == 0 {
		// Most lines are alone with their time: no hash is needed yet.
		r.remember(e.Line)
		return false
	}
	if len(r.table) == 0 {
		r.table[r.hash(&r.seen[0])] = 0
	}
	hash := maphash.Bytes(r.seed, e.Line)
	last, known := r.table[hash]
	if !known {
		last = -1
	}
	for i := last; i >= 0; i = r.seen[i].previous {
		s := &r.seen[i]
		if !bytes.Equal(r.text[s.start:s.end], e.Line) {
			continue
		}
		if e.Inherited && !r.follows {
			return false
		}
		if !s.again {
			s.again = true
			r.single--
		}
		r.follows = true
		return true
	}
	if !e.Inherited {
		r.follows = false
	}
	if len(r.text) < repeatsBytes {
		r.table[hash] = len(r.seen)
		r.remember(e.Line)
		r.seen[len(r.seen)-1].previous = last
	}
	return false
}

// remember keeps a line that came for the first time.
func (r *Repeats) remember(line []byte) {
	start := len(r.text)
	r.text = append(r.text, line...)
	r.seen = append(r.seen, seenLine{start: start, end: len(r.text), previous: -1})
	r.single++
}

func (r *Repeats) hash(s *seenLine) uint64 { return maphash.Bytes(r.seed, r.text[s.start:s.end]) }

// turn ends one stream and time, and begins that of e.
func (r *Repeats) turn(e *Entry) {
	r.settle()
	if r.facts == nil || r.stream != e.Stream {
		r.facts = r.streams[e.Stream]
		if r.facts == nil {
			r.facts = &StreamRepeats{Stream: e.Stream, ResolutionNano: 1e9}
			r.streams[e.Stream] = r.facts
		}
	}
	for r.facts.ResolutionNano > 1 && e.UnixNano%r.facts.ResolutionNano != 0 {
		r.facts.ResolutionNano /= 10
	}
	r.begun, r.nano, r.stream, r.follows = true, e.UnixNano, e.Stream, false
	r.seen, r.text, r.single = r.seen[:0], r.text[:0], 0
	if len(r.table) > 0 {
		clear(r.table)
	}
}

// settle counts the current stream and time.
func (r *Repeats) settle() {
	if r.facts == nil || len(r.seen) == 0 {
		return
	}
	r.facts.Times++
	if r.group > 0 && r.single == 0 {
		r.facts.Whole++
	}
	r.group, r.seen = 0, r.seen[:0]
}

// Repeated returns how many repeated entries have come so far.
func (r *Repeats) Repeated() int64 { return r.count }

// Streams lists the streams with repeated entries, sorted by their keys. It is
// called after the last entry.
func (r *Repeats) Streams() []StreamRepeats {
	r.settle()
	var list []StreamRepeats
	for _, s := range r.streams {
		if s.Repeated > 0 {
			list = append(list, *s)
		}
	}
	slices.SortFunc(list, func(a, b StreamRepeats) int {
		return cmp.Or(strings.Compare(a.Stream.Key, b.Stream.Key), cmp.Compare(b.Repeated, a.Repeated))
	})
	return list
}

// Stats tells what has been read; dropped entries are not among the entries.
func (r *Repeats) Stats() ReadStats {
	s := r.from.Stats()
	if r.drop {
		s.Entries -= r.count
	}
	return s
}

package ingest

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Defaults of AssemblerOptions.
const (
	DefaultMaxRecordBytes = 256 << 10
	DefaultMaxOpen        = 10000
	DefaultMaxOpenBytes   = 32 << 20
	DefaultMaxGap         = 2 * time.Second
)

// AssemblerOptions bound what an Assembler holds and say how it joins. Zero
// values mean the defaults.
type AssemblerOptions struct {
	// MaxRecordBytes bounds the text of one record, in bytes. What is over it
	// is dropped, the record marked Truncated.
	MaxRecordBytes int
	// MaxOpen bounds the streams that have an unfinished record, and
	// MaxOpenBytes the bytes all unfinished records hold. Above either the
	// record that waited longest is closed.
	MaxOpen      int
	MaxOpenBytes int
	// MaxGap is how long after a record's last entry another entry of its
	// stream may still continue it.
	MaxGap time.Duration
	// Lines makes every entry a record of its own.
	Lines bool
}

// AssemblerStats count what an Assembler did.
type AssemblerStats struct {
	Entries   int64 // entries added
	Records   int64 // records emitted
	Headless  int64 // records whose header was not in the input
	Truncated int64 // records cut at MaxRecordBytes
	Evicted   int64 // records closed because of MaxOpen or MaxOpenBytes
	Ties      int64 // groups of entries of one time and stream that had no order
}

// Assembler makes records of entries. Entries of one stream must come in
// order of time; how the entries of different streams interleave does not
// matter to the records, as long as no bound is hit.
//
// A record ends when an entry of its stream begins the next one or cannot
// continue it, when MaxGap has passed in the input's own time, or at Flush.
// Records of one stream are emitted in order; between streams there is none.
//
// Two writers of the .NET console may put their headers before either writes
// its message. Such entries are treated as if they had one time, see
// tieGroup.interleaves.
//
// Entries of one stream and time are first collected. If all are Ordered they
// are taken in the order of their arrival, unless no program can have written
// them so; else they are put in canonical order (see tieGroup), so that any
// permutation of them gives the same records. Stack frames that came as
// entries of one time are sorted in either case, see Record.TiedFrames.
//
// An Assembler must not be used by two goroutines at once.
type Assembler struct {
	opt     AssemblerOptions
	emit    func(*Record) error
	streams map[*Stream]*openStream
	// The open streams, the one that waited longest first.
	oldest, newest *openStream
	free           []*openStream
	last           *openStream // the stream of the entry before
	now            int64       // the latest time seen
	open           int         // streams in the list
	held           int         // bytes held by open records
	stats          AssemblerStats
	look           look
	rec            Record
	build          builder
}

// NewAssembler returns an Assembler that hands each finished record to emit.
// The record is valid only during the call; an error of emit is returned by
// the Add or Flush that caused it.
func NewAssembler(o AssemblerOptions, emit func(*Record) error) *Assembler {
	if o.MaxRecordBytes <= 0 {
		o.MaxRecordBytes = DefaultMaxRecordBytes
	}
	if o.MaxOpen <= 0 {
		o.MaxOpen = DefaultMaxOpen
	}
	if o.MaxOpenBytes <= 0 {
		o.MaxOpenBytes = DefaultMaxOpenBytes
	}
	if o.MaxGap <= 0 {
		o.MaxGap = DefaultMaxGap
	}
	return &Assembler{opt: o, emit: emit, streams: map[*Stream]*openStream{}, now: -1 << 63}
}

// Stats tells what has been done so far.
func (a *Assembler) Stats() AssemblerStats { return a.stats }

// Add takes the next entry. It copies what it keeps.
func (a *Assembler) Add(e *Entry) error {
	a.stats.Entries++
	if e.UnixNano > a.now {
		a.now = e.UnixNano
		if err := a.closeExpired(); err != nil {
			return err
		}
	}
	s := a.last
	if s == nil || s.stream != e.Stream {
		s = a.lookup(e.Stream)
		a.last = s
	}
	a.touch(s)
	before := s.size()
	if a.opt.Lines {
		a.look.of(e.Line)
		s.begin(a, e)
		return a.finish(s)
	}
	if len(s.ties.units) > 0 && (s.ties.ns != e.UnixNano && !s.ties.interleaves(e) || s.ties.full(a.opt.MaxRecordBytes)) {
		if err := a.settle(s); err != nil {
			return err
		}
	}
	if s.ties.mixes(e) {
		if err := a.splitTies(s); err != nil {
			return err
		}
	}
	s.ties.add(e)
	a.held += s.size() - before
	return a.closeExcess(s)
}

// Flush closes all open records, in order of their time and then their
// stream's key. The Assembler can be used further.
func (a *Assembler) Flush() error {
	var rest []*openStream
	for s := a.oldest; s != nil; s = s.next {
		rest = append(rest, s)
	}
	slices.SortFunc(rest, func(x, y *openStream) int {
		return cmp.Or(cmp.Compare(x.firstTime(), y.firstTime()), strings.Compare(x.stream.Key, y.stream.Key))
	})
	for _, s := range rest {
		if err := a.release(s); err != nil {
			return err
		}
	}
	return nil
}

// place puts an entry whose position in its stream is known.
func (a *Assembler) place(s *openStream, e *Entry) error {
	a.look.of(e.Line)
	if s.active {
		if s.continues(&a.look, e, int64(a.opt.MaxGap)) {
			s.extend(a, e)
			return nil
		}
		if err := a.finish(s); err != nil {
			return err
		}
	}
	s.begin(a, e)
	return nil
}

// finish parses and emits the open record of s, if there is one.
func (a *Assembler) finish(s *openStream) error {
	if !s.active {
		return nil
	}
	r := &a.rec
	a.build.record(s, r)
	s.reset()
	a.stats.Records++
	if r.Headless {
		a.stats.Headless++
	}
	if r.Truncated {
		a.stats.Truncated++
	}
	return a.emit(r)
}

// release closes everything s holds and gives the state back.
func (a *Assembler) release(s *openStream) error {
	before := s.size()
	err := a.settle(s)
	if err2 := a.finish(s); err == nil {
		err = err2
	}
	a.held -= before
	a.unlink(s)
	delete(a.streams, s.stream)
	if a.last == s {
		a.last = nil
	}
	s.stream = nil
	if cap(s.text)+cap(s.clean)+cap(s.ties.text) <= 16<<10 && cap(s.lines)+cap(s.ties.units) <= 256 && len(a.free) < 1024 {
		a.free = append(a.free, s)
	}
	return err
}

// closeExpired closes the records that nothing can continue any more: an
// entry later than MaxGap after their last one begins a new record anyway.
func (a *Assembler) closeExpired() error {
	for s := a.oldest; s != nil && a.now-s.lastNS > int64(a.opt.MaxGap); s = a.oldest {
		if err := a.release(s); err != nil {
			return err
		}
	}
	return nil
}

// closeExcess keeps the bounds on what is open; s itself stays.
func (a *Assembler) closeExcess(s *openStream) error {
	for (a.open > a.opt.MaxOpen || a.held > a.opt.MaxOpenBytes) && a.oldest != s {
		a.stats.Evicted++
		if err := a.release(a.oldest); err != nil {
			return err
		}
	}
	return nil
}

func (a *Assembler) lookup(st *Stream) *openStream {
	if s, ok := a.streams[st]; ok {
		return s
	}
	var s *openStream
	if n := len(a.free); n > 0 {
		s, a.free = a.free[n-1], a.free[:n-1]
	} else {
		s = &openStream{}
	}
	s.reset()
	s.stream = st
	s.lastNS = a.now
	s.labelLevel = streamLevel(st)
	a.streams[st] = s
	a.open++
	s.prev, s.next = a.newest, nil
	if a.newest != nil {
		a.newest.next = s
	} else {
		a.oldest = s
	}
	a.newest = s
	return s
}

// touch makes s the stream that waited least.
func (a *Assembler) touch(s *openStream) {
	s.lastNS = a.now
	if a.newest == s {
		return
	}
	a.unlinkOnly(s)
	s.prev, s.next = a.newest, nil
	if a.newest != nil {
		a.newest.next = s
	} else {
		a.oldest = s
	}
	a.newest = s
}

func (a *Assembler) unlink(s *openStream) {
	a.unlinkOnly(s)
	a.open--
}

func (a *Assembler) unlinkOnly(s *openStream) {
	if s.prev != nil {
		s.prev.next = s.next
	} else {
		a.oldest = s.next
	}
	if s.next != nil {
		s.next.prev = s.prev
	} else {
		a.newest = s.prev
	}
	s.prev, s.next = nil, nil
}

package ingest

import (
	"bytes"
	"cmp"
	"slices"
)

// maxTies bounds how many entries of one stream and time are held together.
const maxTies = 4096

// tieGroup holds the entries of one stream and time until the next time of
// the stream comes. If they have no order they are then placed in canonical
// order:
//
//   - What begins a record is a head, sorted by text. Everything else is a
//     part: indented messages, exceptions, frames.
//   - Each header of the .NET console takes one message, the one that fits
//     its category best (see affinity); further messages go where they fit
//     best.
//   - Exceptions and frames go with the most severe head; among equals with
//     the one whose category they mention.
//   - Loki keeps one of several equal entries, so two records with one header
//     arrive as that header and two messages. Messages of one shape under one
//     header are therefore told apart into records that share it.
//
// Parts without any head continue the record before, or are headless records.
type tieGroup struct {
	ns        int64 // of the last entry; of all, unless writers interleave
	text      []byte
	clean     []byte
	meta      []Label
	units     []tieUnit
	unordered bool // an entry was not Ordered
	inherited bool // an entry had no time of its own

	heads, parts []int
	messages     int // how many parts are messages
}

// tieUnit is one entry of a group.
type tieUnit struct {
	ns           int64
	start, end   int // in text
	mstart, mend int // in meta
	arrival      uint64
	follows      bool // has no time of its own: bound to the unit before
	cstart, cend int  // the first line, cleaned, in clean
	kind         lineKind
	indent       int
	head         head
}

func (t *tieGroup) add(e *Entry) {
	u := tieUnit{ns: e.UnixNano, start: len(t.text), mstart: len(t.meta), arrival: e.Arrival, follows: e.Inherited && len(t.units) > 0}
	t.ns = e.UnixNano
	t.unordered = t.unordered || !e.Ordered
	t.inherited = t.inherited || e.Inherited
	t.text = append(t.text, e.Line...)
	t.meta = append(t.meta, e.Metadata...)
	u.end, u.mend = len(t.text), len(t.meta)
	t.units = append(t.units, u)
}

func (t *tieGroup) reset() {
	t.text, t.clean, t.meta, t.units = t.text[:0], t.clean[:0], t.meta[:0], t.units[:0]
	t.unordered, t.inherited = false, false
}

func (t *tieGroup) full(maxRecord int) bool {
	return len(t.units) >= maxTies || len(t.text) >= 4*maxRecord
}

// entry makes the unit an entry again. It is Ordered: its place is settled.
func (t *tieGroup) entry(s *Stream, i int) Entry {
	u := &t.units[i]
	return Entry{
		UnixNano: u.ns, Stream: s, Line: t.text[u.start:u.end], Metadata: t.meta[u.mstart:u.mend],
		Arrival: u.arrival, Ordered: true, Inherited: u.follows,
	}
}

func (t *tieGroup) line(i int) []byte { u := &t.units[i]; return t.clean[u.cstart:u.cend] }

// settle places the tied entries of s.
func (a *Assembler) settle(s *openStream) error {
	t := &s.ties
	if len(t.units) == 0 {
		return nil
	}
	defer t.reset()
	if len(t.units) == 1 {
		e := t.entry(s.stream, 0)
		return a.place(s, &e)
	}
	if !t.unordered && (t.inherited || t.full(a.opt.MaxRecordBytes)) {
		return a.placeInOrder(s)
	}
	heads, parts := t.sorted(&a.look)
	if !t.unordered && t.plausible(s) {
		return a.placeInOrder(s)
	}
	a.stats.Ties++
	if len(heads) == 0 {
		return a.placeAll(s, parts)
	}
	if len(heads) == 1 && t.messages <= 1 && !t.units[heads[0]].head.format.selfContained() {
		// The common case: one record.
		if err := a.finish(s); err != nil {
			return err
		}
		if err := a.forced(s, heads[0], true, false); err != nil {
			return err
		}
		return a.forcedAll(s, parts, false)
	}
	p := pairing{t: t, heads: heads}
	rest := p.pair(parts, s.wantsMessage())
	if err := a.placeAll(s, rest); err != nil {
		return err
	}
	for _, r := range p.records() {
		if err := a.finish(s); err != nil {
			return err
		}
		if err := a.forced(s, r.head, true, r.shared); err != nil {
			return err
		}
		if err := a.forcedAll(s, r.own, false); err != nil {
			return err
		}
		if err := a.forcedAll(s, r.stack, r.shared); err != nil {
			return err
		}
	}
	return nil
}

// placeInOrder places the units as they arrived.
func (a *Assembler) placeInOrder(s *openStream) error {
	for i := range s.ties.units {
		e := s.ties.entry(s.stream, i)
		if err := a.place(s, &e); err != nil {
			return err
		}
	}
	return nil
}

// orderGap is how long, in nanoseconds, after its last entry a record still
// takes parts that stand before the next header of the same time: clocks of
// whole milliseconds split a record so.
const orderGap = 10e6

// plausible reports whether a program can have written the group's entries in
// the order of their arrival. What a server gave back can stand in a file in
// an order that says nothing. It shows where a part comes before every header,
// with no record open that it could continue; where a header of the .NET
// console stands without its message while another has more than one; and
// where one header has two sentences of Polly, each of which is a record.
func (t *tieGroup) plausible(s *openStream) bool {
	if len(t.heads) == 0 || len(t.parts) == 0 {
		return true
	}
	leading := t.part(0)
	if leading && (!s.active || t.ns-s.entryNS > orderGap) {
		return false
	}
	if leading && s.wantsMessage() {
		return true
	}
	headers, bare, sentences := 0, 0, 0
	for i := range t.units {
		switch u := &t.units[i]; {
		case u.kind == kindHeader && u.head.format == FormatDotnetConsole && u.head.message.start == u.head.message.end:
			headers++
			sentences = 0
			last := i+1 == len(t.units)
			if last && leading {
				return false
			}
			if !last && !t.part(i+1) {
				bare++
			}
		case u.kind <= kindText:
			sentences = 0
		case u.kind == kindMessage && pollySentence(t.line(i)[u.indent:]) >= 0:
			if sentences++; sentences > 1 {
				return false
			}
		}
	}
	return bare == 0 || !leading && t.messages < headers
}

// part reports whether a unit is one that continues a record.
func (t *tieGroup) part(i int) bool {
	k := t.units[i].kind
	return k > kindText && k < kindBlank && (t.units[i].indent > 0 || k == kindFrame || k == kindCause)
}

// placeAll places units, each with those bound to it, where they fit.
func (a *Assembler) placeAll(s *openStream, units []int) error {
	for _, i := range units {
		for j := i; j == i || j < len(s.ties.units) && s.ties.units[j].follows; j++ {
			e := s.ties.entry(s.stream, j)
			if err := a.place(s, &e); err != nil {
				return err
			}
		}
	}
	return nil
}

// forced begins or extends the open record with a unit; those bound to it
// follow where they fit. shared says that the unit has been counted in another
// record already, which has also what is bound to it.
func (a *Assembler) forced(s *openStream, i int, begin, shared bool) error {
	e := s.ties.entry(s.stream, i)
	a.look.of(e.Line)
	if begin {
		s.begin(a, &e)
	} else {
		s.extend(a, &e)
	}
	if shared {
		s.entries--
		return nil
	}
	for j := i + 1; j < len(s.ties.units) && s.ties.units[j].follows; j++ {
		e := s.ties.entry(s.stream, j)
		if err := a.place(s, &e); err != nil {
			return err
		}
	}
	return nil
}

// forcedAll extends the open record with units.
func (a *Assembler) forcedAll(s *openStream, units []int, shared bool) error {
	for _, i := range units {
		if err := a.forced(s, i, false, shared); err != nil {
			return err
		}
	}
	return nil
}

// wantsMessage reports whether the open record is a header of the .NET
// console that waits for its message.
func (s *openStream) wantsMessage() bool {
	return s.active && s.format == FormatDotnetConsole && !s.headless && len(s.lines) == 1 && s.head.message.start == s.head.message.end
}

// sorted looks at all units and returns the heads and the parts in canonical
// order, leaving out what is bound to the unit before it.
func (t *tieGroup) sorted(l *look) (heads, parts []int) {
	headed := false
	heads, parts = t.heads[:0], t.parts[:0]
	t.messages = 0
	for i := range t.units {
		u := &t.units[i]
		l.of(t.text[u.start:u.end])
		u.kind, u.head, u.indent = l.kind, l.head, l.indent
		u.cstart = len(t.clean)
		t.clean = append(t.clean, l.line...)
		u.cend = len(t.clean)
		headed = headed || u.kind == kindHeader && !u.head.format.selfContained()
	}
	for i := range t.units {
		switch u := &t.units[i]; {
		case u.follows:
		case u.kind <= kindText,
			!headed && u.indent == 0 && (u.kind == kindException || u.kind == kindTrace):
			heads = append(heads, i)
		default:
			parts = append(parts, i)
			if u.kind == kindMessage {
				t.messages++
			}
		}
	}
	byText := func(x, y int) int {
		a, c := &t.units[x], &t.units[y]
		return cmp.Or(cmp.Compare(a.ns, c.ns), cmp.Compare(a.kind, c.kind), bytes.Compare(t.line(x), t.line(y)),
			bytes.Compare(t.text[a.start:a.end], t.text[c.start:c.end]), cmp.Compare(a.arrival, c.arrival))
	}
	slices.SortFunc(heads, byText)
	slices.SortFunc(parts, byText)
	t.heads, t.parts = heads, parts
	return heads, parts
}

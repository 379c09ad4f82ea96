package ingest

import (
	"bytes"
	"unicode/utf8"
)

// maxTextLines bounds how many lines without indentation and without a time
// of their own one record takes.
const maxTextLines = 100

// maxLines bounds how many lines one record holds.
const maxLines = 16384

// writeGap is how far apart, in nanoseconds, lines of one write may arrive.
// Where another writer's line would look the same, only what came so soon
// after a record's last line belongs to it.
const writeGap = 250e6

// takesMessage reports whether a record of the .NET console takes a message
// line. Its lines are one write, so a second one comes at once; and a sentence
// of Polly is a message by itself, under a header of Polly's own.
func (s *openStream) takesMessage(l *look, near bool) bool {
	has := len(s.lines) > 1 || s.head.message.start < s.head.message.end
	if pollySentence(l.line[l.indent:]) >= 0 {
		return !has && bytes.Equal(s.head.category.of(s.cleanLine(&s.lines[0])), pollyCategory)
	}
	return !has || near
}

// openLine is one line of an unfinished record.
type openLine struct {
	start, end   int // in text, as shipped
	cstart, cend int // in clean; cend is -1 where the line needed no cleaning
	ns           int64
	kind         lineKind
	entry        bool // first line of an entry
	inherited    bool // that entry had no time of its own
}

// openStream is a stream's unfinished record and the tied entries that wait
// to be put in order.
type openStream struct {
	stream     *Stream
	labelLevel Level // what the stream's labels tell of the level
	prev, next *openStream
	lastNS     int64 // input time at the last entry, for closing

	ties tieGroup

	active    bool
	text      []byte // lines as shipped, joined by line breaks
	clean     []byte // lines that needed cleaning, cleaned
	lines     []openLine
	metadata  []Label
	firstNS   int64
	entryNS   int64 // time of the record's last entry
	arrival   uint64
	entries   int
	format    Format
	head      head
	headless  bool
	truncated bool
	ownTime   bool // the first entry had a time of its own
	glue      bool // the last entry was marked as a part of a longer line
	textLines int
	trace     traceState
}

// traceState says which stack traces a record holds so far.
type traceState struct {
	exception bool // a line that names an exception
	frames    bool
	python    bool // inside a Python traceback, its last line not yet seen
	golang    bool // inside a goroutine's stack
	rust      bool // a panic, whose message is the next line
	braces    bool // a Node error object is open
}

func (t traceState) any() bool { return t.exception || t.frames || t.python || t.golang }

func (s *openStream) reset() {
	s.active = false
	s.text, s.clean, s.lines, s.metadata = s.text[:0], s.clean[:0], s.lines[:0], s.metadata[:0]
	s.entries, s.textLines = 0, 0
	s.headless, s.truncated, s.glue = false, false, false
	s.trace = traceState{}
}

// Roughly what a line and a tied entry cost beside their text, in bytes.
const (
	lineCost = 64
	unitCost = 192
)

// size is what s holds, in bytes.
func (s *openStream) size() int {
	return len(s.text) + len(s.clean) + lineCost*len(s.lines) + len(s.ties.text) + len(s.ties.clean) + unitCost*len(s.ties.units)
}

func (s *openStream) firstTime() int64 {
	if s.active {
		return s.firstNS
	}
	return s.ties.ns
}

// begin opens a record with an entry whose first line has just been looked at.
func (s *openStream) begin(a *Assembler, e *Entry) {
	l := &a.look
	s.reset()
	s.active = true
	s.firstNS, s.arrival = e.UnixNano, e.Arrival
	s.ownTime = !e.Inherited || l.indent == 0 && isRuntimeEnd(l.line)
	s.head, s.format = l.head, l.head.format
	switch l.kind {
	case kindMessage, kindException:
		if l.indent == dotnetPadding {
			s.headless, s.format = true, FormatDotnetConsole
		}
	case kindFrame, kindCause:
		s.headless = true
		if l.indent >= dotnetPadding {
			s.format = FormatDotnetConsole
		}
	}
	s.add(a, e)
	if s.truncated && len(s.lines) > 0 {
		s.head.clamp(len(s.cleanLine(&s.lines[0])))
	}
}

// extend continues the record with an entry that has just been looked at.
func (s *openStream) extend(a *Assembler, e *Entry) {
	if l := &a.look; l.kind == kindText {
		s.textLines++
	}
	s.add(a, e)
}

// add appends an entry's lines, the first of which is in a.look.
func (s *openStream) add(a *Assembler, e *Entry) {
	l := &a.look
	s.entries++
	s.entryNS = e.UnixNano
	if len(s.metadata) == 0 && len(e.Metadata) > 0 {
		s.metadata = append(s.metadata, e.Metadata...)
	}
	line, rest := e.Line, []byte(nil)
	if l.raw < len(line) {
		line, rest = line[:l.raw], line[l.raw+1:]
	}
	glued := s.glue && len(s.lines) > 0
	s.glue = l.partial
	if !s.room(a, &line) {
		return
	}
	ol := openLine{ns: e.UnixNano, kind: l.kind, entry: true, inherited: e.Inherited, cend: -1}
	s.appendRaw(&ol, line)
	if glued {
		s.join(a, &ol, l.line)
		return
	}
	if l.changed {
		ol.cstart = len(s.clean)
		s.clean = append(s.clean, l.line[:min(len(l.line), a.opt.MaxRecordBytes)]...)
		ol.cend = len(s.clean)
	}
	s.lines = append(s.lines, ol)
	s.trace.note(l.kind, l.line)
	for rest != nil {
		line = rest
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line, rest = line[:i], line[i+1:]
		} else {
			rest = nil
		}
		if !s.room(a, &line) {
			return
		}
		ol := openLine{ns: e.UnixNano, cend: -1, inherited: e.Inherited}
		s.appendRaw(&ol, line)
		clean := line
		if needsClean(line) {
			ol.cstart = len(s.clean)
			s.clean = appendClean(s.clean, line)
			ol.cend = len(s.clean)
			clean = s.clean[ol.cstart:ol.cend]
		}
		ol.kind, _ = classify(clean)
		s.lines = append(s.lines, ol)
		s.trace.note(ol.kind, clean)
	}
}

// room cuts line to what the record may still hold; false if that is nothing
// while the line is something.
func (s *openStream) room(a *Assembler, line *[]byte) bool {
	left := a.opt.MaxRecordBytes - len(s.text) - 1
	if len(s.lines) >= maxLines {
		s.truncated = true
		return false
	}
	if len(*line) <= left {
		return true
	}
	s.truncated = true
	if left <= 0 {
		if len(s.lines) > 0 {
			return false
		}
		left = 0
	}
	cut := (*line)[:left]
	for len(cut) > 0 && left-len(cut) < utf8.UTFMax && !utf8.RuneStart((*line)[len(cut)]) {
		cut = cut[:len(cut)-1]
	}
	*line = cut
	return true
}

func (s *openStream) appendRaw(ol *openLine, line []byte) {
	if len(s.lines) > 0 {
		s.text = append(s.text, '\n')
	}
	ol.start = len(s.text)
	s.text = append(s.text, line...)
	ol.end = len(s.text)
}

// join makes the record's last line longer by a part that a wrapper cut off.
func (s *openStream) join(a *Assembler, part *openLine, more []byte) {
	last := &s.lines[len(s.lines)-1]
	start := len(s.clean)
	if last.cend == len(s.clean) && last.cend >= 0 {
		start = last.cstart
	} else {
		s.clean = append(s.clean, s.cleanLine(last)...)
	}
	s.clean = append(s.clean, more[:min(len(more), max(a.opt.MaxRecordBytes-(len(s.clean)-start), 0))]...)
	last.cstart, last.cend = start, len(s.clean)
	last.end = part.end
	if len(s.lines) == 1 {
		_, s.head = classify(s.clean[start:])
		s.format = s.head.format
	}
}

// cleanLine returns a line without wrapper, escape codes and carriage return.
func (s *openStream) cleanLine(l *openLine) []byte {
	if l.cend >= 0 {
		return s.clean[l.cstart:l.cend]
	}
	return s.text[l.start:l.end]
}

// continues reports whether an entry of the same stream, whose first line is
// in l, belongs to the open record.
func (s *openStream) continues(l *look, e *Entry, gap int64) bool {
	if s.glue {
		return true
	}
	if d := e.UnixNano - s.entryNS; d < 0 || d > gap {
		return false
	}
	if s.format.selfContained() {
		return false
	}
	if l.indent == 0 && l.kind != kindHeader && !s.trace.any() && isRuntimeEnd(l.line) {
		return false
	}
	dotnet := s.format == FormatDotnetConsole
	headed := !s.headless && (s.format != FormatPlain || s.head.timed)
	near := e.UnixNano-s.entryNS <= writeGap
	// A line without a time, after one that had its own, was written with it.
	attached := e.Inherited && s.ownTime
	switch l.kind {
	case kindHeader:
		return (near || e.Inherited) && s.takesLevel(l)
	case kindBlank, kindFrame, kindCause:
		return true
	case kindTrace:
		return s.trace.any() || headed && !dotnet && near || attached
	case kindException:
		switch {
		case s.trace.python:
			return true
		case dotnet && !s.headless:
			return l.indent > 0
		case s.headless:
			return l.indent > 0 && !s.trace.any()
		case l.indent > 0:
			return headed || attached || s.trace.any()
		}
		return !s.trace.any() && (headed && near || attached)
	case kindMessage:
		if s.headless {
			return attached
		}
		if dotnet && !attached && !s.takesMessage(l, near) {
			return false
		}
		return headed || attached || s.trace.any()
	}
	switch {
	case s.trace.python:
		return endsTraceback(l.line)
	case s.trace.golang:
		return isGoCall(l.line)
	case s.trace.rust && near && s.textLines < 3:
		return true
	case s.trace.braces && len(l.line) == 1 && (l.line[0] == '}' || l.line[0] == ']'):
		return true
	}
	return attached && !dotnet && s.textLines < maxTextLines
}

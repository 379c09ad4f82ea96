package ingest

import "bytes"

// dotnetPadding is how far the .NET console formatter indents what belongs to
// a header.
const dotnetPadding = 6

// lineKind says what part of a record a line is, as far as the line alone
// tells.
type lineKind uint8

// The kinds in their canonical order within one record.
const (
	kindHeader    lineKind = iota // begins a record: a header or a whole record of a known form
	kindText                      // text without indentation of no known form
	kindMessage                   // indented text
	kindException                 // names an exception: "Type: message"
	kindCause                     // an inner link of the chain: "---> ", "Caused by: "
	kindTrace                     // opens or divides stacks: "Traceback", "goroutine 1 [running]:"
	kindFrame                     // a stack frame, or how many were left out
	kindBlank
)

// span is a part of a line.
type span struct{ start, end int }

func (s span) of(line []byte) []byte { return line[s.start:s.end] }

// head is what a record's first line tells.
type head struct {
	format   Format
	level    Level
	timed    bool // the line begins with a time
	category span
	event    span
	message  span
}

// clamp keeps the spans inside a line of n bytes.
func (h *head) clamp(n int) {
	for _, s := range [...]*span{&h.category, &h.event, &h.message} {
		s.start, s.end = min(s.start, n), min(s.end, n)
	}
}

// look is an entry's first line, cleaned and classified.
type look struct {
	line    []byte
	raw     int  // length of the line as shipped
	changed bool // line is not as shipped
	partial bool // the wrapper says that the line goes on in the next entry
	indent  int
	kind    lineKind
	head    head
	buf     []byte
}

// of looks at the first line of an entry.
func (l *look) of(entry []byte) {
	l.raw = len(entry)
	if i := bytes.IndexByte(entry, '\n'); i >= 0 {
		l.raw = i
	}
	l.line, l.changed, l.partial = entry[:l.raw], false, false
	l.buf = l.buf[:0]
	if inner, partial, ok := l.unwrap(l.line); ok {
		l.line, l.partial, l.changed = inner, partial, true
	}
	if needsClean(l.line) {
		n := len(l.buf)
		l.buf = appendClean(l.buf, l.line)
		l.line, l.changed = l.buf[n:], true
	}
	l.kind, l.head = classify(l.line)
	l.indent = indentOf(l.line)
}

func indentOf(line []byte) int {
	for i, c := range line {
		if c != ' ' && c != '\t' {
			return i
		}
	}
	return len(line)
}

// classify tells the kind of a cleaned line and, for one that begins a
// record, what its head says.
func classify(line []byte) (lineKind, head) {
	if len(line) == 0 {
		return kindBlank, head{}
	}
	switch line[0] {
	case ' ', '\t':
		n := indentOf(line)
		if n == len(line) {
			return kindBlank, head{}
		}
		return classifyPart(line[n:], true), head{message: span{n, len(line)}}
	case '{':
		if isJSONObject(line) {
			return kindHeader, head{format: FormatJSON}
		}
	}
	if h, ok := dotnetHead(line, 0); ok {
		return kindHeader, h
	}
	if k := classifyPart(line, false); k != kindText {
		return k, head{message: span{0, len(line)}}
	}
	if goPanic(line) != nil {
		return kindText, head{message: span{0, len(line)}}
	}
	if h, ok := textHead(line); ok {
		return kindHeader, h
	}
	return kindText, head{message: span{0, len(line)}}
}

// selfContained reports whether a record of this format is always one line.
func (f Format) selfContained() bool {
	switch f {
	case FormatJSON, FormatDotnetJSON, FormatSerilog:
		return true
	}
	return false
}

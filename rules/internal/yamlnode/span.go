package yamlnode

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// style is how a scalar is written.
type style uint8

const (
	plain style = iota
	singleQuoted
	doubleQuoted
	block // literal or folded
)

func styleOf(y *yaml.Node) style {
	switch {
	case y.Style&yaml.SingleQuotedStyle != 0:
		return singleQuoted
	case y.Style&yaml.DoubleQuotedStyle != 0:
		return doubleQuoted
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return block
	}
	return plain
}

// span finds where a node ends: the module tells only where it starts.
func (f *File) span(y *yaml.Node) Span {
	c := cursor{f: f, line: y.Line, off: f.offset(y.Line, y.Column)}
	one := func() Span { l, col := c.pos(); return Span{l, col, l, col + 1} }
	switch y.Kind {
	case yaml.AliasNode:
		s := one()
		s.EndCol += utf8.RuneCountInString(y.Value)
		return s
	case yaml.MappingNode:
		c.skipProperties(y.Anchor)
		if y.Style&yaml.FlowStyle == 0 && len(y.Content) > 0 {
			return f.span(y.Content[0])
		}
		return one()
	case yaml.SequenceNode:
		c.skipProperties(y.Anchor)
		return one()
	}
	c.skipProperties(y.Anchor)
	s := Span{}
	s.Line, s.Col = c.pos()
	if styleOf(y) == block {
		l := f.lineSpan(s.Line)
		s.EndLine, s.EndCol = s.Line, max(l.EndCol, s.Col+1)
		return s
	}
	c.open(styleOf(y))
	for i := 0; i < len(y.Value); {
		_, size := utf8.DecodeRuneInString(y.Value[i:])
		if !c.match(styleOf(y), y.Value[i:i+size]) {
			break
		}
		i += size
	}
	c.close(styleOf(y))
	s.EndLine, s.EndCol = c.pos()
	return s
}

// Sub returns the span of the bytes [from, to) of a scalar's decoded value in
// the source, escapes and line folding considered. What cannot be followed is
// the span of the whole scalar.
func (n *Node) Sub(from, to int) Span {
	if n.Kind != Scalar || n.file == nil || from < 0 || to < from || to > len(n.Value) {
		return n.Span
	}
	c := cursor{f: n.file, line: n.Span.Line, off: n.file.offset(n.Span.Line, n.Span.Col)}
	c.open(n.style)
	var s Span
	for i := 0; ; {
		if n.style == doubleQuoted || n.style == singleQuoted {
			c.skipContinuation(n.style)
		}
		if i >= from && s.Line == 0 {
			s.Line, s.Col = c.pos()
		}
		if i >= to || i >= len(n.Value) {
			break
		}
		_, size := utf8.DecodeRuneInString(n.Value[i:])
		if !c.match(n.style, n.Value[i:i+size]) {
			return n.Span
		}
		i += size
	}
	s.EndLine, s.EndCol = c.pos()
	if s.EndLine == s.Line && s.EndCol <= s.Col || s.EndLine < s.Line {
		s.EndLine, s.EndCol = s.Line, s.Col+1
	}
	return s
}

// Element returns the source of an element of a block list: the line on which
// it begins and those under it that are indented deeper than its dash. Of an
// element that is written in another way it is the line on which it begins.
func (f *File) Element(n *Node) string {
	first := f.Line(n.Span.Line)
	dash := len(first) - len(strings.TrimLeft(first, " "))
	text := []string{first}
	if strings.HasPrefix(first[dash:], "- ") {
		for l := n.Span.Line + 1; l <= len(f.lines); l++ {
			line := f.Line(l)
			if body := strings.TrimLeft(line, " "); body != "" && len(line)-len(body) <= dash {
				break
			}
			text = append(text, line)
		}
	}
	for len(text) > 1 && strings.TrimSpace(text[len(text)-1]) == "" {
		text = text[:len(text)-1]
	}
	return strings.Join(text, "\n")
}

// word returns the span of the text from a place to the next blank.
func (f *File) word(line, col int) Span {
	c := cursor{f: f, line: line, off: f.offset(line, col)}
	word, _, _ := strings.Cut(c.rest(), " ")
	return Span{line, col, line, col + max(1, utf8.RuneCountInString(word))}
}

// offset turns a column of a line (code points, from 1) into a byte offset.
func (f *File) offset(line, col int) int {
	text := f.Line(line)
	m := &f.mark
	if m.line != line || m.col > col {
		m.line, m.off, m.col = line, 0, 1
	}
	for m.col < col && m.off < len(text) {
		_, size := utf8.DecodeRuneInString(text[m.off:])
		m.off += size
		m.col++
	}
	return m.off
}

// column turns a byte offset in a line into a column.
func (f *File) column(line, off int) int {
	text := f.Line(line)
	off = min(off, len(text))
	m := &f.mark
	if m.line != line || m.off > off {
		m.line, m.off, m.col = line, 0, 1
	}
	m.col += utf8.RuneCountInString(text[m.off:off])
	m.off = off
	return m.col
}

// cursor walks over the source of one scalar beside its decoded value.
type cursor struct {
	f      *File
	line   int
	off    int
	indent int // of a block scalar's lines
}

func (c *cursor) rest() string {
	l := c.f.Line(c.line)
	return l[min(c.off, len(l)):]
}

func (c *cursor) pos() (line, col int) {
	return c.line, c.f.column(c.line, c.off)
}

// skipProperties steps over an anchor, and the blanks and line breaks after.
func (c *cursor) skipProperties(anchor string) {
	if anchor == "" || !strings.HasPrefix(c.rest(), "&"+anchor) {
		return
	}
	c.off += 1 + len(anchor)
	for {
		c.blanks()
		if r := c.rest(); r != "" && r[0] != '#' || c.line >= len(c.f.lines) {
			return
		}
		c.line, c.off = c.line+1, 0
	}
}

func (c *cursor) blanks() {
	for r := c.rest(); r != "" && (r[0] == ' ' || r[0] == '\t'); r = c.rest() {
		c.off++
	}
}

// open steps over what stands before the first character of the value.
func (c *cursor) open(s style) {
	switch s {
	case singleQuoted, doubleQuoted:
		c.off++
	case block:
		c.line, c.off = c.line+1, 0
		for l := c.line; l <= len(c.f.lines); l++ {
			if t := c.f.Line(l); strings.TrimSpace(t) != "" {
				c.indent = len(t) - len(strings.TrimLeft(t, " "))
				break
			}
		}
		c.off = min(c.indent, len(c.f.Line(c.line)))
	}
}

func (c *cursor) close(s style) {
	if s == singleQuoted || s == doubleQuoted {
		c.skipContinuation(s)
		if r := c.rest(); r != "" && (r[0] == '"' || r[0] == '\'') {
			c.off++
		}
	}
}

// skipContinuation steps over an escaped line break in double quotes, which
// stands for nothing.
func (c *cursor) skipContinuation(s style) {
	for s == doubleQuoted && c.rest() == `\` && c.line < len(c.f.lines) {
		c.line, c.off = c.line+1, 0
		c.blanks()
	}
}

// match steps over the source of one character of the value; false says that
// the source does not continue with it.
func (c *cursor) match(s style, ch string) bool {
	c.skipContinuation(s)
	r := c.rest()
	if s == block {
		return c.matchBlock(ch, r)
	}
	// A run of blanks up to the end of the line is folded into one space, or
	// into as many breaks as empty lines follow.
	if (ch == " " || ch == "\n") && strings.TrimLeft(r, " \t") == "" && c.line < len(c.f.lines) {
		c.line, c.off = c.line+1, 0
		c.blanks()
		if ch == " " {
			return true
		}
		if c.rest() == "" && c.line < len(c.f.lines) { // the first break of a fold counts only with another
			next := *c
			next.line, next.off = next.line+1, 0
			next.blanks()
			if next.rest() != "" {
				*c = next
			}
		}
		return true
	}
	switch {
	case s == singleQuoted && ch == "'":
		if !strings.HasPrefix(r, "''") {
			return false
		}
		c.off += 2
		return true
	case s == doubleQuoted && strings.HasPrefix(r, `\`):
		return c.matchEscape(ch, r)
	case strings.HasPrefix(r, ch):
		c.off += len(ch)
		return true
	}
	return false
}

func (c *cursor) matchBlock(ch, r string) bool {
	if r == "" { // end of line: a break in the source is a break or a space
		if ch != "\n" && ch != " " || c.line >= len(c.f.lines) {
			return ch == "\n"
		}
		c.line++
		c.off = min(c.indent, len(c.f.Line(c.line)))
		if t := c.f.Line(c.line); strings.TrimSpace(t) == "" && len(t) < c.indent {
			c.off = len(t)
		}
		return true
	}
	if !strings.HasPrefix(r, ch) {
		return false
	}
	c.off += len(ch)
	return true
}

// escapes are the one-letter escapes of double quotes whose value differs
// from the letter.
var escapes = map[byte]string{'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r",
	'e': "\x1b", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029"}

func (c *cursor) matchEscape(ch, r string) bool {
	if len(r) < 2 {
		return false
	}
	size, want := 2, string(r[1])
	if e, ok := escapes[r[1]]; ok {
		want = e
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[r[1]]; digits > 0 {
		size += digits
		if len(r) < size {
			return false
		}
		v, err := strconv.ParseUint(r[2:size], 16, 32)
		if err != nil {
			return false
		}
		want = string(rune(v))
	}
	if want != ch {
		return false
	}
	c.off += size
	return true
}

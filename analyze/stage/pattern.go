package stage

import (
	"fmt"
	"slices"
	"strings"
)

// A field is a number that a pattern can keep.
type field uint8

const (
	fieldNone field = iota
	fieldReceived
	fieldDeclared
	fieldElapsed
	fieldBudget
	fieldMissing // a stated remainder; with one of the others it gives the third
	fieldAfter   // elapsed or budget, told apart by roundness
	fieldCount
)

var fieldNames = map[string]field{
	"received": fieldReceived, "declared": fieldDeclared, "elapsed": fieldElapsed, "budget": fieldBudget, "missing": fieldMissing, "after": fieldAfter,
}

type elemKind uint8

const (
	elemWords  elemKind = iota // one of some words
	elemClass                  // a phrase of a class
	elemNumber                 // a number, kept if it has a field
)

// The gaps before an element.
const (
	gapNone     = 0
	gapNear     = 3
	gapSentence = 8
	gapLine     = 256
)

var gaps = map[string]int{"~": gapNear, "*": gapSentence, "**": gapLine}

type elem struct {
	kind  elemKind
	gap   int
	words []uint16
	class uint8
	field field
	unit  string
	event bool // the word must tell of a timer that ran out
}

// pattern is a compiled pattern.
type pattern struct {
	elems  []elem
	mask   uint64  // classes that must occur
	head   int     // elements from the first on that are words beside each other
	fields []field // that are kept
}

// compiler turns patterns into their compiled form and gathers the words they
// are made of. Words are numbered as they come.
type compiler struct {
	ids     map[string]uint16
	words   []string
	classes map[string]uint8
}

func (c *compiler) word(w string) uint16 {
	id, ok := c.ids[w]
	if !ok {
		c.words = append(c.words, w)
		id = uint16(len(c.words))
		c.ids[w] = id
	}
	return id
}

// compile reads one pattern.
func (c *compiler) compile(s string) (pattern, error) {
	var p pattern
	gap := gapNone
	for _, f := range strings.Fields(s) {
		e := elem{gap: gap}
		gap = gapNone
		switch {
		case gaps[f] != gapNone:
			gap = gaps[f]
			continue
		case f == "#":
			e.kind = elemNumber
		case strings.HasPrefix(f, "<") && strings.HasSuffix(f, ">"):
			name, unit, _ := strings.Cut(f[1:len(f)-1], ":")
			fd, ok := fieldNames[name]
			if !ok {
				return p, fmt.Errorf("pattern %q: no field %q", s, name)
			}
			if unit != "" && fd.isTime() {
				if _, ok := timeUnit([]byte(unit)); !ok {
					return p, fmt.Errorf("pattern %q: no unit of time %q", s, unit)
				}
			}
			e.kind, e.field, e.unit = elemNumber, fd, unit
		case strings.HasPrefix(f, "{") && strings.HasSuffix(f, "}"):
			id, ok := c.classes[f[1:len(f)-1]]
			if !ok {
				return p, fmt.Errorf("pattern %q: no class %q", s, f)
			}
			e.kind, e.class = elemClass, id
			p.mask |= 1 << id
		default:
			for _, w := range strings.Split(f, "|") {
				if w == "timeout" || w == "timed" {
					e.event = true
				}
				w = strings.TrimPrefix(w, "=")
				if w == "" || w != strings.ToLower(w) || !isWord(w) {
					return p, fmt.Errorf("pattern %q: %q is no word in lower case", s, w)
				}
				e.words = append(e.words, c.word(w))
			}
		}
		p.elems = append(p.elems, e)
	}
	if len(p.elems) == 0 {
		return p, fmt.Errorf("pattern %q is empty", s)
	}
	if p.elems[0].kind == elemNumber || gap != gapNone {
		return p, fmt.Errorf("pattern %q starts with a number or ends with a gap", s)
	}
	p.head = p.headLen()
	for i := range p.elems {
		if f := p.elems[i].field; f != fieldNone {
			p.fields = append(p.fields, f)
		}
	}
	return p, nil
}

// wants appends the pattern's sets of words that have no fewer than the given
// number: what is alone may be asked for elsewhere.
func (p *pattern) wants(out [][]uint16, least int) [][]uint16 {
	for i := range p.elems {
		if words := p.elems[i].words; len(words) >= least {
			out = append(out, words)
		}
	}
	return out
}

// isWord reports whether the tokenizer would make one token of w.
func isWord(w string) bool {
	if len(w) > 2 && w[0] == '0' && w[1] == 'x' {
		w = w[1:] // a hexadecimal number, digits and letters mixed
	}
	letters := 0
	for i := range len(w) {
		switch c := w[i]; {
		case isLower(c):
			letters++
		case isDigit(c), c == '\'' && i > 0:
		default:
			return false
		}
	}
	return letters == 0 || isLower(w[0])
}

// captures are the numbers that a match kept, by field.
type captures struct {
	value [fieldCount]float64 // bytes, or nanoseconds
	has   [fieldCount]bool
}

// match reports whether the pattern's elements from n on match the view with
// the first of them at token i, and returns the token after the match.
func (p *pattern) match(v *view, i, n int, c *captures) (int, bool) {
	e := &p.elems[n]
	end, ok := e.matchAt(v, i, c)
	if !ok {
		return 0, false
	}
	if n+1 == len(p.elems) {
		return end, true
	}
	if out, ok := p.rest(v, i, end, n, c); ok {
		return out, true
	}
	if e.kind == elemNumber && end > i+1 { // the unit is a word of the pattern
		return p.rest(v, i, i+1, n, c)
	}
	return 0, false
}

// rest matches the elements after n, which matched from token i to end.
func (p *pattern) rest(v *view, i, end, n int, c *captures) (int, bool) {
	next := &p.elems[n+1]
	line := v.tokens[i].line
	if next.gap == gapNone {
		if end >= len(v.tokens) || v.tokens[end].line != line {
			return 0, false
		}
		return p.match(v, end, n+1, c)
	}
	words := 0
	for j := end; j < len(v.tokens); j++ {
		t := &v.tokens[j]
		if t.line != line {
			break
		}
		// Behind a space nothing ends, and no name goes on.
		plain := v.tokens[j-1].post == ' '
		if j > end && (plain || !v.dotted(j)) {
			words++
		}
		if v.steps--; v.steps < 0 || words > next.gap || j-end > gapLine {
			return 0, false
		}
		if !plain && (next.gap != gapLine && v.sentenceEnds(j-1) || next.gap == gapNear && j > end && v.clauseEnds(j-1)) {
			break
		}
		if !next.mayBe(t) {
			continue
		}
		if out, ok := p.match(v, j, n+1, c); ok {
			return out, true
		}
	}
	return 0, false
}

// mayBe is what is cheap to ask before an element is matched at a token.
func (e *elem) mayBe(t *token) bool {
	switch e.kind {
	case elemWords:
		return t.id != 0 && slices.Contains(e.words, t.id)
	case elemClass:
		return t.mask&(1<<e.class) != 0
	}
	return t.kind == kindNumber || t.kind == kindSpan
}

// dotted reports whether token j continues the dotted name or the address
// before it: a host's name counts as one word.
func (v *view) dotted(j int) bool {
	p, t := &v.tokens[j-1], &v.tokens[j]
	return t.start == p.unitEnd+1 && v.glued(p, t)
}

func (v *view) glued(p, t *token) bool {
	switch p.post {
	case '.', '/', '@', '#':
		return true
	case ':':
		return t.kind == kindNumber && t.unitEnd == t.end
	}
	return false
}

// sentenceEnds reports whether a sentence ends after token i: at a full stop,
// or where the value of one field ends and another field begins.
func (v *view) sentenceEnds(i int) bool {
	switch v.tokens[i].post {
	case '.', ';', '!', ']', '"':
		return v.reallyEnds(i)
	}
	return false
}

func (v *view) reallyEnds(i int) bool {
	t := &v.tokens[i]
	p := t.post
	if p == '"' {
		return i+1 < len(v.tokens) && v.tokens[i+1].pre == ' ' && v.tokens[i+1].start == t.unitEnd+2 && v.keyAt(i+1)
	}
	end := int(t.unitEnd)
	if p == ']' && v.subscript(end) {
		return false
	}
	return isSpace(v.at(end+1)) || p == ';'
}

// subscript reports whether the bracket that closes at the given place belongs
// to the word before it, as an address to its host's name.
func (v *view) subscript(end int) bool {
	for j := end - 1; j >= 0 && j > end-80 && v.text[j] != '\n' && v.text[j] != ']'; j-- {
		if v.text[j] == '[' {
			return isLetter(v.at(j-1)) || isDigit(v.at(j-1))
		}
	}
	return false
}

// keyAt reports whether the joined name at token i is a key: level=error.
func (v *view) keyAt(i int) bool {
	if v.tokens[i].kind != kindWord {
		return false
	}
	_, last := v.joined(i)
	return v.tokens[last].post == '='
}

func (e *elem) matchAt(v *view, i int, c *captures) (int, bool) {
	t := &v.tokens[i]
	switch e.kind {
	case elemWords:
		if t.id == 0 {
			return 0, false
		}
		for _, w := range e.words {
			if w == t.id {
				if e.event && t.mask&(1<<classTimeout) == 0 && t.lineKind == lineText {
					return 0, false
				}
				return i + 1, true
			}
		}
	case elemClass:
		if t.mask&(1<<e.class) == 0 {
			return 0, false
		}
		return v.phraseEnd(i, e.class), true
	case elemNumber:
		if t.kind != kindNumber && t.kind != kindSpan {
			return 0, false
		}
		if e.field == fieldNone {
			return i + 1, true
		}
		value, end, ok := v.quantity(i, e.field, e.unit)
		if !ok {
			return 0, false
		}
		if !v.negative(i) {
			c.value[e.field], c.has[e.field] = value, true
		}
		return end, true
	}
	return 0, false
}

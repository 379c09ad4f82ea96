package stage

import "strings"

// plainReader cuts a record into tokens in the plainest way, byte for byte and
// with a map for the words: what the fast one is held against.
type plainReader struct {
	words  map[string]uint16
	text   string
	info   lineInfo
	tokens []token
}

func newPlainReader(v *vocabulary) *plainReader {
	p := &plainReader{words: map[string]uint16{}}
	for i, w := range v.words[1:] {
		p.words[w] = uint16(i + 1)
	}
	return p
}

// read cuts a text into the lines of which the given tokens tell, and these
// into tokens. What a line is, is not judged here.
func (p *plainReader) read(text []byte, like []token) []token {
	p.text, p.tokens = string(text), nil
	starts := []int{0}
	for i, c := range text {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	done := -1
	for i := range like {
		n := strings.Count(p.text[:like[i].start], "\n")
		if n == done {
			continue
		}
		done = n
		end := len(p.text)
		if n+1 < len(starts) {
			end = starts[n+1] - 1
		}
		p.info = like[i].lineInfo
		p.line(starts[n], end)
	}
	return p.tokens
}

func (p *plainReader) add(kind tokenKind, start, end, unitEnd int) *token {
	t := token{kind: kind, start: uint16(start), end: uint16(end), unitEnd: uint16(unitEnd), lineInfo: p.info, pre: '\n', post: '\n', lastPart: true}
	if start > 0 {
		t.pre = p.text[start-1]
	}
	if unitEnd < len(p.text) {
		t.post = p.text[unitEnd]
	}
	p.tokens = append(p.tokens, t)
	return &p.tokens[len(p.tokens)-1]
}

func (p *plainReader) line(pos, end int) {
	at := func(i int) byte {
		if i < pos || i >= end {
			return '\n'
		}
		return p.text[i]
	}
	for i := pos; i < end; {
		c := p.text[i]
		switch {
		case isLetter(c):
			i = p.name(i, end)
		case isDigit(c):
			i = p.number(i, end)
		case c == 0x1b && at(i+1) == '[':
			for i += 2; isDigit(at(i)) || at(i) == ';' || at(i) == '?'; {
				i++
			}
			i++
		case c == '/' && p.info.lineKind != lineFrame && (isLetter(at(i+1)) || at(i+1) == '/') && !isLetter(at(i-1)) && !isDigit(at(i-1)) && at(i-1) != ')' && at(i-1) != '/':
			j := i
			for j < end && !strings.ContainsRune(" \t\n\r\"')>]`,|}\\", rune(p.text[j])) {
				j++
			}
			p.add(kindURL, i, j, j)
			i = j
		default:
			i++
		}
	}
}

// name reads a joined name: a word starts at every capital behind a small
// letter or a digit, at the last of several capitals before a small letter, and
// behind a joint.
func (p *plainReader) name(start, end int) int {
	at := func(i int) byte {
		if i >= end {
			return '\n'
		}
		return p.text[i]
	}
	if e := isoDuration([]byte(p.text[:end]), start); e > start {
		p.add(kindSpan, start, e, e)
		return e
	}
	first := len(p.tokens)
	i := start
	for part := 1; ; part++ {
		from := i
		for i++; ; i++ {
			c, before := at(i), at(i-1)
			if before == '\'' {
				before = at(i - 2) // an apostrophe changes nothing
			}
			if c == '\'' && isLower(at(i+1)) && !isLetter(at(i+2)) {
				continue
			}
			if !isLetter(c) && !isDigit(c) || isUpper(c) && !isUpper(before) {
				break
			}
			if isLower(c) && isUpper(before) && i-from > 1 {
				i--
				break
			}
		}
		t := p.add(kindWord, from, i, i)
		t.id, t.part, t.lastPart = p.words[strings.ToLower(p.text[from:i])], uint8(min(part, 255)), false
		if (at(i) == '_' || at(i) == '-') && isLetter(at(i+1)) {
			i++
		}
		if !isLetter(at(i)) {
			break
		}
	}
	if at(i) == ':' && at(i+1) == '/' && at(i+2) == '/' {
		e := urlEnd([]byte(p.text[:end]), i)
		p.tokens = p.tokens[:first]
		p.add(kindURL, start, e, e)
		return e
	}
	if len(p.tokens) == first+1 {
		p.tokens[first].part = 0
	}
	p.tokens[len(p.tokens)-1].lastPart = true
	return i
}

// number reads what starts with a digit.
func (p *plainReader) number(i, end int) int {
	v := &view{text: []byte(p.text[:end]), line: p.info, present: make([]uint64, 1)}
	none := newVocabulary([]string{"zz"})
	next := v.longNumber(none, i)
	t := v.tokens[0]
	q := p.add(t.kind, int(t.start), int(t.end), int(t.unitEnd))
	if w := p.text[t.start:t.end]; t.kind == kindNumber && t.end == t.unitEnd || t.kind == kindAddr && len(w) > 1 && (w[:2] == "0x" || w[:2] == "0X") {
		q.id = p.words[strings.ToLower(w)]
	}
	return next
}

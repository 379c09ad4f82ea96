package ingest

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// Bounds on what one JSON line may make of a record.
const (
	maxJSONDepth = 12
	maxFields    = 512
)

// isJSONObject reports whether a line begins as a JSON object with members
// does. The end is not looked at: a line cut by its shipper is read as far as
// it goes.
func isJSONObject(line []byte) bool {
	if len(line) < 2 || line[0] != '{' {
		return false
	}
	for _, c := range line[1:] {
		if c != ' ' && c != '\t' {
			return c == '"'
		}
	}
	return false
}

// jsonScanner reads one JSON object in place into fields. Objects inside it
// are flattened to dotted names, as are objects in arrays, without an index;
// arrays of other values and deep objects stay JSON text. It allocates only
// where its scratch buffer grows.
//
// It reads JSON as loggers write it and is not a validator: of a line that
// ends early or goes wrong in the middle it keeps the members before.
type jsonScanner struct {
	src     []byte
	pos     int
	scratch []byte
	fields  []Field
}

// object reads the object at src[0] and returns its fields; ok is false if
// there was not even one whole member.
func (j *jsonScanner) object(src, scratch []byte, fields []Field) (ok bool) {
	j.src, j.pos, j.scratch, j.fields = src, 0, scratch, fields
	n := len(fields)
	j.members(nil, 0)
	return len(j.fields) > n
}

// members reads from '{' on; false means that the input went wrong.
func (j *jsonScanner) members(prefix []byte, depth int) bool {
	j.pos++
	if j.space(); j.peek() == '}' {
		j.pos++
		return true
	}
	for {
		j.space()
		if j.peek() != '"' {
			return false
		}
		name, ok := j.str()
		if !ok {
			return false
		}
		if j.space(); j.peek() != ':' {
			return false
		}
		j.pos++
		if prefix != nil {
			name = j.dotted(prefix, name)
		}
		if !j.value(name, depth) {
			return false
		}
		switch j.space(); j.peek() {
		case ',':
			j.pos++
		case '}':
			j.pos++
			return true
		default:
			return false
		}
	}
}

// value reads a value and adds it under name.
func (j *jsonScanner) value(name []byte, depth int) bool {
	j.space()
	start := j.pos
	switch j.peek() {
	case '"':
		v, ok := j.str()
		if ok {
			j.add(name, v)
		}
		return ok
	case '{':
		if depth < maxJSONDepth {
			return j.members(name, depth+1)
		}
	case '[':
		if depth < maxJSONDepth && j.objectsAhead() {
			return j.elements(name, depth+1)
		}
	case 0:
		return false
	}
	if !j.skip() {
		return false
	}
	j.add(name, bytes.TrimRight(j.src[start:j.pos], " \t\r\n"))
	return true
}

// objectsAhead reports whether the array at pos begins with an object.
func (j *jsonScanner) objectsAhead() bool {
	for i := j.pos + 1; i < len(j.src); i++ {
		switch j.src[i] {
		case ' ', '\t', '\r', '\n':
		case '{':
			return true
		default:
			return false
		}
	}
	return false
}

// elements reads an array of objects under one name.
func (j *jsonScanner) elements(name []byte, depth int) bool {
	j.pos++
	for {
		if !j.value(name, depth) {
			return false
		}
		switch j.space(); j.peek() {
		case ',':
			j.pos++
		case ']':
			j.pos++
			return true
		default:
			return false
		}
	}
}

func (j *jsonScanner) add(name, value []byte) {
	if len(j.fields) < maxFields {
		j.fields = append(j.fields, Field{Name: name, Value: value})
	}
}

func (j *jsonScanner) dotted(prefix, name []byte) []byte {
	n := len(j.scratch)
	j.scratch = append(append(append(j.scratch, prefix...), '.'), name...)
	return j.scratch[n:]
}

// skip passes over a value that is kept as text: a number, a word, or a
// nested value.
func (j *jsonScanner) skip() bool {
	depth := 0
	for j.pos < len(j.src) {
		switch c := j.src[j.pos]; c {
		case '"':
			j.pos++
			for {
				i := bytes.IndexByte(j.src[j.pos:], '"')
				if i < 0 {
					j.pos = len(j.src)
					return false
				}
				j.pos += i + 1
				if !j.quoted(j.pos - 1) {
					break
				}
			}
			if depth == 0 {
				return true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return true
			}
			if depth--; depth == 0 {
				j.pos++
				return true
			}
		case ',':
			if depth == 0 {
				return true
			}
		}
		j.pos++
	}
	return false
}

// quoted reports whether the quote at i has a backslash of its own before it.
func (j *jsonScanner) quoted(i int) bool {
	n := 0
	for i--; i >= 0 && j.src[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func (j *jsonScanner) peek() byte {
	if j.pos < len(j.src) {
		return j.src[j.pos]
	}
	return 0
}

func (j *jsonScanner) space() {
	for j.pos < len(j.src) {
		switch j.src[j.pos] {
		case ' ', '\t', '\r', '\n':
			j.pos++
		default:
			return
		}
	}
}

// str reads the string at pos: in place where it holds no escapes, decoded
// into scratch where it does.
func (j *jsonScanner) str() ([]byte, bool) {
	j.pos++
	start := j.pos
	i := bytes.IndexByte(j.src[start:], '"')
	if i < 0 {
		return nil, false
	}
	if bytes.IndexByte(j.src[start:start+i], '\\') < 0 {
		j.pos = start + i + 1
		return j.src[start : start+i], true
	}
	var ok bool
	n := len(j.scratch)
	j.scratch, j.pos, ok = appendUnquoted(j.scratch, j.src, start)
	return j.scratch[n:], ok
}

// appendUnquoted decodes the JSON string whose text begins at src[pos] up to
// its closing quote and returns where that ends. Escapes that JSON does not
// know stand for themselves.
func appendUnquoted(dst, src []byte, pos int) ([]byte, int, bool) {
	for pos < len(src) {
		c := src[pos]
		switch {
		case c == '"':
			return dst, pos + 1, true
		case c != '\\':
			end := pos + 1
			for end < len(src) && src[end] != '"' && src[end] != '\\' {
				end++
			}
			dst = append(dst, src[pos:end]...)
			pos = end
			continue
		case pos+1 == len(src):
			return dst, len(src), false
		}
		pos += 2
		switch e := src[pos-1]; e {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'u':
			r, n := unicodeEscape(src[pos:])
			dst = utf8.AppendRune(dst, r)
			pos += n
		default:
			dst = append(dst, e)
		}
	}
	return dst, len(src), false
}

// unicodeEscape reads the digits of \uXXXX, with the second half of a
// surrogate pair, and returns how many bytes they take.
func unicodeEscape(b []byte) (rune, int) {
	r, ok := hex4(b)
	if !ok {
		return utf8.RuneError, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(b) >= 10 && b[4] == '\\' && b[5] == 'u' {
		if low, ok := hex4(b[6:]); ok {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				return full, 10
			}
		}
	}
	return utf8.RuneError, 4
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// Package jsonscan reads JSON of known shape without building a tree.
//
// It has two halves. The functions in bytes.go work on a value that lies
// whole in memory, such as one line of a JSON lines file: they return
// positions and subslices and allocate nothing. [Scanner] works on a document
// of any length behind an io.Reader, with a buffer that does not grow.
//
// Both are lenient where leniency loses nothing (raw control characters in
// strings, numbers of any spelling) and strict where it would: an unknown
// escape, a missing comma or a document that ends early is an error. A lone
// surrogate becomes U+FFFD, as encoding/json has it.
package jsonscan

import (
	"bytes"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// The errors of both halves.
var (
	// ErrSyntax says that the text is not JSON at the place reached.
	ErrSyntax = errors.New("not valid JSON")
	// ErrShort says that the text ended inside a value.
	ErrShort = errors.New("JSON ends inside a value")
	// ErrDepth says that values are nested deeper than maxDepth.
	ErrDepth = errors.New("JSON is nested too deeply")
)

// maxDepth bounds nesting, so that a bomb of brackets costs a bitmap and not
// the stack.
const maxDepth = 1000

// Space returns the first index at or after i that is not white space.
func Space(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// StringEnd takes the index after an opening quote and returns the index of
// the closing one and whether there are escapes between; end is -1 when the
// string does not end.
func StringEnd(b []byte, i int) (end int, escaped bool) {
	quote := -1
	for {
		if quote < i {
			q := bytes.IndexByte(b[i:], '"')
			if q < 0 {
				return -1, escaped
			}
			quote = i + q
		}
		k := bytes.IndexByte(b[i:quote], '\\')
		if k < 0 {
			return quote, escaped
		}
		escaped = true
		i += k + 2
		if i > len(b) {
			return -1, true
		}
	}
}

// String reads the string that starts with a quote at b[i] and returns its
// text, undecoded if escaped is true, and the index after it.
func String(b []byte, i int) (raw []byte, escaped bool, next int, err error) {
	if i >= len(b) {
		return nil, false, i, ErrShort
	}
	if b[i] != '"' {
		return nil, false, i, ErrSyntax
	}
	end, escaped := StringEnd(b, i+1)
	if end < 0 {
		return nil, false, len(b), ErrShort
	}
	return b[i+1 : end], escaped, end + 1, nil
}

// Unescape appends the decoded text of raw, the inside of a JSON string, to
// dst. dst may be raw[:0]: the decoded text is never longer.
func Unescape(dst, raw []byte) ([]byte, error) {
	for {
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			return append(dst, raw...), nil
		}
		dst = append(dst, raw[:k]...)
		var n int
		if dst, n = appendEscape(dst, raw[k:]); n <= 0 {
			return dst, ErrSyntax
		}
		raw = raw[k+n:]
	}
}

// simpleEscapes maps the letter after a backslash to its character, 0 for
// none.
var simpleEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendEscape decodes the escape at the start of b and says how many bytes
// it took: 0 when it is not one, -1 when b ends inside it.
func appendEscape(dst, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return dst, -1
	}
	if c := simpleEscapes[b[1]]; c != 0 {
		return append(dst, c), 2
	}
	if b[1] != 'u' {
		return dst, 0
	}
	if len(b) < 6 {
		return dst, -1
	}
	r, ok := hex4(b[2:6])
	if !ok {
		return dst, 0
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6
	}
	if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if low, ok := hex4(b[8:12]); ok {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				return utf8.AppendRune(dst, full), 12
			}
		}
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
}

func hex4(b []byte) (rune, bool) {
	var r rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// Skip returns the index after the value that starts at or after i.
func Skip(b []byte, i int) (int, error) {
	i = Space(b, i)
	if i >= len(b) {
		return i, ErrShort
	}
	switch b[i] {
	case '"':
		_, _, next, err := String(b, i)
		return next, err
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && isScalar(b[i]) {
		i++
	}
	if i == start {
		return i, ErrSyntax
	}
	return i, nil
}

// isScalar reports whether c may stand in a number or a literal.
func isScalar(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'E' || c == 'N' || c == 'I'
}

// skipNested skips an object or array by counting brackets; commas and colons
// inside are not checked.
func skipNested(b []byte, i int) (int, error) {
	var stack nesting
	for i < len(b) {
		switch c := b[i]; c {
		case '"':
			end, _ := StringEnd(b, i+1)
			if end < 0 {
				return len(b), ErrShort
			}
			i = end
		case '{', '[':
			if !stack.push(c == '{') {
				return i, ErrDepth
			}
		case '}', ']':
			if !stack.pop(c == '}') {
				return i, ErrSyntax
			}
			if stack.depth == 0 {
				return i + 1, nil
			}
		}
		i++
	}
	return i, ErrShort
}

// nesting remembers which brackets are open.
type nesting struct {
	depth  int
	object [maxDepth / 8]byte
}

func (n *nesting) push(object bool) bool {
	if n.depth == maxDepth {
		return false
	}
	bit := byte(1) << (n.depth % 8)
	if n.object[n.depth/8] &^= bit; object {
		n.object[n.depth/8] |= bit
	}
	n.depth++
	return true
}

func (n *nesting) pop(object bool) bool {
	if n.depth == 0 {
		return false
	}
	n.depth--
	return (n.object[n.depth/8]&(1<<(n.depth%8)) != 0) == object
}

// Object walks the members of the object that starts at or after i. Visit is
// given each key, undecoded where it holds escapes, and the index where its
// value starts; it returns the index after the value. Object returns the
// index after the object.
func Object(b []byte, i int, visit func(key []byte, value int) (int, error)) (int, error) {
	i = Space(b, i)
	if i >= len(b) {
		return i, ErrShort
	}
	if b[i] != '{' {
		return i, ErrSyntax
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	for {
		key, next, err := Key(b, i)
		if err != nil {
			return next, err
		}
		if i, err = visit(key, next); err != nil {
			return i, err
		}
		i = Space(b, i)
		if i >= len(b) {
			return i, ErrShort
		}
		switch b[i] {
		case ',':
			i = Space(b, i+1)
		case '}':
			return i + 1, nil
		default:
			return i, ErrSyntax
		}
	}
}

// Key reads a key and its colon and returns the key, undecoded, and the index
// where the value starts.
func Key(b []byte, i int) (key []byte, value int, err error) {
	key, _, i, err = String(b, i)
	if err != nil {
		return nil, i, err
	}
	i = Space(b, i)
	if i >= len(b) {
		return nil, i, ErrShort
	}
	if b[i] != ':' {
		return nil, i, ErrSyntax
	}
	return key, Space(b, i+1), nil
}

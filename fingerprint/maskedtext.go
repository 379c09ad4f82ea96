package fingerprint

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// The passes of the old formula, in its order. Each reads m.a, writes m.b and
// swaps the two when it changed something.

func (m *Masked) mask() {
	var has [256]bool
	for _, c := range m.a {
		has[c] = true
	}
	digits := has['0'] || has['1'] || has['2'] || has['3'] || has['4'] || has['5'] || has['6'] || has['7'] || has['8'] || has['9']
	high := false
	for c := 0x80; c < 0x100 && !high; c++ {
		high = has[c]
	}
	if has['-'] {
		m.guids()
	}
	if has['-'] && has[':'] && (digits || high) {
		m.timestamps()
	}
	if has['/'] || has['\\'] {
		m.paths()
	}
	if has['\''] || has['"'] {
		m.quotes()
	}
	m.hexes()
	if digits || high {
		m.numbers()
	}
	m.spaces()
}

// replace writes with in place of every match that find reports. find returns
// the start and end of the first match at or after from, or start -1.
func (m *Masked) replace(with string, find func(b []byte, from int) (start, end int)) {
	out := m.b[:0]
	at := 0
	for at <= len(m.a) {
		start, end := find(m.a, at)
		if start < 0 {
			break
		}
		out = append(append(out, m.a[at:start]...), with...)
		at = end
	}
	if at == 0 {
		return
	}
	out = append(out, m.a[at:]...)
	m.a, m.b = out, m.a
}

// wordBefore and wordAt tell whether a word character stands before or at an
// offset, which is what \b looks at.
func wordBefore(b []byte, i int) bool {
	if i == 0 {
		return false
	}
	if b[i-1] < utf8.RuneSelf {
		return isAlnum(b[i-1]) || b[i-1] == '_'
	}
	r, _ := utf8.DecodeLastRune(b[:i])
	return isNetWord(r)
}

func wordAt(b []byte, i int) bool {
	if i >= len(b) {
		return false
	}
	if b[i] < utf8.RuneSelf {
		return isAlnum(b[i]) || b[i] == '_'
	}
	r, _ := utf8.DecodeRune(b[i:])
	return isNetWord(r)
}

// netDigit returns the size of the decimal digit at b[i], of any script, or 0.
func netDigit(b []byte, i int) int {
	if i >= len(b) {
		return 0
	}
	if b[i] < utf8.RuneSelf {
		if isDigit(b[i]) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRune(b[i:]); unicode.Is(unicode.Nd, r) {
		return size
	}
	return 0
}

// netDigits matches n digits, or one and more for n 0, and returns where they
// end, or -1.
func netDigits(b []byte, i, n int) int {
	count := 0
	for n == 0 || count < n {
		size := netDigit(b, i)
		if size == 0 {
			break
		}
		i += size
		count++
	}
	if count == 0 || n > 0 && count < n {
		return -1
	}
	return i
}

func (m *Masked) guids() {
	m.replace("{guid}", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); {
			dash := bytes.IndexByte(b[i:], '-')
			if dash < 0 {
				return -1, 0
			}
			dash += i
			if start := dash - 8; start >= from && len(b)-start >= 36 && isGUID(b[start:start+36]) && !wordBefore(b, start) && !wordAt(b, start+36) {
				return start, start + 36
			}
			i = dash + 1
		}
		return -1, 0
	})
}

func isGUID(b []byte) bool {
	for i, c := range b {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex(c) {
			return false
		}
	}
	return true
}

func (m *Masked) timestamps() {
	m.replace("{time}", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); i++ {
			if b[i] < utf8.RuneSelf && !isDigit(b[i]) || !utf8.RuneStart(b[i]) {
				continue
			}
			if end := timestampEnd(b, i); end > 0 {
				return i, end
			}
		}
		return -1, 0
	})
}

// timestampEnd matches a date, T or white space, a time of day, an optional
// fraction and an optional offset.
func timestampEnd(b []byte, i int) int {
	steps := [...]struct {
		digits int
		sep    byte // what follows the digits; t stands for T or a space
	}{{4, '-'}, {2, '-'}, {2, 't'}, {2, ':'}, {2, ':'}, {2, 0}}
	if wordBefore(b, i) {
		return 0
	}
	for _, s := range steps {
		if i = netDigits(b, i, s.digits); i < 0 {
			return 0
		}
		switch {
		case s.sep == 0:
		case i >= len(b):
			return 0
		case s.sep == 't':
			if b[i] != 'T' && b[i] != ' ' {
				return 0
			}
			i++
		case b[i] != s.sep:
			return 0
		default:
			i++
		}
	}
	if i < len(b) && b[i] == '.' {
		if end := netDigits(b, i+1, 0); end > 0 {
			i = end
		}
	}
	if i < len(b) && b[i] == 'Z' {
		return i + 1
	}
	if i < len(b) && (b[i] == '+' || b[i] == '-') {
		if h := netDigits(b, i+1, 2); h > 0 {
			if h < len(b) && b[h] == ':' {
				h++
			}
			if end := netDigits(b, h, 2); end > 0 {
				return end
			}
		}
	}
	return i
}

// segmentByte returns the size of the path-segment character at b[i], or 0:
// word characters, full stop, hyphen, and the braces of earlier masks.
func segmentByte(b []byte, i int) int {
	if i >= len(b) {
		return 0
	}
	c := b[i]
	if c < utf8.RuneSelf {
		if isAlnum(c) || c == '_' || c == '.' || c == '-' || c == '{' || c == '}' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRune(b[i:]); isNetWord(r) {
		return size
	}
	return 0
}

func segmentRun(b []byte, i int) int {
	for {
		size := segmentByte(b, i)
		if size == 0 {
			return i
		}
		i += size
	}
}

func (m *Masked) paths() {
	m.replace("{path}", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); {
			start := i
			end := segmentRun(b, i)
			if end == i {
				_, size := utf8.DecodeRune(b[i:])
				i += size
				continue
			}
			segments := 1
			for end < len(b) && (b[end] == '/' || b[end] == '\\') {
				next := segmentRun(b, end+1)
				if next == end+1 {
					break
				}
				end = next
				segments++
			}
			if segments > 1 {
				return start, end
			}
			i = end
		}
		return -1, 0
	})
}

func (m *Masked) quotes() {
	m.replace("'{value}'", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); i++ {
			if b[i] != '\'' && b[i] != '"' {
				continue
			}
			if end := quotedEnd(b, i); end > 0 {
				return i, end
			}
		}
		return -1, 0
	})
}

// quotedEnd returns the end of the span of 1 to 120 UTF-16 units between the
// quote at b[i] and the next of its kind, or 0.
func quotedEnd(b []byte, i int) int {
	q := b[i]
	units := 0
	for j := i + 1; j < len(b); {
		if b[j] == q {
			if units == 0 {
				return 0
			}
			return j + 1
		}
		r, size := utf8.DecodeRune(b[j:])
		if units++; r > 0xffff {
			units++
		}
		if units > 120 {
			return 0
		}
		j += size
	}
	return 0
}

func (m *Masked) hexes() {
	m.replace("{hex}", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); {
			if !isHex(b[i]) {
				i++
				continue
			}
			j := i
			for j < len(b) && isHex(b[j]) {
				j++
			}
			start := i
			if j-i == 1 && b[i] == '0' && j < len(b) && b[j] == 'x' {
				k := j + 1
				for k < len(b) && isHex(b[k]) {
					k++
				}
				if k-j-1 >= 16 && !wordBefore(b, start) && !wordAt(b, k) {
					return start, k
				}
				i = k
				continue
			}
			if j-i >= 16 && !wordBefore(b, start) && !wordAt(b, j) {
				return start, j
			}
			i = j
		}
		return -1, 0
	})
}

func (m *Masked) numbers() {
	m.replace("{n}", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); {
			size := netDigit(b, i)
			if size == 0 {
				i++
				continue
			}
			if i > 0 && (isLetter(b[i-1]) || b[i-1] == '_') {
				i += size
				continue
			}
			end := netDigits(b, i, 0)
			if end < len(b) && b[end] == '.' {
				if k := netDigits(b, end+1, 0); k > 0 {
					end = k
				}
			}
			return i, end
		}
		return -1, 0
	})
}

// spaces makes one space of every run of two or more white space characters
// and trims both ends.
func (m *Masked) spaces() {
	m.replace(" ", func(b []byte, from int) (int, int) {
		for i := from; i < len(b); {
			n := spaceSize(b, i)
			if n == 0 {
				i++
				continue
			}
			j, count := i, 0
			for n > 0 {
				j += n
				count++
				n = spaceSize(b, j)
			}
			if count > 1 {
				return i, j
			}
			i = j
		}
		return -1, 0
	})
	m.a = trimSpace(m.a)
}

// spaceSize returns the size of the white space character at b[i], or 0.
func spaceSize(b []byte, i int) int {
	if i >= len(b) {
		return 0
	}
	c := b[i]
	if c < utf8.RuneSelf {
		if c == ' ' || c >= '\t' && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRune(b[i:]); unicode.IsSpace(r) {
		return size
	}
	return 0
}

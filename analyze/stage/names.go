package stage

import (
	"encoding/binary"
	"math/bits"
)

// A word is read eight bytes at a time: one load gives where it ends, by the
// letter case of all eight, and the key under which the vocabulary has it.
const (
	tops   = 0x8080808080808080 // the top bit of each byte
	ones   = 0x0101010101010101
	folds  = 0x2020202020202020 // puts letters in lower case; digits and apostrophes have it
	window = 8
)

// load returns the eight bytes of text from i on, the first of them lowest;
// what lies behind the end is 0.
func load(text []byte, i int) uint64 {
	if i+window <= len(text) {
		return binary.LittleEndian.Uint64(text[i:])
	}
	return loadEnd(text, i)
}

func loadEnd(text []byte, i int) (x uint64) {
	for j := len(text) - 1; j >= i; j-- {
		x = x<<8 | uint64(text[j])
	}
	return x
}

// within returns the top bit of each byte of x that lies between low and high,
// both below 128. Adding to a byte of seven bits carries into its own top bit
// and no further.
func within(x uint64, low, high byte) uint64 {
	seven := x &^ tops
	return (seven + uint64(128-low)*ones) &^ (seven + uint64(127-high)*ones) &^ x & tops
}

// run returns how many bytes from the first on have their top bit set.
func run(marks uint64) int { return bits.TrailingZeros64(^marks&tops) >> 3 }

// firstBytes keeps the first n bytes of x, at most eight.
func firstBytes(x uint64, n int) uint64 {
	if n >= window {
		return x
	}
	return x & (1<<(8*n) - 1)
}

// capitals returns the length of the word of capitals that x starts with, of
// which the last belongs to the small letters behind it.
func capitals(x uint64) int {
	n := run(within(x, 'A', 'Z'))
	if n > 1 && n < window && isLower(byte(x>>(8*n))) {
		n--
	}
	return n
}

// longWordAt returns the key of the word that starts at text[i], which is a
// letter, and its end, as wordEnd has it: of one that goes on after eight bytes,
// or with a digit or an apostrophe. x are the bytes from there on.
func longWordAt(text []byte, i int, x uint64) (key wordKey, end int) {
	if run(within(x, 'a', 'z')|0x80) == window {
		y := load(text, i+window)
		if n := run(within(y, 'a', 'z')); n < window && !inWord[byte(y>>(8*n))] {
			key = wordKey{first: x | folds, length: window + n}
			if end = i + window + n; n > 0 {
				key.last = binary.LittleEndian.Uint64(text[end-window:]) | folds
			}
			return key, end
		}
	}
	end = wordEnd(text, i)
	return keyOf(text, i, end), end
}

// inWord are the bytes besides letters that a word may go on with.
var inWord = func() (kinds [256]bool) {
	for c := range kinds {
		kinds[c] = isDigit(byte(c)) || c == '\''
	}
	return kinds
}()

// wordEnd returns where the word that starts at text[i] ends: at a capital
// after small letters, and before the last capital of a run that small letters
// follow, as in HTTPHeader. Digits belong to the word, http2 and x509, and so
// does the apostrophe of didn't and couldn't.
func wordEnd(text []byte, i int) int {
	start := i
	upper := isUpper(text[i]) // capitals so far
	i++
	if !upper || i < len(text) && isLower(text[i]) {
		i = skipLower(text, i)
		upper = false
	}
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case isLower(c):
			if upper && i-start > 1 {
				return i - 1
			}
			upper = false
		case isDigit(c):
			upper = false
		case isUpper(c):
			if !upper {
				return i
			}
		case c != '\'' || i+1 >= len(text) || !isLower(text[i+1]) || i+2 < len(text) && isLetter(text[i+2]):
			return i
		}
	}
	return i
}

// skipLower returns the place of the first byte from text[i] on that is no
// small letter.
func skipLower(text []byte, i int) int {
	for i+window <= len(text) {
		if n := run(within(binary.LittleEndian.Uint64(text[i:]), 'a', 'z')); n < window {
			return i + n
		}
		i += window
	}
	for i < len(text) && isLower(text[i]) {
		i++
	}
	return i
}

// name appends the parts of the joined name at text[i]: letters, digits inside
// it, and the joints of snake_case, kebab-case and CamelCase. x are the bytes
// from there on, of which n are the first letter and small letters behind it.
func (v *view) name(words *vocabulary, i int, x uint64, n int) int {
	text := v.text
	if byte(x) == 'P' {
		if end := isoDuration(text, i); end > i {
			v.add(kindSpan, i, end, end)
			v.count()
			return end
		}
	}
	first := len(v.tokens)
	for part := uint8(1); ; {
		start := i
		if n == 1 && isUpper(byte(x)) {
			n = capitals(x)
		}
		var key wordKey
		if n < window && !inWord[byte(x>>(8*n))] {
			key, i = wordKey{first: (x | folds) & (1<<(8*n) - 1), length: n}, i+n
		} else {
			key, i = longWordAt(text, i, x)
		}
		t := v.next()
		t.put(kindWord, start, i, i)
		t.sides(text)
		if h := key.hash(); words.mayHave(h) {
			v.know(t, words.findHashed(key, h, text[start:i]))
		}
		c := t.post
		if c == '_' || c == '-' {
			if c = v.at(i + 1); isLetter(c) {
				i++
			}
		}
		if !isLetter(c) {
			if part > 1 {
				t.part = part
			}
			break
		}
		t.part, t.lastPart = part, false
		if part < 255 {
			part++
		}
		x = load(text, i)
		n = run(within(x, 'a', 'z') | 0x80)
	}
	if i+2 < len(text) && text[i] == ':' && text[i+1] == '/' && text[i+2] == '/' {
		start := int(v.tokens[first].start)
		end := urlEnd(text, i)
		v.drop(first)
		v.add(kindURL, start, end, end)
		if v.url == 0 && v.line.lineKind == lineText {
			v.url = len(v.tokens)
		}
		return end
	}
	return i
}

package stage

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A tokenKind says what a token is made of.
type tokenKind uint8

const (
	kindWord   tokenKind = iota // letters, one part of a CamelCase or snake_case name
	kindNumber                  // 12, 1.5, 30s, 8.088MB: digits with an optional unit
	kindSpan                    // 00:01:40, 00:00:10.5
	kindAddr                    // 192.0.2.1:80, versions, hex numbers
	kindURL                     // anything with ://, and paths that start with a slash
)

// A lineKind says how a line of a record may be used.
type lineKind uint8

const (
	lineText  lineKind = iota // messages
	lineFrame                 // a stack frame
	lineCode                  // source code echoed under a frame
)

// A token is one word, number, address or URL of a record.
type token struct {
	start, end int32 // in the view's text; of a number without its unit
	unitEnd    int32 // end of the unit that is attached to a number
	line       int32
	id         uint16 // vocabulary word, 0 for all others
	first      uint16 // index of the token's first class hit, valid if mask is not 0
	link       int16  // depth in the exception chain, deeper is further in
	kind       tokenKind
	lineKind   lineKind
	pre, post  byte   // the bytes beside the token
	part       uint8  // 0 alone, else 1-based place inside a joined name
	lastPart   bool   // the joined name ends here (also true for part 0)
	mask       uint64 // classes that have a phrase starting here
}

// lineInfo is what all tokens of a line have in common.
type lineInfo struct {
	number int32
	kind   lineKind
	link   int16
}

// view is a record cut into tokens. It is reused from record to record.
type view struct {
	text    []byte
	tokens  []token
	hits    []classHit
	present []uint64 // bit set of the vocabulary words that occur
	mask    uint64   // union of the tokens' class masks in text lines
	later   later    // what follows the token being looked at
	python  bool     // frames are printed innermost last
	numbers bool     // there are numbers, or spans
	buf     []byte   // backs text where it had to be put together
	steps   int      // what is left of maxSteps
	line    lineInfo // the line being cut
}

// maxText bounds how much of a record is read: failures say what they are in
// their first lines, and the rest is frames of the caller.
const maxText = 16 << 10

// maxTokens bounds the tokens of a view; the bound only guards against lines
// of pathological shape, maxText is reached first by all others.
const maxTokens = 6000

// maxFrames bounds how many frames in a row are read, where the innermost come
// first: what called a client's outermost method says nothing of the stage.
const maxFrames = 24

// maxSteps bounds the words that patterns with gaps look at in one record: a
// record of pathological shape costs about a millisecond, and is attributed by
// what had been found by then.
const maxSteps = 200_000

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLetter(c byte) bool { return isLower(c | 0x20) }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isSpace(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// at returns the byte at i, or a line break outside the text.
func (v *view) at(i int) byte {
	if i < 0 || i >= len(v.text) {
		return '\n'
	}
	return v.text[i]
}

// word returns the bytes of token i, without a unit.
func (v *view) word(i int) []byte { return v.text[v.tokens[i].start:v.tokens[i].end] }

// tokenize cuts v.text into tokens and looks every word up in the vocabulary.
func (v *view) tokenize(words *vocabulary) {
	v.tokens = v.tokens[:0]
	v.hits = v.hits[:0]
	v.mask = 0
	v.steps = maxSteps
	v.python, v.numbers = false, false
	clear(v.present)
	var link int16
	var line int32
	text := v.text
	prev := lineText
	boxed := false // the line before is inside a box
	frames := 0    // in a row
	for pos := 0; pos < len(text) && len(v.tokens) < maxTokens; {
		end := pos
		for end < len(text) && text[end] != '\n' {
			end++
		}
		kind := v.lineKindOf(text[pos:end], prev)
		if kind == lineText {
			link = v.nextLink(text[pos:end], link)
		}
		boxed = kind == lineText && bytes.HasPrefix(text[pos:end], []byte(boxBar)) && end-pos > len(boxBar)+1 && boxed
		if boxed {
			line-- // one sentence, wrapped inside a box
		}
		if kind == lineFrame {
			frames++
		} else {
			frames = 0
		}
		v.line = lineInfo{number: line, kind: kind, link: link}
		if frames <= maxFrames || v.python {
			v.tokenizeLine(words, pos, end)
		}
		prev = kind
		boxed = bytes.HasPrefix(text[pos:end], []byte(boxBar)) && end-pos > len(boxBar)+1
		pos = end + 1
		line++
	}
}

// boxBar is what a line inside a box starts with: a program that draws one
// wraps its sentences at the box's width.
const boxBar = "│"

// tokenizeLine appends the tokens of text[pos:end].
func (v *view) tokenizeLine(words *vocabulary, pos, end int) {
	text := v.text[:end]
	i := pos
	for i < len(text) && len(v.tokens) < maxTokens {
		c := text[i]
		switch kind := bytesOf[c]; {
		case kind == byteLower, kind == byteUpper:
			i = v.name(words, text, i)
		case kind == byteDigit:
			i = v.number(words, text, i)
		case c == ' ':
			i++
		case c == 0x1b && i+1 < len(text) && text[i+1] == '[':
			i = skipANSI(text, i)
		case c == '/' && v.line.kind != lineFrame && i+1 < len(text) && (isLetter(text[i+1]) || text[i+1] == '/') && !isLetter(v.at(i-1)) && !isDigit(v.at(i-1)) && v.at(i-1) != ')' && v.at(i-1) != '/':
			j := i
			for j < len(text) && !isURLEnd(text[j]) {
				j++
			}
			v.add(kindURL, i, j, j).lastPart = true
			i = j
		default:
			i++
		}
	}
}

// add appends a token and returns it, with everything set that its place says.
func (v *view) add(kind tokenKind, start, end, unitEnd int) *token {
	if len(v.tokens) < cap(v.tokens) {
		v.tokens = v.tokens[:len(v.tokens)+1]
	} else {
		v.tokens = append(v.tokens, token{})
	}
	t := &v.tokens[len(v.tokens)-1]
	// Field by field: a literal would be made aside and copied.
	t.start, t.end, t.unitEnd = int32(start), int32(end), int32(unitEnd)
	t.line, t.link, t.kind, t.lineKind = v.line.number, v.line.link, kind, v.line.kind
	t.id, t.first, t.part, t.lastPart, t.mask = 0, 0, 0, false, 0
	t.pre, t.post = '\n', '\n'
	if start > 0 {
		t.pre = v.text[start-1]
	}
	if unitEnd < len(v.text) {
		t.post = v.text[unitEnd]
	}
	return t
}

// name appends the parts of the joined name at text[i]: letters, digits inside
// it, and the joints of snake_case, kebab-case and CamelCase.
func (v *view) name(words *vocabulary, text []byte, i int) int {
	if text[i] == 'P' {
		if end := isoDuration(text, i); end > i {
			v.add(kindSpan, i, end, end).lastPart = true
			v.numbers = true
			return end
		}
	}
	first := len(v.tokens)
	part := uint8(0)
	for i < len(text) && isLetter(text[i]) {
		start := i
		i = wordEnd(text, i)
		if part < 255 {
			part++
		}
		id := words.lookup(text, start, i)
		t := v.add(kindWord, start, i, i)
		t.id, t.part = id, part
		if id != 0 {
			v.present[id>>6] |= 1 << (id & 63)
		}
		if i+1 < len(text) && (text[i] == '_' || text[i] == '-') && isLetter(text[i+1]) {
			i++
		}
	}
	if i+2 < len(text) && text[i] == ':' && text[i+1] == '/' && text[i+2] == '/' {
		start := int(v.tokens[first].start)
		end := urlEnd(text, i)
		v.tokens = v.tokens[:first]
		v.add(kindURL, start, end, end).lastPart = true
		return end
	}
	if n := len(v.tokens); n == first+1 {
		v.tokens[first].part = 0
	}
	v.tokens[len(v.tokens)-1].lastPart = true
	return i
}

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
		c := text[i]
		switch kind := bytesOf[c]; {
		case kind == byteLower:
			if upper && i-start > 1 {
				return i - 1
			}
			upper = false
		case kind == byteDigit:
			upper = false
		case kind == byteUpper:
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
// small letter. It looks at eight bytes at a time: adding to a byte below 128
// carries into its own top bit and no further.
func skipLower(text []byte, i int) int {
	const tops, low = 0x8080808080808080, 0x0101010101010101
	for i+8 <= len(text) {
		x := binary.LittleEndian.Uint64(text[i:])
		small := (x&^tops + (128-'a')*low) &^ (x&^tops + (127-'z')*low) &^ x & tops
		if small != tops {
			return i + bits.TrailingZeros64(small^tops)/8
		}
		i += 8
	}
	for i < len(text) && isLower(text[i]) {
		i++
	}
	return i
}

// What a byte is to a word.
const (
	byteOther = iota
	byteLower
	byteUpper
	byteDigit
)

var bytesOf = func() (kinds [256]uint8) {
	for c := range kinds {
		switch {
		case isLower(byte(c)):
			kinds[c] = byteLower
		case isUpper(byte(c)):
			kinds[c] = byteUpper
		case isDigit(byte(c)):
			kinds[c] = byteDigit
		}
	}
	return kinds
}()

// isoDuration returns where the duration of ISO 8601 at text[i] ends, such as
// PT2S or PT1M30.5S, or i if there is none.
func isoDuration(text []byte, i int) int {
	if text[i] != 'P' || i+3 >= len(text) || text[i+1] != 'T' || !isDigit(text[i+2]) {
		return i
	}
	j := i + 2
	for j < len(text) && (isDigit(text[j]) || text[j] == '.' || text[j] == 'H' || text[j] == 'M' || text[j] == 'S') {
		j++
	}
	for text[j-1] == '.' {
		j--
	}
	if isDigit(text[j-1]) || j < len(text) && isLetter(text[j]) {
		return i
	}
	return j
}

// number appends the number, span, address or other thing at text[i], which
// starts with a digit.
func (v *view) number(words *vocabulary, text []byte, i int) int {
	kind := kindNumber
	j := i
	dots, colons := 0, 0
	for j < len(text) {
		c := text[j]
		if isDigit(c) {
			j++
			continue
		}
		if j+1 < len(text) && isDigit(text[j+1]) {
			if c == '.' {
				dots++
				j++
				continue
			}
			if c == ':' && (dots > 1 || isClock(text, j)) {
				colons++
				j++
				continue
			}
			if c == ',' && dots+colons == 0 && isThousands(text, i, j) {
				j += 4
				continue
			}
		}
		break
	}
	switch {
	case dots >= 2 || dots == 1 && colons == 1:
		kind = kindAddr
	case colons >= 1:
		kind = kindSpan
	}
	end := j
	k := j
	for k < len(text) && (isLetter(text[k]) || text[k] == 0xc2 && k+1 < len(text) && text[k+1] == 0xb5 || text[k] == 0xb5) {
		k++
	}
	if k > j && k < len(text) && isDigit(text[k]) && isGoUnit(text[j:k]) {
		v.numbers = true
		v.add(kind, i, end, k).lastPart = true // 1m30s: the rest is a token of its own
		return k
	}
	if k < len(text) && (isDigit(text[k]) || text[k] == '_' || text[k] == '-' && k > j && k+1 < len(text) && isLetter(text[k+1])) && k > j {
		// 0x7f79, 3f2504e0: not a number with a unit.
		for k < len(text) && (isLetter(text[k]) || isDigit(text[k]) || text[k] == '_' || text[k] == '-') {
			k++
		}
		kind, end = kindAddr, k
	}
	t := v.add(kind, i, end, k)
	t.lastPart = true
	v.numbers = v.numbers || kind != kindAddr
	if kind == kindNumber && k == j || kind == kindAddr && text[i] == '0' && i+1 < len(text) && text[i+1]|0x20 == 'x' {
		i, j := int(t.start), int(t.end)
		t.id = words.lookup(text, i, j)
		if t.id != 0 {
			v.present[t.id>>6] |= 1 << (t.id & 63)
		}
	}
	return k
}

// isThousands reports whether the comma at j separates thousands of the number
// that starts at i: three digits and no more follow, and it is the first comma
// after at most three digits, or the next of such commas.
func isThousands(text []byte, i, j int) bool {
	if j-i > 3 && text[j-4] != ',' || text[i] == '0' {
		return false
	}
	return j+3 < len(text) && isDigit(text[j+2]) && isDigit(text[j+3]) && (j+4 == len(text) || !isDigit(text[j+4]))
}

// isClock reports whether two digits and no more follow the colon at i.
func isClock(text []byte, i int) bool {
	return i+2 < len(text) && isDigit(text[i+1]) && isDigit(text[i+2]) && (i+3 == len(text) || !isDigit(text[i+3]))
}

// urlEnd returns the end of the URL whose colon is at i.
func urlEnd(text []byte, i int) int {
	j := i + 3
	for j < len(text) && !isURLEnd(text[j]) {
		j++
	}
	for j > i+3 && (text[j-1] == ':' || text[j-1] == '.' || text[j-1] == ';') {
		j--
	}
	return j
}

func isURLEnd(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', '"', '\'', ')', '>', ']', '`', ',', '|', '}', '\\':
		return true
	}
	return false
}

func skipANSI(text []byte, i int) int {
	i += 2
	for i < len(text) && (isDigit(text[i]) || text[i] == ';' || text[i] == '?') {
		i++
	}
	if i < len(text) {
		i++
	}
	return i
}

// isGoUnit reports whether b is a unit that a Go duration continues after.
func isGoUnit(b []byte) bool {
	return len(b) == 1 && (b[0] == 'm' || b[0] == 'h' || b[0] == 's')
}

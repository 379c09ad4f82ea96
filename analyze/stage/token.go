package stage

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

// A token is one word, number, address or URL of a record. It is kept small:
// what is read together stands together, and two fit a line of the cache.
type token struct {
	mask uint64 // classes that have a phrase starting here
	lineInfo
	start, end uint16 // in the view's text; of a number without its unit
	unitEnd    uint16 // end of the unit that is attached to a number
	id         uint16 // vocabulary word, 0 for all others
	first      uint16 // index of the token's first class hit, valid if mask is not 0
	kind       tokenKind
	pre, post  byte  // the bytes beside the token
	part       uint8 // 0 alone, else 1-based place inside a joined name
	lastPart   bool  // the joined name ends here (also true for part 0)
}

// lineInfo is what all tokens of a line have in common.
type lineInfo struct {
	line     int32
	link     int16 // depth in the exception chain, deeper is further in
	lineKind lineKind
}

// view is a record cut into tokens. It is reused from record to record.
type view struct {
	text    []byte
	tokens  []token
	known   []uint16 // the tokens that are vocabulary words, numbers or spans; of frames those at which a rule looks
	frames  wordSet  // the words of frames at which a rule looks
	hits    []classHit
	present []uint64 // bit set of the vocabulary words that occur
	mask    uint64   // union of the tokens' class masks in text lines
	url     int      // one more than the first URL outside of frames, or 0
	python  bool     // frames are printed innermost last
	numbers bool     // there are numbers, or spans, outside of frames
	buf     []byte   // backs text where it had to be put together
	steps   int      // what is left of maxSteps
	cut     cutFrames
	kept    kept     // what attributions say
	spare   []byte   // for a text that is put together
	line    lineInfo // the line being cut
}

// maxText bounds how much of a record is read: failures say what they are in
// their first lines, and the rest is frames of the caller. It fits the numbers
// of a token.
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
	v.known = v.known[:0]
	v.hits = v.hits[:0]
	v.mask = 0
	v.steps = maxSteps
	v.url, v.python, v.numbers = 0, false, false
	clear(v.present)
	v.present[0] = 1 // word 0 is no word: what asks for it asks nothing
	var link int16
	var line int32
	text := v.text
	prev := lineText
	boxed := false // the line before is inside a box
	frames := 0    // in a row
	for pos := 0; pos < len(text) && len(v.tokens) < maxTokens; {
		end := lineEnd(text, pos)
		l := text[pos:end]
		indent := blanks(l)
		kind := v.lineKindOf(l, indent, prev)
		if kind == lineText {
			link = nextLink(l, indent, link)
			frames = 0
		}
		box := isBoxed(l)
		if box && boxed && kind == lineText {
			line-- // one sentence, wrapped inside a box
		}
		switch kind {
		case lineFrame:
			frames++
		case lineCode:
			frames = 0
		}
		v.line = lineInfo{line: line, link: link, lineKind: kind}
		switch {
		case kind != lineFrame:
			v.tokenizeLine(words, pos, end)
		case frames <= maxFrames || v.python:
			v.tokenizeFrame(words, pos, end)
		}
		prev, boxed = kind, box
		pos = end + 1
		line++
	}
}

// tokenizeLine appends the tokens of text[pos:end], which is followed by a line
// break or the end of the text: no token runs over either.
func (v *view) tokenizeLine(words *vocabulary, pos, end int) {
	text := v.text
	for i := pos; len(v.tokens) < maxTokens; {
		for i < end && starts[text[i]] == startsNothing {
			i++
		}
		if i >= end {
			return
		}
		switch starts[text[i]] {
		case startsWord:
			x := load(text, i)
			n := run(within(x, 'a', 'z') | 0x80)
			if n == window || !endsWord[byte(x>>(8*n))] {
				i = v.name(words, i, x, n)
				continue
			}
			// A word of its own, as most are: small letters, or a capital
			// before them, and a sign behind them that joins nothing.
			t := v.next()
			t.put(kindWord, i, i+n, i+n)
			t.sides(text)
			k := wordKey{first: (x | folds) & (1<<(8*n) - 1), length: n}
			if h := k.hash(); words.mayHave(h) {
				v.know(t, words.findHashed(k, h, nil))
			}
			i += n
		case startsNumber:
			i = v.number(words, i)
		case startsPath:
			i = v.path(i)
		case startsEscape:
			i = skipEscape(text, i)
		}
	}
}

// What can start with a byte.
const (
	startsNothing = iota
	startsWord
	startsNumber
	startsPath
	startsEscape
)

var starts = func() (kinds [256]uint8) {
	for c := range kinds {
		switch {
		case isLetter(byte(c)):
			kinds[c] = startsWord
		case isDigit(byte(c)):
			kinds[c] = startsNumber
		case c == '/':
			kinds[c] = startsPath
		case c == 0x1b:
			kinds[c] = startsEscape
		}
	}
	return kinds
}()

// endsWord are the bytes behind a word that belong to nothing which the word
// begins: no joint, no digit, no apostrophe, no colon of a URL.
var endsWord = func() (ends [256]bool) {
	for c := range ends {
		ends[c] = !isLetter(byte(c)) && !inWord[c] && c != '_' && c != '-' && c != ':'
	}
	return ends
}()

// add appends a token and returns it, with everything set that its place says.
func (v *view) add(kind tokenKind, start, end, unitEnd int) *token {
	t := v.next()
	t.put(kind, start, end, unitEnd)
	t.sides(v.text)
	return t
}

// next appends a token of the line being cut, of which nothing else is set.
func (v *view) next() *token {
	n := len(v.tokens)
	if n == cap(v.tokens) {
		v.tokens = append(v.tokens, token{})
	}
	v.tokens = v.tokens[:n+1]
	t := &v.tokens[n]
	t.lineInfo = v.line
	return t
}

// put sets what the token's place says; field by field, because a literal would
// be made aside and copied.
func (t *token) put(kind tokenKind, start, end, unitEnd int) {
	t.mask, t.id, t.first = 0, 0, 0
	t.start, t.end, t.unitEnd = uint16(start), uint16(end), uint16(unitEnd)
	t.kind, t.part, t.lastPart = kind, 0, true
}

// sides sets the bytes beside the token.
func (t *token) sides(text []byte) {
	t.pre, t.post = '\n', '\n'
	if t.start > 0 {
		t.pre = text[t.start-1]
	}
	if int(t.unitEnd) < len(text) {
		t.post = text[t.unitEnd]
	}
}

// know gives token t, the last one, the number of its word.
func (v *view) know(t *token, id uint16) {
	t.id = id
	if id == 0 {
		return
	}
	v.present[id>>6] |= 1 << (id & 63)
	if t.lineKind != lineFrame || v.frames.has(id) {
		v.known = append(v.known, uint16(len(v.tokens)-1))
	}
}

// count notes that the last token is a number or a span.
func (v *view) count() {
	v.numbers = v.numbers || v.line.lineKind == lineText
	v.known = append(v.known, uint16(len(v.tokens)-1))
}

// drop takes back the tokens from the given one on.
func (v *view) drop(first int) {
	v.tokens = v.tokens[:first]
	for n := len(v.known); n > 0 && int(v.known[n-1]) >= first; n-- {
		v.known = v.known[:n-1]
	}
}

// path appends the path at text[i], a slash that a name follows and none
// precedes; in frames a slash divides names.
func (v *view) path(i int) int {
	next, before := v.at(i+1), v.at(i-1)
	if v.line.lineKind == lineFrame || !isLetter(next) && next != '/' || isLetter(before) || isDigit(before) || before == ')' || before == '/' {
		return i + 1
	}
	j := i
	for j < len(v.text) && !endsURL[v.text[j]] {
		j++
	}
	v.add(kindURL, i, j, j)
	return j
}

// urlEnd returns the end of the URL whose colon is at i.
func urlEnd(text []byte, i int) int {
	j := i + 3
	for j < len(text) && !endsURL[text[j]] {
		j++
	}
	for j > i+3 && (text[j-1] == ':' || text[j-1] == '.' || text[j-1] == ';') {
		j--
	}
	return j
}

// endsURL are the bytes that no URL goes over.
var endsURL = func() (ends [256]bool) {
	for _, c := range " \t\n\r\"')>]`,|}\\" {
		ends[c] = true
	}
	return ends
}()

// skipEscape returns the place behind the escape at text[i], which colours
// text or moves the cursor.
func skipEscape(text []byte, i int) int {
	if i+1 >= len(text) || text[i+1] != '[' {
		return i + 1
	}
	i += 2
	for i < len(text) && (isDigit(text[i]) || text[i] == ';' || text[i] == '?') {
		i++
	}
	return i + 1
}

package fingerprint

// The classes of bytes that masking tells apart.
const (
	cChunk  uint16 = 1 << iota // may stand inside a chunk
	cDigit                     // 0-9
	cLetter                    // A-Z a-z
	cHex                       // 0-9 A-F a-f
	cMark                      // makes a chunk worth a second look: / \ @ : + % ~
	cSpace                     // white space and control characters
	cQuote                     // ' " `
	cHigh                      // bytes above ASCII
	cDot                       // the full stop
	cEnd                       // ends the value of a pair
	cPlain                     // begins no word of those that word looks at
)

var class = buildClass()

func buildClass() (t [256]uint16) {
	defer func() {
		for c := byte('a'); c <= 'z'; c++ {
			t[c] |= cPlain
		}
		for _, c := range []byte("aftlpu") { // an, false, for, true, login, password, user
			t[c] &^= cPlain
		}
		for c := range t {
			if t[c]&(cSpace|cQuote) != 0 {
				t[c] |= cEnd
			}
		}
		for _, c := range []byte(",;()[]{}|<>") {
			t[c] |= cEnd
		}
	}()
	for c := 0; c < 256; c++ {
		switch {
		case c <= ' ' || c == 0x7f:
			t[c] = cSpace
		case c >= '0' && c <= '9':
			t[c] = cChunk | cDigit | cHex
		case c|0x20 >= 'a' && c|0x20 <= 'z' && c < 0x80:
			t[c] = cChunk | cLetter
			if c|0x20 <= 'f' {
				t[c] |= cHex
			}
		case c >= 0x80:
			t[c] = cChunk | cHigh
		case c == '\'' || c == '"' || c == '`':
			t[c] = cQuote
		case c == '/' || c == '\\' || c == '@' || c == ':' || c == '+' || c == '%' || c == '~':
			t[c] = cChunk | cMark
		case c == '.':
			t[c] = cChunk | cDot
		case c == '_' || c == '-' || c == '$' || c == '*' || c == '!' || c == '?' || c == '&' || c == '^':
			t[c] = cChunk
		}
	}
	return t
}

// behind returns the last byte of the output, 0 when there is none. What is
// behind is judged by the output, so that masking a masked text changes nothing.
func (m *masker) behind() byte {
	if len(m.dst) == m.base {
		return 0
	}
	return m.dst[len(m.dst)-1]
}

// joins reports whether c continues the text beside it: a word byte, or the
// bracket of a placeholder, which stands for one.
func joins(c byte) bool { return isWordByte(c) || c == '<' || c == '>' }

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isHex(c byte) bool    { return class[c]&cHex != 0 }
func isLetter(c byte) bool { return class[c]&cLetter != 0 }
func isAlnum(c byte) bool  { return class[c]&(cLetter|cDigit) != 0 }

// isWordByte reports whether c continues a word: letters, digits, underscore
// and everything above ASCII.
func isWordByte(c byte) bool { return class[c]&(cLetter|cDigit|cHigh) != 0 || c == '_' }

package fingerprint

import "bytes"

// Mask appends src to dst with its variable parts replaced by the typed
// placeholders of Kind, and returns the extended slice. Runs of white space
// become one space, and white space at the ends goes. Kinds in keep stay as
// they are. Mask is idempotent, keeps valid UTF-8 valid, allocates nothing but
// what dst needs to grow, and takes time linear in src.
//
// It is one pass, and another over the output where a placeholder may have
// changed how the text beside it reads, as in a@b.org!5, until nothing changes;
// few lines need one. In a pass, src is cut into chunks at white space, quotes, brackets,
// commas and signs such as = and |, and only a chunk with a digit, a slash, an
// at sign or the like is looked at twice. No regular expressions are used.
//
// What counts as variable, in short: typed values (numbers and their units,
// times, addresses, identifiers, paths, URLs), values in quotes that hold no
// white space, values of key=value and JSON pairs, digits inside names. What
// stays: words, quoted phrases (their parts are masked like any text), values
// of keys that tell of an error (err, error, reason, cause, msg, message),
// and the digits of well-known technical names such as IPv4 or sha256. Equal
// placeholders in a row collapse to one, so that a list's length is no part
// of the template.
func Mask(dst, src []byte, keep KindSet) []byte {
	base := len(dst)
	m := masker{src: src, dst: dst, base: base, keep: keep}
	m.run()
	for n := 0; n < maxPasses && m.unsure; n++ {
		end := len(m.dst)
		again := masker{src: m.dst[base:], dst: m.dst, base: end, keep: keep}
		again.run()
		if bytes.Equal(again.dst[base:end], again.dst[end:]) {
			return again.dst[:end]
		}
		m.dst = append(again.dst[:base], again.dst[end:]...)
	}
	return m.dst
}

// maxPasses bounds the passes after the first. Generated texts by the hundred
// million needed four at most.
const maxPasses = 8

// masker is the state of one masking pass.
type masker struct {
	src     []byte
	dst     []byte
	base    int // where the output begins in dst
	pos     int
	keep    KindSet
	closers [4]found
	breakAt found
	// afterUser says that the word before was one that a user name follows.
	afterUser bool
	// afterLogin says that the word before was password, login or the like.
	afterLogin bool
	// words counts the words of the output; ends holds where those from
	// oldest on end; the bits of puts tell which of the last ones, the newest
	// lowest, hold a placeholder; lastPut is where the last placeholder
	// begins, plus one.
	words   int
	ends    [endsKept]int
	oldest  int
	puts    uint32
	lastPut int
	count   int // placeholders put
	// unsure says that a placeholder may have changed how the text beside it
	// reads, so that only another pass can tell whether the output stands.
	unsure bool
}

func (m *masker) run() {
	src := m.src
	for m.pos < len(src) {
		c := src[m.pos]
		cl := class[c]
		switch {
		case cl&cChunk != 0:
			m.chunk()
		case cl&cSpace != 0:
			m.space()
		case cl&cQuote != 0:
			m.quote(c)
		case c == '=':
			m.equals()
		default:
			m.delimiter(c)
		}
	}
	if len(m.dst) > m.base {
		if m.dst[len(m.dst)-1] == ' ' {
			m.dst = m.dst[:len(m.dst)-1]
		} else {
			m.endToken()
		}
	}
}

func (m *masker) space() {
	if len(m.dst) > m.base && m.dst[len(m.dst)-1] != ' ' {
		m.endToken()
		m.dst = append(m.dst, ' ')
	}
	if m.src[m.pos] == escape {
		m.pos = escapeEnd(m.src, m.pos)
		return
	}
	m.pos++
}

const escape = 0x1b

// escapeEnd returns where the terminal's control sequence at src[p] ends.
func escapeEnd(src []byte, p int) int {
	p++
	if p == len(src) || src[p] != '[' {
		return p
	}
	for p++; p < len(src) && (isDigit(src[p]) || src[p] == ';' || src[p] == '?'); p++ {
	}
	if p < len(src) && isLetter(src[p]) {
		p++
	}
	return p
}

// delimiter copies one byte that ends chunks.
func (m *masker) delimiter(c byte) {
	if c == '<' {
		// A placeholder that is there already is copied whole.
		if n := placeholderAt(m.src[m.pos:]); n > 0 {
			m.lastPut = len(m.dst) + 1
			m.dst = append(m.dst, m.src[m.pos:m.pos+n]...)
			m.pos += n
			m.afterUser, m.afterLogin = false, false
			return
		}
	}
	m.afterUser, m.afterLogin = false, false
	m.pos++
	switch {
	case c == ')' || c == ']':
		if m.closeBracket() {
			return
		}
	case c == '<' && m.pos < len(m.src) && isDigit(m.src[m.pos]) && (len(m.dst) == m.base || m.dst[len(m.dst)-1] == ' ') && !m.keep.Has(KindNumber):
		return // "less than" is part of a measured value
	}
	m.dst = append(m.dst, c)
}

// chunk masks the run of chunk bytes at the current position.
func (m *masker) chunk() {
	src := m.src
	start := m.pos
	end := start
	var flags uint16
	all := ^uint16(0)
	for end < len(src) {
		cl := class[src[end]]
		if cl&cChunk == 0 {
			break
		}
		flags |= cl
		all &= cl
		end++
	}
	if flags&(cDigit|cMark|cDot) == 0 && class[src[start]]&cPlain != 0 && !m.afterUser && !joins(m.behind()) && (end == len(src) || src[end] != '<') {
		m.dst = append(m.dst, src[start:end]...)
		m.pos = end
		m.afterLogin = false
		return
	}
	afterUser, afterLogin := m.afterUser, m.afterLogin
	m.afterUser, m.afterLogin = false, false
	if flags&(cDigit|cMark) == 0 {
		m.pos = m.word(start, end, flags, afterUser, afterLogin)
		return
	}
	if all&cDigit != 0 && end-start > 2 && !afterUser {
		m.pos = m.number(start, end, KindNumber)
		return
	}
	if flags&cMark != 0 {
		if scheme, n := m.url(start, end); n == 0 && scheme > start {
			end = scheme // what stands before a URL comes first
		} else if n > 0 {
			m.pos = n
			return
		}
	}
	// Trailing punctuation belongs to the sentence.
	stop := end
	for stop > start && isTrailing(src[stop-1]) {
		stop--
	}
	if afterUser && flags&cMark == 0 && stop > start && (end == len(src) || src[end] != '=') && isUserName(src[start:stop]) {
		m.put(KindUser, src[start:stop])
		m.dst = append(m.dst, src[stop:end]...)
		m.pos = end
		return
	}
	if stop > start {
		m.pos = stop
		mark, count := len(m.dst), m.count
		m.token(start, stop, flags)
		if m.count-count >= compoundParts && len(m.dst) > mark && isCompound(src[start:stop]) {
			// So many numbers make a name an identifier, whatever its words.
			m.dst = m.dst[:mark]
			m.put(KindNumber, src[start:stop])
		}
		if flags&cMark != 0 && m.count > count && m.lastPut != mark+1 && (afterUser || readsOtherwise(m.dst[min(mark, len(m.dst)):])) {
			m.unsure = true
		}
		if m.pos > stop {
			return // a lookahead took more than the chunk
		}
	}
	m.dst = append(m.dst, src[stop:end]...)
	m.pos = end
}

// readsOtherwise reports whether a chunk that was masked in part may read as
// something else now: as an address or a file, of which a placeholder is no
// part. Letters and a slash, as in HTTP/<num>, read the same.
func readsOtherwise(masked []byte) bool {
	for _, c := range masked {
		if c == '.' || class[c]&cMark != 0 && c != '/' {
			return true
		}
	}
	return false
}

func isTrailing(c byte) bool {
	return c == '.' || c == ':' || c == '!' || c == '?' || c == '-' || c == '\\'
}

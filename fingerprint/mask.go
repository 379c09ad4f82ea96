package fingerprint

import "bytes"

// Mask appends src to dst with its variable parts replaced by the typed
// placeholders of Kind, and returns the extended slice. Runs of white space
// become one space, and white space at the ends goes. Kinds in keep stay as
// they are. Mask is idempotent, keeps valid UTF-8 valid, allocates nothing but
// what dst needs to grow, and takes time linear in src.
//
// It is one pass: src is cut into chunks at white space, quotes, brackets,
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
	m := masker{src: src, dst: dst, base: len(dst), keep: keep}
	m.run()
	return m.dst
}

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

const (
	// maxRepeat is how many words a repeated group may have.
	maxRepeat = 3
	// endsKept is of how many words the ends are known.
	endsKept = 16
)

// endToken notes that a word of the output ends here, and drops it with the
// words before it when they repeat the same number of words before them and
// hold a placeholder: the items of a list are one item.
func (m *masker) endToken() {
	end := len(m.dst)
	m.puts <<= 1
	if m.lastPut > m.wordStart(m.words) {
		m.puts |= 1
	}
	m.ends[uint(m.words)%endsKept] = end
	m.oldest = max(m.oldest, m.words-endsKept+1)
	m.words++
	for n := 1; n <= maxRepeat && 2*n <= m.words; n++ {
		// Words that are alike have their placeholders alike.
		if these := uint32(1)<<n - 1; m.puts&these == 0 || (m.puts^m.puts>>n)&these != 0 {
			continue
		}
		if k := m.words - 2*n; k > 0 && k-1 < m.oldest || m.words-n-1 < m.oldest {
			return
		}
		first := m.wordStart(m.words - 2*n)
		mid := m.wordStart(m.words - n)
		a, b := m.dst[first:mid-1], m.dst[mid:end]
		if bytes.Equal(a, b) {
			m.words -= n
			m.puts >>= n
			m.dst = m.dst[:mid-1]
			m.lastPut = 0
			return
		}
		if n == 1 && bytes.Equal(bytes.TrimSuffix(a, comma), bytes.TrimSuffix(b, comma)) {
			// The later one stays, which tells whether the list goes on.
			m.words--
			m.puts >>= 1
			m.dst = append(m.dst[:first], b...)
			m.ends[uint(m.words-1)%endsKept] = len(m.dst)
			m.lastPut = 0
			return
		}
	}
}

var comma = []byte{','}

// wordStart returns where word i of the output begins.
func (m *masker) wordStart(i int) int {
	if i == 0 {
		return m.base
	}
	return m.ends[uint(i-1)%endsKept] + 1
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

// closeBracket makes one thing of every value in brackets that stands alone,
// whether it is there or not: " ()", " (null)" and " (<host>)". A value that
// only repeats the one before it in another form, as in 2048 bytes (2 KB), goes
// with its brackets; then it returns true.
func (m *masker) closeBracket() bool {
	n := len(m.dst)
	open := n - 1
	for open >= m.base && n-open <= 9 && m.dst[open] != '(' && m.dst[open] != '[' {
		open--
	}
	if m.keep.Has(KindValue) || open < m.base || n-open > 9 || open > m.base && m.dst[open-1] != ' ' && m.dst[open-1] != '=' {
		return false
	}
	content := m.dst[open+1:]
	switch string(content) {
	case kindPlaceholders[KindTime], kindPlaceholders[KindSize]:
		if before := m.dst[m.base:max(m.base, open-1)]; m.dst[open] == '(' && bytes.HasSuffix(before, content) && m.words > 0 {
			m.words--
			m.puts >>= 1
			m.dst = m.dst[:open-1]
			m.lastPut = len(m.dst) - len(content) + 1
			return true
		}
		return false
	case "", "null", "nil", "none", "None", "unknown":
	default:
		if k := placeholderAt(content); k == 0 || k != len(content) {
			return false
		}
	}
	m.dst = m.dst[:open+1]
	m.lastPut = len(m.dst) + 1
	m.dst = append(m.dst, kindPlaceholders[KindValue]...)
	return false
}

// placeholderAt returns the length of the placeholder that b begins with.
func placeholderAt(b []byte) int {
	for _, p := range &kindPlaceholders {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return len(p)
		}
	}
	return 0
}

// put appends the placeholder of a kind, or the text when the kind is kept.
func (m *masker) put(k Kind, text []byte) {
	if m.keep.Has(k) {
		m.dst = append(m.dst, text...)
		return
	}
	m.placeholder(k)
}

// placeholder appends a placeholder, unless it would be the next item of a
// list of equal ones: then the separator goes too.
func (m *masker) placeholder(k Kind) {
	p := kindPlaceholders[k]
	out := m.dst[m.base:]
	end := len(out)
	for n := 0; n < 3 && end > 0 && isListSeparator(out[end-1]); n++ {
		end--
	}
	if end < len(out) && end >= len(p) && string(out[end-len(p):end]) == p {
		m.dst = m.dst[:m.base+end]
		for m.words > 0 && m.ends[uint(m.words-1)%endsKept] >= len(m.dst) {
			m.words--
			m.puts >>= 1
		}
		m.lastPut = len(m.dst) - len(p) + 1
		return
	}
	m.lastPut = len(m.dst) + 1
	m.count++
	m.dst = append(m.dst, p...)
}

func isListSeparator(c byte) bool {
	switch c {
	case ' ', ',', '-', ':', '.', '/', '_', '|', '#', ';', '+', '*', 'x', '\\':
		return true
	}
	return false
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
		if m.pos > stop {
			return // a lookahead took more than the chunk
		}
	}
	m.dst = append(m.dst, src[stop:end]...)
	m.pos = end
}

func isTrailing(c byte) bool {
	return c == '.' || c == ':' || c == '!' || c == '?' || c == '-' || c == '\\'
}

// word copies a chunk that holds no digit and no mark and returns where to go
// on. A word behind "user" is a user's name, true and false are values, names
// of months and days may begin a time.
func (m *masker) word(start, end int, flags uint16, afterUser, afterLogin bool) int {
	w := m.src[start:end]
	if joins(m.behind()) || end < len(m.src) && m.src[end] == '<' {
		m.dst = append(m.dst, w...) // part of a longer name
		return end
	}
	switch len(w) {
	case 2:
		if w[0] == 'a' && w[1] == 'n' {
			if n := unknownNumber(m.src[start:]); n > 0 {
				m.put(KindNumber, m.src[start:start+n])
				return start + n
			}
		}
	case 3, 4, 5, 6, 7, 8, 9:
		if len(w) <= 5 && isBool(w) {
			m.put(KindBool, w)
			return end
		}
		if w[0] >= 'A' && w[0] <= 'W' && timeMayFollow(m.src, end) {
			if n := namedTime(m.src[start:]); n > 0 {
				m.put(KindTime, m.src[start:start+n])
				return start + n
			}
		}
	}
	if afterUser || flags&cDot != 0 {
		stop := end
		for stop > start && isTrailing(m.src[stop-1]) {
			stop--
		}
		kind := kindCount
		switch {
		case afterUser && isUserName(m.src[start:stop]):
			kind = KindUser
		case flags&cDot != 0 && isHostName(m.src[start:stop]):
			kind = KindHost
		case flags&cDot != 0 && isFileName(m.src[start:stop]):
			kind = KindPath
		}
		if kind != kindCount {
			m.put(kind, m.src[start:stop])
			m.dst = append(m.dst, m.src[stop:end]...)
			return end
		}
	}
	m.dst = append(m.dst, w...)
	m.afterUser = len(w) == 4 && equalFold(w, "user") || afterLogin && len(w) == 3 && string(w) == "for"
	m.afterLogin = flags&cDot == 0 && len(w) >= 5 && isLoginWord(w)
	return end
}

// timeMayFollow reports whether what stands at src[p], behind a word, can go
// on a time that the word begins.
func timeMayFollow(src []byte, p int) bool {
	if p+1 >= len(src) || src[p] != ' ' && src[p] != ',' {
		return false
	}
	c := src[p+1]
	return isDigit(c) || c == ' ' || c >= 'A' && c <= 'W'
}

// isLoginWord reports whether w is a word that "for" and a user's name follow.
func isLoginWord(w []byte) bool {
	switch string(w) {
	case "password", "publickey", "login", "logon", "logins", "failures":
		return true
	}
	return false
}

func isBool(w []byte) bool {
	switch len(w) {
	case 4:
		return string(w) == "true" || string(w) == "True" || string(w) == "TRUE"
	case 5:
		return string(w) == "false" || string(w) == "False" || string(w) == "FALSE"
	}
	return false
}

// notUserNames are words that follow "user" without being anybody's name.
var notUserNames = [...]string{
	"unknown", "is", "has", "was", "not", "does", "did", "id", "ids", "name", "names", "agent", "mode", "space", "data",
	"request", "requests", "session", "sessions", "input", "error", "and", "or", "with", "from", "by", "in", "on", "at",
	"to", "for", "of", "the", "a", "an", "account", "accounts", "group", "groups", "interface", "defined", "code",
	"switch", "profile", "profiles", "lookup", "authentication", "login", "logged", "must", "can", "cannot", "already",
	"no", "event", "events", "info", "information", "settings", "permissions", "access", "canceled", "cancelled", "process",
	"action", "token", "tokens", "list", "type", "role", "roles", "service", "manager", "store", "table", "may", "could",
	"will", "should", "would", "as", "if", "when", "that", "who", "disconnected", "connected", "aborted", "interrupt",
	"interaction", "defaults", "password", "credentials", "preferences", "privacy", "thread", "threads", "level", "activity",
}

// isUserName reports whether a word behind "user" is a name.
func isUserName(w []byte) bool {
	if len(w) == 0 {
		return false
	}
	for _, s := range &notUserNames {
		if equalFold(w, s) {
			return false
		}
	}
	return true
}

// unknownNumber returns the length of "an unknown number of" and its like,
// which stands where another record of the same statement prints a number.
func unknownNumber(b []byte) int {
	n := 0
	for i, want := range [...]string{"an", "", "number", "of"} {
		if i > 0 {
			spaces := n
			for n < len(b) && class[b[n]]&cSpace != 0 {
				n++
			}
			if n == spaces {
				return 0
			}
		}
		start := n
		for n < len(b) && isLetter(b[n]) {
			n++
		}
		word := b[start:n]
		if want == "" {
			switch string(word) {
			case "undeclared", "unknown", "unspecified", "undetermined", "unbounded", "unlimited":
				continue
			}
			return 0
		}
		if string(word) != want {
			return 0
		}
	}
	if n < len(b) && joins(b[n]) {
		return 0
	}
	return n
}

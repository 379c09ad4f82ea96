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
	src  []byte
	dst  []byte
	base int // where the output begins in dst
	pos  int
	keep KindSet
	// closeAt is the offset of a quote that closes a phrase, -1 for none.
	closeAt int
	// afterUser says that the word before was one that a user name follows.
	afterUser bool
	// jsonKey says that a quoted key and its colon were just passed.
	jsonKey, jsonProse bool
	// floor is the length of dst below which placeholders do not collapse.
	floor int
}

func (m *masker) run() {
	m.closeAt = -1
	m.floor = m.base
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
	for len(m.dst) > m.base && m.dst[len(m.dst)-1] == ' ' {
		m.dst = m.dst[:len(m.dst)-1]
	}
}

func (m *masker) space() {
	if len(m.dst) > m.base && m.dst[len(m.dst)-1] != ' ' {
		m.dst = append(m.dst, ' ')
	}
	m.pos++
}

// delimiter copies one byte that ends chunks.
func (m *masker) delimiter(c byte) {
	if c == '<' {
		// A placeholder that is there already is copied whole.
		if n := placeholderAt(m.src[m.pos:]); n > 0 {
			m.dst = append(m.dst, m.src[m.pos:m.pos+n]...)
			m.pos += n
			m.afterUser = false
			return
		}
	}
	m.dst = append(m.dst, c)
	m.pos++
	m.afterUser = false
	if c != ':' {
		m.jsonKey = false
	}
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
	out := m.dst[m.floor:]
	end := len(out)
	for n := 0; n < 3 && end > 0 && isListSeparator(out[end-1]); n++ {
		end--
	}
	if end < len(out) && end >= len(p) && string(out[end-len(p):end]) == p {
		m.dst = m.dst[:m.floor+end]
		return
	}
	m.dst = append(m.dst, p...)
}

func isListSeparator(c byte) bool {
	switch c {
	case ' ', ',', '-', ':', '.', '/', '_', '|', '#', ';', '+', '*', 'x':
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
	for end < len(src) {
		cl := class[src[end]]
		if cl&cChunk == 0 {
			break
		}
		flags |= cl
		end++
	}
	afterUser := m.afterUser
	m.afterUser = false
	if flags&(cDigit|cMark) == 0 {
		m.pos = m.word(start, end, flags, afterUser)
		return
	}
	if flags&cMark != 0 {
		if n := m.url(start, end); n > 0 {
			m.pos = n
			return
		}
	}
	// Trailing punctuation belongs to the sentence.
	stop := end
	for stop > start && isTrailing(src[stop-1]) {
		stop--
	}
	if stop > start {
		m.pos = stop
		m.token(start, stop, flags)
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
func (m *masker) word(start, end int, flags uint16, afterUser bool) int {
	w := m.src[start:end]
	switch len(w) {
	case 2:
		if w[0] == 'a' && w[1] == 'n' {
			if n := unknownNumber(m.src[start:]); n > 0 {
				m.put(KindNumber, m.src[start:start+n])
				return start + n
			}
		}
	case 3:
		if n := namedTime(m.src[start:]); n > 0 {
			m.put(KindTime, m.src[start:start+n])
			return start + n
		}
	case 4, 5:
		if isBool(w) {
			m.put(KindBool, w)
			return end
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
		}
		if kind != kindCount {
			m.put(kind, m.src[start:stop])
			m.dst = append(m.dst, m.src[stop:end]...)
			return end
		}
	}
	m.dst = append(m.dst, w...)
	m.afterUser = len(w) == 4 && equalFold(w, "user")
	return end
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
	rest, ok := bytes.CutPrefix(b, []byte("an un"))
	if !ok {
		return 0
	}
	word, rest, ok := bytes.Cut(rest, []byte(" "))
	if !ok {
		return 0
	}
	switch string(word) {
	case "declared", "known", "specified", "determined", "bounded", "limited":
	default:
		return 0
	}
	const tail = "number of"
	if !bytes.HasPrefix(rest, []byte(tail)) {
		return 0
	}
	return len("an un") + len(word) + 1 + len(tail)
}

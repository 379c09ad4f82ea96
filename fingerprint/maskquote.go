package fingerprint

// quote deals with a quote character: a quoted value without white space is
// masked, a quoted phrase is left to be masked like any text, a quote that
// opens nothing is copied.
func (m *masker) quote(q byte) {
	src := m.src
	i := m.pos
	m.afterUser, m.afterLogin = false, false
	if !m.opens() {
		m.dst = append(m.dst, q)
		m.pos++
		return
	}
	end := m.closing(q, i+1)
	if end >= 0 && q == '"' && end+1 < len(src) && src[end+1] == ':' && isKeyText(src[i+1:end]) {
		// A JSON key stays, and what it is the key of is a value.
		m.dst = append(m.dst, src[i:end+2]...)
		m.pos = end + 2
		m.jsonValue(src[i+1 : end])
		return
	}
	if end < 0 || m.nextBreak(i+1) < end || isErrorName(src[i+1:end]) {
		m.dst = append(m.dst, q)
		m.pos++
		return
	}
	m.quoted(q, src[i+1:end], KindQuoted)
	m.pos = end + 1
}

// opens reports whether a quote at the current position can open a quotation.
func (m *masker) opens() bool {
	switch c := m.behind(); c {
	case '.', '!', '?', ')', ']', '\\':
		return false
	default:
		return !joins(c)
	}
}

// quoted puts a masked value between its quotes.
func (m *masker) quoted(q byte, content []byte, k Kind) {
	m.dst = append(m.dst, q)
	m.put(k, content)
	m.dst = append(m.dst, q)
}

// closing returns the offset of the first quote q at or after i that can
// close a quotation, or -1. The last answer is remembered, so that all calls
// of one pass together read the text once.
func (m *masker) closing(q byte, i int) int {
	src := m.src
	known := &m.closers[q&3] // the low bits of the three quotes differ
	if known.to > i && known.from <= i && known.to <= len(src) {
		if known.to == len(src) {
			return -1
		}
		return known.to
	}
	known.from = i
	for j := i; j < len(src); j++ {
		if src[j] == q && (j == 0 || src[j-1] != '\\') && (j+1 == len(src) || !joins(src[j+1])) {
			known.to = j
			return j
		}
	}
	known.to = len(src)
	return -1
}

// nextBreak returns the offset of the first white space or opening angle
// bracket at or after i, or the end of the text. The bracket may begin a
// placeholder that stands for several words.
func (m *masker) nextBreak(i int) int {
	if known := &m.breakAt; known.to < i || known.from > i {
		known.from, known.to = i, len(m.src)
		for j := i; j < len(m.src); j++ {
			if class[m.src[j]]&cSpace != 0 || m.src[j] == '<' {
				known.to = j
				break
			}
		}
	}
	return m.breakAt.to
}

// found remembers that what was looked for at from is first at to.
type found struct{ from, to int }

// isKeyText reports whether b can be the key of a JSON object.
func isKeyText(b []byte) bool {
	if len(b) == 0 || len(b) > 64 {
		return false
	}
	for _, c := range b {
		if !isWordByte(c) && c != '.' && c != '-' && c != '@' && c != '$' {
			return false
		}
	}
	return true
}

// jsonValue masks the value behind a JSON key; objects and arrays are left to
// the main loop.
func (m *masker) jsonValue(key []byte) {
	src := m.src
	p := m.pos
	for p < len(src) && class[src[p]]&cSpace != 0 {
		p++
	}
	if p == len(src) || isProseKey(key) {
		return
	}
	switch c := src[p]; {
	case c == '"':
		end := m.closing('"', p+1)
		if end < 0 {
			return
		}
		m.quoted('"', src[p+1:end], KindValue)
		m.pos = end + 1
	case class[c]&cChunk != 0:
		end := p
		for end < len(src) && class[src[end]]&cChunk != 0 {
			end++
		}
		m.put(KindValue, src[p:end])
		m.pos = end
	}
}

// proseKeys are keys whose values tell what went wrong.
var proseKeys = [...]string{"err", "error", "errors", "reason", "cause", "msg", "message", "exception", "caller", "event", "eventname", "event_name", "stage", "phase", "op", "operation"}

// isProseKey reports whether the value of a key is kept as text.
func isProseKey(key []byte) bool {
	for _, p := range &proseKeys {
		if equalFold(key, p) {
			return true
		}
	}
	return false
}

// equals deals with an equals sign: the value of a key is masked, whatever it
// is, unless the key is one whose value tells of an error.
func (m *masker) equals() {
	src := m.src
	i := m.pos
	m.dst = append(m.dst, '=')
	m.pos++
	m.afterUser, m.afterLogin = false, false
	keyEnd := i
	for keyEnd > 0 && class[src[keyEnd-1]]&cSpace != 0 {
		keyEnd--
	}
	spaced := keyEnd < i
	keyStart := keyEnd
	for keyStart > 0 && (isWordByte(src[keyStart-1]) || src[keyStart-1] == '.' || src[keyStart-1] == '-') {
		keyStart--
	}
	key := src[keyStart:keyEnd]
	if len(key) == 0 || m.pos < len(src) && (src[m.pos] == '=' || src[m.pos] == '>' || src[m.pos] == '~' && (m.pos+1 == len(src) || src[m.pos+1] != '/')) {
		for m.pos < len(src) && (src[m.pos] == '=' || src[m.pos] == '~' && m.pos == i+1) {
			m.dst = append(m.dst, src[m.pos])
			m.pos++
		}
		return
	}
	if isProseKey(key) {
		return
	}
	p := m.pos
	if spaced {
		for p < len(src) && class[src[p]]&cSpace != 0 {
			p++
		}
		if p > m.pos {
			m.dst = append(m.dst, ' ')
		}
	}
	m.value(p)
}

// value masks the value that begins at src[p], the text behind a key's sign.
func (m *masker) value(p int) {
	src := m.src
	m.pos = p
	if p == len(src) || class[src[p]]&cSpace != 0 {
		m.put(KindValue, nil)
		return
	}
	switch c := src[p]; c {
	case '"', '\'', '`':
		end := m.closing(c, p+1)
		if end < 0 {
			return
		}
		m.pos = valueEnd(src, end+1)
		m.put(KindValue, src[p:m.pos])
		return
	case '[', '{', '(':
		return
	case '<':
		if n := placeholderAt(src[p:]); n > 0 {
			m.put(KindValue, src[p:p+n])
			p += n
			m.pos = p
		} else if p+1 < len(src) && isDigit(src[p+1]) {
			m.put(KindValue, src[p:valueEnd(src, p+1)]) // less than a number
			p++
		} else {
			return
		}
	case ',', ';', ')', ']', '}', '|':
		m.put(KindValue, nil)
		return
	default:
		if end := valueEnd(src, p); isErrorName(src[p:end]) {
			m.dst = append(m.dst, src[p:end]...)
		} else {
			m.put(KindValue, src[p:end])
		}
	}
	m.pos = valueEnd(src, p)
}

// errorNames are errors as the C library and what is built on it spell them.
var errorNames = setOf(
	"EACCES", "EADDRINUSE", "EADDRNOTAVAIL", "EAGAIN", "EALREADY", "EBADF", "EBUSY", "ECANCELED", "ECHILD", "ECONNABORTED", "ECONNREFUSED",
	"ECONNRESET", "EDEADLK", "EDESTADDRREQ", "EDOM", "EDQUOT", "EEXIST", "EFAULT", "EFBIG", "EHOSTDOWN", "EHOSTUNREACH", "EINPROGRESS",
	"EINTR", "EINVAL", "EIO", "EISCONN", "EISDIR", "ELOOP", "EMFILE", "EMLINK", "EMSGSIZE", "ENAMETOOLONG", "ENETDOWN", "ENETRESET",
	"ENETUNREACH", "ENFILE", "ENOBUFS", "ENODEV", "ENOENT", "ENOEXEC", "ENOLCK", "ENOMEM", "ENOSPC", "ENOSYS", "ENOTCONN", "ENOTDIR",
	"ENOTEMPTY", "ENOTFOUND", "ENOTSUP", "ENXIO", "EOVERFLOW", "EPERM", "EPIPE", "EPROTO", "ERANGE", "EREMOTEIO", "EROFS", "ESHUTDOWN",
	"ESPIPE", "ESRCH", "ESTALE", "ETIME", "ETIMEDOUT", "EWOULDBLOCK", "EXDEV", "ESOCKETTIMEDOUT",
)

// isErrorName reports whether b is such a name: it tells what went wrong.
func isErrorName(b []byte) bool { return len(b) > 2 && b[0] == 'E' && errorNames[string(b)] }

// valueEnd returns where an unquoted value that begins at src[p] ends.
func valueEnd(src []byte, p int) int {
	for p < len(src) && class[src[p]]&cEnd == 0 {
		p++
	}
	return p
}

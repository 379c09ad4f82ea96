package fingerprint

import "bytes"

// maxQuoted is the longest quoted value, in bytes.
const maxQuoted = 200

// quote deals with a quote character: a quoted value without white space is
// masked, a quoted phrase is left to be masked like any text, a quote that
// opens nothing is copied.
func (m *masker) quote(q byte) {
	src := m.src
	i := m.pos
	m.afterUser = false
	if i == m.closeAt || i > 0 && isWordByte(src[i-1]) {
		m.closeAt = -1
		m.dst = append(m.dst, q)
		m.pos++
		return
	}
	end, phrase := closing(src, i)
	if end < 0 {
		m.dst = append(m.dst, q)
		m.pos++
		return
	}
	content := src[i+1 : end]
	if q == '"' && end+1 < len(src) && src[end+1] == ':' && isKeyText(content) {
		// A JSON key stays, and what it is the key of is a value.
		m.dst = append(m.dst, src[i:end+2]...)
		m.pos = end + 2
		m.jsonValue(content)
		return
	}
	if phrase {
		m.dst = append(m.dst, q)
		m.pos++
		m.closeAt = end
		return
	}
	m.quoted(q, content, KindQuoted)
	m.pos = end + 1
}

// quoted puts a masked value between its quotes.
func (m *masker) quoted(q byte, content []byte, k Kind) {
	m.dst = append(m.dst, q)
	m.put(k, content)
	m.dst = append(m.dst, q)
}

// closing returns the offset of the quote that closes the one at src[i], or
// -1, and whether there is white space between them.
func closing(src []byte, i int) (end int, phrase bool) {
	q := src[i]
	limit := min(len(src), i+1+maxQuoted)
	for j := i + 1; j < limit; j++ {
		switch c := src[j]; {
		case c == '\\' && j+1 < limit:
			j++
		case c == q && (j+1 == len(src) || !isWordByte(src[j+1])):
			return j, phrase
		case class[c]&cSpace != 0:
			if c == '\n' {
				return -1, false
			}
			phrase = true
		}
	}
	return -1, false
}

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
	for p < len(src) && src[p] == ' ' {
		p++
	}
	if p == len(src) || isProseKey(key) {
		return
	}
	switch c := src[p]; {
	case c == '"':
		end, _ := closing(src, p)
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
	m.afterUser = false
	keyEnd := i
	for keyEnd > 0 && src[keyEnd-1] == ' ' {
		keyEnd--
	}
	spaced := keyEnd < i
	keyStart := keyEnd
	for keyStart > 0 && (isWordByte(src[keyStart-1]) || src[keyStart-1] == '.' || src[keyStart-1] == '-') {
		keyStart--
	}
	key := src[keyStart:keyEnd]
	if len(key) == 0 || m.pos < len(src) && (src[m.pos] == '=' || src[m.pos] == '>' || src[m.pos] == '~') {
		for m.pos < len(src) && src[m.pos] == '=' {
			m.dst = append(m.dst, '=')
			m.pos++
		}
		return
	}
	if isProseKey(key) {
		return
	}
	p := m.pos
	if spaced {
		for p < len(src) && src[p] == ' ' {
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
		end, _ := closing(src, p)
		if end < 0 {
			return
		}
		m.put(KindValue, src[p:end+1])
		m.pos = end + 1
		return
	case '[', '{', '(':
		return
	case '<':
		if n := placeholderAt(src[p:]); n > 0 {
			m.put(KindValue, src[p:p+n])
			p += n
			m.pos = p
		} else {
			return
		}
	case ',', ';', ')', ']', '}', '|':
		m.put(KindValue, nil)
		return
	default:
		m.put(KindValue, src[p:valueEnd(src, p)])
	}
	m.pos = valueEnd(src, p)
}

// valueEnd returns where an unquoted value that begins at src[p] ends.
func valueEnd(src []byte, p int) int {
	for ; p < len(src); p++ {
		c := src[p]
		if class[c]&cSpace != 0 || bytes.IndexByte([]byte(",;()[]{}|\"'<>"), c) >= 0 {
			return p
		}
	}
	return p
}

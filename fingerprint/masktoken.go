package fingerprint

import "bytes"

// token masks src[start:stop], a chunk that holds a digit or a mark. It moves
// pos beyond stop when a typed value reaches further than the chunk.
func (m *masker) token(start, stop int, flags uint16) {
	src := m.src
	if flags&cMark != 0 && m.email(start, stop) {
		return
	}
	if b := src[start:stop]; !m.glued(start, stop) {
		switch {
		case isEncoded(b):
			m.put(KindBlob, b)
			m.pos = paddingEnd(src, stop)
			return
		case isCode(b):
			m.put(KindNumber, b)
			return
		}
	}
	for p := start; p < stop; {
		if src[p] == '-' {
			// Dashes before a time are no sign.
			n := p
			for n < stop && src[n] == '-' {
				n++
			}
			if n < stop && isDigit(src[n]) && numericTime(src[n:]) > 0 {
				m.dst = append(m.dst, src[p:n]...)
				p = n
			}
		}
		n, kind := typedAt(src, p, stop, flags)
		if n > 0 {
			m.put(kind, src[p:p+n])
			p += n
			if p > stop {
				m.pos = p
				return
			}
			continue
		}
		if flags&cMark != 0 {
			if n := m.path(p, stop); n > 0 {
				p += n
				if p > stop {
					m.pos = p
					return
				}
				continue
			}
		}
		c := src[p]
		if c == '@' {
			// What follows is an address, as in the name of an object.
			if n := hexRun(src[p+1 : stop]); n >= 4 && (p+1+n == len(src) || !joins(src[p+1+n])) {
				m.dst = append(m.dst, c)
				m.put(KindNumber, src[p+1:p+1+n])
				p += 1 + n
				continue
			}
		}
		if class[c]&cMark != 0 {
			if c != '+' || m.keep.Has(KindNumber) || p+1 >= stop || !isDigit(src[p+1]) || joins(m.behind()) {
				m.dst = append(m.dst, c)
			}
			p++
			continue
		}
		end := p
		digits := false
		for end < stop && class[src[end]]&cMark == 0 {
			digits = digits || isDigit(src[end])
			end++
		}
		next := end
		if flags&cDot != 0 && isHostName(src[p:end]) && !m.glued(p, end) {
			next = end + portAt(src[end:stop])
			m.put(KindHost, src[p:next])
		} else if flags&cDot != 0 && isFileName(src[p:end]) && !m.glued(p, end) {
			m.put(KindPath, src[p:end])
		} else if digits {
			next = m.name(p, end)
		} else {
			m.dst = append(m.dst, src[p:end]...)
		}
		if next > stop {
			m.pos = next
			return
		}
		p = next
	}
}

// typedAt returns the length and the kind of the typed value that begins at
// src[p]; it may end behind stop, the end of the chunk, for times only. flags
// are the classes of the chunk's bytes.
func typedAt(src []byte, p, stop int, flags uint16) (int, Kind) {
	c := src[p]
	b := src[p:stop]
	if isDigit(c) {
		if n := numericTime(src[p:]); n > 0 && (p+n >= len(src) || !isWordByte(src[p+n])) {
			return n, KindTime
		}
		if n := ipv4At(b); n > 0 {
			return n, KindIP
		}
	}
	if class[c]&cHex != 0 && len(b) >= len("00:00:00:00:00:00") {
		if n := uuidAt(b); n > 0 {
			return n, KindUUID
		}
		if n := macAt(b); n > 0 {
			return n, KindMAC
		}
	}
	if flags&cMark != 0 && (class[c]&cHex != 0 || c == ':') {
		// A masked value right behind it is the rest of the same word.
		if n := ipv6At(b); n > 0 && (p+n < stop || placeholderAt(src[p+n:]) == 0) {
			return n, KindIP
		}
	}
	return 0, 0
}

// url masks a URL that begins at start, in a chunk that ends at end, which it
// may reach beyond; next is where to go on. When a URL begins later in the
// chunk, next is 0 and scheme is where.
func (m *masker) url(start, end int) (scheme, next int) {
	src := m.src
	at := bytes.Index(src[start:end], []byte("://"))
	if at <= 0 {
		return 0, 0
	}
	at += start
	scheme = at
	for scheme > start && (isAlnum(src[scheme-1]) || src[scheme-1] == '+' || src[scheme-1] == '.' || src[scheme-1] == '-') {
		scheme--
	}
	for scheme < at && !isLetter(src[scheme]) {
		scheme++
	}
	if scheme == at {
		return 0, 0
	}
	if scheme > start {
		return scheme, 0
	}
	stop := at + 3
	depth := 0
scan:
	for ; stop < len(src); stop++ {
		switch c := src[stop]; c {
		case '"', '\'', '`', '<', '>', '|':
			break scan
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				break scan
			}
		default:
			if class[c]&cSpace != 0 {
				break scan
			}
		}
	}
	for stop > at+3 && (isTrailing(src[stop-1]) || src[stop-1] == ',' || src[stop-1] == ';') {
		stop--
	}
	if m.keep.Has(KindURLHost) && !m.keep.Has(KindURL) {
		host := at + 3
		for host < stop && src[host] != '/' && src[host] != '?' && src[host] != '#' {
			host++
		}
		from := at + 3
		if user := bytes.LastIndexByte(src[from:host], '@'); user >= 0 {
			from += user + 1
		}
		m.dst = append(m.dst, src[scheme:at+3]...)
		m.dst = append(m.dst, src[from:host]...)
		m.unsure = true
		if host == stop-1 && stop < len(src) && placeholderAt(src[stop:]) > 0 {
			m.dst = append(m.dst, '/') // its path is masked already
		} else if host < stop {
			m.dst = append(m.dst, '/')
			m.placeholder(KindPath)
		}
		return scheme, stop
	}
	m.put(KindURL, src[scheme:stop])
	return scheme, stop
}

func hexRun(b []byte) int {
	n := 0
	for n < len(b) && isHex(b[n]) {
		n++
	}
	return n
}

// email masks the chunk when it is name@host.domain, or name@host of letters.
func (m *masker) email(start, stop int) bool {
	b := m.src[start:stop]
	if m.glued(start, stop) {
		return false
	}
	at := bytes.IndexByte(b, '@')
	if at <= 0 || bytes.IndexByte(b[at+1:], '@') >= 0 {
		return false
	}
	dot := bytes.LastIndexByte(b, '.')
	if dot <= at+1 && isLogin(b[:at], b[at+1:]) {
		m.put(KindEmail, b)
		return true
	}
	if dot <= at+1 || dot == len(b)-1 {
		return false
	}
	for i, c := range b {
		if i != at && !isWordByte(c) && c != '.' && c != '-' && c != '+' && c != '%' {
			return false
		}
	}
	for _, c := range b[dot+1:] {
		if !isLetter(c) {
			return false
		}
	}
	m.put(KindEmail, b)
	return true
}

// isLogin reports whether user and host are names in lower case, as a shell
// prints them: root@node3. The host begins with a letter and is no address.
func isLogin(user, host []byte) bool {
	if len(user) < 2 || len(host) < 2 || !isLetter(host[0]) || hexRun(host) == len(host) {
		return false
	}
	for _, name := range [...][]byte{user, host} {
		for _, c := range name {
			if (c < 'a' || c > 'z') && !isDigit(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return isLetter(user[0])
}

// glued reports whether src[start:stop] is only a part of a longer name.
func (m *masker) glued(start, stop int) bool {
	return joins(m.behind()) || stop < len(m.src) && joins(m.src[stop])
}

// path masks a path that begins at src[p] and returns its length, or 0.
func (m *masker) path(p, stop int) int {
	src := m.src
	b := src[p:stop]
	n := 0
	switch {
	case b[0] == '/' || b[0] == '\\':
		if len(b) < 2 || joins(m.behind()) {
			return 0
		}
		if k, _ := typedAt(src, p+1, stop, cMark); k > 0 || isDigit(b[1]) && bytes.IndexByte(b[1:], b[0]) < 0 {
			return 0 // "/10.0.0.1", "/5": a value behind a slash
		}
		if !isWordByte(b[1]) && b[1] != '.' && b[1] != b[0] && b[1] != '~' {
			return 0
		}
		n = pathEnd(b)
	case len(b) > 3 && isLetter(b[0]) && b[1] == ':' && (b[2] == '\\' || b[2] == '/'):
		n = 2 + pathEnd(b[2:])
	case b[0] == '~' && len(b) > 2 && b[1] == '/':
		n = pathEnd(b)
	default:
		if joins(m.behind()) {
			return 0
		}
		n = pathEnd(b)
		slashes := 0
		for _, c := range b[:n] {
			if c == '/' || c == '\\' {
				slashes++
			}
		}
		if slashes < 2 || !isWordByte(b[0]) && b[0] != '.' {
			return 0
		}
		if numericList(b[:n]) {
			return 0
		}
	}
	if q := bytes.IndexByte(b[:n], '?'); q > 0 && q+1 < n {
		// A query belongs to its path, with signs that end a chunk elsewhere.
		for p+n < len(src) && class[src[p+n]]&(cSpace|cQuote) == 0 && src[p+n] != '<' && src[p+n] != '>' && src[p+n] != ')' {
			n++
		}
	}
	if n == len(b) && bytes.IndexByte(b, '\\') >= 0 {
		n = spacedPath(src, p, p+n) - p
	}
	m.put(KindPath, src[p:p+n])
	return n
}

// spacedPath extends a path with backslashes over spaces in the names of its
// folders: as long as another backslash follows in the next word.
func spacedPath(src []byte, start, end int) int {
	for next := end; next < len(src) && src[next] == ' '; {
		word := next + 1
		stop := word
		slash := false
		for stop < len(src) && class[src[stop]]&(cChunk) != 0 && src[stop] != ':' {
			slash = slash || src[stop] == '\\'
			stop++
		}
		if stop == word || stop-start > 512 || src[word] == '\\' || src[word] == '/' {
			break
		}
		next = stop
		if slash {
			end = stop
		}
	}
	return end
}

// pathEnd returns the length of the path-like text at the start of b.
func pathEnd(b []byte) int {
	for i, c := range b {
		if c == ':' || c == '@' && i > 0 && b[i-1] == ' ' {
			return i
		}
	}
	return len(b)
}

// numericList reports whether b is made of digits and signs alone, such as
// 10/20/30.
func numericList(b []byte) bool {
	for _, c := range b {
		if isLetter(c) || class[c]&cHigh != 0 {
			return false
		}
	}
	return true
}

package fingerprint

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

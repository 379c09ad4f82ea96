package fingerprint

import "bytes"

// ipv4At returns the length of the IPv4 address that b begins with, with a
// port or a prefix length, or 0.
func ipv4At(b []byte) int {
	n := 0
	for part := 0; part < 4; part++ {
		if part > 0 {
			if n >= len(b) || b[n] != '.' {
				return 0
			}
			n++
		}
		k, v := 0, 0
		for n+k < len(b) && isDigit(b[n+k]) {
			v = v*10 + int(b[n+k]-'0')
			if k++; k > 3 {
				return 0
			}
		}
		if k == 0 || v > 255 {
			return 0
		}
		n += k
	}
	if n < len(b) && (isWordByte(b[n]) || b[n] == '.' && n+1 < len(b) && isWordByte(b[n+1]) || b[n] == '-' && n+1 < len(b) && isLetter(b[n+1])) {
		return 0
	}
	if n < len(b) && b[n] == '/' {
		if k := digitRun(b[n+1:]); k > 0 && k <= 2 && (n+1+k == len(b) || !isWordByte(b[n+1+k])) {
			return n + 1 + k
		}
	}
	return n + portAt(b[n:])
}

// uuidAt returns 36 when b begins with a UUID, else 0.
func uuidAt(b []byte) int {
	const n = 36
	if len(b) < n || b[8] != '-' || b[13] != '-' || b[18] != '-' || b[23] != '-' {
		return 0
	}
	for i, c := range b[:n] {
		if i != 8 && i != 13 && i != 18 && i != 23 && !isHex(c) {
			return 0
		}
	}
	if len(b) > n && isAlnum(b[n]) {
		return 0
	}
	return n
}

// macAt returns the length of a MAC address at the start of b, or 0.
func macAt(b []byte) int {
	const n = 17
	if len(b) < n || b[2] != ':' && b[2] != '-' {
		return 0
	}
	for i, c := range b[:n] {
		if i%3 == 2 {
			if c != b[2] {
				return 0
			}
		} else if !isHex(c) {
			return 0
		}
	}
	if len(b) > n && (isWordByte(b[n]) || b[n] == b[2]) {
		return 0
	}
	return n
}

// ipv6At returns the length of an IPv6 address at the start of b, with a zone
// and a prefix length, or 0. Six groups or more, or a double colon with a
// group beside it, make one: "::" alone and C++ names such as std::bad are none.
func ipv6At(b []byte) int {
	n, groups, double, digits := 0, 0, false, false
	for n < len(b) {
		if b[n] == ':' {
			if n+1 < len(b) && b[n+1] == ':' {
				if double {
					return 0
				}
				double = true
				n += 2
				continue
			}
			if n == 0 || groups == 0 {
				return 0
			}
			n++
			continue
		}
		k := 0
		for n+k < len(b) && isHex(b[n+k]) {
			digits = digits || isDigit(b[n+k])
			k++
		}
		if k == 0 {
			break
		}
		if k > 4 {
			return 0
		}
		n += k
		groups++
		if n < len(b) && b[n] != ':' {
			break
		}
	}
	if n > 0 && b[n-1] == ':' && !(double && n >= 2 && b[n-2] == ':') {
		n--
	}
	if groups > 8 || !(groups == 8 && !double) && !(double && groups > 0 && (digits || groups > 2)) {
		return 0
	}
	if n < len(b) && isWordByte(b[n]) {
		return 0
	}
	if n < len(b) && b[n] == '%' {
		n++
		for n < len(b) && isAlnum(b[n]) {
			n++
		}
	}
	if n < len(b) && b[n] == '/' {
		if k := digitRun(b[n+1:]); k > 0 && k <= 3 {
			n += 1 + k
		}
	}
	return n
}

// hostEndings are last labels of names that are hosts wherever they occur.
var hostEndings = [...]string{"com", "net", "org", "edu", "gov", "mil", "arpa", "local", "localdomain", "internal", "lan", "intranet", "corp", "example", "invalid", "test"}

// fileEndings are two-letter ends that names of files have.
var fileEndings = [...]string{"js", "ts", "py", "go", "rs", "so", "gz", "md", "sh", "kt", "rb", "cs", "cc", "pl", "ps", "db", "bz", "xz", "id", "is"}

// registryLabels are labels that stand before a country's own.
var registryLabels = [...]string{"com", "co", "net", "org", "ac", "edu", "gov", "ne", "or", "gob", "gouv"}

// isHostName reports whether b is a fully qualified host name. Names of
// packages and files have dots too, so only known endings count: a generic or
// private domain, a two-letter country behind a registry's label, or one behind
// two labels or more of which one holds a digit.
func isHostName(b []byte) bool {
	dot := bytes.LastIndexByte(b, '.')
	if dot <= 0 || dot == len(b)-1 || !isAlnum(b[0]) {
		return false
	}
	last := b[dot+1:]
	if len(last) > 11 || isDigit(last[0]) {
		return false
	}
	found := false
	for _, e := range &hostEndings {
		if equalFold(last, e) {
			found = true
			break
		}
	}
	if !found && len(last) == 2 && isLetter(last[0]) && isLetter(last[1]) {
		before := b[:dot]
		if d := bytes.LastIndexByte(before, '.'); d > 0 {
			for _, r := range &registryLabels {
				if equalFold(before[d+1:], r) {
					found = true
					break
				}
			}
			found = found || hasDigitLower(before) && !isFileEnding(last)
		}
	}
	if !found {
		return false
	}
	for i, c := range b {
		if !isAlnum(c) && c != '.' && c != '-' && c != '_' {
			return false
		}
		if c == '.' && b[i+1] == '.' {
			return false
		}
	}
	return true
}

func isFileEnding(b []byte) bool {
	for _, e := range &fileEndings {
		if equalFold(b, e) {
			return true
		}
	}
	return false
}

// hasDigitLower reports whether b holds a digit and no upper-case letter.
func hasDigitLower(b []byte) bool {
	digit := false
	for _, c := range b {
		if c >= 'A' && c <= 'Z' {
			return false
		}
		digit = digit || isDigit(c)
	}
	return digit
}

// portAt returns the length of a colon and a port at the start of b, or 0.
func portAt(b []byte) int {
	if len(b) == 0 || b[0] != ':' {
		return 0
	}
	if k := digitRun(b[1:]); k > 0 && k <= 5 && (k+1 == len(b) || !isWordByte(b[k+1])) {
		return k + 1
	}
	return 0
}

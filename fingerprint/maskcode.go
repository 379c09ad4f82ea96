package fingerprint

import "bytes"

// isCode reports whether b is the name of a place in some hierarchy, such as
// R02-M1-N0-C:J12-U11: three groups or more of one or two capitals, most with
// digits behind them. Which letters occur depends on the place.
func isCode(b []byte) bool {
	groups, numbered := 0, 0
	for len(b) > 0 {
		n := 0
		for n < len(b) && b[n] >= 'A' && b[n] <= 'Z' {
			n++
		}
		if n == 0 || n > 2 {
			return false
		}
		d := digitRun(b[n:])
		if d > 0 {
			numbered++
		}
		groups++
		n += d
		if n == len(b) {
			break
		}
		if c := b[n]; c != '-' && c != ':' && c != '_' && c != '.' {
			return false
		}
		b = b[n+1:]
	}
	return groups >= 3 && numbered >= 3
}

// compoundParts is how many separate numbers make a name an identifier.
const compoundParts = 3

// isCompound reports whether b is one name: letters and digits joined by
// hyphens, underscores, tildes and full stops.
func isCompound(b []byte) bool {
	for _, c := range b {
		if !isWordByte(c) && c != '-' && c != '.' && c != '~' && c != '+' {
			return false
		}
	}
	return true
}

// isEncoded reports whether b is a JSON web token or base64 with the signs
// that other text lacks; see isBlob for text without them.
func isEncoded(b []byte) bool {
	if len(b) < 20 {
		return false
	}
	if bytes.HasPrefix(b, []byte("eyJ")) {
		for _, c := range b {
			if !isWordByte(c) && c != '-' && c != '.' {
				return false
			}
		}
		return true
	}
	if bytes.IndexByte(b, '+') < 0 && bytes.IndexByte(b, '/') < 0 {
		return false
	}
	var upper, low, digit int
	for _, c := range b {
		switch {
		case isDigit(c):
			digit++
		case c >= 'a' && c <= 'z':
			low++
		case c >= 'A' && c <= 'Z':
			upper++
		case c != '+' && c != '/':
			return false
		}
	}
	// Random base64 has about a third of each case and a sixth of digits.
	return len(b) >= 24 && upper*6 >= len(b) && low*6 >= len(b) && digit*16 >= len(b)
}

// paddingEnd skips the signs that fill up base64.
func paddingEnd(src []byte, p int) int {
	n := p
	for n < len(src) && src[n] == '=' && n-p < 2 {
		n++
	}
	if n < len(src) && joins(src[n]) {
		return p
	}
	return n
}

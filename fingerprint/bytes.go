package fingerprint

import "unsafe"

// asString views b as a string without copying it; b must not change while
// the string is in use.
func asString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// hasPrefixAny reports whether b begins with one of the prefixes.
func hasPrefixAny(b []byte, prefixes []string) bool {
	for _, p := range prefixes {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return true
		}
	}
	return false
}

// equalFold reports whether b equals s without regard to ASCII case.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i := range b {
		if lower(b[i]) != lower(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// setOf returns a set of texts, which is not changed afterwards.
func setOf(texts ...string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, t := range texts {
		set[t] = true
	}
	return set
}

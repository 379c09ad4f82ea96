package redact

import (
	"bytes"
	"encoding/base64"
)

// shape is a key that is known by its first letters.
type shape struct {
	prefix string
	least  int // bytes behind the prefix, at least
	upper  bool
}

var shapes = [...]shape{
	{"AKIA", 16, true}, {"ASIA", 16, true}, {"ABIA", 16, true}, {"ACCA", 16, true},
	{"ghp_", 20, false}, {"gho_", 20, false}, {"ghu_", 20, false}, {"ghs_", 20, false}, {"ghr_", 20, false}, {"github_pat_", 20, false},
	{"glpat-", 16, false}, {"glptt-", 16, false}, {"gldt-", 16, false},
	{"xoxb-", 10, false}, {"xoxa-", 10, false}, {"xoxp-", 10, false}, {"xoxr-", 10, false}, {"xoxs-", 10, false}, {"xapp-", 10, false},
	{"AIza", 30, false}, {"ya29.", 16, false},
	{"sk_live_", 10, false}, {"sk_test_", 10, false}, {"rk_live_", 10, false}, {"rk_test_", 10, false}, {"whsec_", 16, false},
	{"sk-", 20, false}, {"npm_", 30, false}, {"pypi-", 30, false}, {"dop_v1_", 30, false}, {"SG.", 30, false},
	{"hvs.", 20, false}, {"dckr_pat_", 16, false}, {"eyJ", 0, false},
}

// shapesBy are the shapes by their first byte.
var shapesBy = func() (t [256][]shape) {
	for _, s := range shapes {
		t[s.prefix[0]] = append(t[s.prefix[0]], s)
	}
	return t
}()

// atWord looks for a secret that begins a word at src[i]: a scheme of the
// Authorization header, a key with a known prefix, a web token, a private key.
func atWord(src []byte, i int) (start, end int) {
	switch src[i] {
	case 'b', 'B':
		if hasPrefixFold(src, i, "bearer ") {
			return bearer(src, i+len("bearer "))
		}
		if hasPrefixFold(src, i, "basic ") {
			return basic(src, i+len("basic "))
		}
		return -1, 0
	case '-':
		if i+2 < len(src) && src[i+1] == '-' && src[i+2] != '-' {
			return option(src, i+2)
		}
		return privateKey(src, i)
	}
	if i+2 >= len(src) {
		return -1, 0
	}
	for k := range shapesBy[src[i]] {
		s := &shapesBy[src[i]][k]
		if s.prefix[1] != src[i+1] || s.prefix[2] != src[i+2] || !hasPrefix(src, i, s.prefix) {
			continue
		}
		if s.prefix == "eyJ" {
			return webToken(src, i)
		}
		end := i + len(s.prefix)
		digits := 0
		for end < len(src) && isKeyByte(src[end], s.upper) {
			if src[end] >= '0' && src[end] <= '9' {
				digits++
			}
			end++
		}
		n := end - i - len(s.prefix)
		// A word of letters behind a short prefix is a name, not a key.
		if n >= s.least && (digits > 0 || s.upper) && (!s.upper || n == s.least) {
			return i, end
		}
	}
	return -1, 0
}

func isKeyByte(c byte, upper bool) bool {
	if upper {
		return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	return isName(c) || c == '-' || c == '.'
}

// isToken68 reports whether c may stand in a bearer token.
func isToken68(c byte) bool {
	return isName(c) || c == '-' || c == '.' || c == '~' || c == '+' || c == '/' || c == '='
}

func tokenEnd(src []byte, i int) int {
	for i < len(src) && isToken68(src[i]) {
		i++
	}
	return i
}

// bearer returns the token behind the word Bearer; prose such as "bearer
// token is missing" has none.
func bearer(src []byte, i int) (start, end int) {
	for i < len(src) && src[i] == ' ' {
		i++
	}
	end = tokenEnd(src, i)
	if looksRandom(src[i:end]) || end-i >= 32 {
		return i, end
	}
	return -1, 0
}

// looksRandom reports whether b is at least eight bytes with a digit or with
// both cases mixed inside.
func looksRandom(b []byte) bool {
	if len(b) < 8 {
		return false
	}
	digit, upper, low := false, 0, 0
	for i, c := range b {
		switch {
		case c >= '0' && c <= '9':
			digit = true
		case c >= 'A' && c <= 'Z' && i > 0:
			upper++
		case c >= 'a' && c <= 'z':
			low++
		}
	}
	return digit || upper > 1 && low > 1
}

// basic returns the credentials behind the word Basic: base64 of text with a
// colon in it.
func basic(src []byte, i int) (start, end int) {
	for i < len(src) && src[i] == ' ' {
		i++
	}
	end = tokenEnd(src, i)
	if end-i < 4 {
		return -1, 0
	}
	raw := bytes.TrimRight(src[i:end], "=.")
	var buf [256]byte
	raw = raw[:min(len(raw), len(buf))]
	n, _ := base64.RawStdEncoding.Decode(buf[:], raw) // what decodes up to an error tells enough
	colon := false
	for _, c := range buf[:n] {
		if c < ' ' || c == 0x7f {
			return -1, 0
		}
		colon = colon || c == ':'
	}
	if !colon {
		return -1, 0
	}
	return i, end
}

// webToken returns the JSON web token at src[i]: base64url that decodes to an
// object, twice, with a full stop between, and perhaps a signature.
func webToken(src []byte, i int) (start, end int) {
	end = i
	parts, run := 0, 0
	for end < len(src) {
		c := src[end]
		if isName(c) || c == '-' {
			run++
			end++
			continue
		}
		if c != '.' || run < 4 {
			break
		}
		parts++
		run = 0
		end++
	}
	if run > 0 {
		parts++
	}
	if parts < 2 || end-i < 20 {
		return -1, 0
	}
	if src[end-1] == '.' {
		end--
	}
	return i, end
}

// option returns the value of a command line's option whose name begins at
// src[i]: --password hunter2. A value behind an equals sign is a pair's.
func option(src []byte, i int) (start, end int) {
	stop := i
	for stop < len(src) && (isName(src[stop]) || src[stop] == '-') {
		stop++
	}
	if stop >= len(src)-1 || src[stop] != ' ' || src[stop+1] == '-' {
		return -1, 0
	}
	if class := classify(src[i:stop]); class != always && class != quoted {
		return -1, 0
	}
	start = stop + 1
	if isQuote(src[start]) {
		return quotedValue(src, start)
	}
	end = wordEnd(src, start)
	if isPlainAnswer(src[start:end]) {
		return -1, 0
	}
	return secret(src, start, end)
}

// privateKey returns the body of a private key in PEM, up to its end line or
// to the end of the text.
func privateKey(src []byte, i int) (start, end int) {
	const begin = "-----BEGIN "
	if !hasPrefix(src, i, begin) {
		return -1, 0
	}
	head := bytes.Index(src[i+len(begin):], []byte("-----"))
	if head < 0 || head > 64 || !bytes.HasSuffix(src[i+len(begin):i+len(begin)+head], []byte("PRIVATE KEY")) {
		return -1, 0
	}
	start = i + len(begin) + head + len("-----")
	if hasPrefix(src, start, Mark) {
		return -1, 0
	}
	end = len(src)
	if tail := bytes.Index(src[start:], []byte("-----END")); tail >= 0 {
		end = start + tail
	}
	return start, end
}

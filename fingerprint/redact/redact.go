// Package redact removes secrets from log text before it is shown, stored or
// put into an error.
//
// What is a secret: credentials in URLs and in Authorization, Cookie and key
// headers as dumps print them; bearer tokens and JSON web tokens; signatures
// and tokens in query strings; keys with a known shape (AWS, GitHub, GitLab,
// Slack, Google, Stripe and others); private keys in PEM; values of pairs
// whose name says password, secret or the like, in text, JSON, logfmt, YAML
// and connection strings. Each becomes "[redacted]"; everything around it
// stays, so that the text keeps its shape.
//
// What is not: a name without a value, words that only speak of tokens, ids
// of traces, digests, fingerprints. Redaction works on names and shapes; a
// secret that has neither is not found.
//
// Functions are safe for concurrent use, idempotent, take time linear in the
// text, and allocate nothing but what dst needs to grow.
package redact

// Mark stands in place of every secret.
const Mark = "[redacted]"

// Append appends src to dst with its secrets replaced by Mark.
func Append(dst, src []byte) []byte {
	at := 0
	for {
		start, end := next(src, at)
		if start < 0 {
			return append(dst, src[at:]...)
		}
		dst = append(append(dst, src[at:start]...), Mark...)
		at = end
	}
}

// String returns s with its secrets replaced by Mark, and s itself when it
// has none.
func String(s string) string {
	b := []byte(s)
	if start, _ := next(b, 0); start < 0 {
		return s
	}
	return string(Append(nil, b))
}

// What a byte may be the beginning or the separator of.
const (
	pairSign  = 1 << iota // = : of a pair, the colon of ://, > of an element
	wordStart             // first byte of a scheme or of a key with a known prefix
)

var trigger = func() (t [256]uint8) {
	t['='] = pairSign
	t[':'] = pairSign
	t['>'] = pairSign
	for i := range shapes {
		t[shapes[i].prefix[0]] |= wordStart
	}
	for _, c := range []byte("bB-") {
		t[c] |= wordStart
	}
	return t
}()

// next returns the range of the first secret whose sign lies at or after from,
// or -1.
func next(src []byte, from int) (start, end int) {
	for i := from; i < len(src); i++ {
		t := trigger[src[i]]
		if t == 0 {
			continue
		}
		if t&wordStart != 0 && (i == 0 || !isName(src[i-1])) {
			if s, e := atWord(src, i); s >= from && e > s && !hasPrefix(src, s, Mark) {
				return s, e
			}
		}
		if t&pairSign != 0 {
			if s, e := atSign(src, i); s >= from && e > s && !hasPrefix(src, s, Mark) {
				return s, e
			}
		}
	}
	return -1, 0
}

func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func hasPrefix(b []byte, i int, s string) bool {
	return len(b)-i >= len(s) && string(b[i:i+len(s)]) == s
}

// hasPrefixFold is hasPrefix without regard to ASCII case; s is lower case.
func hasPrefixFold(b []byte, i int, s string) bool {
	if len(b)-i < len(s) {
		return false
	}
	for k := 0; k < len(s); k++ {
		if lower(b[i+k]) != s[k] {
			return false
		}
	}
	return true
}

package analyze

import "strings"

// Glob is a pattern over a Source: `*` stands for any run of characters,
// slashes included, `?` for any single one, and a backslash takes the next
// character literally. Every other character stands for itself; letter case
// counts.
type Glob string

// Literal reports whether the pattern matches just one text, and that text.
func (g Glob) Literal() (string, bool) {
	if !strings.ContainsAny(string(g), `*?\`) {
		return string(g), true
	}
	var b strings.Builder
	for i := 0; i < len(g); i++ {
		switch g[i] {
		case '*', '?':
			return "", false
		case '\\':
			if i+1 < len(g) {
				i++
			}
		}
		b.WriteByte(g[i])
	}
	return b.String(), true
}

// Match reports whether the whole of s fits the pattern, in time linear in
// len(s) for each star at most.
func (g Glob) Match(s string) bool {
	p, i := 0, 0
	star, back := -1, 0
	for i < len(s) {
		switch {
		case p < len(g) && g[p] == '*':
			star, back = p, i
			p++
			continue
		case p < len(g) && g[p] == '?':
			p++
			i++
			for i < len(s) && s[i]&0xC0 == 0x80 { // rest of one UTF-8 character
				i++
			}
			continue
		case p+1 < len(g) && g[p] == '\\' && g[p+1] == s[i]:
			p += 2
			i++
			continue
		case p < len(g) && g[p] != '\\' && g[p] == s[i]:
			p++
			i++
			continue
		case star >= 0:
			back++
			p, i = star+1, back
			continue
		}
		return false
	}
	for p < len(g) && g[p] == '*' {
		p++
	}
	return p == len(g)
}

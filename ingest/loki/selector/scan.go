package selector

// token is a piece of a selector between its braces.
type token struct {
	kind       byte // 's' a string, 'n' a name, or the character itself
	start, end int
	quote      byte // of a string
}

// scan reads the selector that starts with a brace at i and returns its
// tokens, braces included, and the index after it. Braces inside strings and
// comments do not count.
func scan(s string, i int) (tokens []token, end int, err *Error) {
	for i < len(s) {
		start := i
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '#':
			for i < len(s) && s[i] != '\n' {
				i++
			}
			continue
		case c == '"' || c == '\'' || c == '`':
			i = stringEnd(s, i)
			if i < 0 {
				return nil, 0, &Error{Start: start, End: len(s), Message: "the string does not end"}
			}
			tokens = append(tokens, token{kind: 's', start: start, end: i, quote: c})
		case isNameByte(c):
			for i < len(s) && isNameByte(s[i]) {
				i++
			}
			tokens = append(tokens, token{kind: 'n', start: start, end: i})
		default:
			i++
			tokens = append(tokens, token{kind: c, start: start, end: i})
			if c == '}' {
				return tokens, i, nil
			}
		}
	}
	return nil, 0, &Error{Start: len(s), End: len(s), Message: "the selector does not end: } is missing"}
}

// stringEnd returns the index after the string that starts at i, -1 if it
// does not end.
func stringEnd(s string, i int) int {
	quote := s[i]
	for i++; i < len(s); i++ {
		switch {
		case s[i] == quote:
			return i + 1
		case s[i] == '\\' && quote != '`':
			i++
		}
	}
	return -1
}

func isNameByte(c byte) bool {
	return c == '_' || c == '.' || c == ':' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// refuse finds what PromQL accepts and Loki does not.
func refuse(tokens []token) *Error {
	for i, t := range tokens {
		previous := tokens[max(i-1, 0)].kind
		switch {
		case t.kind == 's' && t.quote == '\'':
			return &Error{Start: t.start, End: t.end, Message: "Loki knows strings in double quotes or backquotes only"}
		case t.kind == 's' && (previous == '{' || previous == ','):
			return &Error{Start: t.start, End: t.end, Message: "Loki has no quoted label names; labels with other characters arrive with underscores"}
		case t.kind == '}' && previous == ',':
			return &Error{Start: t.start - 1, End: t.end, Message: "Loki takes no comma before the closing brace"}
		case t.kind == '}' && previous == '{':
			return &Error{Start: t.start - 1, End: t.end, Message: `a selector needs a matcher; {service_name=~".+"} takes every stream of a service`}
		}
	}
	return nil
}

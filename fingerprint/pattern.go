package fingerprint

import (
	"bytes"
	"fmt"
	"strings"
)

// Pattern is a compiled pattern in the syntax of Loki's pattern parser:
// literal text with captures written <name>, and <_> for text that is skipped.
//
// A capture takes the text up to the first occurrence of the literal behind
// it; a capture at the end takes the rest. A pattern that begins with a
// literal matches only at the start of the text, one that ends with a literal
// need not reach the text's end, as in Loki. Unlike Loki, which keeps the
// captures it got so far, a pattern here matches whole or not at all. Two
// captures must have a literal between them, a name is a letter or underscore
// followed by letters, digits and underscores, and no name occurs twice.
// There is no escape: "<" that begins no capture is a literal.
//
// A Pattern is immutable and may be used by several goroutines.
type Pattern struct {
	text  string
	parts []patternPart
	names []string
}

// patternPart is a literal, or a capture (index into names, or -1 for <_>).
type patternPart struct {
	literal string
	capture int
}

// skipCapture is the index of <_>.
const skipCapture = -1

// PatternError says where a pattern is wrong.
type PatternError struct {
	Pattern string
	Offset  int // byte offset in Pattern
	End     int // end offset of the wrong part
	Reason  string
}

func (e *PatternError) Error() string {
	return fmt.Sprintf("pattern %q: offset %d: %s", e.Pattern, e.Offset, e.Reason)
}

// CompilePattern compiles a pattern. Errors are of type *PatternError.
func CompilePattern(s string) (*Pattern, error) {
	p := &Pattern{text: s}
	seen := map[string]bool{}
	lit := 0
	captureEnd := -1
	for i := 0; i < len(s); {
		end := captureAt(s, i)
		if end < 0 {
			i++
			continue
		}
		if captureEnd == i {
			return nil, &PatternError{s, i, end, "two captures without text between them"}
		}
		if i > lit {
			p.parts = append(p.parts, patternPart{literal: s[lit:i]})
		}
		name := s[i+1 : end-1]
		index := skipCapture
		if name != "_" {
			if seen[name] {
				return nil, &PatternError{s, i, end, fmt.Sprintf("capture <%s> occurs twice", name)}
			}
			seen[name] = true
			index = len(p.names)
			p.names = append(p.names, name)
		}
		p.parts = append(p.parts, patternPart{capture: index})
		i, lit, captureEnd = end, end, end
	}
	if lit < len(s) {
		p.parts = append(p.parts, patternPart{literal: s[lit:]})
	}
	if len(p.parts) == 0 {
		return nil, &PatternError{s, 0, 0, "empty pattern"}
	}
	if captureEnd < 0 {
		return nil, &PatternError{s, 0, len(s), "no capture; write <_> where any text may stand"}
	}
	return p, nil
}

// captureAt returns the end of the capture that begins at s[i], or -1.
func captureAt(s string, i int) int {
	if s[i] != '<' {
		return -1
	}
	for j := i + 1; j < len(s); j++ {
		c := s[j]
		switch {
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
		case c >= '0' && c <= '9' && j > i+1:
		case c == '>' && j > i+1:
			return j + 1
		default:
			return -1
		}
	}
	return -1
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.text }

// Names returns the names of the captures in their order, without <_>. The
// slice must not be changed.
func (p *Pattern) Names() []string { return p.names }

// Literal returns the longest literal, which every text that matches holds;
// empty for a pattern of captures alone.
func (p *Pattern) Literal() string {
	best := ""
	for _, part := range p.parts {
		if len(part.literal) > len(best) {
			best = part.literal
		}
	}
	return best
}

// Span is a range of bytes in a text.
type Span struct{ Start, End int }

// Match matches b and, when it does, appends one span for every name, in the
// order of Names, to dst[:0].
func (p *Pattern) Match(b []byte, dst []Span) ([]Span, bool) {
	dst, _, ok := p.match(b, dst[:0])
	return dst, ok
}

// Progress tells how far the pattern gets in b, for explanations: the number
// of bytes of the pattern that were satisfied, and the offset in b up to which
// they reach. matched says that the whole pattern was.
func (p *Pattern) Progress(b []byte) (patternBytes, offset int, matched bool) {
	_, done, matched := p.match(b, nil)
	pos := 0
	for _, part := range p.parts[:done] {
		if part.literal != "" {
			patternBytes += len(part.literal)
			at := bytes.Index(b[pos:], []byte(part.literal))
			if at < 0 {
				break
			}
			pos += at + len(part.literal)
			continue
		}
		patternBytes += 2 + len("_")
		if part.capture != skipCapture {
			patternBytes += len(p.names[part.capture]) - 1
		}
	}
	if matched && p.parts[len(p.parts)-1].literal == "" {
		pos = len(b)
	}
	return patternBytes, pos, matched
}

// match returns the spans and how many parts were satisfied.
func (p *Pattern) match(b []byte, dst []Span) ([]Span, int, bool) {
	pos := 0
	for i := 0; i < len(p.parts); i++ {
		part := &p.parts[i]
		if part.literal != "" {
			if len(b)-pos < len(part.literal) || string(b[pos:pos+len(part.literal)]) != part.literal {
				return dst, i, false
			}
			pos += len(part.literal)
			continue
		}
		end := len(b)
		if i+1 < len(p.parts) {
			at := strings.Index(asString(b[pos:]), p.parts[i+1].literal)
			if at < 0 {
				return dst, i, false
			}
			end = pos + at
		}
		if part.capture != skipCapture {
			dst = append(dst, Span{pos, end})
		}
		pos = end
	}
	return dst, len(p.parts), true
}

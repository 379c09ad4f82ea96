package report

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// PlainJSON returns a Writer that passes JSON on to w with the characters
// written as \u escapes that a terminal or a reader could take for an order:
// controls beyond ASCII's, which JSON escapes anyway, and characters that change
// the direction of text or are not seen. The values stay what they were. Every
// Write must hold whole characters, as those of encoding/json's Encoder do.
func PlainJSON(w io.Writer) io.Writer { return plainJSON{w} }

type plainJSON struct{ w io.Writer }

func (p plainJSON) Write(b []byte) (int, error) {
	if _, err := p.w.Write(AppendPlain(nil, b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// AppendPlain appends JSON, or text in which a backslash begins an escape, to
// dst, escaped as PlainJSON says.
func AppendPlain(dst, b []byte) []byte {
	start := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if ordering(r) {
			dst = append(dst, b[start:i]...)
			dst = fmt.Appendf(dst, `\u%04x`, r)
			start = i + n
		}
		i += n
	}
	return append(dst, b[start:]...)
}

// ordering reports whether r is one of the characters that PlainJSON escapes.
func ordering(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f, r == 0xad, r == 0x61c, r == 0x180e, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}

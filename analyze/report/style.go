package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Screen says what the text is written for.
type Screen struct {
	// Width is how many columns there are; below 40 it is taken for 40.
	Width int
	// Color allows escape sequences.
	Color bool
	// ASCII forbids everything beyond ASCII in what the report adds; what
	// logs say is shown as it is.
	ASCII bool
}

// The styles of the report, as the parameters of an SGR sequence.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "33"
	cyan   = "36"
)

func (s Screen) paint(style, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// visible makes text harmless and one line: line breaks become spaces, other
// control characters and those that turn the direction of writing are spelled
// out, broken UTF-8 becomes U+FFFD.
func visible(text string) string {
	clean := true
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < 0x20 || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return text
	}
	const hex = "0123456789abcdef"
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case r < 0x20 || r == 0x7f:
			b.WriteString(`\x`)
			b.WriteByte(hex[r>>4&15])
			b.WriteByte(hex[r&15])
		case r >= 0x80 && r < 0xa0, unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029:
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[r>>shift&15])
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// columns returns how many columns text takes, wide letters counted double.
func columns(text string) int {
	n := 0
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul),
		r >= 0xff00 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff:
		return 2
	}
	return 1
}

// fit cuts text to width columns; a cut ends in an ellipsis.
func (s Screen) fit(text string, width int) string {
	if columns(text) <= width {
		return text
	}
	dots := s.sign("…", "...")
	room := width - columns(dots)
	if room <= 0 {
		return dots[:min(len(dots), max(width, 0))]
	}
	n := 0
	for i, r := range text {
		if n += runeColumns(r); n > room {
			return text[:i] + dots
		}
	}
	return text
}

// fitMiddle cuts text to width columns from its middle: ends of names tell
// more than their middles.
func (s Screen) fitMiddle(text string, width int) string {
	if columns(text) <= width || width < 8 {
		return s.fit(text, width)
	}
	dots := s.sign("…", "...")
	room := width - columns(dots)
	head, tail := room-room/2, room/2
	rs := []rune(text)
	i, n := 0, 0
	for i < len(rs) && n+runeColumns(rs[i]) <= head {
		n += runeColumns(rs[i])
		i++
	}
	j, n := len(rs), 0
	for j > i && n+runeColumns(rs[j-1]) <= tail {
		n += runeColumns(rs[j-1])
		j--
	}
	return string(rs[:i]) + dots + string(rs[j:])
}

func (s Screen) sign(unicode, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return unicode
}

// wrap breaks text into lines of at most width columns, at spaces where there
// are any.
func wrap(text string, width int) []string {
	width = max(width, 8)
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	for _, word := range strings.Fields(text) {
		w := columns(word)
		if used > 0 && used+1+w > width {
			flush()
		}
		for w > width {
			cut := 0
			for n := 0; cut < len(word); {
				r, size := utf8.DecodeRuneInString(word[cut:])
				if n += runeColumns(r); n > width-used {
					break
				}
				cut += size
			}
			if cut == 0 {
				_, cut = utf8.DecodeRuneInString(word)
			}
			line, word = line+word[:cut], word[cut:]
			w = columns(word)
			flush()
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += w
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

package report

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible makes text harmless and one line. Whatever a terminal could take for
// an order, and whatever has no width or turns the direction of writing, is
// spelled out: control characters as \x1b and \n, format characters, variation
// selectors and other invisible ones as \u202e, bytes that are no UTF-8 as
// \xff. Of combining marks that are piled on one letter the first four remain.
func visible(text string) string { return spell(text, false) }

// safe is visible for this screen.
func (s Screen) safe(text string) string { return spell(text, s.Escape) }

// marksPiled is how many combining marks one letter may carry.
const marksPiled = 4

func spell(text string, ascii bool) string {
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
	var b strings.Builder
	b.Grow(len(text) + 16)
	piled := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < 0x300 || !unicode.In(r, unicode.Mn, unicode.Me) {
			piled = 0
		} else {
			piled++
		}
		switch {
		case r == utf8.RuneError && size == 1:
			spellHex(&b, 'x', uint32(text[i]), 2)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			spellHex(&b, 'x', uint32(r), 2)
		case r < 0x7f:
			b.WriteByte(byte(r))
		case ascii || piled > marksPiled || !shown(r):
			if r > 0xffff {
				spellHex(&b, 'U', uint32(r), 8)
			} else {
				spellHex(&b, 'u', uint32(r), 4)
			}
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// shown reports whether a character from 0x7f on is one that a terminal
// shows as a glyph in its place, or as blank space.
func shown(r rune) bool {
	if r < 0x300 {
		return r >= 0xa0 && r != 0xad
	}
	if unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return false
	}
	return unicode.IsGraphic(r)
}

func spellHex(b *strings.Builder, kind byte, v uint32, digits int) {
	const hex = "0123456789abcdef"
	b.WriteByte('\\')
	b.WriteByte(kind)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hex[v>>shift&15])
	}
}

// longestShown bounds how much of a line is looked at for one row of text.
const longestShown = 4096

// leadingTime is a date and a time that a line begins with.
var leadingTime = regexp.MustCompile(`^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[^\s\]]*\]?\s+`)

// essence is what a record says, on one line: its header line is dropped where
// there is more than that, and the time at its beginning, which stands beside
// it; line breaks and runs of space become one space.
func essence(line string) string {
	if len(line) > longestShown {
		cut := longestShown
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		line = line[:cut]
	}
	if head, rest, ok := strings.Cut(line, "\n"); ok && len(head) < 100 && strings.TrimSpace(rest) != "" {
		line = rest
	}
	line = strings.TrimLeft(line, " \t")
	if rest := line[len(leadingTime.FindString(line)):]; rest != "" {
		line = rest
	}
	return strings.Join(strings.Fields(line), " ")
}

package report

import (
	"strings"
	"time"
)

// Screen says what text is written for. The zero Screen is 40 columns of
// uncoloured Unicode in UTC.
type Screen struct {
	// Width is how many columns there are; below 40 it is taken for 40.
	Width int
	// Color allows escape sequences.
	Color bool
	// Hyperlinks allows the escape sequences by which terminals open an
	// address behind a word; no row is longer for it.
	Hyperlinks bool
	// ASCII forbids everything beyond ASCII in what is added to the words of
	// logs; what logs say is shown as it is.
	ASCII bool
	// Escape spells out everything beyond ASCII in what logs say, for a
	// locale whose terminal would read the bytes of UTF-8 as something else.
	Escape bool
	// Zone is the zone in which times are shown, with their offset; nil is
	// UTC.
	Zone *time.Location
}

// The styles of the report, as the parameters of an SGR sequence.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	yellow = "33"
	cyan   = "36"
	green  = "32"
)

func (s Screen) paint(style, text string) string {
	if !s.Color || text == "" || style == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// link puts an address behind text. An address with anything but visible ASCII
// is none.
func (s Screen) link(address, text string) string {
	if !s.Hyperlinks || address == "" || len(address) > longestAddress {
		return text
	}
	for i := 0; i < len(address); i++ {
		if c := address[i]; c <= 0x20 || c >= 0x7f {
			return text
		}
	}
	return "\x1b]8;;" + address + "\x1b\\" + text + "\x1b]8;;\x1b\\"
}

// longestAddress is what terminals take.
const longestAddress = 2083

// sign chooses between a sign and what stands for it in ASCII.
func (s Screen) sign(unicode, ascii string) string {
	if s.ASCII {
		return ascii
	}
	return unicode
}

// asciiSigns spells the signs that findings are written with.
var asciiSigns = strings.NewReplacer("±", "+-", "×", "x", "µ", "u", "…", "...", "–", "-", "—", "-", "→", "->", "≥", ">=", "≤", "<=", "“", `"`, "”", `"`)

// words makes a sentence that may quote logs fit for the screen.
func (s Screen) words(text string) string {
	if s.ASCII {
		text = asciiSigns.Replace(text)
	}
	return s.safe(text)
}

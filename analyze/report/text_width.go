package report

import (
	"regexp"
	"strings"

	"github.com/mattn/go-runewidth"
)

// cells measures text as terminals draw it, letter by letter with its marks:
// wide letters and emoji take two columns, combining marks none. It does not
// look at the environment, so that output does not depend on it.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// columns returns how many columns text takes.
func columns(text string) int {
	if isASCII(text) {
		return len(text)
	}
	return cells.StringWidth(text)
}

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// headOf returns the longest beginning of text that takes at most width
// columns.
func headOf(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if isASCII(text) {
		return text[:min(width, len(text))]
	}
	return cells.Truncate(text, width, "")
}

// tailOf returns the longest end of text that takes at most width columns.
func tailOf(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if isASCII(text) {
		return text[max(0, len(text)-width):]
	}
	return strings.TrimLeft(cells.TruncatePrefix(text, width, ""), " ")
}

// longestNumber bounds how much is given up so that no number is cut in two.
const longestNumber = 24

// inNumber reports whether a cut before text[i] would go through a number, the
// separators in it being part of it.
func inNumber(text string, i int) bool {
	digit := func(i int) bool { return 0 <= i && i < len(text) && '0' <= text[i] && text[i] <= '9' }
	between := func(i int) bool { return i < len(text) && strings.IndexByte(".,:", text[i]) >= 0 }
	switch {
	case i <= 0 || i >= len(text):
		return false
	case digit(i - 1):
		return digit(i) || between(i) && digit(i+1)
	}
	return between(i-1) && digit(i-2) && digit(i)
}

// wholeNumbers returns where to cut text so that no number is cut in two: at i
// or at the beginning of the number there. Half a number is a wrong number.
func wholeNumbers(text string, i int) int {
	j := i
	for inNumber(text, j) {
		j--
	}
	if j == 0 || i-j > longestNumber {
		return i
	}
	return j
}

// fit cuts text to width columns; a cut ends in an ellipsis and cuts no number.
func (s Screen) fit(text string, width int) string {
	if columns(text) <= width {
		return text
	}
	dots := s.sign("…", "...")
	room := width - columns(dots)
	if room <= 0 {
		return headOf(dots, width)
	}
	return text[:wholeNumbers(text, len(headOf(text, room)))] + dots
}

// fitMiddle cuts text to width columns from its middle, for names that tell as
// much by their end as by their beginning.
func (s Screen) fitMiddle(text string, width int) string {
	if columns(text) <= width || width < 8 {
		return s.fit(text, width)
	}
	dots := s.sign("…", "...")
	room := width - columns(dots)
	head := headOf(text, room-room/2)
	tail := tailOf(text, room/2)
	return head + dots + tail
}

// fitLeft keeps the end of a name: replicas differ there.
func (s Screen) fitLeft(name string, width int) string {
	if columns(name) <= width {
		return name
	}
	dots := s.sign("…", "..")
	return dots + tailOf(name, width-columns(dots))
}

// pad fills text up with blanks to width columns.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-columns(text), 0))
}

// bound finds a space that keeps a number and its unit or its spread, or a date
// and its time, together.
var bound = regexp.MustCompile(`(\d) (ns|µs|us|ms|s|min|h|%|[KMGT]iB)\b| (±|\+-|×) |\b\d\d-\d\d \d\d:`)

// bind replaces such spaces by ones at which wrap does not break.
func bind(text string) string {
	return bound.ReplaceAllStringFunc(text, func(m string) string { return strings.ReplaceAll(m, " ", unbroken) })
}

const unbroken = "\u00a0"

// wrap breaks text into lines of at most width columns, at spaces where there
// are any, and not between a number and its unit or a date and its time.
func wrap(text string, width int) []string {
	width = max(width, 8)
	var lines []string
	line, used := "", 0
	flush := func() {
		lines = append(lines, line)
		line, used = "", 0
	}
	for _, word := range strings.FieldsFunc(bind(text), func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }) {
		word = strings.ReplaceAll(word, unbroken, " ")
		w := columns(word)
		if used > 0 && used+1+w > width {
			flush()
		}
		for w > width {
			head := headOf(word, width)
			if head == "" {
				break
			}
			line, word = head, word[len(head):]
			w = columns(word)
			flush()
		}
		if word == "" {
			continue
		}
		if used > 0 {
			line += " "
			used++
		}
		line += word
		used += w
	}
	if line != "" || len(lines) == 0 {
		flush()
	}
	return lines
}

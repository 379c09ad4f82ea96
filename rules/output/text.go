package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/rules"
)

// maxExcerpt is how many characters of a long line an excerpt shows.
const maxExcerpt = 160

// Text writes one paragraph for every problem: place, severity, sentence and
// check; the line with the part at fault underlined; the hint.
func Text(w io.Writer, problems []rules.Problem) error {
	b := bufio.NewWriter(w)
	for _, p := range problems {
		fmt.Fprintf(b, "%s: %s: %s (%s)\n", p.Range(), p.Severity, clean(p.Message), p.Check)
		margin := ""
		if p.Line > 0 && strings.TrimSpace(p.Excerpt) != "" {
			line, mark := excerpt(p)
			number := fmt.Sprint(p.Line)
			margin = strings.Repeat(" ", len(number))
			fmt.Fprintf(b, " %s | %s\n %s | %s\n", number, line, margin, mark)
		}
		if p.Hint != "" {
			fmt.Fprintf(b, " %s = %s\n", margin, clean(p.Hint))
		}
	}
	return b.Flush()
}

// excerpt returns the line at fault and, under it, a line of marks. Tabs
// become single blanks so that the marks stand under their text.
func excerpt(p rules.Problem) (line, mark string) {
	text := []rune(clean(p.Excerpt))
	from := min(max(p.Col-1, 0), len(text))
	to := len(text)
	if p.EndLine == p.Line {
		to = min(max(p.EndCol-1, from), len(text))
	}
	cut := ""
	if len(text) > maxExcerpt {
		skip := max(0, min(from-maxExcerpt/4, len(text)-maxExcerpt))
		if skip > 0 {
			cut = "…"
		}
		text = text[skip:min(len(text), skip+maxExcerpt)]
		from, to = from-skip, min(to-skip, len(text))
	}
	blank := strings.Repeat(" ", from+utf8.RuneCountInString(cut))
	return cut + strings.TrimRight(string(text), " "), blank + strings.Repeat("^", max(1, to-from))
}

// clean replaces what would move the cursor: the text comes from a file.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

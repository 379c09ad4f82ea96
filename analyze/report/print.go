package report

import (
	"fmt"
	"io"
	"strings"
)

// The styles that Screen.Paint knows, for commands that print beside the
// report and want to look like it.
const (
	Bold   = bold
	Dim    = dim
	Red    = red
	Yellow = yellow
	Cyan   = cyan
	Green  = green
)

// Paint writes text in a style where the screen has colour.
func (s Screen) Paint(style, text string) string { return s.paint(style, text) }

// Sign chooses between a sign and what stands for it where the screen is ASCII.
func (s Screen) Sign(unicode, ascii string) string { return s.sign(unicode, ascii) }

// Safe spells out everything in text that a terminal could take for an order,
// line breaks too, so that words of logs can be shown.
func (s Screen) Safe(text string) string { return s.safe(text) }

// Columns returns how many columns text takes that has no escape sequences.
func Columns(text string) int { return columns(text) }

// Fit cuts text to width columns; a cut ends in an ellipsis and cuts no number.
func (s Screen) Fit(text string, width int) string { return s.fit(text, width) }

// FitMiddle cuts a name to width columns from its middle.
func (s Screen) FitMiddle(text string, width int) string { return s.fitMiddle(text, width) }

// Paragraph writes a sentence, made safe, wrapped to the screen behind lead,
// which takes the columns that lead has without its escape sequences; the rows
// after the first are indented as far.
func (s Screen) Paragraph(w io.Writer, lead string, width int, style, text string) error {
	for i, l := range wrap(s.words(text), max(s.Width, 40)-width) {
		if i > 0 {
			lead = strings.Repeat(" ", width)
		}
		if _, err := fmt.Fprintln(w, lead+s.paint(style, l)); err != nil {
			return err
		}
	}
	return nil
}

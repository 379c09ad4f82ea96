package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// Fixes writes the verdicts on rolls: a row that begins with the verdict and
// names the Source, then why, then the numbers. Times have their date and their
// offset.
func Fixes(w io.Writer, fixes []analyze.Fix, s Screen) error {
	s.Width = max(s.Width, 40)
	t := &text{w: bufio.NewWriter(w), s: s, face: newClockFace(s, time.Time{}, time.Time{})}
	if len(fixes) == 0 {
		t.verdictLine("undecided", "none of its records is in the window, before the roll or since; look further back")
	}
	for i := range fixes {
		f := &fixes[i]
		verdict := strings.ReplaceAll(f.Verdict, "-", " ")
		if f.DecidableAt != nil {
			verdict += " until " + t.face.dated(f.DecidableAt.Time)
		}
		t.verdictLine(verdict, f.Source)
		t.block("  ", 2, "", t.face.redate(f.Reason))
		t.block("  ", 2, dim, fmt.Sprintf("roll %q at %s: %s before, %s after; %s", f.Roll, t.face.dated(f.At.Time), thousands(f.Before), thousands(f.After), f.Fingerprint))
	}
	return t.w.Flush()
}

func (t *text) verdictLine(verdict, about string) {
	style := yellow
	switch verdict {
	case analyze.Fixed:
		style = green
	case strings.ReplaceAll(analyze.NotFixed, "-", " "):
		style = red
	}
	for i, l := range wrap(t.s.words(verdict+": "+about), t.s.Width) {
		if rest, ok := strings.CutPrefix(l, verdict+":"); ok && i == 0 {
			l = t.s.paint(style, verdict+":") + rest
		}
		t.line(l)
	}
}

// dated prints an instant with its date in RFC 3339.
func (c clockFace) dated(t time.Time) string { return t.In(c.zone).Format(time.RFC3339) }

// redate prints the times in a sentence in the face's zone, with their date.
func (c clockFace) redate(text string) string {
	return utcTime.ReplaceAllStringFunc(text, func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil || c.zone == time.UTC {
			return s
		}
		return t.In(c.zone).Format(time.RFC3339Nano)
	})
}

package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// Text writes the analysis for a person: what was read, what must happen, and
// then the incidents with their evidence.
//
// No row is wider than the screen. What is too long is wrapped; names that
// alone exceed a row lose their middle, lines of logs their end, and numbers
// nothing: at every width the text tells, digit by digit, the numbers of
// entries, records, occurrences, streams and pods, of events and slots of a
// recurrence with its period and jitter, of bytes received and declared, and
// the issues' numbers. What logs say is shown with everything spelled out that
// a terminal could take for an order, see [Screen].
func Text(w io.Writer, an *analyze.Analysis, s Screen) error {
	s.Width = max(s.Width, 40)
	t := &text{w: bufio.NewWriter(w), an: an, s: s, numbers: map[string]int{}, fixes: map[string][]int{}}
	for i := range an.Fixes {
		t.fixes[an.Fixes[i].Fingerprint] = append(t.fixes[an.Fixes[i].Fingerprint], i)
	}
	t.pods = podNames(an, s)
	t.face = newClockFace(s, an.Window.Start.Time, an.Window.End.Time)
	for i := range an.Incidents {
		t.numbers[an.Incidents[i].Fingerprint] = i + 1
	}
	t.head()
	t.answer()
	for i := range an.Incidents {
		t.incident(i+1, &an.Incidents[i])
	}
	return t.w.Flush()
}

type text struct {
	w       *bufio.Writer
	an      *analyze.Analysis
	s       Screen
	face    clockFace
	numbers map[string]int    // an incident's number by its fingerprint
	pods    map[string]string // a pod's short name
	fixes   map[string][]int  // the indices of a fingerprint's verdicts
	about   map[int]analyze.Kind
}

func (t *text) line(parts ...string) {
	for _, p := range parts {
		t.w.WriteString(p)
	}
	t.w.WriteByte('\n')
}

// block writes a sentence wrapped to the screen, the first line after lead,
// which takes as many columns as indent, and the others below it.
func (t *text) block(lead string, indent int, style, body string) {
	for i, l := range wrap(t.s.words(body), t.s.Width-indent) {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		t.line(lead, t.s.paint(style, l))
	}
}

// facts writes statements, separated as a list, so that no row breaks within
// one that fits a row. The key is what the first of them begins with; it is
// what a reader looks for, and stands out.
func (t *text) facts(sep, key string, facts ...string) {
	room := t.s.Width - len(margin)
	line := ""
	key = t.s.words(key)
	row := func(l string) {
		if rest, ok := strings.CutPrefix(l, key); ok {
			l, key = t.s.paint(bold, key)+rest, ""
		}
		t.row(l)
	}
	for i, f := range facts {
		f = t.s.words(f)
		if i < len(facts)-1 {
			f += sep
		}
		if line != "" && columns(line)+1+columns(f) <= room {
			line += " " + f
			continue
		}
		if line != "" {
			row(line)
		}
		broken := wrap(f, room)
		for _, l := range broken[:len(broken)-1] {
			row(l)
		}
		line = broken[len(broken)-1]
	}
	if line != "" {
		row(line)
	}
}

const margin = "   "

func (t *text) row(body string) { t.line(margin, body) }

// pair writes left and right text on one row, or below each other where they
// do not fit. Behind the right one stands an address.
func (t *text) pair(address, right string, left ...string) {
	room := t.s.Width - len(margin)
	one := t.s.words(strings.Join(left, ", "))
	if right != "" && columns(one)+2+columns(right) <= room {
		t.row(pad(one, room-columns(right)) + t.s.link(address, t.s.paint(bold, right)))
		return
	}
	t.facts(",", "", left...)
	if right != "" {
		for _, l := range wrap(right, room) {
			t.row(t.s.link(address, t.s.paint(bold, l)))
		}
	}
}

func numbered(n int) string { return fmt.Sprintf("incident %d", n) }

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// An axis places times under the bars of a timeline: column 0 is the bar's left
// edge, 1 its first bucket.
type axis struct {
	start, end time.Time
	buckets    int
	room       int // columns that a row may take
	face       clockFace
}

func (a *axis) column(t time.Time) int {
	x := float64(t.Sub(a.start)) / float64(a.end.Sub(a.start))
	if x < 0 {
		return 0
	}
	return 1 + min(int(x*float64(a.buckets)), a.buckets-1)
}

// A placed text starts at a column of a row.
type placed struct {
	at          int
	text, style string
}

// lay puts labels, which do not overlap, on one row.
func lay(s Screen, labels []placed) string {
	slices.SortFunc(labels, func(x, y placed) int { return cmp.Compare(x.at, y.at) })
	var b strings.Builder
	col := 0
	for _, l := range labels {
		b.WriteString(strings.Repeat(" ", max(l.at-col, 0)))
		b.WriteString(s.paint(l.style, l.text))
		col = max(l.at, col) + columns(l.text)
	}
	return b.String()
}

// steps are the distances at which an axis may have ticks.
var steps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	day, 2 * day, 7 * day, 14 * day, 28 * day, 91 * day, 364 * day,
}

const day = 24 * time.Hour

// line writes the ends of the window and, between them, round times of the
// zone, as far as they have room.
func (a *axis) line(s Screen) string {
	layout := "15:04"
	if a.end.Sub(a.start) < 10*time.Minute {
		layout = "15:04:05"
	}
	first, last := a.face.at(a.start, layout), a.face.at(a.end, layout)
	one := len(a.start.In(a.face.zone).Format(layout + "Z07:00"))
	width := max(a.buckets+2, min(len(first)+3+len(last), a.room))
	if len(first)+1+len(last) > width {
		return first // the head of the report tells the end
	}
	labels := []placed{{at: 0, text: first}, {at: width - len(last), text: last}}
	tick := s.sign("╵", "'")
	step := a.step(columns(tick) + one)
	free, until := len(first)+2, width-len(last)-2
	for t := a.next(a.start, step); t.Before(a.end); t = a.next(t, step) {
		text := tick + a.tickText(t, step, layout)
		if at := a.column(t); at >= free && at+columns(text) <= until {
			labels = append(labels, placed{at: at, text: text})
			free = at + columns(text) + 2
		}
	}
	return lay(s, labels)
}

// step is the least distance of ticks at which labels of that width have room.
func (a *axis) step(width int) time.Duration {
	span := a.end.Sub(a.start)
	for _, step := range steps {
		if float64(step)/float64(span)*float64(a.buckets) >= float64(width+3) {
			return step
		}
	}
	return steps[len(steps)-1]
}

// next returns the first round time of the zone after t.
func (a *axis) next(t time.Time, step time.Duration) time.Time {
	local := t.In(a.face.zone)
	if step >= day {
		n := int(step / day)
		y, m, d := local.Date()
		days := int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
		return time.Date(y, m, d+n-days%n, 0, 0, 0, 0, a.face.zone)
	}
	if n := int(step / time.Hour); n > 0 {
		// By the clock on the wall, so that hours stay round where it is set.
		y, m, d := local.Date()
		if at := time.Date(y, m, d, (local.Hour()/n+1)*n, 0, 0, 0, a.face.zone); at.After(t) {
			return at
		}
	}
	_, offset := local.Zone()
	shift := time.Duration(offset) * time.Second
	return t.Add(shift).Truncate(step).Add(step - shift)
}

func (a *axis) tickText(t time.Time, step time.Duration, layout string) string {
	local := t.In(a.face.zone)
	h, m, sec := local.Clock()
	if step >= day || a.face.day == "" && h == 0 && m == 0 && sec == 0 {
		return local.Format("01-02")
	}
	return local.Format(layout + "Z07:00")
}

// Above annotated marks each has its words beside it; with more, one row has
// the signs and the words follow, listed of them at most.
const (
	annotated = 4
	listed    = 20
)

// marks draws the dated events that concern an incident under its axis: every
// one that lies in the window, and the last before it when it is no longer ago
// than the window is long.
func (a *axis) marks(s Screen, all []analyze.Mark, concern []int) []string {
	var in []analyze.Mark
	var before *analyze.Mark
	for _, i := range concern {
		if i < 0 || i >= len(all) {
			continue
		}
		switch m := &all[i]; {
		case m.At.Before(a.start):
			if a.start.Sub(m.At.Time) <= a.end.Sub(a.start) {
				before = m
			}
		case m.At.Before(a.end):
			in = append(in, *m)
		}
	}
	if before != nil {
		in = slices.Insert(in, 0, *before)
	}
	if len(in) > annotated {
		at := map[int]bool{}
		var signs []placed
		words := make([]string, 0, len(in))
		for i := range in {
			if col := a.column(in[i].At.Time); !at[col] {
				at[col] = true
				signs = append(signs, placed{at: col, text: a.sign(s, &in[i]), style: yellow})
			}
			if i < listed {
				words = append(words, a.words(s, &in[i], a.room))
			}
		}
		list := strings.Join(words, ", ")
		if more := len(in) - listed; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		return append([]string{lay(s, signs)}, wrap(list, a.room)...)
	}
	return a.annotate(s, in)
}

// sign points up at a mark's column, or left at one before the window.
func (a *axis) sign(s Screen, m *analyze.Mark) string {
	if m.At.Before(a.start) {
		return s.sign("◂", "<")
	}
	return s.sign("▲", "^")
}

// annotate puts every mark's sign at its column and its words beside it, on
// the first row that has room for both.
func (a *axis) annotate(s Screen, marks []analyze.Mark) []string {
	var rows [][]placed
	free := func(row []placed, from, to int) bool {
		for _, l := range row {
			if from < l.at+columns(l.text)+2 && l.at < to+2 {
				return false
			}
		}
		return true
	}
	for i := range marks {
		col, sign := a.column(marks[i].At.Time), a.sign(s, &marks[i])
		right, left := a.room-col-2, col-1
		words := a.words(s, &marks[i], max(right, left))
		w := columns(words)
		done := false
		for r := 0; !done; r++ {
			if r == len(rows) {
				rows = append(rows, nil)
				if w > max(right, left) { // too long for either side: below its sign
					rows[r] = []placed{{col, sign, yellow}}
					rows = append(rows, []placed{{0, s.fitMiddle(words, a.room), ""}})
					break
				}
			}
			switch {
			case w <= right && free(rows[r], col, col+2+w):
				rows[r] = append(rows[r], placed{col, sign, yellow}, placed{col + 2, words, dim})
				done = true
			case w <= left && free(rows[r], col-1-w, col+1):
				rows[r] = append(rows[r], placed{col - 1 - w, words, dim}, placed{col, sign, yellow})
				done = true
			}
		}
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = lay(s, r)
	}
	return out
}

// words tells a mark: its time, whole, and its name as far as it fits.
func (a *axis) words(s Screen, m *analyze.Mark, width int) string {
	at := a.face.at(m.At.Time, "15:04")
	name := s.safe(m.Name)
	if m.Kind == analyze.MarkIssueClosed {
		name = fmt.Sprintf("#%d closed", m.Issue)
	}
	return at + " " + s.fitMiddle(name, max(width-len(at)-1, 8))
}

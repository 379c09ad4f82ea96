package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// List writes a row an incident: its number, by which commands name it, its
// fingerprint, how many records it has and when the last one came, its Source
// and event, and, where the screen has room, stage and issue.
func List(w io.Writer, an *analyze.Analysis, s Screen) error {
	s.Width = max(s.Width, 60)
	t := &text{w: bufio.NewWriter(w), an: an, s: s, face: newClockFace(s, an.Window.Start.Time, an.Window.End.Time)}
	if len(an.Incidents) == 0 {
		t.line("No incident.")
		return t.w.Flush()
	}
	rows := [][]string{{"#", "fingerprint", "records", "last", "stage", "issue", "Source and event"}}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		stage, issue := "", ""
		if inc.Stage != nil {
			stage = s.safe(inc.Stage.Name)
		}
		if inc.Issue != nil {
			issue = "#" + strconv.Itoa(inc.Issue.Number) + " " + s.safe(inc.Issue.State)
		}
		name := nameOf(inc)
		if inc.Event != "" {
			name += "  " + inc.Event
		}
		rows = append(rows, []string{
			strconv.Itoa(i + 1), s.safe(inc.Fingerprint), thousands(inc.Records), t.face.at(inc.LastSeen.Time, "15:04:05"), stage, issue, s.safe(name),
		})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], columns(c))
		}
	}
	// The name gets at least half a row: stage and issue give way.
	const stage, issue, name = 4, 5, 6
	used := func() int {
		n := 0
		for i := range name {
			if widths[i] > 0 {
				n += widths[i] + 2
			}
		}
		return n
	}
	for _, i := range []int{stage, issue} {
		if used() > s.Width/2 || widths[i] == columns(rows[0][i]) && empty(rows, i) {
			widths[i] = 0
		}
	}
	room := max(s.Width-used(), 12)
	for n, row := range rows {
		var b strings.Builder
		for i, c := range row[:name] {
			switch {
			case widths[i] == 0:
				continue
			case i == 0 || i == 2: // numbers stand to the right
				b.WriteString(strings.Repeat(" ", widths[i]-columns(c)) + c)
			default:
				b.WriteString(pad(c, widths[i]))
			}
			b.WriteString("  ")
		}
		line := b.String() + s.fitMiddle(row[name], room)
		if n == 0 {
			line = s.paint(dim, line)
		}
		t.line(line)
	}
	return t.w.Flush()
}

// empty reports whether a column has no value in any row.
func empty(rows [][]string, column int) bool {
	for _, row := range rows[1:] {
		if row[column] != "" {
			return false
		}
	}
	return true
}

package report

import (
	"io"
	"strconv"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// roomForName is how many columns a list leaves for what an incident is called
// before it shows its stage and its issue.
const roomForName = 40

// List writes one row an incident: its number, by which commands name it, its
// fingerprint, how many records it has and when the last one came, its stage
// and issue where the screen has room for them, its Source and event.
func List(w io.Writer, an *analyze.Analysis, s Screen) error {
	if len(an.Incidents) == 0 {
		_, err := io.WriteString(w, "No incident.\n")
		return err
	}
	face := newClockFace(s, an.Window.Start.Time, an.Window.End.Time)
	cols := []Column{{Head: "#", Right: true}, {Head: "fingerprint"}, {Head: "records", Right: true}, {Head: "last"}}
	rows := make([][]string, len(an.Incidents))
	used := make([]int, len(cols))
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		rows[i] = []string{strconv.Itoa(i + 1), inc.Fingerprint, thousands(inc.Records), face.at(inc.LastSeen.Time, "15:04:05")}
		for c, cell := range rows[i] {
			used[c] = max(used[c], columns(cell), columns(cols[c].Head))
		}
	}
	room := s.Width
	for _, n := range used {
		room -= n + between
	}
	for _, more := range []struct {
		head string
		tell func(*analyze.Incident) string
	}{{"stage", stageName}, {"issue", issueState}} {
		widest := 0
		for i := range an.Incidents {
			widest = max(widest, columns(more.tell(&an.Incidents[i])))
		}
		widest = max(widest, len(more.head)) + between
		if widest == len(more.head)+between || room-widest < roomForName {
			continue // nothing to tell, or no room to tell it
		}
		room -= widest
		cols = append(cols, Column{Head: more.head})
		for i := range rows {
			rows[i] = append(rows[i], more.tell(&an.Incidents[i]))
		}
	}
	cols = append(cols, Column{Head: "Source, event", Give: LoseMiddle})
	for i := range rows {
		inc := &an.Incidents[i]
		name := nameOf(inc)
		if inc.Event != "" {
			name += "  " + inc.Event
		}
		rows[i] = append(rows[i], name)
	}
	return s.Table(w, 0, cols, rows)
}

func stageName(inc *analyze.Incident) string {
	if inc.Stage == nil {
		return ""
	}
	return inc.Stage.Name
}

func issueState(inc *analyze.Incident) string {
	if inc.Issue == nil {
		return ""
	}
	return "#" + strconv.Itoa(inc.Issue.Number) + " " + inc.Issue.State
}

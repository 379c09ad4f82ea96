package analyze

import (
	"cmp"
	"slices"
	"strings"
)

// The kinds of a Mark.
const (
	MarkRoll        = "roll"         // a deployment
	MarkIssueClosed = "issue-closed" // an issue was closed
)

// Mark is a dated event of the rule files to read timelines by. It need not
// lie in the window: a roll shortly before it explains what the window shows.
type Mark struct {
	At   Time   `json:"at"`   // when
	Kind string `json:"kind"` // roll or issue-closed
	// Name is the roll's name, or the issue's title where one is known.
	Name string `json:"name"`
	// Issue is the issue's number, 0 for a roll.
	Issue int `json:"issue"`
}

// marks lists the dated events in the order of time, and gives every incident
// of an those that concern it: rolls of its streams, closings of its issue.
// Incidents of an are in the order of a.order.
func (a *Analyzer) marks(an *Analysis) {
	type dated struct {
		Mark
		concerns func(*incident) bool
	}
	var all []dated
	for i := range a.opts.Config.Rolls {
		r := &a.opts.Config.Rolls[i]
		if r.At.IsZero() {
			continue
		}
		all = append(all, dated{Mark{At: Time{r.At.UTC()}, Kind: MarkRoll, Name: r.Name}, func(inc *incident) bool {
			for f := range inc.streams {
				if r.Match == nil || r.Match(f.stream) {
					return true
				}
			}
			return false
		}})
	}
	for i := range a.opts.Config.Issues {
		is := &a.opts.Config.Issues[i]
		if is.ClosedAt.IsZero() {
			continue
		}
		all = append(all, dated{Mark{At: Time{is.ClosedAt.UTC()}, Kind: MarkIssueClosed, Name: is.Title, Issue: is.Number},
			func(inc *incident) bool { return a.about(is, inc) }})
	}
	slices.SortStableFunc(all, func(x, y dated) int {
		return cmp.Or(x.At.Compare(y.At.Time), strings.Compare(x.Kind, y.Kind), cmp.Compare(x.Issue, y.Issue), strings.Compare(x.Name, y.Name))
	})
	an.Marks = make([]Mark, len(all))
	for i := range all {
		an.Marks[i] = all[i].Mark
	}
	for i, inc := range a.order {
		an.Incidents[i].Marks = []int{}
		for j := range all {
			if all[j].concerns(inc) {
				an.Incidents[i].Marks = append(an.Incidents[i].Marks, j)
			}
		}
	}
}

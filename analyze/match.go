package analyze

import (
	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// The kinds of a Match.
const (
	matchBudget   = "budget"
	matchSchedule = "schedule"
	matchClock    = "clock"
)

// maxChance is how likely a coincidence may be for a multiple or a sum to be
// named. A single budget or schedule of that length is named whatever its
// chance, since who wrote the rule file meant it to be.
const maxChance = 0.01

// matches names what has the length of a period: budgets and schedules, else
// multiples and sums of them, else the well-known clocks.
func (a *Analyzer) matches(r period.Recurrence) []Match {
	var budgets, schedules []period.Named
	for _, b := range a.opts.Config.Budgets {
		budgets = append(budgets, period.Named{Name: b.Name, Expression: b.Expression, Length: b.Duration})
	}
	for _, s := range a.opts.Config.Schedules {
		schedules = append(schedules, period.Named{Name: s.Name, Expression: s.Expression, Length: s.Every})
	}
	out, compounds := []Match{}, []Match{}
	add := func(kind string, named []period.Named) {
		for _, m := range period.Matches(r.Period, r.Low, r.High, named) {
			if len(m.Names) == 1 && m.Text == m.Names[0] {
				out = append(out, Match{Name: m.Text, Expression: expressionOf(named, m.Text), Kind: kind})
			} else if kind != matchClock && m.Chance <= maxChance {
				compounds = append(compounds, Match{Name: m.Text, Expression: m.Text, Kind: kind, Compound: true})
			}
		}
	}
	add(matchBudget, budgets)
	add(matchSchedule, schedules)
	if len(out) == 0 {
		out = append(out, compounds...)
	}
	if len(out) == 0 {
		add(matchClock, period.Clocks())
	}
	return out
}

func expressionOf(named []period.Named, name string) string {
	for _, n := range named {
		if n.Name == name {
			return n.Expression
		}
	}
	return ""
}

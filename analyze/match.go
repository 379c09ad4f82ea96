package analyze

import (
	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// maxChance is how likely a coincidence may be for a match to be named.
const maxChance = 0.01

// matches names the budgets and schedules that have the length of a period.
func (a *Analyzer) matches(r period.Recurrence) []Match {
	out := []Match{}
	for _, b := range a.opts.Config.Budgets {
		if near(int64(r.Period), int64(b.Duration), int64(r.High-r.Low)) {
			out = append(out, Match{Name: b.Name, Expression: b.Expression, Kind: "budget"})
		}
	}
	for _, s := range a.opts.Config.Schedules {
		if near(int64(r.Period), int64(s.Every), int64(r.High-r.Low)) {
			out = append(out, Match{Name: s.Name, Expression: s.Expression, Kind: "schedule"})
		}
	}
	return out
}

func near(period, length, width int64) bool {
	off := max(period-length, length-period)
	return off <= max(width, length/1000)
}

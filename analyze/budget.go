package analyze

import (
	"slices"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// stated is the confidence from which on a record is taken to name its stage
// itself; suggested the one below which a record of unknown level is no
// evidence of a failed transfer. See stage.Attribution.Confidence.
const (
	stated    = 0.7
	suggested = 0.6
)

// noBudget is the index of no budget.
const noBudget = -1

// budgetBook finds the budget that a record is the firing of.
type budgetBook struct {
	budgets []Budget
	byName  map[string]int
	inside  []map[int]bool // inside[o] holds every budget in o, at any depth
}

func newBudgetBook(budgets []Budget) *budgetBook {
	b := &budgetBook{budgets: budgets, byName: map[string]int{}, inside: make([]map[int]bool, len(budgets))}
	for i, bu := range budgets {
		b.byName[bu.Name] = i
	}
	for i := range budgets {
		b.inside[i] = map[int]bool{}
		b.collect(i, b.inside[i])
	}
	return b
}

func (b *budgetBook) collect(outer int, into map[int]bool) {
	for _, name := range b.budgets[outer].Contains {
		if i, ok := b.byName[name]; ok && !into[i] {
			into[i] = true
			b.collect(i, into)
		}
	}
}

// ofSource returns the budget whose sources name this Source: the one with
// the most literal pattern if several do, or noBudget.
func (b *budgetBook) ofSource(source string) int {
	best, weight := noBudget, -1
	for i, bu := range b.budgets {
		for _, g := range bu.Sources {
			if !g.Match(source) {
				continue
			}
			w := len(g)
			if _, literal := g.Literal(); literal {
				w += 1 << 20
			}
			if w > weight {
				best, weight = i, w
			}
		}
	}
	return best
}

// ofLength returns the one budget of just this length, or noBudget if none or
// several have it.
func (b *budgetBook) ofLength(d time.Duration) int {
	found := noBudget
	for i, bu := range b.budgets {
		if (bu.Duration - d).Abs() <= time.Millisecond {
			if found != noBudget {
				return noBudget
			}
			found = i
		}
	}
	return found
}

// verdict is what a record's attribution comes to when the budgets of the
// rule files are heard.
type verdict struct {
	stage      stage.Name
	budget     int
	candidates []stage.Name
	confidence float64
	// named says that the record itself names the stage, by more than a clock
	// that ran out.
	named bool
	why   string
}

// judge weighs an attribution against the budget of the record's Source. What
// a budget bounds beats built-in knowledge; what a line states itself beats
// both.
func (b *budgetBook) judge(at *stage.Attribution, source int, strategy bool) verdict {
	v := verdict{stage: at.Stage, budget: noBudget, confidence: at.Confidence}
	clock := at.Stage == stage.TotalDeadline || at.Stage == stage.OuterCancelled
	v.named = at.Confidence >= stated && !clock && !strategy
	bu := source
	if bu == noBudget && at.Budget > 0 {
		bu = b.ofLength(at.Budget)
	}
	if bu == noBudget {
		return v
	}
	budget := &b.budgets[bu]
	if v.named {
		if slices.Contains(budget.Bounds, at.Stage) {
			v.budget = bu
		}
		return v
	}
	if source == noBudget && !clock {
		return v
	}
	v.budget = bu
	switch {
	case len(budget.Bounds) == 1:
		v.stage, v.confidence = budget.Bounds[0], 0.95
		v.why = budget.Name + " bounds " + string(v.stage) + " only"
	case len(budget.Bounds) > 1:
		v.stage, v.confidence = stage.TotalDeadline, 0.9
		v.candidates = budget.Bounds
		v.why = budget.Name + " bounds several stages"
	case len(budget.Contains) > 0:
		v.stage, v.confidence = stage.OuterCancelled, 0.9
		v.why = budget.Name + " contains other budgets and bounds no stage itself"
	}
	return v
}

// nest returns the budgets as the transfer package checks them.
func (b *budgetBook) nest() []transfer.Budget {
	out := make([]transfer.Budget, len(b.budgets))
	for i, bu := range b.budgets {
		out[i] = transfer.Budget{Name: bu.Name, Duration: bu.Duration, Attempts: bu.Attempts, Contains: bu.Contains}
		for _, s := range bu.Bounds {
			out[i].Bounds = append(out[i].Bounds, string(s))
		}
	}
	return out
}

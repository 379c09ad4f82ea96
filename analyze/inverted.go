package analyze

import (
	"fmt"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// inverted finds nests of budgets of which the outer one cuts before the inner
// ones can report: by arithmetic, and by what the records show.
func (a *Analyzer) inverted() []Finding {
	var out []Finding
	told := map[string]bool{}
	for _, flaw := range transfer.Check(a.budgets.nest()) {
		if flaw.Kind != transfer.FlawInverted {
			continue
		}
		told[flaw.Outer] = true
		f := Finding{
			Kind: KindBudgetsInverted, Severity: SeverityError, Subject: flaw.Outer,
			Message:  flaw.String(),
			Action:   fmt.Sprintf("derive %s from %s: longer than %s", flaw.Outer, flaw.Inner, span(flaw.InnerTotal)),
			Evidence: []string{},
		}
		for _, inc := range a.cutBy(flaw.Outer) {
			f.Fingerprint = inc.id.String()
			f.Evidence = append(f.Evidence, cutText(inc, flaw.Outer))
			out = append(out, Finding{
				Kind: KindBlame, Severity: SeverityWarning, Subject: BlameClientBudget, Fingerprint: inc.id.String(),
				Message:  fmt.Sprintf("%s fails on its own budgets: %s cuts at %s what needs up to %s", inc.source, flaw.Outer, span(flaw.OuterDuration), span(flaw.InnerTotal)),
				Action:   "mend the nest of budgets before blaming the peer",
				Evidence: []string{flaw.String()},
			})
		}
		out = append(out, f)
	}
	for i := range a.budgets.budgets {
		if f, ok := a.silentInside(i); ok && !told[f.Subject] {
			out = append(out, f)
		}
	}
	return out
}

// cutBy lists the incidents that a budget, as a containing one, ended.
func (a *Analyzer) cutBy(outer string) []*incident {
	var out []*incident
	for _, inc := range a.order {
		if name, c := inc.stages.leading(); c != nil && name == stage.OuterCancelled && c.budgets[outer] > 0 {
			out = append(out, inc)
		}
	}
	return out
}

func cutText(inc *incident, outer string) string {
	_, c := inc.stages.leading()
	return fmt.Sprintf("%s: %s cut by %s", inc.source, plural(c.budgets[outer], "occurrence"), outer)
}

// silentLeast is how often an outer budget must fire before the silence of
// those inside it says something.
const silentLeast = 3

// silentInside reports an outer budget that fires again and again while no
// budget inside it, whose records would be known by their Sources, ever does:
// whatever the numbers in the rule file say, in the running program the outer
// clock comes first.
func (a *Analyzer) silentInside(outer int) (Finding, bool) {
	bu := &a.budgets.budgets[outer]
	var inner []string
	for i := range a.budgets.inside[outer] {
		if len(a.budgets.budgets[i].Sources) == 0 {
			return Finding{}, false // it may have fired unknown
		}
	}
	for _, name := range bu.Contains {
		if i, ok := a.budgets.byName[name]; ok {
			inner = append(inner, fmt.Sprintf("%s (%s)", name, span(a.budgets.budgets[i].Duration)))
		}
	}
	if len(inner) == 0 {
		return Finding{}, false
	}
	for _, inc := range a.order {
		if b := a.budgets.ofSource(inc.source); b != noBudget && a.budgets.inside[outer][b] {
			return Finding{}, false
		}
	}
	f := Finding{
		Kind: KindBudgetsInverted, Severity: SeverityError, Subject: bu.Name, Evidence: []string{},
		Action: fmt.Sprintf("look whether %s is armed at all where %s is, and with which length", strings.Join(inner, ", "), bu.Name),
	}
	fired := int64(0)
	for _, inc := range a.cutBy(bu.Name) {
		_, c := inc.stages.leading()
		fired += c.budgets[bu.Name]
		f.Fingerprint = inc.id.String()
		f.Evidence = append(f.Evidence, cutText(inc, bu.Name))
	}
	if fired < silentLeast {
		return Finding{}, false
	}
	f.Message = fmt.Sprintf("%s (%s) fired %s while %s inside it, which should fire first, never did", bu.Name, span(bu.Duration), times(fired), strings.Join(inner, " and "))
	return f, true
}

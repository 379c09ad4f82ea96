package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// The verdicts of a Fix.
const (
	Fixed     = "fixed"
	NotFixed  = "not-fixed"
	Undecided = "undecided"
)

// Fix says whether a roll has ended an incident.
type Fix struct {
	Roll        string `json:"roll"`        // its name
	At          Time   `json:"at"`          // when it was rolled out
	Issue       int    `json:"issue"`       // 0 where none is asked about
	Source      string `json:"source"`      // the incident's
	Fingerprint string `json:"fingerprint"` // the incident's
	Verdict     string `json:"verdict"`     // fixed, not-fixed or undecided
	// Probability is that of the silence since the roll if nothing had
	// changed; 1 where there is no silence.
	Probability float64 `json:"probability"`
	// DecidableAt is when a silence that goes on would be evidence; null
	// where the verdict stands, or where no silence would be.
	DecidableAt *Time `json:"decidableAt"`
	Before      int64 `json:"before"` // records before the roll
	After       int64 `json:"after"`  // records since
	// Work is what else the service logged since the roll, per unit of time,
	// as a share of what it logged before; 0 is a service that is silent.
	Work   float64 `json:"work"`
	Reason string  `json:"reason"` // why, as a sentence
}

// Verification asks for a Fix beyond those that the rolls' own fixes name.
type Verification struct {
	Roll        string // the roll's name; empty is the newest in the window
	Issue       int
	Fingerprint string
}

// draining is how long after a roll an old pod may still end its work.
const draining = int64(10 * time.Minute)

// rollWork counts the entries of a stream before and after a roll.
type rollWork struct{ before, after int64 }

// fixes weighs every claim that a roll fixed something.
func (a *Analyzer) fixes() []Fix {
	out := []Fix{}
	for i := range a.opts.Config.Rolls {
		roll := &a.opts.Config.Rolls[i]
		for _, number := range roll.Fixes {
			for _, is := range a.opts.Config.Issues {
				if is.Number != number {
					continue
				}
				for _, inc := range a.order {
					if a.about(&is, inc) {
						out = append(out, a.fix(i, number, inc))
					}
				}
			}
		}
	}
	for _, v := range a.opts.Verify {
		i := a.rollNamed(v.Roll)
		if i < 0 {
			continue
		}
		for _, inc := range a.order {
			named := inc.id.String() == v.Fingerprint
			for k := range a.opts.Config.Issues {
				is := &a.opts.Config.Issues[k]
				named = named || v.Issue != 0 && is.Number == v.Issue && a.about(is, inc)
			}
			if named {
				out = append(out, a.fix(i, v.Issue, inc))
			}
		}
	}
	slices.SortStableFunc(out, func(x, y Fix) int {
		return cmp.Or(x.At.Compare(y.At.Time), cmp.Compare(x.Issue, y.Issue), strings.Compare(x.Source, y.Source), strings.Compare(x.Fingerprint, y.Fingerprint))
	})
	return slices.CompactFunc(out, func(x, y Fix) bool {
		return x.Roll == y.Roll && x.Issue == y.Issue && x.Fingerprint == y.Fingerprint
	})
}

// rollNamed returns the index of the roll of that name, or of the newest one
// in the window, or -1.
func (a *Analyzer) rollNamed(name string) int {
	best := -1
	for i := range a.opts.Config.Rolls {
		r := &a.opts.Config.Rolls[i]
		if name != "" && r.Name != name || !a.opts.Window.Contains(r.At.UnixNano()) {
			continue
		}
		if best < 0 || r.At.After(a.opts.Config.Rolls[best].At) {
			best = i
		}
	}
	return best
}

// fix weighs one claim. Events and traffic are those of the streams that the
// roll concerned; pods that it replaced and those that replaced them are one
// service.
func (a *Analyzer) fix(rollIndex, issue int, inc *incident) Fix {
	roll := &a.opts.Config.Rolls[rollIndex]
	at, end := roll.At.UnixNano(), a.opts.Window.End
	f := Fix{Roll: roll.Name, At: At(at), Issue: issue, Source: inc.source, Fingerprint: inc.id.String(), Verdict: Undecided, Probability: 1}
	var before []int64
	var series []period.Series
	services := map[[2]string]bool{}
	var ownBefore, ownAfter int64 // the incident's entries
	for _, facts := range inc.sortedShares() {
		if roll.Match != nil && !roll.Match(facts.stream) {
			continue
		}
		services[[2]string{facts.stream.Namespace, facts.stream.Service}] = true
		sh := inc.streams[facts]
		ts := sh.times.Times()
		i, _ := slices.BinarySearch(ts, at)
		f.Before += sh.records - a.afterIn(sh, at-1)
		if i > 0 {
			before = append(before, ts[:i]...)
			series = append(series, period.Series{Stream: facts.stream.Key, Times: ts[:i]})
		}
		late := at
		if facts.first < at {
			late = at + draining // an old pod ends its work
		}
		f.After += a.afterIn(sh, late-1)
		ownBefore += sh.entries[0] - a.entriesAfter(sh, at-1)
		ownAfter += a.entriesAfter(sh, late-1)
	}
	f.Work = a.workSince(rollIndex, services, ownBefore, ownAfter)
	switch {
	case !a.opts.Window.Contains(at):
		f.Reason = "the roll is not in the window"
		return f
	case f.After > 0:
		f.Verdict = NotFixed
		f.Reason = fmt.Sprintf("%s since the roll, the last at %s", plural(f.After, "record"), moment(inc.last))
		return f
	case f.Before == 0:
		f.Reason = "it did not occur before the roll either, within this window"
		return f
	case a.readWithin(at, end) == nil:
		f.Reason = "nothing of the time since the roll was read whole: silence proves nothing there"
		return f
	case f.Work == 0:
		f.Reason = "nothing else of its service is logged since the roll: silence proves nothing"
		return f
	}
	read := a.readWithin(at, end)
	found := period.Find(series, period.Options{Until: at})
	start := a.opts.Window.Start
	for i, t := range before {
		before[i] = start + total(a.readWithin(start, t))
	}
	h := newHistory(before, found, start, start+total(a.readWithin(start, at)))
	f.Probability = roundTo(h.unchanged(f.Work, read...), 3)
	how := "the rate before it"
	if h.steady != nil {
		how = fmt.Sprintf("the period of %s before it", span(h.steady.period.Round(cycleStep(h.steady.period))))
	}
	silence, holes := total(read), ""
	if unread := end - at - silence; unread > 0 {
		holes = fmt.Sprintf(" (%s more were not read whole)", span(time.Duration(unread).Round(time.Second)))
	}
	if f.Probability <= undecidedAbove {
		f.Verdict = Fixed
		f.Reason = fmt.Sprintf("silent since the roll; by %s, a silence of %s%s would have probability %.2g had nothing changed", how, span(time.Duration(silence).Round(time.Second)), holes, f.Probability)
		return f
	}
	f.Reason = fmt.Sprintf("silent since the roll, but by %s a silence of %s%s is nothing unusual (probability %.2g)", how, span(time.Duration(silence).Round(time.Second)), holes, f.Probability)
	if w, ok := h.decidable(f.Work); ok {
		due := At(max(at+w+(end-at-silence), end))
		f.DecidableAt = &due
	}
	return f
}

// roundTo keeps so many significant digits: a probability is no more exact.
func roundTo(p float64, digits int) float64 {
	if p == 0 || math.IsInf(p, 0) || math.IsNaN(p) {
		return p
	}
	scale := math.Pow(10, float64(digits)-math.Ceil(math.Log10(math.Abs(p))))
	return math.Round(p*scale) / scale
}

// entriesAfter counts the entries of one stream's records later than t, one of
// the Analyzer's moments.
func (a *Analyzer) entriesAfter(sh *share, t int64) int64 {
	if i, ok := slices.BinarySearch(a.moments, t); ok {
		return sh.entries[1+i]
	}
	return 0
}

// workSince compares what the services logged after a roll with what they
// logged before, in entries per unit of time and without the incident's own.
func (a *Analyzer) workSince(rollIndex int, services map[[2]string]bool, ownBefore, ownAfter int64) float64 {
	at := a.opts.Config.Rolls[rollIndex].At.UnixNano()
	before, after := -ownBefore, -ownAfter
	for _, facts := range a.streams {
		if facts.skip || len(facts.rolls) <= rollIndex || !services[[2]string{facts.stream.Namespace, facts.stream.Service}] {
			continue
		}
		before += facts.rolls[rollIndex].before
		after += facts.rolls[rollIndex].after
	}
	length, since := float64(total(a.readWithin(a.opts.Window.Start, at))), float64(total(a.readWithin(at, a.opts.Window.End)))
	switch {
	case after <= 0 || since <= 0:
		return 0
	case before <= 0 || length <= 0:
		return 1 // nothing to compare with, but it is alive
	}
	return roundTo(min(float64(after)/since/(float64(before)/length), 1), 3)
}

// fixFindings tells every verdict, and which open issue can be closed.
func (a *Analyzer) fixFindings(fixes []Fix) []Finding {
	var out []Finding
	type claim struct {
		roll  string
		issue int
	}
	sound := map[claim][]Fix{}
	for _, f := range fixes {
		finding := Finding{Subject: f.Source, Fingerprint: f.Fingerprint, Evidence: []string{
			fmt.Sprintf("%d before and %d after the roll %q at %s", f.Before, f.After, f.Roll, moment(f.At.UnixNano()))}}
		switch f.Verdict {
		case Fixed:
			finding.Kind, finding.Severity = KindFixConfirmed, SeverityInfo
			finding.Message = fmt.Sprintf("%s is fixed since the roll %q: %s", f.Source, f.Roll, f.Reason)
			finding.Action = "close its issue, if it is open"
		case NotFixed:
			finding.Kind, finding.Severity = KindFixRefuted, SeverityError
			finding.Message = fmt.Sprintf("%s is not fixed by the roll %q: %s", f.Source, f.Roll, f.Reason)
			finding.Action = "keep its issue open; the roll claimed to fix it"
		default:
			finding.Kind, finding.Severity = KindFixUndecided, SeverityInfo
			finding.Message = fmt.Sprintf("whether the roll %q fixed %s cannot be said yet: %s", f.Roll, f.Source, f.Reason)
			if f.DecidableAt != nil {
				finding.Action = fmt.Sprintf("ask again at %s, if it stays silent", moment(f.DecidableAt.UnixNano()))
			}
		}
		out = append(out, finding)
		c := claim{f.Roll, f.Issue}
		if f.Verdict == Fixed {
			sound[c] = append(sound[c], f)
		} else {
			sound[c] = append(sound[c], Fix{}) // one Source that is not fixed keeps the issue open
		}
	}
	for _, is := range a.opts.Config.Issues {
		for _, roll := range a.opts.Config.Rolls {
			fs := sound[claim{roll.Name, is.Number}]
			if is.State != "open" || len(fs) == 0 || slices.ContainsFunc(fs, func(f Fix) bool { return f.Verdict != Fixed }) {
				continue
			}
			f := Finding{
				Kind: KindIssueClose, Severity: SeverityWarning, Subject: fmt.Sprint(is.Number), Fingerprint: fs[0].Fingerprint,
				Message:  fmt.Sprintf("issue #%d can be closed: all its Sources are silent since the roll %q, which claims to fix it", is.Number, roll.Name),
				Action:   fmt.Sprintf("close #%d", is.Number),
				Evidence: []string{},
			}
			for _, x := range fs {
				f.Evidence = append(f.Evidence, fmt.Sprintf("%s: %s", x.Source, x.Reason))
			}
			out = append(out, f)
		}
	}
	return out
}

package analyze

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// tracked is an issue with what the records of the window say of it.
type tracked struct {
	Issue
	own []*incident // incidents of its Sources or named outright
	// pointed are the masked ids whose incident node points at the issue.
	pointed []string
}

// issueOf returns the issue that an incident belongs to.
func (a *Analyzer) issueOf(inc *incident) *IssueRef {
	for i := range a.opts.Config.Issues {
		if is := &a.opts.Config.Issues[i]; a.about(is, inc) {
			return &IssueRef{Number: is.Number, State: is.State, URL: is.URL}
		}
	}
	return nil
}

// renamed returns the configuration with every fingerprint replaced by the one
// that took its place, through any number of renamings.
func (c Config) renamed(verify []Verification) (Config, []Verification) {
	if len(c.Aliases) == 0 {
		return c, verify
	}
	now := func(id string) string {
		for range len(c.Aliases) {
			next, ok := c.Aliases[id]
			if !ok {
				break
			}
			id = next
		}
		return id
	}
	c.Issues = slices.Clone(c.Issues)
	for i := range c.Issues {
		c.Issues[i].Fingerprints = slices.Clone(c.Issues[i].Fingerprints)
		for j, id := range c.Issues[i].Fingerprints {
			c.Issues[i].Fingerprints[j] = now(id)
		}
	}
	verify = slices.Clone(verify)
	for i := range verify {
		verify[i].Fingerprint = now(verify[i].Fingerprint)
	}
	return c, verify
}

// track gathers the issues of the rule files and of incident nodes.
func (a *Analyzer) track(folds []MaskedFold) []tracked {
	issues := slices.Clone(a.opts.Config.Issues)
	for _, n := range a.nodes {
		if n.IssueNumber == 0 {
			continue
		}
		i := slices.IndexFunc(issues, func(is Issue) bool { return is.Number == n.IssueNumber })
		if i < 0 {
			i = len(issues)
			issues = append(issues, Issue{Number: n.IssueNumber, State: n.IssueState})
		}
		is := &issues[i]
		is.MaskedIDs = append(slices.Clone(is.MaskedIDs), n.MaskedID)
		is.URL = cmp.Or(is.URL, n.IssueURL)
		is.Masked = true
	}
	out := make([]tracked, 0, len(issues))
	for _, is := range issues {
		t := tracked{Issue: is, pointed: slices.Clone(is.MaskedIDs)}
		for _, inc := range a.order {
			if a.about(&is, inc) {
				t.own = append(t.own, inc)
				if is.Masked && len(is.MaskedIDs) == 0 {
					for _, m := range inc.masked {
						t.pointed = append(t.pointed, m.id)
					}
				}
			}
		}
		if is.Masked && len(t.pointed) == 0 && len(folds) == 1 {
			// None of its own in the window: the one folded id there is.
			t.pointed = append(t.pointed, folds[0].MaskedID)
		}
		slices.Sort(t.pointed)
		t.pointed = slices.Compact(t.pointed)
		out = append(out, t)
	}
	return out
}

// issueFindings says what must happen to the tracker's issues. The Source of
// the records decides, never the counter of the masked id.
func (a *Analyzer) issueFindings(folds []MaskedFold) []Finding {
	var out []Finding
	issues := a.track(folds)
	for i := range issues {
		is := &issues[i]
		last := lastOf(is.own)
		switch {
		case is.State == "closed" && !is.ClosedAt.IsZero() && last > is.ClosedAt.UnixNano():
			out = append(out, a.reopen(is, last))
		case is.State == "closed":
			out = append(out, a.keepClosed(is, issues, last)...)
		case is.Masked && len(is.own) == 0:
			if f, ok := a.repoint(is, issues, a.opts.Window.Start); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

func lastOf(incs []*incident) int64 {
	last := int64(math.MinInt64)
	for _, inc := range incs {
		last = max(last, inc.last)
	}
	return last
}

func (a *Analyzer) reopen(is *tracked, last int64) Finding {
	closed := is.ClosedAt.UnixNano()
	since, evidence := int64(0), []string{}
	fp := ""
	for _, inc := range is.own {
		if n := a.after(inc, closed); n > 0 {
			since += n
			evidence = append(evidence, fmt.Sprintf("%s: %d of %d records since, the last %s", inc.source, n, inc.records, moment(inc.last)))
			fp = cmp.Or(fp, inc.id.String())
		}
	}
	return Finding{
		Kind: KindIssueReopen, Severity: SeverityError, Subject: fmt.Sprint(is.Number), Fingerprint: fp,
		Message: fmt.Sprintf("issue #%d was closed at %s, and its own Source has been seen %s since, last at %s",
			is.Number, moment(closed), times(since), moment(last)),
		Action:   fmt.Sprintf("reopen #%d", is.Number),
		Evidence: evidence,
	}
}

// moments are the instants that verdicts ask about: when issues were closed
// and when rolls came and had drained. Records later than each are counted as
// they come, since the times kept of a busy stream are not all there were.
func moments(c Config) []int64 {
	var out []int64
	for _, is := range c.Issues {
		if !is.ClosedAt.IsZero() {
			out = append(out, is.ClosedAt.UnixNano(), is.ClosedAt.UnixNano()-1)
		}
	}
	for _, r := range c.Rolls {
		out = append(out, r.At.UnixNano()-1, r.At.UnixNano()+draining-1)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// after counts an incident's records later than t.
func (a *Analyzer) after(inc *incident, t int64) int64 {
	n := int64(0)
	for _, sh := range inc.streams {
		n += a.afterIn(sh, t)
	}
	return n
}

// afterIn counts the records of one stream later than t: exactly for the
// Analyzer's moments, and from the times kept for any other instant.
func (a *Analyzer) afterIn(sh *share, t int64) int64 {
	if sh.last <= t {
		return 0
	}
	if sh.first > t {
		return sh.records
	}
	if i, ok := slices.BinarySearch(a.moments, t); ok {
		return sh.since[i]
	}
	ts := sh.times.Times()
	i, _ := slices.BinarySearch(ts, t+1)
	return int64(len(ts) - i)
}

// keepClosed speaks of a closed issue whose own Sources are silent since,
// while the masked id that points at it still counts records of others.
func (a *Analyzer) keepClosed(is *tracked, issues []tracked, last int64) []Finding {
	from := a.opts.Window.Start
	if !is.ClosedAt.IsZero() {
		from = max(from, is.ClosedAt.UnixNano())
	} else if len(is.own) > 0 {
		return []Finding{a.undated(is, last)}
	}
	others, counted, evidence := a.othersUnder(is, from)
	if counted == 0 {
		return nil
	}
	seen := "its own Source does not occur in the window"
	if a.shared(&is.Issue) {
		seen = "its Source is another issue's now"
	}
	if len(is.own) > 0 {
		seen = fmt.Sprintf("its own Source was last seen at %s, before it was closed", moment(last))
	}
	belong, noun := "belong", "another Source"
	if counted == 1 {
		belong = "belongs"
	}
	if len(others) > 1 {
		noun = fmt.Sprintf("%d other Sources", len(others))
	}
	f := Finding{
		Kind: KindIssueDoNotReopen, Severity: SeverityError, Subject: fmt.Sprint(is.Number),
		Message: fmt.Sprintf("do not reopen #%d: %s; the %s under masked id %s since then %s to %s",
			is.Number, seen, plural(counted, "record"), strings.Join(is.pointed, ", "), belong, noun),
		Action:   fmt.Sprintf("leave #%d closed", is.Number),
		Evidence: evidence,
	}
	if len(is.own) > 0 {
		f.Fingerprint = is.own[0].id.String()
	}
	out := []Finding{f}
	if r, ok := a.repoint(is, issues, from); ok {
		out = append(out, r)
	} else {
		out[0].Action += fmt.Sprintf("; no issue is about %s yet: file one and point the incident node at it", others[0].source)
	}
	return out
}

// undated speaks of a closed issue whose own Sources occur in the window while
// nobody said when it was closed: they may have come before that or after it.
func (a *Analyzer) undated(is *tracked, last int64) Finding {
	n, evidence := int64(0), []string{}
	for _, inc := range is.own {
		n += inc.records
		evidence = append(evidence, fmt.Sprintf("%s: %s, the last %s", inc.source, plural(inc.records, "record"), moment(inc.last)))
	}
	return Finding{
		Kind: KindIssueUndecided, Severity: SeverityWarning, Subject: fmt.Sprint(is.Number), Fingerprint: is.own[0].id.String(),
		Message: fmt.Sprintf("issue #%d is closed, and its own Source has been seen %s in the window, last at %s: whether that was before or after closing nobody has said",
			is.Number, times(n), moment(last)),
		Action:   fmt.Sprintf("give closed_at of #%d in the rule file; if it was closed before %s, reopen it", is.Number, moment(last)),
		Evidence: evidence,
	}
}

// othersUnder lists the incidents, most records first, that the masked ids of
// an issue have counted since a time and that are not the issue's own.
func (a *Analyzer) othersUnder(is *tracked, from int64) (others []*incident, records int64, evidence []string) {
	counts := map[*incident]int64{}
	for _, inc := range a.order {
		if a.about(&is.Issue, inc) || !inc.hasMasked(is.pointed) {
			continue
		}
		if n := a.after(inc, from-1); n > 0 {
			counts[inc] = n
			records += n
			others = append(others, inc)
		}
	}
	slices.SortStableFunc(others, func(x, y *incident) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), strings.Compare(x.source, y.source))
	})
	for _, inc := range others {
		evidence = append(evidence, fmt.Sprintf("%s: %s since %s, the last %s", inc.source, plural(counts[inc], "record"), moment(from), moment(inc.last)))
	}
	if evidence == nil {
		evidence = []string{}
	}
	return others, records, evidence
}

func (inc *incident) hasMasked(ids []string) bool {
	return slices.ContainsFunc(inc.masked, func(m maskedCount) bool { return slices.Contains(ids, m.id) })
}

// repoint finds the issue that the records counted under is's masked ids since
// from are really about.
func (a *Analyzer) repoint(is *tracked, issues []tracked, from int64) (Finding, bool) {
	others, _, evidence := a.othersUnder(is, from)
	for _, inc := range others {
		for j := range issues {
			to := &issues[j]
			if to.Number == is.Number || to.State == "closed" || !a.about(&to.Issue, inc) {
				continue
			}
			change := fmt.Sprintf("content.issueNumber: %d", to.Number)
			if to.URL != "" {
				change += fmt.Sprintf(", content.issueUrl: %q", to.URL)
			} else {
				change += fmt.Sprintf(", content.issueUrl: the address of #%d", to.Number)
			}
			return Finding{
				Kind: KindIssueRepoint, Severity: SeverityError, Subject: fmt.Sprint(to.Number), Fingerprint: inc.id.String(),
				Message: fmt.Sprintf("the incident node of masked id %s points at #%d, but what it counts now is %s, which is #%d",
					strings.Join(is.pointed, ", "), is.Number, inc.source, to.Number),
				Action:   fmt.Sprintf("patch the incident node %s: {%s} (was %d)", strings.Join(is.pointed, ", "), change, is.Number),
				Evidence: evidence,
			}, true
		}
	}
	return Finding{}, false
}

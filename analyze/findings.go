package analyze

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

// findings draws every conclusion from the joined incidents. It reads the
// rendered Analysis for what is in it and the Analyzer for the rest.
func (a *Analyzer) findings(an *Analysis) []Finding {
	var out []Finding
	out = append(out, a.issueFindings(an.MaskedFolds)...)
	for _, f := range an.MaskedFolds {
		out = append(out, folded(f))
	}
	out = append(out, a.inverted()...)
	for i, inc := range a.order {
		if an.Incidents[i].Occurrences == 0 {
			continue // tells only of what another incident tells
		}
		out = append(out, a.recurrenceFindings(&an.Incidents[i])...)
		f, pass := a.sequentialPass(inc)
		if pass {
			out = append(out, f)
		}
		ep := a.episode(inc, len(an.Incidents[i].Recurrences) > 0, pass)
		an.Incidents[i].Episode = ep
		out = append(out, shaped(inc, ep)...)
		out = append(out, a.blame(inc, &an.Incidents[i])...)
		if f, ok := unrecoverable(inc, &an.Incidents[i]); ok {
			out = append(out, f)
		}
		if f, ok := duplicateLayers(inc); ok {
			out = append(out, f)
		}
	}
	out = append(out, a.fixFindings(an.Fixes)...)
	out = append(out, a.unbounded()...)
	out = append(out, a.skew.findings()...)
	out = append(out, shippedTwice(an.Read)...)
	out = append(out, a.limitsReached()...)
	return out
}

func folded(f MaskedFold) Finding {
	counted := ""
	if f.Counter != nil {
		counted = fmt.Sprintf(" (its node counts %d)", *f.Counter)
	}
	return Finding{
		Kind: KindSourceFolded, Severity: SeverityWarning, Subject: f.MaskedID,
		Message:  fmt.Sprintf("masked id %s counts %s%s of %d Sources as one", f.MaskedID, plural(f.Records, "record"), counted, len(f.Sources)),
		Action:   "judge each Source by its own fingerprint; the counter of the masked id says nothing about any of them",
		Evidence: f.Sources,
	}
}

// recurrenceFindings tells of each recurrence of an incident once, by the
// strongest thing known of it.
func (a *Analyzer) recurrenceFindings(inc *Incident) []Finding {
	var out []Finding
	for _, r := range inc.Recurrences {
		f := Finding{Kind: KindRecurrence, Severity: SeverityWarning, Subject: inc.Source, Fingerprint: inc.Fingerprint, Evidence: []string{}}
		what := fmt.Sprintf("%s recurs every %s ± %s on %s", inc.Source, r.Period, r.Jitter, plural(int64(len(r.Phases)), "stream"))
		if names := matchNames(r, matchBudget); len(names) > 0 {
			f.Kind = KindRecurrenceMatchesBudget
			f.Message = fmt.Sprintf("%s: that is the length of %s", what, strings.Join(names, " and of "))
			f.Action = "look at the work which this budget cuts; the failures are a clock's, not bad luck"
		} else if names := matchNames(r, matchSchedule); len(names) > 0 {
			f.Kind = KindRecurrenceMatchesSchedule
			f.Severity = SeverityInfo
			f.Message = fmt.Sprintf("%s: that is the schedule %s", what, strings.Join(names, " and "))
			f.Action = "look at what this schedule starts"
		} else {
			f.Message = what
			f.Action = "find the timer or schedule of that length, and name it in the rule file"
			if hints := compoundNames(r); len(hints) > 0 {
				f.Message += fmt.Sprintf("; %s has that length, too", strings.Join(hints, " or "))
			}
		}
		if r.Pass != nil {
			f.Message += fmt.Sprintf("; in runs of %d, one run every %s", r.Pass.RunLength, r.Pass.Cycle)
		}
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s, %d of %d slots filled, %s; confidence %.6g", plural(r.Events, "event"), r.Slots-r.Missed, r.Slots, r.Kind, r.Confidence))
		out = append(out, f)
	}
	return out
}

// matchNames lists the matches of a kind that are lengths somebody configured.
func matchNames(r Recurrence, kind string) []string {
	var names []string
	for _, m := range r.Matches {
		if m.Kind == kind && !m.Compound {
			names = append(names, m.Name)
		}
	}
	return names
}

func compoundNames(r Recurrence) []string {
	var names []string
	for _, m := range r.Matches {
		if m.Compound {
			names = append(names, m.Name)
		}
	}
	return names
}

// shaped tells of the shapes that say where to look.
func shaped(inc *incident, ep *Episode) []Finding {
	f := Finding{Severity: SeverityInfo, Subject: inc.source, Fingerprint: inc.id.String(), Evidence: []string{
		fmt.Sprintf("%d of %s", ep.Pods, plural(int64(ep.PodsSeen), "pod"))}}
	switch ep.Shape {
	case ShapeBurst:
		f.Kind = KindBurst
		f.Message = fmt.Sprintf("%s came in one burst: %s", inc.source, ep.Evidence)
		f.Action = "look at what else happened at that moment"
	case ShapeRollWave:
		f.Kind = KindRollWave
		f.Message = fmt.Sprintf("%s follows the starts of pods: %s", inc.source, ep.Evidence)
		f.Action = "look at what a pod does when it starts, and at what it needs then"
	default:
		return nil
	}
	return []Finding{f}
}

// blame accuses only on what was measured: a stage that records name
// themselves, and byte counts where the accusation rests on them.
func (a *Analyzer) blame(inc *incident, out *Incident) []Finding {
	name, c := inc.stages.leading()
	if c == nil {
		return nil
	}
	received := out.Stage.BytesReceived
	moving := received.Max != nil && *received.Max > 0
	var subject, because, action string
	evidence := slices.Clone(out.Stage.Evidence)
	switch {
	case name == stage.TotalDeadline && moving && out.Stage.ElapsedNs.Max != nil:
		var more []string
		subject, because, action, more = a.cutWhileMoving(inc, *received.Max)
		evidence = append(evidence, more...)
	case name == stage.NoResponse && received.Max != nil && *received.Max == 0:
		subject, because = BlameServer, "0 bytes had arrived: it was asked and did not begin to answer"
		action = "measure the endpoint from outside (vdm-logs transfer probe); no client budget cures it"
	case 2*c.named < c.records:
		return nil
	case name == stage.Resolve:
		subject, because, action = BlameDNS, "the name was not resolved", "look at the resolver and the name"
	case name == stage.Connect || name == stage.TLS || name == stage.Send:
		subject, because, action = BlameNetwork, fmt.Sprintf("the request did not get there (%s)", name), "look at the path, the listener and its certificate"
	case name == stage.BodyStalled:
		subject, because, action = BlameNetwork, "the body began and went silent", "make the transfer resumable, and look at the path and the sender"
	case name == stage.SizeExceeded:
		subject, because, action = BlameArchiveSize, "the answer is over the size bound", "a smaller or a resumable archive, never a bigger number"
	case name == stage.ServerSide:
		subject, because, action = BlameProxy, "a gateway reports that its upstream failed", "look at the upstream behind the gateway"
	case name == stage.QueueWait:
		subject, because, action = BlameClientBudget, "it waited for a slot and sent nothing", "look at the pool, the limiter and what holds their slots"
	default:
		return nil
	}
	return []Finding{{
		Kind: KindBlame, Severity: SeverityWarning, Subject: subject, Fingerprint: inc.id.String(),
		Message:  strings.TrimPrefix(fmt.Sprintf("%s, %s: %s", inc.source, plural(out.Occurrences, "occurrence"), because), ", "),
		Action:   action,
		Evidence: evidence,
	}}
}

// unrecoverable says that the logs do not tell the stage, and what would.
func unrecoverable(inc *incident, out *Incident) (Finding, bool) {
	name, c := inc.stages.leading()
	if c == nil || c.named > 0 || name != stage.OuterCancelled && name != stage.TotalDeadline {
		return Finding{}, false
	}
	if out.Stage.BytesReceived.Max != nil {
		return Finding{}, false
	}
	why := "one clock over the whole transfer ended it"
	if name == stage.OuterCancelled {
		why = "a containing budget cancelled before the inner stage left a line"
	}
	if len(out.Stage.Candidates) > 0 {
		why = fmt.Sprintf("%s can end %s", out.Stage.Budget, strings.Join(out.Stage.Candidates, " or "))
	}
	return Finding{
		Kind: KindStageUnrecoverable, Severity: SeverityWarning, Subject: inc.source, Fingerprint: inc.id.String(),
		Message:  fmt.Sprintf("the stage at which %s failed cannot be told from these logs: %s", inc.source, why),
		Action:   "log stage, bytes received, bytes declared and elapsed time where the transfer is refused (package transfer does), on a clock that fires before any outer one",
		Evidence: slices.Clone(out.Stage.Evidence),
	}, true
}

func repeated(inc *incident) string {
	if inc.duplicates == 1 {
		return fmt.Sprintf("1 record of another Source tells of an occurrence of %s a second time", inc.source)
	}
	return fmt.Sprintf("%d records of other Sources tell of occurrences of %s a second time", inc.duplicates, inc.source)
}

func duplicateLayers(inc *incident) (Finding, bool) {
	if inc.duplicates == 0 {
		return Finding{}, false
	}
	f := Finding{
		Kind: KindDuplicateLayers, Severity: SeverityInfo, Subject: inc.source, Fingerprint: inc.id.String(),
		Message:  repeated(inc),
		Action:   "count occurrences, not records; keep the layer that names the stage",
		Evidence: []string{},
	}
	for _, s := range slices.Sorted(maps.Keys(inc.layers)) {
		f.Evidence = append(f.Evidence, fmt.Sprintf("%s: %s", s, plural(inc.layers[s], "record")))
	}
	return f, true
}

// unbounded tells of Sources a part of which takes ever new values, with the
// rule that bounds them.
func (a *Analyzer) unbounded() []Finding {
	var out []Finding
	for _, u := range a.guard.Unbounded() {
		pattern := redact.String(strings.ReplaceAll(u.Pattern, "<*>", "*"))
		out = append(out, Finding{
			Kind: KindUnboundedSource, Severity: SeverityWarning, Subject: pattern,
			Message:  fmt.Sprintf("about %d Sources differ only where %s has *: this %s is unbounded, and every value is an incident of its own", u.Distinct, pattern, u.Part),
			Action:   "add a rule that bounds it:\n" + redact.String(u.Rule),
			Evidence: []string{},
		})
	}
	return out
}

func (a *Analyzer) limitsReached() []Finding {
	var out []Finding
	add := func(n int64, limit, what string) {
		if n > 0 {
			out = append(out, Finding{
				Kind: KindLimitReached, Severity: SeverityWarning, Subject: limit,
				Message:  fmt.Sprintf("limit reached: %s", what),
				Action:   "narrow the window or the selector",
				Evidence: []string{},
			})
		}
	}
	add(a.overflow, "incidents", fmt.Sprintf("%s of fingerprints beyond the first %d are in no incident", plural(a.overflow, "record"), a.limits.Incidents))
	add(a.lostEvents, "events", fmt.Sprintf("%s beyond the first %d were not joined across layers", plural(a.lostEvents, "failed transfer"), a.limits.Events))
	thinned := int64(0)
	for _, inc := range a.order {
		for _, sh := range inc.streams {
			if sh.times.Thinned() {
				thinned++
			}
		}
	}
	add(thinned, "times", fmt.Sprintf("%s of incidents have more than %d records; recurrences were looked for in blocks of them", plural(thinned, "stream"), a.limits.Times))
	return out
}

// sequentialPass looks for at least three occurrences in a row on one stream,
// each one budget after the other: work that is cut item by item.
func (a *Analyzer) sequentialPass(inc *incident) (Finding, bool) {
	var bestBudget *Budget
	var bestStream *streamFacts
	longest, runs := 0, 0
	for _, facts := range inc.sortedShares() {
		ts := inc.streams[facts].times.Times()
		for b := range a.opts.Config.Budgets {
			bu := &a.opts.Config.Budgets[b]
			length, n := passRuns(ts, bu.Duration)
			if n == 0 {
				continue
			}
			if bestBudget == nil || length > longest && bestBudget != bu {
				if bestBudget != bu {
					runs = 0
				}
				bestBudget, bestStream, longest = bu, facts, length
			}
			if bestBudget == bu {
				runs += n
				if length > longest {
					longest, bestStream = length, facts
				}
			}
		}
	}
	if bestBudget == nil {
		return Finding{}, false
	}
	return Finding{
		Kind: KindSequentialPass, Severity: SeverityWarning, Subject: inc.source, Fingerprint: inc.id.String(),
		Message: fmt.Sprintf("%s is one pass cut item by item: up to %d in a row on one stream, each %s (%s) after the one before",
			inc.source, longest, bestBudget.Name, span(bestBudget.Duration)),
		Action:   "find what every item of the pass waits for; ask for it once per pass, not once per item",
		Evidence: []string{fmt.Sprintf("%s of three or more; the longest on %s", plural(int64(runs), "run"), bestStream.stream.Name())},
	}, true
}

// passRuns returns the length of the longest run of events spaced by d, to
// one in a hundred, and how many runs of three or more there are. It returns
// 0 runs where chance alone would make such runs: under gaps that are
// exponential with the stream's mean, the expected number of runs as long as
// the longest must be below 0.01.
func passRuns(ts []int64, d time.Duration) (longest, runs int) {
	if len(ts) < 3 || d <= 0 {
		return 0, 0
	}
	tolerance := max(int64(d)/100, int64(10*time.Millisecond))
	run := 1
	flush := func() {
		if run >= 3 {
			runs++
			longest = max(longest, run)
		}
		run = 1
	}
	for i := 1; i < len(ts); i++ {
		if off := ts[i] - ts[i-1] - int64(d); -tolerance <= off && off <= tolerance {
			run++
			continue
		}
		flush()
	}
	flush()
	if runs == 0 || chanceRuns(len(ts), longest-1, ts[len(ts)-1]-ts[0], tolerance, int64(d)) > 0.01 {
		return 0, 0
	}
	return longest, runs
}

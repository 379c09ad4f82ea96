package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// incident writes one incident under its number.
func (t *text) incident(n int, inc *analyze.Incident) {
	t.title(fmt.Sprintf("%-2d ", n), inc)
	address := ""
	if inc.Issue != nil {
		address = inc.Issue.URL
	}
	t.pair(address, t.verdict(inc), t.counts(inc)...)
	t.facts(",", "", t.where(inc)...)
	t.timeline(inc)
	for i := range inc.Recurrences {
		r := &inc.Recurrences[i]
		t.facts(",", every(r), t.recurrence(r)...)
	}
	if inc.Stage != nil {
		t.facts(";", "stage "+inc.Stage.Name, t.stage(inc.Stage)...)
	}
	for _, i := range t.fixes[inc.Fingerprint] {
		f := &t.an.Fixes[i]
		t.facts(",", "roll "+f.Roll, t.fix(f)...)
	}
	t.evidence(inc)
	t.ids(inc)
	t.line()
}

// ids are what the incident is found again by; behind the fingerprint stands
// the address of its data elsewhere.
func (t *text) ids(inc *analyze.Incident) {
	masked := "no masked id"
	if len(inc.MaskedIDs) > 0 {
		masked = "masked id " + strings.Join(inc.MaskedIDs, ", ")
	}
	address := ""
	if len(inc.Links) > 0 {
		address = inc.Links[0].URL
	}
	for _, l := range wrap(inc.Fingerprint+" "+t.s.sign("·", "-")+" "+masked, t.s.Width-len(margin)) {
		if rest, ok := strings.CutPrefix(l, inc.Fingerprint); ok {
			t.row(t.s.link(address, t.s.paint(dim, inc.Fingerprint)) + t.s.paint(dim, rest))
			continue
		}
		t.row(t.s.paint(dim, l))
	}
}

// title writes the Source, what happened there, and the level. The Source has
// precedence; what does not fit beside it gets a row of its own.
func (t *text) title(number string, inc *analyze.Incident) {
	room := t.s.Width - len(number)
	level := t.s.paint(levelStyle(inc.Level), inc.Level)
	name, event := t.s.safe(inc.Source), t.s.safe(inc.Event)
	if event == "" {
		event = t.s.safe(essence(inc.Template))
	}
	if name == "" {
		// Nothing tells what emitted it: neither category nor service.
		name, event = "(no Source)", t.s.safe(essence(inc.Template))
	}
	space := room - len(inc.Level) - 2
	if columns(name) > space && columns(name) <= room {
		t.line(t.s.paint(bold, number+name))
		t.row(pad(t.s.fit(event, space), space+2) + level)
		return
	}
	name = t.s.fitMiddle(name, space)
	beside, free := "", space-columns(name)-2
	if event != "" && (columns(event) <= free || free >= 24) {
		beside, event = "  "+t.s.fit(event, free), ""
	}
	t.line(t.s.paint(bold, number+name), pad(beside, space+2-columns(name)), level)
	if event != "" {
		t.row(t.s.fit(event, t.s.Width-len(margin)))
	}
}

func levelStyle(level string) string {
	if level == "error" || level == "fatal" {
		return red
	}
	return yellow
}

// recent is the stretch before the end of the window of which the records are
// counted apart.
const recent = 15 * time.Minute

// counts tells how many there are, how fast they come, since when, and whether
// they still do.
func (t *text) counts(inc *analyze.Incident) []string {
	b := []string{count(inc.Records, "record", "records")}
	if inc.Occurrences != inc.Records && inc.DuplicateOf == "" {
		b = append(b, "of "+count(inc.Occurrences, "occurrence", "occurrences"))
		b = []string{strings.Join(b, " ")}
	}
	first, last, end := inc.FirstSeen.Time, inc.LastSeen.Time, t.an.Window.End.Time
	if r := rate(inc.Records, last.Sub(first)); r != "" {
		b = append(b, r)
	}
	if inc.Records == 1 || !first.Before(last) {
		b = append(b, "at "+t.face.at(first, "15:04:05"))
	} else {
		b = append(b, "since "+t.face.at(first, "15:04:05"), "last "+t.face.at(last, "15:04:05"))
	}
	if s := t.lately(inc, end.Sub(last)); s != "" {
		b = append(b, s)
	}
	switch {
	case inc.DuplicateOf != "":
		of := inc.DuplicateOf
		if n := t.numbers[of]; n > 0 {
			of = numbered(n)
		}
		b = append(b, "all of them duplicates of "+of)
	case inc.Duplicates > 0:
		b = append(b, "told again by "+count(inc.Duplicates, "record", "records")+" elsewhere")
	}
	if inc.Attempts > 0 {
		b = append(b, "of them "+count(inc.Attempts, "further attempt", "further attempts"))
	}
	return b
}

// lately tells how the window ends: with how many records in its last slices
// of a quarter of an hour or so, or silent for how long.
func (t *text) lately(inc *analyze.Incident, silent time.Duration) string {
	n := len(inc.Timeline)
	span := t.an.Window.End.Sub(t.an.Window.Start.Time)
	if n == 0 || span <= 0 {
		return ""
	}
	slice := span / time.Duration(n)
	k := n / 4
	if slice > 0 && k > 1 {
		k = min(k, max(1, int((recent+slice-1)/slice)))
	}
	sum := int64(0)
	for _, c := range inc.Timeline[n-k:] {
		sum += c
	}
	if sum > 0 {
		return thousands(sum) + " in the last " + about(slice*time.Duration(k))
	}
	if silent > 0 {
		return "silent for " + about(silent)
	}
	return ""
}

// where lists the pods, those with the most records first, by the ends of
// their names where the whole ones have no room.
func (t *text) where(inc *analyze.Incident) []string {
	if len(inc.Pods) == 0 {
		return []string{"on " + count(int64(len(inc.Streams)), "stream", "streams")}
	}
	room := t.s.Width - len(margin)
	if len(inc.Pods) == 1 {
		return []string{"on 1 pod " + t.s.fitMiddle(t.s.safe(inc.Pods[0]), room-9)}
	}
	records := map[string]int64{}
	for _, st := range inc.Streams {
		records[st.Pod] += st.Records
	}
	pods := slices.Clone(inc.Pods)
	slices.SortStableFunc(pods, func(a, b string) int { return cmp.Compare(records[b], records[a]) })
	head := fmt.Sprintf("on %d pods:", len(pods))
	if ep := inc.Episode; ep != nil && ep.PodsSeen > len(pods) {
		head = fmt.Sprintf("on %d of %d pods:", len(pods), ep.PodsSeen)
	}
	tell := func(name func(string) string) []string {
		var out []string
		used := columns(head)
		for i, p := range pods {
			s := name(p)
			if n := records[p]; n > 0 {
				s += " " + thousands(n)
			}
			more := ""
			if left := len(pods) - i; left > 1 {
				more = fmt.Sprintf(", and %d more", left)
			}
			if i > 0 && used+2+columns(s)+columns(more) > room {
				return append(out, fmt.Sprintf("and %d more", len(pods)-i))
			}
			used += 2 + columns(s)
			if i == 0 {
				s = head + " " + s
			}
			out = append(out, s)
		}
		return out
	}
	whole := tell(func(p string) string { return t.s.fitMiddle(t.s.safe(p), room/2) })
	if len(whole) == len(pods) && !strings.HasPrefix(whole[len(whole)-1], "and ") {
		return whole
	}
	return tell(t.pod)
}

// verdict is the issue's number and state, with what a finding wants of it.
func (t *text) verdict(inc *analyze.Incident) string {
	if inc.Issue == nil {
		return ""
	}
	if t.about == nil {
		t.about = map[int]analyze.Kind{}
		for _, f := range t.an.Findings {
			switch f.Kind {
			case analyze.KindIssueReopen, analyze.KindIssueDoNotReopen, analyze.KindIssueRepoint, analyze.KindIssueClose, analyze.KindIssueUndecided:
				if n, err := strconv.Atoi(f.Subject); err == nil {
					if _, ok := t.about[n]; !ok {
						t.about[n] = f.Kind
					}
				}
			}
		}
	}
	s := fmt.Sprintf("#%d %s", inc.Issue.Number, t.s.safe(inc.Issue.State))
	switch t.about[inc.Issue.Number] {
	case analyze.KindIssueReopen:
		s += ": reopen"
	case analyze.KindIssueDoNotReopen:
		s += ": do not reopen"
	case analyze.KindIssueRepoint:
		s += ": repoint to it"
	case analyze.KindIssueClose:
		s += ": close"
	case analyze.KindIssueUndecided:
		s += " when?"
	}
	return s
}

func (t *text) fix(f *analyze.Fix) []string {
	verdict := strings.ReplaceAll(f.Verdict, "-", " ")
	if f.DecidableAt != nil {
		verdict += " until " + t.face.at(f.DecidableAt.Time, "15:04:05")
	}
	return []string{
		fmt.Sprintf("roll %s at %s: %s", f.Roll, t.face.at(f.At.Time, "15:04:05"), verdict),
		thousands(f.Before) + " before", thousands(f.After) + " after",
	}
}

// evidence shows the first and the last sample.
func (t *text) evidence(inc *analyze.Incident) {
	show := inc.Samples
	if len(show) > 2 {
		show = []analyze.Sample{show[0], show[len(show)-1]}
	}
	for _, smp := range show {
		lead := t.face.at(smp.Time.Time, "15:04:05.000")
		if smp.Pod != "" {
			lead += " " + t.s.fitLeft(t.pod(smp.Pod), t.s.Width-len(margin)-columns(lead)-1)
		}
		room := t.s.Width - len(margin) - columns(lead) - 2
		said := t.s.safe(essence(smp.Line))
		if room >= 20 {
			t.row(t.s.paint(dim, lead) + "  " + t.s.excerpt(said, inc.Stage, room))
			continue
		}
		t.row(t.s.paint(dim, lead))
		t.row("  " + t.s.excerpt(said, inc.Stage, t.s.Width-len(margin)-2))
	}
}

// excerpt cuts a line so that the words stay by which its stage is known: where
// they would be cut off, what stands between the line's beginning and them is
// left out instead.
func (s Screen) excerpt(said string, st *analyze.Stage, width int) string {
	if columns(said) <= width || st == nil {
		return s.fit(said, width)
	}
	for _, words := range st.Evidence {
		words = s.safe(essence(words))
		i := strings.Index(said, words)
		if words == "" || i < 0 {
			continue
		}
		need := columns(words) + 1 // and the sign of a cut behind them
		if columns(said[:i])+need <= width {
			break // they are seen as it is
		}
		if head := width - need; head >= 12 {
			tail := s.fit(said[i:], max(need, width-max(12, width/3)))
			return s.fit(said[:i], width-columns(tail)) + tail
		}
	}
	return s.fit(said, width)
}

package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// Text writes the analysis for a person: what was read, what must happen, and
// then the incidents with their evidence.
func Text(w io.Writer, an *analyze.Analysis, s Screen) error {
	s.Width = max(s.Width, 40)
	t := &text{w: bufio.NewWriter(w), an: an, s: s}
	t.head()
	t.answer()
	for i := range an.Incidents {
		t.incident(i+1, &an.Incidents[i])
	}
	return t.w.Flush()
}

type text struct {
	w  *bufio.Writer
	an *analyze.Analysis
	s  Screen
}

func (t *text) line(parts ...string) {
	for _, p := range parts {
		t.w.WriteString(p)
	}
	t.w.WriteByte('\n')
}

// block writes text wrapped to the screen, the first line after lead and the
// others indented to the same column.
func (t *text) block(lead string, indent int, style, body string) {
	for i, l := range wrap(visible(body), t.s.Width-indent) {
		if i == 0 {
			t.line(lead, t.s.paint(style, l))
		} else {
			t.line(strings.Repeat(" ", indent), t.s.paint(style, l))
		}
	}
}

func (t *text) head() {
	r := &t.an.Read
	read := "all read"
	if r.Partial {
		read = t.s.paint(red, "partial")
	}
	if r.Skipped > 0 {
		read += fmt.Sprintf(", %s skipped", thousands(r.Skipped))
	}
	switch {
	case r.Repeated > 0 && r.Deduplicated:
		read += fmt.Sprintf(", %s repeated and left out", thousands(r.Repeated))
	case r.Repeated > 0:
		read += fmt.Sprintf(", %s repeated", thousands(r.Repeated))
	}
	if r.OutOfOrder > 0 {
		read += fmt.Sprintf(", %s put in order", thousands(r.OutOfOrder))
	}
	start, end := t.an.Window.Start, t.an.Window.End
	span := clock(start.Time) + " " + t.s.sign("→", "->") + " " + clockAfter(start.Time, end.Time)
	counts := fmt.Sprintf("%s, %s, %s, %s", count(r.Entries, "entry", "entries"), count(r.Records, "record", "records"), count(int64(r.Streams), "stream", "streams"), read)
	if columns(span)+2+columns(counts) <= t.s.Width {
		t.line(t.s.paint(bold, span), "  ", counts)
	} else {
		t.line(t.s.paint(bold, span))
		t.line(counts)
	}
	for _, p := range r.Problems {
		t.block("  ! ", 4, yellow, p)
	}
	t.line()
}

// answer writes a line a finding, those that demand the most first.
func (t *text) answer() {
	if len(t.an.Incidents) == 0 && len(t.an.Findings) == 0 {
		if t.an.Read.Entries == 0 {
			t.line("Nothing was read: no entries in this window.")
		} else {
			t.line("No incident: no record at error level, and none that tells of a failed transfer.")
		}
		return
	}
	width := 0
	for _, f := range t.an.Findings {
		width = max(width, columns(label(f)))
	}
	width = min(width, 24)
	for _, f := range t.an.Findings {
		sign, style := t.s.sign("·", "-"), dim
		switch f.Severity {
		case analyze.SeverityError:
			sign, style = t.s.sign("✗", "x"), red
		case analyze.SeverityWarning:
			sign, style = t.s.sign("●", "*"), yellow
		}
		name := t.s.fit(label(f), width)
		lead := " " + t.s.paint(style, sign) + " " + t.s.paint(bold, name) + strings.Repeat(" ", width-columns(name)+2)
		t.block(lead, width+5, "", t.message(f))
		if f.Action != "" && f.Severity == analyze.SeverityError {
			arrow := t.s.sign("→ ", "> ")
			t.block(strings.Repeat(" ", width+5)+t.s.paint(cyan, arrow), width+5+columns(arrow), cyan, f.Action)
		}
	}
	if len(t.an.Findings) > 0 {
		t.line()
	}
}

// message is a finding's sentence beside its label: it does not say again what
// the label says, and names the incident by its number in the list below.
func (t *text) message(f analyze.Finding) string {
	m := strings.TrimPrefix(f.Message, label(f)+": ")
	for i := range t.an.Incidents {
		if inc := &t.an.Incidents[i]; inc.Fingerprint == f.Fingerprint && inc.Source != "" && len(inc.Source) > 16 {
			m = strings.ReplaceAll(m, inc.Source, fmt.Sprintf("incident %d", i+1))
		}
	}
	return m
}

// label is what a finding is called in the answer.
func label(f analyze.Finding) string {
	switch f.Kind {
	case analyze.KindIssueReopen:
		return "reopen #" + f.Subject
	case analyze.KindIssueDoNotReopen:
		return "do not reopen #" + f.Subject
	case analyze.KindIssueRepoint:
		return "repoint to #" + f.Subject
	case analyze.KindIssueClose:
		return "close #" + f.Subject
	case analyze.KindBlame:
		return "blame: " + f.Subject
	case analyze.KindRecurrenceMatchesBudget:
		return "a clock: budget"
	case analyze.KindRecurrenceMatchesSchedule:
		return "a clock: schedule"
	case analyze.KindRecurrence:
		return "a clock"
	case analyze.KindSequentialPass:
		return "one pass, cut"
	case analyze.KindStageUnrecoverable:
		return "stage not told"
	case analyze.KindDuplicateLayers:
		return "told twice"
	case analyze.KindSourceFolded:
		return "folded Sources"
	}
	return strings.ReplaceAll(string(f.Kind), "-", " ")
}

func (t *text) incident(n int, inc *analyze.Incident) {
	number := fmt.Sprintf("%-3d", n)
	room := t.s.Width - len(number)
	right := inc.Level
	name := visible(inc.Source)
	if name == "" {
		// Nothing tells what emitted it: neither category nor service.
		name = "(no Source) " + visible(inc.Template)
	}
	event := visible(inc.Event)
	space := room - columns(right) - 2
	title := t.s.fitMiddle(name, space)
	rest := ""
	if free := space - columns(title) - 2; event != "" && free >= 8 {
		rest = "  " + t.s.fitMiddle(event, free)
	}
	gap := max(room-columns(title)-columns(rest)-columns(right), 1)
	t.line(t.s.paint(bold, number+title), rest, strings.Repeat(" ", gap), t.s.paint(levelStyle(inc.Level), right))

	t.pair(t.counts(inc), issue(inc))
	t.timeline(inc)
	for _, r := range inc.Recurrences {
		t.rows(t.recurrence(&r))
	}
	if inc.Stage != nil {
		t.rows(t.stage(inc))
	}
	t.evidence(inc)
	t.row(t.s.paint(dim, t.s.fit(strings.TrimSpace(inc.Fingerprint+"  masked "+orNone(strings.Join(inc.MaskedIDs, ", "))), room)))
	t.line()
}

func orNone(s string) string {
	if s == "" {
		return "id: none"
	}
	return "id " + s
}

func levelStyle(level string) string {
	if level == "error" || level == "fatal" {
		return red
	}
	return yellow
}

const margin = "   "

func (t *text) row(body string) { t.line(margin, body) }

func (t *text) rows(body string) { t.block(margin, len(margin), "", body) }

// pair writes left and right text on one row, or on two where they do not fit.
func (t *text) pair(left, right string) {
	room := t.s.Width - len(margin)
	if right == "" || columns(left)+2+columns(right) > room {
		t.rows(left)
		if right != "" {
			t.row(t.s.paint(bold, right))
		}
		return
	}
	t.row(left + strings.Repeat(" ", room-columns(left)-columns(right)) + t.s.paint(bold, right))
}

func (t *text) counts(inc *analyze.Incident) string {
	b := count(inc.Records, "record", "records")
	switch {
	case inc.DuplicateOf != "":
		b += ", all of them duplicates of " + inc.DuplicateOf
	case inc.Occurrences != inc.Records:
		b += fmt.Sprintf(" of %s", count(inc.Occurrences, "occurrence", "occurrences"))
	}
	if d := inc.LastSeen.Sub(inc.FirstSeen.Time); d > 0 {
		b += " in " + short(d)
	}
	switch where := inc.Pods; len(where) {
	case 0:
		b += " on " + count(int64(len(inc.Streams)), "stream", "streams")
	case 1:
		b += " on " + visible(where[0])
	default:
		b += fmt.Sprintf(" on %d pods", len(where))
		if ep := inc.Episode; ep != nil && ep.PodsSeen > len(where) {
			b = strings.TrimSuffix(b, " pods") + fmt.Sprintf(" of %d pods", ep.PodsSeen)
		}
	}
	if inc.Duplicates > 0 {
		b += fmt.Sprintf(", told again by %s elsewhere", count(inc.Duplicates, "record", "records"))
	}
	return b
}

func issue(inc *analyze.Incident) string {
	if inc.Issue == nil {
		return ""
	}
	return fmt.Sprintf("#%d %s", inc.Issue.Number, inc.Issue.State)
}

// The blocks of a timeline, emptiest first.
var (
	blocks      = []rune(" ▁▂▃▄▅▆▇█")
	blocksASCII = []rune(" .:-=+*#@")
)

// timeline draws the counts over the whole window.
func (t *text) timeline(inc *analyze.Incident) {
	start, end := t.an.Window.Start.Time, t.an.Window.End.Time
	left, right := start.Format("15:04"), end.Format("15:04")
	if end.Sub(start) > 24*time.Hour {
		left, right = start.Format("01-02 15:04"), end.Format("01-02 15:04")
	}
	room := min(t.s.Width-len(margin)-len(left)-len(right)-4, len(inc.Timeline))
	if room < 8 || len(inc.Timeline) == 0 {
		return
	}
	cells := make([]int64, room)
	most := int64(0)
	for i, n := range inc.Timeline {
		c := i * room / len(inc.Timeline)
		cells[c] += n
		most = max(most, cells[c])
	}
	if most == 0 {
		return
	}
	scale := blocks
	if t.s.ASCII {
		scale = blocksASCII
	}
	var b strings.Builder
	for _, n := range cells {
		i := 0
		if n > 0 {
			i = 1 + int((n-1)*int64(len(scale)-2)/max(most-1, 1))
		}
		b.WriteRune(scale[min(i, len(scale)-1)])
	}
	bar := t.s.sign("▏", "|")
	end2 := t.s.sign("▕", "|")
	t.row(t.s.paint(dim, left+" "+bar) + t.s.paint(cyan, b.String()) + t.s.paint(dim, end2+" "+right))
}

func (t *text) recurrence(r *analyze.Recurrence) string {
	b := fmt.Sprintf("every %s %s %s, %s", r.Period, t.s.sign("±", "+-"), r.Jitter, r.Kind)
	if len(r.Phases) > 1 {
		b += fmt.Sprintf(", %d phases", len(r.Phases))
	}
	if r.Pass != nil {
		b += fmt.Sprintf(", runs of %d", r.Pass.RunLength)
		if r.Pass.CycleNs > 0 {
			b += " every " + r.Pass.Cycle
		}
	}
	if len(r.Matches) > 0 {
		names := make([]string, len(r.Matches))
		for i, m := range r.Matches {
			names[i] = m.Name
		}
		b += " = " + strings.Join(names, ", ")
	}
	if r.NextDue != nil {
		b += "; next " + r.NextDue.UTC().Format("15:04:05.00Z07:00")
		for _, p := range r.Phases {
			if p.NextDue != nil && p.NextDue.Equal(r.NextDue.Time) {
				b += " on " + tail(p.Stream, 14, t.s)
				break
			}
		}
	}
	return b
}

func (t *text) stage(inc *analyze.Incident) string {
	st := inc.Stage
	b := "stage " + st.Name
	if len(st.Candidates) > 0 {
		b += " (" + strings.Join(st.Candidates, " or ") + ")"
	}
	if st.Confidence < likely {
		b += ", likely"
	}
	if st.Budget != "" {
		b += ", by " + st.Budget
	}
	b += "; " + t.bytes(st)
	if st.ElapsedNs.Median != nil {
		b += fmt.Sprintf("; %s elapsed", short(time.Duration(*st.ElapsedNs.Median)))
	}
	if len(st.Evidence) > 0 {
		shown := slices.Clone(st.Evidence[:min(len(st.Evidence), 2)])
		for i, e := range shown {
			if strings.Count(e, "'")%2 == 1 {
				shown[i] += "'" // a piece of a line may end inside a quotation
			}
		}
		b += "; evidence: " + strings.Join(shown, ", ")
	}
	return b
}

// likely is the confidence below which a stage is told as a likelihood.
const likely = 0.75

func (t *text) bytes(st *analyze.Stage) string {
	if st.BytesReceived.Max == nil {
		return "bytes not logged"
	}
	b := spreadText(st.BytesReceived) + " bytes received"
	if st.BytesDeclared.Max != nil {
		b += " of " + spreadText(st.BytesDeclared) + " declared"
	} else {
		b += " of an undeclared number"
	}
	return b
}

func spreadText(s analyze.Spread) string {
	if *s.Min == *s.Max {
		return thousands(*s.Max)
	}
	return thousands(*s.Min) + " to " + thousands(*s.Max)
}

// evidence shows the first and the last sample.
func (t *text) evidence(inc *analyze.Incident) {
	show := inc.Samples
	if len(show) > 2 {
		show = []analyze.Sample{show[0], show[len(show)-1]}
	}
	for _, smp := range show {
		lead := clock(smp.Time.Time)[len("2006-01-02 "):]
		lead = strings.TrimSuffix(lead, "Z") + smp.Time.UTC().Format(".000Z")
		if smp.Pod != "" {
			lead += " " + tail(visible(smp.Pod), 10, t.s)
		}
		room := t.s.Width - len(margin) - columns(lead) - 2
		t.row(t.s.paint(dim, lead) + "  " + t.s.fit(essence(smp.Line), room))
	}
}

// essence drops a record's header line where there is more to show than it.
func essence(line string) string {
	if head, rest, ok := strings.Cut(line, "\n"); ok && len(head) < 100 && strings.TrimSpace(rest) != "" {
		line = rest
	}
	return strings.Join(strings.Fields(visible(line)), " ")
}

// tail keeps the end of a name: replicas differ there.
func tail(name string, width int, s Screen) string {
	rs := []rune(name)
	if len(rs) <= width {
		return name
	}
	return s.sign("…", "..") + string(rs[len(rs)-width+1:])
}

func clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05Z") }

// clockAfter leaves out the date of an end on the same day as the start.
func clockAfter(start, end time.Time) string {
	s := clock(end)
	if start.UTC().Format(time.DateOnly) == end.UTC().Format(time.DateOnly) {
		return s[len("2006-01-02 "):]
	}
	return s
}

// short prints a span in its two largest units.
func short(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.String()
}

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

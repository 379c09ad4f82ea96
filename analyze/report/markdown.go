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
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

// MarkdownOptions say how a Markdown report is written.
type MarkdownOptions struct {
	// Zone is the zone in which times are shown, with their offset; nil is
	// UTC.
	Zone *time.Location
}

// Markdown writes the analysis as a report in the Markdown of GitHub and
// GitLab: what was read, what must happen, a table of the incidents, and each
// of them with its evidence. What logs say stands in code spans, fenced blocks
// or escaped, and mentions nobody and nothing; the numbers of issues that the
// rule files name are left to the tracker to link.
func Markdown(w io.Writer, an *analyze.Analysis, o MarkdownOptions) error {
	m := newMarkdown(w, an, o.Zone)
	m.head()
	m.answer()
	m.table()
	for i := range an.Incidents {
		m.incident(i+1, &an.Incidents[i])
	}
	m.folds()
	return m.w.Flush()
}

// markdown writes Markdown. What is told in sentences is told in those of the
// text report, with whole dates.
type markdown struct {
	w      *bufio.Writer
	t      *text
	an     *analyze.Analysis
	issues map[int]bool // the numbers that are issues'
	// sentence bounds a sentence in bytes. Those of ours are shorter unless
	// they quote names without end.
	sentence int
}

// sentenceWidth is more than any sentence's columns: Markdown wraps nothing.
const sentenceWidth = 1 << 20

func newMarkdown(w io.Writer, an *analyze.Analysis, zone *time.Location) *markdown {
	s := Screen{Width: sentenceWidth, Zone: zone}
	m := &markdown{w: bufio.NewWriter(w), an: an, issues: map[int]bool{}, sentence: 2000}
	m.t = &text{w: m.w, an: an, s: s, numbers: map[string]int{}, pods: podNames(an, s), face: clockFace{zone: zone}}
	if zone == nil {
		m.t.face.zone = time.UTC
	}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		m.t.numbers[inc.Fingerprint] = i + 1
		if inc.Issue != nil {
			m.issues[inc.Issue.Number] = true
		}
	}
	for _, f := range an.Findings {
		if n, err := strconv.Atoi(f.Subject); err == nil && aboutIssue(f.Kind) {
			m.issues[n] = true
		}
	}
	for _, f := range an.Fixes {
		m.issues[f.Issue] = true
	}
	for _, mark := range an.Marks {
		m.issues[mark.Issue] = true
	}
	return m
}

// aboutIssue reports whether the subject of such a finding is an issue.
func aboutIssue(k analyze.Kind) bool {
	return slices.Contains([]analyze.Kind{analyze.KindIssueReopen, analyze.KindIssueDoNotReopen, analyze.KindIssueRepoint, analyze.KindIssueClose, analyze.KindIssueUndecided}, k)
}

func (m *markdown) line(parts ...string) {
	for _, p := range parts {
		m.w.WriteString(p)
	}
	m.w.WriteByte('\n')
}

func (m *markdown) prose(text string) string {
	return prose(clip(redact.String(text), m.sentence), func(n int) bool { return m.issues[n] })
}

// head says what was read.
func (m *markdown) head() {
	r := &m.an.Read
	m.line("# Incidents ", m.span())
	m.line()
	m.line(m.counts(), ".")
	if r.Query != "" {
		m.line()
		m.line("Query: ", code(r.Query, 500))
	}
	if r.Partial {
		m.line()
		m.line("**Partial**: not everything in this window was read, so counts are lower bounds and silence proves nothing.")
	}
	if len(r.Problems) > 0 {
		m.line()
		for _, p := range r.Problems {
			m.line("- not read: ", m.prose(p))
		}
	}
	m.line()
}

// span is the window, in words that fit a heading.
func (m *markdown) span() string {
	start, end := m.an.Window.Start.Time, m.an.Window.End.Time
	if !start.Before(end) {
		return "of an empty window"
	}
	return m.t.face.span(start, end, "→") + " (" + about(end.Sub(start)) + ")"
}

func (m *markdown) counts() string {
	r := &m.an.Read
	s := count(r.Entries, "entry", "entries") + ", " + count(r.Records, "record", "records") + ", " + count(int64(r.Streams), "stream", "streams")
	if r.Skipped > 0 {
		s += ", " + thousands(r.Skipped) + " skipped"
	}
	if r.Partial {
		return s + ", partial"
	}
	return s + ", all read"
}

// answer lists the findings, those that demand the most first.
func (m *markdown) answer() {
	m.line("## What must happen")
	m.line()
	switch {
	case len(m.an.Findings) > 0:
		for _, f := range m.an.Findings {
			m.finding(f, m.t.message(f))
		}
	case len(m.an.Incidents) > 0:
		m.line("Nothing was found that demands action.")
	case m.an.Read.Entries == 0:
		m.line("Nothing was read: there are no entries in this window.")
	default:
		m.line("No incident: no record at error level, and none that tells of a failed transfer.")
	}
	m.line()
}

// finding writes one finding as an item of a list, with what to do about it.
func (m *markdown) finding(f analyze.Finding, message string) {
	action := ""
	if f.Action != "" && f.Severity > analyze.SeverityInfo {
		action = "\\\n  → " + m.prose(m.t.face.retell(f.Action)) // on a line of its own
	}
	m.line("- ", severitySign(f.Severity), " **", m.prose(label(f)), "** – ", m.prose(message), action)
}

func severitySign(s analyze.Severity) string {
	switch s {
	case analyze.SeverityError:
		return "✗"
	case analyze.SeverityWarning:
		return "●"
	}
	return "·"
}

// table lists the incidents.
func (m *markdown) table() {
	if len(m.an.Incidents) == 0 {
		return
	}
	m.line("## Incidents")
	m.line()
	// The day stands in the heading where it is one for all.
	face := newClockFace(m.t.s, m.an.Window.Start.Time, m.an.Window.End.Time)
	at := func(t analyze.Time) string { return face.at(t.Time, "15:04:05") }
	m.line("| # | Source | event | level | records | first | last | stage | issue |")
	m.line("| --: | --- | --- | --- | --: | --- | --- | --- | --- |")
	for i := range m.an.Incidents {
		inc := &m.an.Incidents[i]
		event, stage := "", ""
		if inc.Event != "" {
			event = codeCell(inc.Event, 120)
		}
		if inc.Stage != nil {
			stage = cell(inc.Stage.Name)
		}
		m.line("| ", strconv.Itoa(i+1), " | ", codeCell(nameOf(inc), 160), " | ", event, " | ", cell(inc.Level), " | ", thousands(inc.Records),
			" | ", at(inc.FirstSeen), " | ", at(inc.LastSeen), " | ", stage, " | ", m.issue(inc), " |")
	}
	m.line()
}

// nameOf is what an incident is called: its Source, or what it says where
// nothing tells what emitted it.
func nameOf(inc *analyze.Incident) string {
	if inc.Source != "" {
		return inc.Source
	}
	return essence(inc.Template)
}

// issue is the number of the incident's issue, a link where its address is
// known, and its state.
func (m *markdown) issue(inc *analyze.Incident) string {
	if inc.Issue == nil {
		return ""
	}
	number := "#" + strconv.Itoa(inc.Issue.Number)
	if inc.Issue.URL != "" {
		number = link(number, inc.Issue.URL)
	}
	return number + " " + cell(inc.Issue.State)
}

// incident writes one incident.
func (m *markdown) incident(n int, inc *analyze.Incident) {
	m.line("### ", strconv.Itoa(n), ". ", code(nameOf(inc), 200))
	m.line()
	m.identity(inc)
	m.line()
	m.facts(inc)
	m.line()
	m.timeline(inc)
	m.samples(inc, sampleBounds{samples: 2, lines: 12, bytes: 300})
	m.line(code(inc.Fingerprint, 64), " · ", m.masked(inc))
	m.line()
}

// identity says what the records of an incident have in common.
func (m *markdown) identity(inc *analyze.Incident) {
	parts := []string{"level " + m.prose(inc.Level)}
	if inc.Event != "" {
		parts = append(parts, "event "+code(inc.Event, 200))
	}
	if inc.Exception != "" && inc.Exception != inc.Event {
		parts = append(parts, "exception "+code(inc.Exception, 300))
	}
	if inc.TopFrame != "" {
		parts = append(parts, "at "+code(inc.TopFrame, 300))
	}
	if inc.Issue != nil {
		is := "issue " + m.issue(inc)
		state := fmt.Sprintf("#%d %s", inc.Issue.Number, m.t.s.safe(inc.Issue.State))
		if wanted := strings.TrimPrefix(m.t.verdict(inc), state); wanted != "" {
			is += ": **" + strings.TrimPrefix(wanted, ": ") + "**"
		}
		parts = append(parts, is)
	}
	if inc.Template != "" {
		parts = append([]string{code(essence(inc.Template), 400)}, parts...)
	}
	m.line("Told as ", strings.Join(parts, ", "), ".")
}

// facts lists how often, where, by which clock, at which stage, and whether a
// roll has ended it.
func (m *markdown) facts(inc *analyze.Incident) {
	m.line("- how often: ", m.prose(strings.Join(m.t.counts(inc), ", ")))
	m.line("- where: ", m.pods(inc, 10))
	for i := range inc.Recurrences {
		m.line("- clock: ", m.prose(strings.Join(m.t.recurrence(&inc.Recurrences[i]), ", ")))
	}
	if inc.Stage != nil {
		m.line("- ", m.stage(inc.Stage))
	}
	for i := range m.an.Fixes {
		if f := &m.an.Fixes[i]; f.Fingerprint == inc.Fingerprint {
			m.line("- fix: ", m.prose(strings.Join(m.t.fix(f), ", ")))
		}
	}
	for _, l := range inc.Links {
		m.line("- data: ", link(m.prose(l.Name), l.URL))
	}
}

// stage tells where transfers failed; the words that it is known by are
// quoted.
func (m *markdown) stage(st *analyze.Stage) string {
	bare := *st
	bare.Evidence = nil
	s := m.prose(strings.Join(m.t.stage(&bare), "; "))
	if len(st.Evidence) > 0 {
		s += "; evidence: " + quotedWords(st.Evidence)
	}
	return s
}

// quotedWords lists words of logs, at most four of them.
func quotedWords(words []string) string {
	var quoted []string
	for _, w := range words[:min(len(words), 4)] {
		if strings.Count(w, "'")%2 == 1 {
			w += "'" // a piece of a line may end inside a quotation
		}
		quoted = append(quoted, code(w, 200))
	}
	return strings.Join(quoted, ", ")
}

// pods lists the pods with the most records, at most n of them.
func (m *markdown) pods(inc *analyze.Incident, n int) string {
	if len(inc.Pods) == 0 {
		return count(int64(len(inc.Streams)), "stream", "streams")
	}
	records := map[string]int64{}
	for _, s := range inc.Streams {
		records[s.Pod] += s.Records
	}
	pods := slices.Clone(inc.Pods)
	slices.SortStableFunc(pods, func(a, b string) int { return int(max(-1, min(1, records[b]-records[a]))) })
	s := count(int64(len(pods)), "pod", "pods")
	if ep := inc.Episode; ep != nil && ep.PodsSeen > len(pods) {
		s = fmt.Sprintf("%d of %d pods", len(pods), ep.PodsSeen)
	}
	var named []string
	for _, p := range pods[:min(len(pods), n)] {
		name := code(p, 120)
		if records[p] > 0 {
			name += " " + thousands(records[p])
		}
		named = append(named, name)
	}
	s += ": " + strings.Join(named, ", ")
	if more := len(pods) - n; more > 0 {
		s += fmt.Sprintf(" and %d more", more)
	}
	return s
}

func (m *markdown) masked(inc *analyze.Incident) string {
	if len(inc.MaskedIDs) == 0 {
		return "no masked id"
	}
	ids := make([]string, len(inc.MaskedIDs))
	for i, id := range inc.MaskedIDs {
		ids[i] = code(id, 64)
	}
	return "masked id " + strings.Join(ids, ", ")
}

// timelineColumns is how wide a timeline is in a fenced block, so that it
// needs no scrolling beside a tracker's sidebar.
const timelineColumns = 80

// timeline draws an incident's records over the window.
func (m *markdown) timeline(inc *analyze.Incident) {
	var b strings.Builder
	t := *m.t
	t.w = bufio.NewWriter(&b)
	t.s.Width = timelineColumns
	t.face = newClockFace(t.s, m.an.Window.Start.Time, m.an.Window.End.Time)
	t.timeline(inc)
	t.w.Flush()
	if b.Len() == 0 {
		return
	}
	var rows []string
	for row := range strings.Lines(b.String()) {
		rows = append(rows, strings.TrimRight(strings.TrimPrefix(row, margin), " \n"))
	}
	m.line(fenced("text", strings.Join(rows, "\n"), 20, 400))
}

// sampleBounds say how much of an incident's samples is shown.
type sampleBounds struct {
	samples int // how many: the first, the last and an even spread between
	lines   int // of each
	bytes   int // of each line
}

// samples shows records as they were shipped, those of one text once.
func (m *markdown) samples(inc *analyze.Incident, b sampleBounds) {
	list := spreadOf(inc.Samples, b.samples)
	told := map[string]bool{}
	for i, s := range list {
		if told[s.Line] {
			continue
		}
		told[s.Line] = true
		lead := m.place(&s)
		for _, other := range list[i+1:] {
			if other.Line == s.Line {
				lead += "; the same " + m.place(&other)
			}
		}
		m.line(lead, ":")
		m.line()
		m.line(fenced("text", s.Line, b.lines, b.bytes))
	}
}

// place is where and when a sample was logged.
func (m *markdown) place(s *analyze.Sample) string {
	at := m.t.face.at(s.Time.Time, "15:04:05.000")
	if s.Pod != "" {
		at += " on " + code(s.Pod, 120)
	}
	return at
}

// spreadOf chooses n of a list: the first, the last and an even spread
// between.
func spreadOf[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	var out []T
	for i := range n {
		out = append(out, list[i*(len(list)-1)/max(n-1, 1)])
	}
	return out
}

// folds lists the old watcher's ids that count several Sources as one.
func (m *markdown) folds() {
	if len(m.an.MaskedFolds) == 0 {
		return
	}
	m.line("## Masked ids that fold several Sources")
	m.line()
	m.line("| masked id | records | Sources |")
	m.line("| --- | --: | --- |")
	for _, f := range m.an.MaskedFolds {
		sources := make([]string, len(f.Sources))
		for i, s := range f.Sources {
			sources[i] = codeCell(s, 160)
		}
		m.line("| ", codeCell(f.MaskedID, 64), " | ", thousands(f.Records), " | ", strings.Join(sources, "<br>"), " |")
	}
	m.line()
}

package report

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

const (
	// MaxIssueBody is what GitHub takes as the body of an issue, in
	// characters; an IssueBody stays below it in bytes too.
	MaxIssueBody = 65_536
	// MaxIssueTitle bounds an IssueTitle in characters.
	MaxIssueTitle = 200
)

// IssueTitle returns a title for an issue about an incident: what emits it,
// what happens there, at which stage, and how often. It is one line of text
// without markup.
func IssueTitle(an *analyze.Analysis, inc *analyze.Incident) string {
	what := nameOf(inc)
	if inc.Event != "" {
		what += " " + inc.Event
	} else if inc.Source != "" {
		what += ": " + essence(inc.Template)
	}
	often := count(inc.Records, "record", "records")
	if d := inc.LastSeen.Sub(inc.FirstSeen.Time); d > 0 {
		often += " in " + about(d)
	}
	if n := len(inc.Pods); n > 0 {
		often += " on " + count(int64(n), "pod", "pods")
	}
	parts := []string{}
	if inc.Stage != nil && inc.Stage.Name != "" {
		parts = append(parts, inc.Stage.Name)
	}
	if len(inc.Recurrences) > 0 {
		parts = append(parts, "every "+inc.Recurrences[0].Period)
	}
	tail := " (" + strings.Join(append(parts, often), ", ") + ")"
	tail = cutRunes(visible(redact.String(tail)), MaxIssueTitle*2/3)
	return cutRunes(visible(redact.String(what)), MaxIssueTitle-utf8.RuneCountInString(tail)) + tail
}

// cutRunes cuts text to n characters; a cut ends in an ellipsis.
func cutRunes(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	rs := []rune(text)
	return string(rs[:max(n-1, 0)]) + "…"
}

// issueDetail is how much of an incident an issue tells.
type issueDetail struct {
	samples  sampleBounds
	pods     int
	findings int
	bytes    int // of one sentence
}

// issueDetails are tried in this order until the body is short enough.
var issueDetails = []issueDetail{
	{samples: sampleBounds{samples: 4, lines: 40, bytes: 500}, pods: 20, findings: 40, bytes: 2000},
	{samples: sampleBounds{samples: 2, lines: 20, bytes: 300}, pods: 10, findings: 20, bytes: 800},
	{samples: sampleBounds{samples: 1, lines: 8, bytes: 200}, pods: 3, findings: 8, bytes: 300},
}

// IssueBody returns the body of an issue about an incident, in the Markdown of
// GitHub and GitLab: what it is, since when and how often, its clock and
// stage, what is known of issues about it, the evidence, and how to find it
// again. What logs say is made harmless as in Markdown. The body has at most
// MaxIssueBody bytes; what does not fit is told in less detail.
func IssueBody(an *analyze.Analysis, inc *analyze.Incident, zone *time.Location) string {
	for _, d := range issueDetails {
		if body := issueBody(an, inc, zone, d); len(body) <= MaxIssueBody {
			return body
		}
	}
	return cutMarkdown(issueBody(an, inc, zone, issueDetails[len(issueDetails)-1]), MaxIssueBody)
}

// cutMarkdown cuts Markdown after a line, at most max bytes from its
// beginning, and ends the fenced block in which that is.
func cutMarkdown(md string, max int) string {
	const room = 200 // for the end
	fence, kept := "", 0
	for line := range strings.Lines(md) {
		if kept+len(line)+len(fence)+room > max {
			break
		}
		kept += len(line)
		ticks := strings.TrimRight(line, "\n")
		switch ticks = ticks[:len(ticks)-len(strings.TrimLeft(ticks, "`"))]; {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
		case fence != "" && strings.TrimRight(line, "\n") == fence:
			fence = ""
		}
	}
	if fence != "" {
		fence += "\n"
	}
	return md[:kept] + fence + "\n(cut: the rest did not fit)\n"
}

func issueBody(an *analyze.Analysis, inc *analyze.Incident, zone *time.Location, d issueDetail) string {
	var b bytes.Buffer
	m := newMarkdown(&b, an, zone)
	m.sentence = d.bytes
	m.properties(inc, d)
	m.known(inc, d)
	m.line("### Evidence")
	m.line()
	if inc.Stage != nil && len(inc.Stage.Evidence) > 0 {
		m.line("The stage is known by ", quotedWords(inc.Stage.Evidence), ".")
		m.line()
	}
	m.timeline(inc)
	m.samples(inc, d.samples)
	m.again(inc)
	m.line("Read: ", m.span(), ", ", m.counts(), ".")
	if an.Read.Partial {
		m.line("**Partial**: not everything in this window was read, so counts are lower bounds and silence proves nothing.")
	}
	m.w.Flush()
	return b.String()
}

// properties lists what is known of an incident, one thing a row.
func (m *markdown) properties(inc *analyze.Incident, d issueDetail) {
	m.line("| what | is known |")
	m.line("| --- | --- |")
	row := func(name, value string) {
		if value != "" {
			m.line("| ", name, " | ", value, " |")
		}
	}
	quoted := func(text string, max int) string {
		if text == "" {
			return ""
		}
		return codeCell(text, max)
	}
	row("Source", quoted(inc.Source, 400))
	row("event", quoted(inc.Event, 200))
	if inc.Exception != inc.Event {
		row("exception", quoted(inc.Exception, 300))
	}
	row("says", quoted(essence(inc.Template), 600))
	row("at", quoted(inc.TopFrame, 300))
	row("level", cell(inc.Level))
	at := func(t analyze.Time) string { return m.t.face.at(t.Time, "15:04:05.000") }
	row("since", at(inc.FirstSeen))
	row("last seen", at(inc.LastSeen))
	row("how often", m.often(inc))
	row("where", m.pods(inc, d.pods))
	for i := range inc.Recurrences[:min(len(inc.Recurrences), d.findings)] {
		row("period", m.cellProse(strings.Join(m.t.recurrence(&inc.Recurrences[i]), ", ")))
	}
	if inc.Stage != nil {
		bare := *inc.Stage
		bare.Evidence = nil
		row("stage", m.cellProse(strings.TrimPrefix(strings.Join(m.t.stage(&bare), "; "), "stage ")))
	}
	row("fingerprint", quoted(inc.Fingerprint, 64))
	for _, id := range inc.MaskedIDs[:min(len(inc.MaskedIDs), 8)] {
		row("masked id", quoted(id, 64))
	}
	row("rule", quoted(inc.Rule, 120))
	m.line()
}

// often tells how many records there are and how fast they come.
func (m *markdown) often(inc *analyze.Incident) string {
	var out []string
	for _, s := range m.t.counts(inc) {
		// First and last have rows of their own.
		if !strings.HasPrefix(s, "since ") && !strings.HasPrefix(s, "last ") && !strings.HasPrefix(s, "at ") {
			out = append(out, s)
		}
	}
	return m.cellProse(strings.Join(out, ", "))
}

// cellProse is prose for a cell of a table.
func (m *markdown) cellProse(text string) string {
	if strings.Contains(text, "|") {
		return codeCell(text, m.sentence)
	}
	return m.prose(text)
}

// known tells what was found about an incident, of issues first.
func (m *markdown) known(inc *analyze.Incident, d issueDetail) {
	var issues, others []analyze.Finding
	for _, f := range m.an.Findings {
		switch {
		case !f.Concerns(inc):
		case aboutIssue(f.Kind), f.Kind == analyze.KindSourceFolded:
			issues = append(issues, f)
		default:
			others = append(others, f)
		}
	}
	m.line("### Issues")
	m.line()
	switch {
	case inc.Issue != nil:
		m.line("This incident is ", m.issue(inc), ".")
	default:
		m.line("No issue is known for its Source, its fingerprint or its masked id.")
	}
	m.findings(issues, d.findings)
	m.fixes(inc, d.findings)
	m.line()
	if len(others) > 0 {
		m.line("### Found")
		m.findings(others, d.findings)
		m.line()
	}
}

// findings lists findings, at most n of them.
func (m *markdown) findings(fs []analyze.Finding, n int) {
	if len(fs) == 0 {
		return
	}
	m.line()
	for _, f := range fs[:min(len(fs), n)] {
		// The sentence stands alone here: it names the incident by its Source,
		// not by its number in a report.
		m.finding(f, m.t.face.retell(strings.TrimPrefix(f.Message, label(f)+": ")))
	}
	if more := len(fs) - n; more > 0 {
		m.line("- and ", count(int64(more), "finding", "findings"), " more")
	}
}

// fixes tells whether rolls have ended an incident, at most n of them.
func (m *markdown) fixes(inc *analyze.Incident, n int) {
	told := 0
	for i := range m.an.Fixes {
		f := &m.an.Fixes[i]
		if f.Fingerprint != inc.Fingerprint || told == n {
			continue
		}
		if told == 0 {
			m.line()
		}
		told++
		m.line("- fix: ", m.prose(strings.Join(m.t.fix(f), ", ")), "; ", m.prose(f.Reason))
	}
}

// maxShown bounds a query, a command and a link, in bytes. Cut off they would
// be worth nothing.
const maxShown = 4000

// again tells how to find the incident in the tracker and in its logs.
func (m *markdown) again(inc *analyze.Incident) {
	m.line("### Find it again")
	m.line()
	m.line("- in the tracker: search for ", code(inc.Fingerprint, 64))
	for _, id := range inc.MaskedIDs[:min(len(inc.MaskedIDs), 8)] {
		m.line("- of the old watcher: ", code(id, 64))
	}
	for _, l := range inc.Links {
		if len(l.URL) <= maxShown {
			m.line("- in ", m.prose(l.Name), ": ", link("its lines", l.URL))
		}
	}
	m.line()
	if inc.Query != "" && len(inc.Query) <= maxShown && !redacts(inc.Query) {
		m.line("Its lines, as LogQL:")
		m.line()
		m.line(fenced("logql", inc.Query, 20, maxShown))
	}
	if c := command(m.an, inc); c != "" {
		m.line("This analysis, with the same rules:")
		m.line()
		m.line(fenced("sh", c, 1, maxShown))
	}
}

// redacts reports whether something of a text would not be shown. A query or
// a command with a hole is none.
func redacts(text string) bool { return redact.String(text) != text }

// maxNamed is how many files a command names.
const maxNamed = 20

// command is a command line that makes the analysis again, of this incident;
// empty where it cannot be told.
func command(an *analyze.Analysis, inc *analyze.Incident) string {
	args := []string{"vdm-logs", "analyze"}
	if start, end := an.Window.Start, an.Window.End; start.Before(end.Time) {
		args = append(args, "--from", start.String(), "--to", end.String())
	}
	if inc.Source != "" {
		args = append(args, "--source", inc.Source)
	}
	switch {
	case an.Read.Query != "":
		args = append(args, "--query", an.Read.Query)
	case len(an.Read.Sources) == 0 || len(an.Read.Sources) > maxNamed:
		return ""
	default:
		args = append(args, "--")
		for _, s := range an.Read.Sources {
			args = append(args, s.Name)
		}
	}
	for i, a := range args {
		if visible(a) != a || redacts(a) {
			return "" // what cannot be shown cannot be typed
		}
		args[i] = shellWord(a)
	}
	c := strings.Join(args, " ")
	if len(c) > maxShown {
		return ""
	}
	return c
}

// shellWord quotes a word of a command line for a POSIX shell, where that is
// needed.
func shellWord(word string) string {
	for i := 0; i < len(word); i++ {
		if c := word[i]; !isWordByte(c) && !strings.ContainsRune("-_./:+,@%", rune(c)) || c >= utf8.RuneSelf {
			return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	if word == "" {
		return "''"
	}
	return word
}

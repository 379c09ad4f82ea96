package report

import (
	"fmt"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// alike is how many findings of one label are told each; of further ones only
// the incidents are named. Findings of severity error are all told.
const alike = 6

// answer writes what must happen: a finding a line where the screen has room,
// those that demand the most first and those worth knowing last.
func (t *text) answer() {
	an := t.an
	if len(an.Incidents) == 0 && len(an.Findings) == 0 {
		switch {
		case an.Read.Entries == 0:
			t.block("", 0, "", "Nothing was read: there are no entries in this window.")
		case an.Read.Partial:
			t.block("", 0, "", "No incident in what was read: no record at error level, and none that tells of a failed transfer.")
		default:
			t.block("", 0, "", "No incident: no record at error level, and none that tells of a failed transfer.")
		}
		return
	}
	width := 0
	for _, f := range an.Findings {
		width = max(width, columns(t.s.words(label(f))))
	}
	width = min(width, 24)
	told := map[string]int{}
	rest := map[string][]int{}
	for _, f := range an.Findings {
		told[label(f)]++
		if n := told[label(f)]; n > alike && f.Severity < analyze.SeverityError {
			rest[label(f)] = append(rest[label(f)], t.numbers[f.Fingerprint])
		}
	}
	clear(told)
	for _, f := range an.Findings {
		told[label(f)]++
		switch n := told[label(f)]; {
		case f.Severity == analyze.SeverityError || n <= alike:
			t.finding(f, width, t.message(f))
		case n == alike+1:
			t.finding(f, width, others(rest[label(f)]))
		}
	}
	if len(an.Findings) > 0 {
		t.line()
	}
}

// finding writes one finding. On a narrow screen its label stands before the
// sentence, else in a column of its own.
func (t *text) finding(f analyze.Finding, width int, message string) {
	sign, style := t.s.sign("·", "-"), dim
	switch f.Severity {
	case analyze.SeverityError:
		sign, style = t.s.sign("✗", "x"), red
	case analyze.SeverityWarning:
		sign, style = t.s.sign("●", "*"), yellow
	}
	name := t.s.words(label(f))
	indent := width + 5
	lead := " " + t.s.paint(style, sign) + " "
	if t.s.Width-indent < 44 {
		indent = 3
		dash := t.s.sign(" – ", " - ")
		for i, l := range wrap(name+dash+t.s.words(message), t.s.Width-indent) {
			if i > 0 {
				lead = "   "
			} else if rest, ok := strings.CutPrefix(l, name); ok {
				l = t.s.paint(bold, name) + rest
			}
			t.line(lead, l)
		}
	} else {
		name = t.s.fitMiddle(name, width)
		t.block(lead+t.s.paint(bold, pad(name, width))+"  ", indent, "", message)
	}
	if f.Severity == analyze.SeverityError && f.Action != "" && f.Kind != analyze.KindIssueDoNotReopen && f.Kind != analyze.KindIssueClose && f.Kind != analyze.KindIssueReopen {
		arrow := t.s.sign("→ ", "> ")
		t.block(strings.Repeat(" ", indent)+t.s.paint(cyan, arrow), indent+columns(arrow), cyan, t.face.retell(f.Action))
	}
}

// others tells of findings that are like those before them.
func others(incidents []int) string {
	n := 0
	var named []string
	for _, i := range incidents {
		if i > 0 {
			n++
			if n <= 12 {
				named = append(named, fmt.Sprint(i))
			}
		}
	}
	s := "the same is found " + count(int64(len(incidents)), "time", "times") + " more"
	if n == 0 {
		return s
	}
	s += ", of incidents " + strings.Join(named, ", ")
	if n > len(named) {
		s += fmt.Sprintf(" and %s others", thousands(int64(n-len(named))))
	}
	return s
}

// message is a finding's sentence beside its label: it does not say again what
// the label says, and names the incident by its number in the list below.
func (t *text) message(f analyze.Finding) string {
	m := strings.TrimPrefix(f.Message, label(f)+": ")
	n := t.numbers[f.Fingerprint]
	if n > 0 {
		if src := t.an.Incidents[n-1].Source; len(src) > 16 {
			m = strings.ReplaceAll(m, src, numbered(n))
		}
		if !strings.Contains(m, numbered(n)) {
			m += fmt.Sprintf(" (%s)", numbered(n))
		}
	}
	return t.face.retell(m)
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
	case analyze.KindIssueUndecided:
		return "closed when? #" + f.Subject
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

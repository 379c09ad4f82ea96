package rules

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// suppression is a comment that silences one check on one line:
//
//	# vdm-logs: ignore budget/inverted until=2027-01-31 reason=waiting for #7
//
// It stands at the end of the line of the problem, or alone above it.
type suppression struct {
	file   *file
	span   yamlnode.Span
	line   int // of the problems it silences
	check  string
	until  time.Time // zero: for good
	used   bool
	faulty bool
}

const suppressMark = "vdm-logs:"

var suppressForm = regexp.MustCompile(`^# vdm-logs: ignore ([a-z]+/[a-z-]+)(?: until=([0-9]{4}-[0-9]{2}-[0-9]{2}))? reason=(\S.*)$`)

// suppressions reads the comments of a file.
func (f *file) suppressions() (list []*suppression, problems []Problem) {
	for _, c := range f.yaml.Comments(suppressMark) {
		s := &suppression{file: f, span: c.Span, line: c.Span.Line}
		if c.Alone {
			s.line = f.nextLine(c.Span.Line)
		}
		m := suppressForm.FindStringSubmatch(c.Text)
		if m == nil {
			problems = append(problems, f.problem(c.Span, Warning, "suppress/syntax",
				"# vdm-logs: ignore CHECK until=2027-01-31 reason=why (until may be left out)", "the comment silences nothing"))
			continue
		}
		s.check = m[1]
		if m[2] != "" {
			until, err := time.Parse(time.DateOnly, m[2])
			if err != nil {
				problems = append(problems, f.problem(c.Span, Warning, "suppress/syntax", "", "%s is no day of the calendar", m[2]))
				continue
			}
			s.until = until.AddDate(0, 0, 1) // the day itself included
		}
		list = append(list, s)
	}
	return list, problems
}

// nextLine is the next line that is neither empty nor a comment alone.
func (f *file) nextLine(n int) int {
	for n++; n <= f.yaml.Lines(); n++ {
		if t := strings.TrimSpace(f.yaml.Line(n)); t != "" && t[0] != '#' {
			return n
		}
	}
	return n
}

// suppress leaves out problems that comments silence, and reports comments
// that are expired at the time now, or that silence nothing. Errors cannot be
// silenced. A zero now lets no comment expire.
func suppress(files []*file, problems []Problem, now time.Time) []Problem {
	type key struct {
		file, check string
		line        int
	}
	byPlace := map[key]*suppression{}
	var all []*suppression
	var out []Problem
	for _, f := range files {
		if f.root == nil || f.builtin {
			continue
		}
		list, faults := f.suppressions()
		out = append(out, faults...)
		for _, s := range list {
			all = append(all, s)
			byPlace[key{f.name, s.check, s.line}] = s
		}
	}
	for _, p := range problems {
		s := byPlace[key{p.File, p.Check, p.Line}]
		if s == nil || p.Severity == Error {
			out = append(out, p)
			continue
		}
		s.used = true
		if !s.until.IsZero() && !now.IsZero() && !now.Before(s.until) {
			out = append(out, p)
			s.faulty = true
		}
	}
	for _, s := range all {
		switch {
		case s.faulty:
			out = append(out, s.file.problem(s.span, Warning, "suppress/expired", "", "the comment has expired on %s", s.until.AddDate(0, 0, -1).Format(time.DateOnly)))
		case !s.used:
			out = append(out, s.file.problem(s.span, Warning, "suppress/unused", "remove it",
				"%s", fmt.Sprintf("there is no %s to silence on line %d", s.check, s.line)))
		}
	}
	return out
}

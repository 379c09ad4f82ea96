package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Severity says how grave a problem is.
type Severity uint8

// The severities, least first. Only an Error makes rules unusable.
const (
	Info    Severity = iota // worth knowing, may well be intended
	Warning                 // probably a mistake; the rules work all the same
	Error                   // the rules cannot be used
)

var severityNames = [...]string{"info", "warning", "error"}

// String returns the severity's name.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// ParseSeverity returns the severity of that name, and whether there is one.
func ParseSeverity(name string) (Severity, bool) {
	i := slices.Index(severityNames[:], name)
	return Severity(max(i, 0)), i >= 0
}

// MarshalText implements encoding.TextMarshaler with the form of String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Severity) UnmarshalText(b []byte) error {
	got, ok := ParseSeverity(string(b))
	if !ok {
		return fmt.Errorf("unknown severity %q", b)
	}
	*s = got
	return nil
}

// Problem is one thing that is wrong, or may be, in a rule file.
type Problem struct {
	// File is the name under which the file was read.
	File string `json:"file"`
	// Line and Col are where the text at fault begins, EndLine and EndCol
	// where it ends. Both count from 1, columns in Unicode code points;
	// EndCol is the column after the last. All are 0 for a problem of the
	// file as a whole.
	Line    int `json:"line"`
	Col     int `json:"col"`
	EndLine int `json:"endLine"`
	EndCol  int `json:"endCol"`
	// Severity is how grave the problem is.
	Severity Severity `json:"severity"`
	// Check is the stable id of the check that found it: schema/unknown-key.
	Check string `json:"check"`
	// Message says what is wrong, Hint what was probably meant or what to do;
	// Hint may be empty.
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Excerpt is the first line at fault, as it stands in the file.
	Excerpt string `json:"excerpt,omitempty"`
}

// Place returns file:line:col, or the file alone for a problem of the whole.
func (p Problem) Place() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Range returns file:line:col-endcol, with the end line where it is another.
func (p Problem) Range() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.EndLine != p.Line:
		return fmt.Sprintf("%s:%d:%d-%d:%d", p.File, p.Line, p.Col, p.EndLine, p.EndCol)
	}
	return fmt.Sprintf("%s:%d:%d-%d", p.File, p.Line, p.Col, p.EndCol)
}

// String returns the problem on one line.
func (p Problem) String() string {
	s := fmt.Sprintf("%s: %s: %s (%s)", p.Place(), p.Severity, p.Message, p.Check)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// compareProblems orders problems by file, place, gravity, check and text.
func compareProblems(a, b Problem) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Col, b.Col),
		cmp.Compare(b.Severity, a.Severity),
		strings.Compare(a.Check, b.Check),
		strings.Compare(a.Message, b.Message),
		cmp.Compare(a.EndLine, b.EndLine),
		cmp.Compare(a.EndCol, b.EndCol),
	)
}

// sortProblems sorts problems and drops those that say the same twice.
func sortProblems(ps []Problem) []Problem {
	slices.SortFunc(ps, compareProblems)
	return slices.CompactFunc(ps, func(a, b Problem) bool { return compareProblems(a, b) == 0 })
}

// Worst returns the gravest severity among problems, and false if there are
// none.
func Worst(ps []Problem) (Severity, bool) {
	worst := Info
	for _, p := range ps {
		worst = max(worst, p.Severity)
	}
	return worst, len(ps) > 0
}

// ProblemsError is the error of rules that cannot be used. It carries every
// problem that was found, those that are no errors included, sorted.
type ProblemsError struct {
	Problems []Problem
}

// Error tells the errors, at most ten of them, one a line.
func (e *ProblemsError) Error() string {
	const most = 10
	var b strings.Builder
	n := 0
	for _, p := range e.Problems {
		if p.Severity < Error {
			continue
		}
		if n++; n > most {
			continue
		}
		if n > 1 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	if n > most {
		fmt.Fprintf(&b, "\nand %d more; see 'vdm-logs rules check'", n-most)
	}
	return b.String()
}

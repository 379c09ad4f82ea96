package rules

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// captureName is a name that a rule's match defines, and where.
type captureName struct {
	span yamlnode.Span
	used bool
	// named says that the rule's author chose to capture: a field's own name
	// is a capture too, and nobody has to use it.
	named bool
}

// captureNames are the captures of one rule, by name.
type captureNames map[string]*captureName

// unknown is an entry that stands for captures which a broken pattern hides:
// with it, no name is reported as missing or unused.
const unknown = "?"

// builtinCaptures are the names that templates may use in every rule.
var builtinCaptures = []string{"category", "event_id", "service", "exception", "level"}

// list returns all names a template may use.
func (n captureNames) list() []string {
	names := append([]string(nil), builtinCaptures...)
	for name := range n {
		if name == unknown {
			continue
		}
		names = append(names, name)
	}
	return sorted(names)
}

// condition compiles what a match, or an exception from it, asks of a record.
func (c *compiler) condition(f *file, m *yamlnode.Node, names captureNames) fingerprint.Condition {
	var cond fingerprint.Condition
	if p := m.Get("pattern"); isText(p) {
		cond.Pattern = c.pattern(f, p, names)
	}
	if x := m.Get("regexp"); isText(x) {
		cond.Regexp = c.regexp(f, x, names)
	}
	if fields := m.Get("fields"); fields != nil {
		for _, pair := range fields.Pairs {
			if isText(pair.Value) {
				cond.Fields = append(cond.Fields, c.field(f, pair, names))
			}
		}
	}
	return cond
}

func (c *compiler) pattern(f *file, n *yamlnode.Node, names captureNames) *fingerprint.Pattern {
	p, err := fingerprint.CompilePattern(n.Value)
	if err != nil {
		var pe *fingerprint.PatternError
		if errors.As(err, &pe) {
			c.report(f, n.Sub(pe.Offset, max(pe.End, pe.Offset)), Error, "pattern/syntax", "", "%s", pe.Reason)
		} else {
			c.report(f, n.Span, Error, "pattern/syntax", "", "%v", err)
		}
		names[unknown] = &captureName{}
		return nil
	}
	for _, name := range p.Names() {
		at := strings.Index(n.Value, "<"+name+">")
		c.define(f, names, name, n.Sub(at, at+len(name)+2), true)
	}
	return p
}

// define notes a capture; two of one name would hide each other.
func (c *compiler) define(f *file, names captureNames, name string, span yamlnode.Span, named bool) {
	if old := names[name]; old != nil {
		if named && old.named {
			c.report(f, span, Error, "capture/duplicate", "", "the capture <%s> is already defined on line %d", name, old.span.Line)
		}
		return
	}
	names[name] = &captureName{span: span, named: named}
}

func (c *compiler) regexp(f *file, n *yamlnode.Node, names captureNames) *regexp.Regexp {
	re, err := regexp.Compile(n.Value)
	if err != nil {
		c.regexpError(f, n, err)
		names[unknown] = &captureName{}
		return nil
	}
	for _, name := range re.SubexpNames() {
		if name == "" {
			continue
		}
		at, size := strings.Index(n.Value, "(?P<"+name+">"), len(name)+4
		if at < 0 {
			at, size = strings.Index(n.Value, "(?<"+name+">"), len(name)+3
		}
		c.define(f, names, name, n.Sub(max(at, 0), max(at, 0)+size), true)
	}
	return re
}

// regexpError reports an error at its place inside the expression.
func (c *compiler) regexpError(f *file, n *yamlnode.Node, err error) {
	var se *syntax.Error
	if !errors.As(err, &se) {
		c.report(f, n.Span, Error, "regexp/syntax", "", "%v", err)
		return
	}
	from := strings.LastIndex(n.Value, se.Expr)
	to := from + len(se.Expr)
	hint := ""
	switch se.Code {
	case syntax.ErrMissingParen:
		from = openParen(n.Value)
		to = from + 1
		hint = `write \( for a bracket that stands in the text`
	case syntax.ErrUnexpectedParen:
		from = closingParen(n.Value)
		to = from + 1
		hint = `write \) for a bracket that stands in the text`
	case syntax.ErrInvalidPerlOp:
		hint = "expressions are RE2: there is no look-around and no back-reference"
	case syntax.ErrMissingBracket:
		to = len(n.Value)
	}
	if from < 0 || to > len(n.Value) {
		from, to = 0, len(n.Value)
	}
	c.report(f, n.Sub(from, to), Error, "regexp/syntax", hint, "%s: %s", se.Code, n.Value[from:to])
}

// openParen finds the last bracket that is never closed.
func openParen(s string) int {
	var open []int
	eachParen(s, func(i int) {
		if s[i] == '(' {
			open = append(open, i)
		} else if len(open) > 0 {
			open = open[:len(open)-1]
		}
	})
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

// closingParen finds the first bracket that closes nothing.
func closingParen(s string) int {
	at, depth := -1, 0
	eachParen(s, func(i int) {
		if s[i] == '(' {
			depth++
		} else if depth--; depth < 0 && at < 0 {
			at = i
		}
	})
	return at
}

// eachParen calls f for every bracket that is neither escaped nor in a class.
func eachParen(s string, f func(i int)) {
	class := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case class:
			class = s[i] != ']'
		case s[i] == '[':
			class = true
			if i+1 < len(s) && (s[i+1] == ']' || s[i+1] == '^' && i+2 < len(s) && s[i+2] == ']') {
				i++
			}
		case s[i] == '(' || s[i] == ')':
			f(i)
		}
	}
}

// field compiles a condition on a field: <name> captures the value, any other
// text is a glob.
func (c *compiler) field(f *file, pair yamlnode.Pair, names captureNames) fingerprint.FieldMatcher {
	m := fingerprint.FieldMatcher{Name: pair.Key.Value}
	v := pair.Value
	if name, ok := wholeCapture(v.Value); ok {
		if name != "_" {
			m.As = name
			c.define(f, names, name, v.Span, true)
		}
		return m
	}
	if strings.HasPrefix(v.Value, "<") && strings.HasSuffix(v.Value, ">") {
		names[unknown] = &captureName{}
		c.report(f, v.Span, Error, "pattern/syntax", "a name has letters, digits and _, and no digit first", "%q is no capture", v.Value)
	}
	m.Value = v.Value
	if isName(m.Name) {
		c.define(f, names, m.Name, pair.Key.Span, false)
	}
	return m
}

// wholeCapture reports whether a text is one capture and nothing else.
func wholeCapture(s string) (string, bool) {
	if len(s) < 3 || s[0] != '<' || s[len(s)-1] != '>' {
		return "", false
	}
	name := s[1 : len(s)-1]
	return name, isName(name)
}

// isName reports whether s can be the name of a capture.
func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return s != ""
}

// checkCatchAll reports a match that every record fits.
func (c *compiler) checkCatchAll(f *file, m *yamlnode.Node, r *Rule) {
	if m == nil || len(r.Labels) > 0 || strings.Trim(r.Category, "*") != "" || len(r.Fields) > 0 || m.Get("fields") != nil || m.Get("selector") != nil {
		return
	}
	switch {
	case r.Pattern != nil:
		if _, ok := r.Pattern.Match(nil, nil); ok {
			c.report(f, m.Get("pattern").Span, Error, "pattern/matches-empty", "add a text that the line must hold, or a category",
				"the pattern matches an empty line, and so every line")
		}
	case r.Regexp != nil:
		if r.Regexp.MatchString("") {
			c.report(f, m.Get("regexp").Span, Error, "pattern/matches-empty", "add a text that the line must hold, or a category",
				"the expression matches an empty line, and so every line")
		}
	case slices.ContainsFunc(m.Pairs, func(p yamlnode.Pair) bool {
		return !slices.Contains([]string{"level", "category", "none", "unless"}, p.Key.Value)
	}):
		// A key that the schema does not know has been reported.
	case len(m.Pairs) > 0:
		c.report(f, m.Span, Warning, "match/too-wide", "a match has at least one of selector, category, pattern, regexp, fields",
			"nothing in the match tells one kind of record from another")
	}
}

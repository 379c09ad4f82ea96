package pushdown

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// maxRuleExpressions is how many rules take their Source from lines in the
// server: each is an expression that is matched with every line that matters.
const maxRuleExpressions = 20

// ruleSource is a rule as far as a line alone, its stream and its category tell
// whether it matches.
type ruleSource struct {
	rule   *fingerprint.Rule
	prefix string          // of the labels that its expression gives
	marker string          // a label that is never empty where the expression matches; empty without an expression
	labels []string        // that its expression gives
	named  map[string]bool // captures of the expression
	parts  []sourcePart
}

// sourcePart is a literal or a capture of a Source.
type sourcePart struct{ literal, capture string }

// addRules turns the rules that give a Source into expressions, and those
// before them that match without giving one. A rule that asks for what no line
// shows is left out and noted.
func (s *sources) addRules(rules []fingerprint.Rule, add func(expression string, names ...string)) {
	ordered := make([]*fingerprint.Rule, len(rules))
	for i := range rules {
		ordered[i] = &rules[i]
	}
	slices.SortStableFunc(ordered, func(a, b *fingerprint.Rule) int { return cmp.Compare(b.Priority, a.Priority) })
	for _, late := range []bool{false, true} {
		own := slices.DeleteFunc(slices.Clone(ordered), func(r *fingerprint.Rule) bool { return r.Late != late })
		last := len(own) - 1
		for last >= 0 && own[last].Source == "" {
			last--
		}
		var list []*ruleSource
		for _, r := range own[:last+1] {
			rs, expression, why := newRuleSource(r, len(s.expressions))
			if why == "" && len(s.expressions) >= maxRuleExpressions {
				why = "there are too many rules before it"
			}
			if why != "" {
				if r.Source != "" {
					s.notes = append(s.notes, fmt.Sprintf("the server does not count by the Source of rule %s: %s", r.ID, why))
				}
				continue
			}
			if expression != "" {
				add(expression, rs.labels...)
			}
			for _, l := range r.Labels {
				s.labels = append(s.labels, l.Name)
			}
			list = append(list, rs)
		}
		if late {
			s.late = list
		} else {
			s.early = list
		}
	}
}

// newRuleSource returns a rule with its expression, empty if it needs none, or
// why it cannot be told from a line.
func newRuleSource(r *fingerprint.Rule, n int) (rs *ruleSource, expression, why string) {
	rs = &ruleSource{rule: r, prefix: fmt.Sprintf("vdm_r%d_", n), parts: splitSource(r.Source)}
	switch {
	case r.MinLevel > ingest.LevelUnknown:
		return nil, "", "it asks for a level"
	case len(r.Fields) > 0:
		return nil, "", "it asks for fields"
	case len(r.Unless) > 0:
		return nil, "", "it has exceptions"
	}
	var tree *syntax.Regexp
	var err error
	switch {
	case r.Pattern != nil && r.Regexp != nil:
		return nil, "", "it has a pattern and an expression"
	case r.Pattern != nil:
		tree, err = syntax.Parse(patternExpression(r.Pattern.String()), syntax.Perl)
	case r.Regexp != nil:
		tree, err = syntax.Parse(r.Regexp.String(), syntax.Perl)
	}
	if err != nil {
		return nil, "", err.Error()
	}
	captures := map[string]bool{}
	rs.named = captures
	if tree != nil {
		rename(tree, rs.prefix, captures)
		unanchor(tree)
		if !mark(tree, rs.prefix) {
			return nil, "", "its expression has no text that is always there"
		}
		rs.marker = rs.prefix
		expression = tree.String()
		re, err := regexp.Compile(expression)
		if err != nil {
			return nil, "", err.Error()
		}
		rs.labels = slices.DeleteFunc(re.SubexpNames(), func(name string) bool { return name == "" })
		if !usesAny(rs.parts, captures) {
			rs.labels = []string{rs.marker}
		}
	}
	for _, p := range rs.parts {
		if p.capture != "" && !captures[p.capture] && p.capture != "category" && p.capture != "service" {
			return nil, "", "its Source has <" + p.capture + ">, which no line shows"
		}
	}
	return rs, expression, ""
}

// usesAny reports whether a Source is made of captures of the expression.
func usesAny(parts []sourcePart, captures map[string]bool) bool {
	return slices.ContainsFunc(parts, func(p sourcePart) bool { return p.capture != "" && captures[p.capture] })
}

// splitSource splits "a<b>c" into its parts.
func splitSource(text string) []sourcePart {
	var parts []sourcePart
	for text != "" {
		at := captureName.FindStringSubmatchIndex(text)
		if at == nil {
			return append(parts, sourcePart{literal: text})
		}
		if at[0] > 0 {
			parts = append(parts, sourcePart{literal: text[:at[0]]})
		}
		parts = append(parts, sourcePart{capture: text[at[2]:at[3]]})
		text = text[at[1]:]
	}
	return parts
}

var captureName = regexp.MustCompile(`<([A-Za-z_][A-Za-z0-9_]*)>`)

// patternExpression returns a pattern as an expression. Unlike a pattern it
// goes on behind the first text that follows a capture where the rest does not
// match.
func patternExpression(pattern string) string {
	parts := splitSource(pattern)
	var b strings.Builder
	b.WriteString("(?s)")
	for i, p := range parts {
		switch {
		case p.capture == "":
			if i == 0 {
				b.WriteString("^")
			}
			b.WriteString(regexp.QuoteMeta(p.literal))
		case p.capture == "_" && (i == 0 || i == len(parts)-1):
		case p.capture == "_":
			b.WriteString(".*?")
		case i == len(parts)-1:
			b.WriteString("(?P<" + p.capture + ">.*)")
		default:
			b.WriteString("(?P<" + p.capture + ">.*?)")
		}
	}
	return b.String()
}

// rename gives the named groups a prefix, so that those of several rules can
// be told apart, and notes their names.
func rename(re *syntax.Regexp, prefix string, names map[string]bool) {
	if re.Op == syntax.OpCapture && re.Name != "" {
		names[re.Name] = true
		re.Name = prefix + re.Name
	}
	for _, sub := range re.Sub {
		rename(sub, prefix, names)
	}
}

// unanchor lets what must stand at the ends of a message stand inside a line,
// where a header stands before it or quotes are around it.
func unanchor(re *syntax.Regexp) {
	var as string
	switch re.Op {
	case syntax.OpBeginText, syntax.OpBeginLine:
		as = `(?:^|[\s"'\]:])`
	case syntax.OpEndText, syntax.OpEndLine:
		as = `(?:$|["'\s])`
	default:
		for _, sub := range re.Sub {
			unanchor(sub)
		}
		return
	}
	other, err := syntax.Parse(as, syntax.Perl)
	if err != nil {
		panic(err)
	}
	*re = *other
}

// mark makes a group of the first literal that every match holds, so that a
// match is known even if its other groups are empty. The first is as good as
// any: what it holds is always the same, or one of two letter cases.
func mark(re *syntax.Regexp, name string) bool {
	switch re.Op {
	case syntax.OpLiteral:
		literal := *re
		*re = syntax.Regexp{Op: syntax.OpCapture, Name: name, Sub: []*syntax.Regexp{&literal}, Cap: 1}
		return true
	case syntax.OpConcat:
		return slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return mark(sub, name) })
	case syntax.OpCapture:
		return mark(re.Sub[0], name)
	case syntax.OpPlus:
		return false // a group in a repetition has its last round
	}
	return false
}

// ruleSourceOf returns the Source that the first matching rule gives, empty
// where none does or the rule leaves it to the default.
func ruleSourceOf(rules []*ruleSource, c *Count, category, service string) string {
	for _, r := range rules {
		if !r.matches(c, category) {
			continue
		}
		if r.rule.None {
			return ""
		}
		var b strings.Builder
		for _, p := range r.parts {
			switch {
			case p.capture == "":
				b.WriteString(p.literal)
			case r.named[p.capture]:
				b.WriteString(c.value(r.prefix + p.capture))
			case p.capture == "category":
				b.WriteString(category)
			default:
				b.WriteString(service)
			}
		}
		if b.Len() == 0 {
			return cmp.Or(category, service)
		}
		return b.String()
	}
	return ""
}

// matches reports whether a group's lines match the rule.
func (r *ruleSource) matches(c *Count, category string) bool {
	if r.marker != "" && c.value(r.marker) == "" {
		return false
	}
	rec := &ingest.Record{Stream: ingest.NewStream(slices.Clone(c.Labels)), Category: []byte(category)}
	if r.rule.Category != "" && !matchGlob(r.rule.Category, category) {
		return false
	}
	for i := range r.rule.Labels {
		if !r.rule.Labels[i].Match(rec) {
			return false
		}
	}
	return true
}

// matchGlob reports whether a text matches a glob, where * is any text.
func matchGlob(glob, text string) bool {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*")
	return regexp.MustCompile("^(?s:" + quoted + ")$").MatchString(text)
}

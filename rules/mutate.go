package rules

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Mutant is a rule with one atom of its match left out. If no test of the
// rule notices, the atom is not tested, or not needed.
type Mutant struct {
	Rule *Rule
	// Atom names the kind of what was left out: level, category, selector,
	// unless, field, pattern or regexp. Detail says which.
	Atom, Detail string
	// Survives says that every test of the rule came out as before.
	Survives bool

	mutated Rule
}

// Mutants leaves out one atom at a time of every rule that has tests, and
// says which mutants the rule's own tests do not notice. It looks only at
// whether the rule matches, rule by rule, and is advice: an atom may be there
// for speed or for the reader.
func Mutants(s *Set, builtin bool) ([]Mutant, error) {
	var out []Mutant
	for _, rule := range s.Rules {
		if rule.Builtin && !builtin || len(rule.Tests) == 0 {
			continue
		}
		var logs []mutantLog
		for i := range rule.Tests {
			records, err := rule.Tests[i].records()
			if err != nil {
				return nil, err
			}
			if len(records) > 0 {
				logs = append(logs, mutantLog{records[0], rule.decide(records[0]).Matched})
			}
		}
		for _, m := range mutantsOf(rule) {
			m.Survives = !slices.ContainsFunc(logs, func(l mutantLog) bool { return m.mutated.decide(l.record).Matched != l.matched })
			out = append(out, m)
		}
	}
	return out, nil
}

// mutantLog is a test's record and whether the rule as it stands matches it.
type mutantLog struct {
	record  *ingest.Record
	matched bool
}

func mutantsOf(rule *Rule) []Mutant {
	var out []Mutant
	add := func(atom, detail string, change func(r *Rule)) {
		m := Mutant{Rule: rule, Atom: atom, Detail: detail, mutated: *rule}
		change(&m.mutated)
		out = append(out, m)
	}
	if rule.MinLevel != ingest.LevelUnknown {
		add("level", rule.MinLevel.String(), func(r *Rule) { r.MinLevel = ingest.LevelUnknown })
	}
	if rule.Category != "" {
		add("category", rule.Category, func(r *Rule) { r.Category = "" })
	}
	for i := range rule.Labels {
		add("selector", rule.Labels[i].Name, func(r *Rule) { r.Labels = without(rule.Labels, i) })
	}
	for i := range rule.Unless {
		add("unless", fmt.Sprintf("exception %d", i+1), func(r *Rule) { r.Unless = without(rule.Unless, i) })
	}
	for i := range rule.Fields {
		add("field", rule.Fields[i].Name, func(r *Rule) { r.Fields = without(rule.Fields, i) })
	}
	if rule.Pattern != nil {
		for text, weaker := range weakerPatterns(rule.Pattern) {
			add("pattern", text, func(r *Rule) { r.Pattern = weaker })
		}
	}
	if rule.Regexp != nil {
		for text, other := range mutatedRegexps(rule.Regexp) {
			add("regexp", text, func(r *Rule) { r.Regexp = other })
		}
	}
	return out
}

func without[T any](list []T, i int) []T {
	return slices.Delete(slices.Clone(list), i, i+1)
}

// weakerPatterns leaves out each literal of a pattern in turn; what stood
// around it becomes one capture that is skipped. The iteration is in the
// pattern's order.
func weakerPatterns(p *fingerprint.Pattern) func(yield func(string, *fingerprint.Pattern) bool) {
	return func(yield func(string, *fingerprint.Pattern) bool) {
		parts := splitPattern(p.String())
		for i, part := range parts {
			if part.capture || strings.TrimSpace(part.text) == "" {
				continue
			}
			var b strings.Builder
			skipping := false
			for j, q := range parts {
				if q.capture || j == i {
					if !skipping {
						b.WriteString("<_>")
					}
					skipping = true
					continue
				}
				b.WriteString(q.text)
				skipping = false
			}
			weaker, err := fingerprint.CompilePattern(b.String())
			if err == nil && !yield(part.text, weaker) {
				return
			}
		}
	}
}

type patternPart struct {
	text    string
	capture bool
}

func splitPattern(s string) []patternPart {
	var parts []patternPart
	at := 0
	for _, ref := range templateNames(s) {
		if ref.from > at {
			parts = append(parts, patternPart{s[at:ref.from], false})
		}
		parts = append(parts, patternPart{s[ref.from:ref.to], true})
		at = ref.to
	}
	if at < len(s) {
		parts = append(parts, patternPart{s[at:], false})
	}
	return parts
}

// mutatedRegexps leaves out each alternative and replaces each part of the
// top-level sequence that is no wildcard by any text.
func mutatedRegexps(re *regexp.Regexp) func(yield func(string, *regexp.Regexp) bool) {
	return func(yield func(string, *regexp.Regexp) bool) {
		parsed, err := syntax.Parse(re.String(), syntax.Perl)
		if err != nil {
			return
		}
		try := func(text, expr string) bool {
			other, err := regexp.Compile(expr)
			return err != nil || yield(text, other)
		}
		subs := []*syntax.Regexp{parsed}
		if parsed.Op == syntax.OpConcat {
			subs = parsed.Sub
		}
		for i, sub := range subs {
			if sub.Op == syntax.OpLiteral {
				expr := concat(subs[:i]) + "(?s:.*)" + concat(subs[i+1:])
				if !try(sub.String(), expr) {
					return
				}
			}
			if !dropAlternatives(sub, func(gone, rest string) bool {
				return try("alternative "+gone, concat(subs[:i])+rest+concat(subs[i+1:]))
			}) {
				return
			}
		}
	}
}

// dropAlternatives calls f for each alternative directly below sub, or inside
// its group, with what is left without it.
func dropAlternatives(sub *syntax.Regexp, f func(gone, rest string) bool) bool {
	alt := sub
	for alt.Op == syntax.OpCapture && len(alt.Sub) == 1 {
		alt = alt.Sub[0]
	}
	if alt.Op != syntax.OpAlternate {
		return true
	}
	for i := range alt.Sub {
		var rest []string
		for j, s := range alt.Sub {
			if j != i {
				rest = append(rest, s.String())
			}
		}
		if !f(alt.Sub[i].String(), "(?:"+strings.Join(rest, "|")+")") {
			return false
		}
	}
	return true
}

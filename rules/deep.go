package rules

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// ruleEntry is a rule with its place, for checks that run after compiling.
type ruleEntry struct {
	rule *Rule
	file *file
	node *yamlnode.Node
}

func (e *ruleEntry) place() yamlnode.Span {
	if id := e.node.Get("id"); id != nil {
		return id.Span
	}
	return e.node.Span
}

// deepChecks are those that Load leaves out because they run the rules.
func (c *compiler) deepChecks() {
	for i := range c.entries {
		if e := &c.entries[i]; !e.file.builtin {
			c.checkLiteral(e)
			c.checkCardinality(e)
		}
	}
	c.checkOrder()
}

// unguarded reports whether nothing cheap rules records out before the rule's
// pattern or expression is tried.
func (r *Rule) unguarded() bool {
	if r.Category != "" || len(r.Fields) > 0 || len(r.Labels) > 0 || r.Pattern == nil && r.Regexp == nil || shortest(r.Literals()) >= minLiteral {
		return false
	}
	// A pattern that begins with a text is looked for at one place only.
	return r.Pattern == nil || splitPattern(r.Pattern.String())[0].capture
}

// checkLiteral reports rules for which every line must be tried.
func (c *compiler) checkLiteral(e *ruleEntry) {
	r := e.rule
	if !r.unguarded() {
		return
	}
	if r.Pattern != nil {
		if _, ok := r.Pattern.Match(nil, nil); ok {
			return // reported: it matches everything
		}
	} else if r.Regexp.MatchString("") {
		return
	}
	m := e.node.Get("match")
	n, cost := m.Get("pattern"), "searches for every capture"
	if r.Regexp != nil {
		n = m.Get("regexp")
		if steps, ok := stepsPerChar(r.Regexp.String()); ok {
			cost = fmt.Sprintf("takes %.1f steps a character", steps)
		}
	}
	if n == nil {
		return
	}
	c.report(e.file, n.Span, Warning, "pattern/no-literal", fmt.Sprintf("add a text of %d letters or more that the line must hold, or a category", minLiteral),
		"nothing rules a line out quickly: it is tried on every line, a rule with such a text on %.0f in 100, and a try %s (measured on the lines of the built-in rules)", math.Ceil(100*guardedShare()), cost)
}

// endless are the kinds of text of which there is no end of values.
var endless = [][]byte{[]byte("<uuid>"), []byte("<hex>"), []byte("<time>"), []byte("<ip>"), []byte("<email>"), []byte("<num>"), []byte("<pod>")}

// checkCardinality reports a Source that takes in, in a test of the rule, a
// text of a kind of which there is no end: an id, a number, an address.
func (c *compiler) checkCardinality(e *ruleEntry) {
	src := e.node.Get("identity").Get("source")
	if !isText(src) {
		return
	}
	reported := map[string]bool{}
	for i := range e.rule.Tests {
		records, err := e.rule.Tests[i].records()
		if err != nil || len(records) == 0 {
			continue
		}
		t := e.rule.decide(records[0])
		if !t.Matched {
			continue
		}
		for _, ref := range templateNames(src.Value) {
			at := slices.IndexFunc(t.Captures, func(cp Capture) bool { return cp.Name == ref.name })
			if at < 0 || reported[ref.name] {
				continue
			}
			masked := fingerprint.Mask(nil, []byte(t.Captures[at].Text), 0)
			if slices.ContainsFunc(endless, func(kind []byte) bool { return bytes.Equal(masked, kind) }) {
				reported[ref.name] = true
				c.report(e.file, src.Sub(ref.from, ref.to), Warning, "cardinality/unbounded",
					fmt.Sprintf("leave <%s> out of the Source, or let the pattern take only the part that repeats", ref.name),
					"<%s> is %s in the test on line %d: there may be as many Sources as records", ref.name, masked, e.rule.Tests[i].Line)
			}
		}
	}
}

// checkOrder reports pairs of rules of equal priority that a record of one's
// tests fits both: which decides hangs on the order of files and lines.
func (c *compiler) checkOrder() {
	var list []*Rule
	place := map[*Rule]*ruleEntry{}
	for i := range c.entries {
		if e := &c.entries[i]; !e.file.builtin {
			list = append(list, e.rule)
			place[e.rule] = e
		}
	}
	byPriority := map[int][]quickRule{}
	for _, q := range quick(list) {
		byPriority[q.Priority] = append(byPriority[q.Priority], q)
	}
	type pair struct{ first, second *Rule }
	reported := map[pair]bool{}
	for _, owner := range list {
		for i := range owner.Tests {
			t := &owner.Tests[i]
			if t.None || len(byPriority[owner.Priority]) < 2 {
				continue
			}
			records, err := t.records()
			if err != nil || len(records) == 0 || !owner.decide(records[0]).Matched {
				continue
			}
			for _, other := range byPriority[owner.Priority] {
				if other.Rule == owner || !other.matches(records[0]) {
					continue
				}
				p := pair{owner, other.Rule}
				if slices.Index(list, owner) > slices.Index(list, other.Rule) {
					p = pair{other.Rule, owner}
				}
				if reported[p] {
					continue
				}
				reported[p] = true
				e := place[p.second]
				c.report(e.file, e.place(), Warning, "order/ambiguous", "give one of them another priority",
					"the record of the test at %s:%d fits %s and %s, both of priority %d: the order of files and lines decides",
					t.File, t.Line, p.first.ID, p.second.ID, owner.Priority)
			}
		}
	}
}

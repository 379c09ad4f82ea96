package fingerprint

import (
	"cmp"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// ruleSet is the rules in the order in which they are asked.
type ruleSet struct {
	rules []compiledRule
	// filter is nil when there are few rules.
	filter *prefilter
	all    []int32 // every rule, in order
}

// compiledRule is a rule with what can be known before the first record.
type compiledRule struct {
	*Rule
	source, event []templatePart
	keepKinds     KindSet
	mask          map[string]bool // captures that are masked
	keep          map[string]bool // captures that are kept
	apart         map[string]bool // captures that are masked by themselves
}

func newRuleSet(rules []Rule) *ruleSet {
	s := &ruleSet{rules: make([]compiledRule, len(rules))}
	for i := range rules {
		r := &rules[i]
		c := compiledRule{Rule: r, source: splitTemplate(r.Source), event: splitTemplate(r.Event), mask: map[string]bool{}, keep: map[string]bool{}, apart: map[string]bool{}}
		for _, n := range r.Mask {
			c.mask[n] = true
		}
		for _, n := range r.Keep {
			if k, ok := kindByName(n); ok {
				c.keepKinds |= 1 << k
			} else {
				c.keep[n] = true
			}
		}
		for _, n := range r.Apart {
			c.apart[n] = true
		}
		for _, parts := range [][]templatePart{c.source, c.event} {
			for _, p := range parts {
				if p.name != "" {
					c.keep[p.name] = true
				}
			}
		}
		s.rules[i] = c
	}
	slices.SortStableFunc(s.rules, func(a, b compiledRule) int { return compareRules(a.Rule, b.Rule) })
	s.filter = newPrefilter(s.rules)
	for i := range s.rules {
		s.all = append(s.all, int32(i))
	}
	return s
}

// compareRules orders rules as they are asked, but for those of one priority,
// which are asked as they come.
func compareRules(a, b *Rule) int {
	switch {
	case a.Late == b.Late:
		return cmp.Compare(b.Priority, a.Priority)
	case a.Late:
		return 1
	}
	return -1
}

// captures are the named values of one match.
type captures struct {
	text  []byte // what the spans point into; nil when only fields matched
	names []string
	spans []Span
	// Values of fields, by the name of the capture.
	fieldNames  []string
	fieldValues [][]byte
}

func (c *captures) reset() {
	c.text = nil
	c.names, c.spans = c.names[:0], c.spans[:0]
	c.fieldNames, c.fieldValues = c.fieldNames[:0], c.fieldValues[:0]
}

// get returns the value of a capture.
func (c *captures) get(name string, r *ingest.Record, d *Identity) []byte {
	for i, n := range c.names {
		if n == name {
			return c.text[c.spans[i].Start:c.spans[i].End]
		}
	}
	for i, n := range c.fieldNames {
		if n == name {
			return c.fieldValues[i]
		}
	}
	switch name {
	case "category":
		return r.Category
	case "event_id":
		return r.EventID
	case "service":
		if r.Stream != nil {
			return []byte(r.Stream.Service)
		}
	case "exception":
		return outermost(d.Exception)
	case "level":
		return []byte(r.Level.String())
	}
	return nil
}

// known fills in the identity by the first that knows the record: a rule,
// what is built in, a late rule. A rule that says none ends the search among
// rules.
func (x *Identifier) known(r *ingest.Record, into *Identity) bool {
	asked := x.rules.all
	if x.rules.filter != nil {
		asked = x.rules.filter.candidates(r)
	}
	for k, i := range asked {
		c := &x.rules.rules[i]
		if c.Late {
			return x.builtin(r, into) || x.late(asked[k:], r, into)
		}
		if x.matches(c.Rule, r) {
			return x.apply(c, r, into) || x.builtin(r, into)
		}
	}
	return x.builtin(r, into)
}

// builtin asks what is built in.
func (x *Identifier) builtin(r *ingest.Record, into *Identity) bool {
	return x.polly(r, into) || x.transferLine(r, into)
}

// late asks the rules that come after what is built in.
func (x *Identifier) late(asked []int32, r *ingest.Record, into *Identity) bool {
	for _, i := range asked {
		if c := &x.rules.rules[i]; x.matches(c.Rule, r) {
			return x.apply(c, r, into)
		}
	}
	return false
}

// matches reports whether a rule matches and leaves its captures in x.
func (x *Identifier) matches(rule *Rule, r *ingest.Record) bool {
	if r.Level < rule.MinLevel || rule.Category != "" && !matchGlob(rule.Category, r.Category) {
		return false
	}
	for i := range rule.Labels {
		if !rule.Labels[i].Match(r) {
			return false
		}
	}
	for i := range rule.Unless {
		x.captures.reset()
		if x.holds(&rule.Unless[i], r) {
			return false
		}
	}
	x.captures.reset()
	return x.holds(&rule.Condition, r)
}

// holds reports whether a condition holds and notes its captures.
func (x *Identifier) holds(c *Condition, r *ingest.Record) bool {
	for i := range c.Fields {
		f := &c.Fields[i]
		v, ok := fieldOf(r, f.Name)
		if !ok || f.Value != "" && !matchGlob(f.Value, v) || f.Regexp != nil && !f.Regexp.Match(v) {
			return false
		}
		x.captures.fieldNames = append(x.captures.fieldNames, f.capture())
		x.captures.fieldValues = append(x.captures.fieldValues, v)
	}
	if c.Pattern != nil && !x.pattern(c.Pattern, r.Message) && !x.pattern(c.Pattern, r.Text) {
		return false
	}
	return c.Regexp == nil || x.regexp(c, r.Message) || x.regexp(c, r.Text)
}

func (x *Identifier) pattern(p *Pattern, text []byte) bool {
	spans, ok := p.Match(text, x.spans)
	x.spans = spans
	if ok {
		x.captures.text = text
		x.captures.names = append(x.captures.names, p.Names()...)
		x.captures.spans = append(x.captures.spans, spans...)
	}
	return ok
}

func (x *Identifier) regexp(c *Condition, text []byte) bool {
	at := c.Regexp.FindSubmatchIndex(text)
	if at == nil {
		return false
	}
	for i, n := range c.Regexp.SubexpNames() {
		if n != "" && at[2*i] >= 0 {
			x.captures.names = append(x.captures.names, n)
			x.captures.spans = append(x.captures.spans, Span{at[2*i], at[2*i+1]})
		}
	}
	x.captures.text = text
	return true
}

// apply fills in the identity that a rule gives to a record it matches, and
// reports false when the rule leaves it to the default.
func (x *Identifier) apply(c *compiledRule, r *ingest.Record, into *Identity) bool {
	if c.None {
		return false
	}
	into.Rule = c.ID
	into.Source = defaultSource(r)
	if len(c.source) > 0 {
		into.Source = x.compose(c.source, r, into)
	}
	into.Event = outermost(into.Exception)
	if len(c.event) > 0 {
		into.Event = x.compose(c.event, r, into)
	}
	into.Parts = SourceParts{
		x.captures.get("pipeline", r, into), x.captures.get("instance", r, into), x.captures.get("strategy", r, into),
	}
	into.Template = x.ruleTemplate(c, r)
	return true
}

// compose fills in a template over captures.
func (x *Identifier) compose(parts []templatePart, r *ingest.Record, d *Identity) []byte {
	return x.keep(func(dst []byte) []byte {
		for _, p := range parts {
			if p.name == "" {
				dst = append(dst, p.literal...)
			} else {
				dst = append(dst, x.captures.get(p.name, r, d)...)
			}
		}
		return dst
	})
}

// ruleTemplate masks the message as the rule says: captures that are kept
// stay, captures that are masked become their name, the rest is masked as
// usual.
func (x *Identifier) ruleTemplate(c *compiledRule, r *ingest.Record) []byte {
	text := x.message(r)
	caps := &x.captures
	if x.special(c) && !hasWords(r.Template) && len(caps.text) > 0 && len(r.Message) > 0 && &caps.text[0] == &r.Message[0] {
		text = r.Message[:min(len(r.Message), maxMessage)] // what the captures lie in
	}
	if len(caps.spans) == 0 || len(text) == 0 || len(caps.text) == 0 || &caps.text[0] != &text[0] {
		return x.keep(func(dst []byte) []byte { return Mask(dst, text, c.keepKinds) })
	}
	return x.keep(func(dst []byte) []byte {
		at, last := 0, -1
		for {
			i := x.nextSpecial(c, at, len(text), last)
			if i < 0 {
				break
			}
			last = i
			s := caps.spans[i]
			dst = maskPiece(dst, text[at:s.Start], c.keepKinds)
			switch n := caps.names[i]; {
			case c.keep[n]:
				dst = append(dst, text[s.Start:s.End]...)
			case c.mask[n]:
				dst = append(append(append(dst, '<'), n...), '>')
			default:
				dst = Mask(dst, text[s.Start:s.End], c.keepKinds)
			}
			at = s.End
		}
		return maskPiece(dst, text[at:], c.keepKinds)
	})
}

// special reports whether any capture is kept, masked by name or apart.
func (x *Identifier) special(c *compiledRule) bool {
	return slices.ContainsFunc(x.captures.names, func(n string) bool { return c.keep[n] || c.mask[n] || c.apart[n] })
}

// nextSpecial returns the first capture at or after an offset that is kept,
// masked by name or apart, or -1. Empty captures count: they part what stands on both
// sides. Of those at one place the order is that of the names; last is the
// capture that was taken before.
func (x *Identifier) nextSpecial(c *compiledRule, at, end, last int) int {
	best := -1
	spans := x.captures.spans
	for i, s := range spans {
		n := x.captures.names[i]
		if !c.keep[n] && !c.mask[n] && !c.apart[n] || s.Start < at || s.End > end {
			continue
		}
		if last >= 0 && (s.Start < spans[last].Start || s.Start == spans[last].Start && i <= last) {
			continue
		}
		if best < 0 || s.Start < spans[best].Start {
			best = i
		}
	}
	return best
}

// maskPiece masks a piece of a text and keeps the white space at its ends.
// Where it ends in an equals sign, the value is the capture that follows and
// not missing.
func maskPiece(dst, b []byte, keep KindSet) []byte {
	if len(b) == 0 {
		return dst
	}
	if class[b[0]]&cSpace != 0 {
		dst = append(dst, ' ')
	}
	head := trimSpaceRight(b)
	if len(head) == 0 {
		return dst
	}
	if head[len(head)-1] == '=' {
		head = trimSpaceRight(head[:len(head)-1])
	}
	dst = Mask(dst, head, keep)
	space := false
	for _, c := range b[len(head):] {
		if class[c]&cSpace == 0 || !space {
			if space = class[c]&cSpace != 0; space {
				c = ' '
			}
			dst = append(dst, c)
		}
	}
	return dst
}

func trimSpaceRight(b []byte) []byte {
	for len(b) > 0 && class[b[len(b)-1]]&cSpace != 0 {
		b = b[:len(b)-1]
	}
	return b
}

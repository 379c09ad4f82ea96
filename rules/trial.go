package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Capture is a name of a rule's match and the text it took.
type Capture struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Step is one condition of a rule and whether a record meets it.
type Step struct {
	// Name says which condition: level, category, selector, unless, field,
	// pattern or regexp.
	Name string `json:"name"`
	Met  bool   `json:"met"`
	// Detail says why not, or what was compared.
	Detail string `json:"detail"`
}

// Trial is one rule held against one record.
type Trial struct {
	Rule *Rule `json:"-"`
	// Steps are the conditions in the order in which they were tried, the
	// last one the first that is not met, if there is one.
	Steps    []Step    `json:"steps"`
	Matched  bool      `json:"matched"`
	Captures []Capture `json:"captures,omitempty"`

	silent bool // leave out the details, which cost more than the trial
}

// Ordered returns the rules in the order in which they are tried: those of
// files, then those of the built-in pack, each by priority, the highest first,
// and among equals as they were read.
func (s *Set) Ordered() []*Rule {
	list := slices.Clone(s.Rules)
	slices.SortStableFunc(list, func(a, b *Rule) int {
		return cmp.Or(late(a)-late(b), cmp.Compare(b.Priority, a.Priority))
	})
	return list
}

func late(r *Rule) int {
	if r.Late {
		return 1
	}
	return 0
}

// Try holds one rule against a record as fingerprint does, and says how far
// the record got.
func (r *Rule) Try(rec *ingest.Record) Trial {
	t := Trial{Rule: r}
	t.try(rec)
	return t
}

// decide is Try without the details of the steps.
func (r *Rule) decide(rec *ingest.Record) Trial {
	t := Trial{Rule: r, silent: true}
	t.try(rec)
	return t
}

// step notes one condition and returns whether it is met.
func (t *Trial) step(name string, met bool, detail func() string) bool {
	s := Step{Name: name, Met: met}
	if !t.silent {
		s.Detail = detail()
	}
	t.Steps = append(t.Steps, s)
	return met
}

func (t *Trial) try(rec *ingest.Record) {
	r := t.Rule
	step := func(name string, met bool, format string, args ...any) bool {
		return t.step(name, met, func() string { return fmt.Sprintf(format, args...) })
	}
	if r.MinLevel != ingest.LevelUnknown && !step("level", rec.Level >= r.MinLevel, "the level is %s, at least %s is wanted", rec.Level, r.MinLevel) {
		return
	}
	if r.Category != "" && !step("category", categoryGlob(r.Category).Match(string(rec.Category)), "the category is %q, %q is wanted", rec.Category, r.Category) {
		return
	}
	for i := range r.Labels {
		m := &r.Labels[i]
		if !step("selector", m.Match(rec), "%s is %q, %s is wanted", m.Name, labelOf(rec, m.Name), matcherText(m)) {
			return
		}
	}
	for i := range r.Unless {
		u := Trial{silent: t.silent}
		hit := u.condition(&r.Unless[i], rec)
		if !t.step("unless", !hit, func() string { return unlessDetail(i, hit, u) }) {
			return
		}
	}
	t.Matched = t.condition(&r.Condition, rec)
	if !t.Matched {
		t.Captures = nil
	}
}

func unlessDetail(i int, hit bool, u Trial) string {
	if hit {
		return fmt.Sprintf("exception %d holds", i+1)
	}
	return fmt.Sprintf("exception %d does not hold: %s", i+1, u.Steps[len(u.Steps)-1].Detail)
}

// condition tries fields, pattern and regexp and gathers captures.
func (t *Trial) condition(c *fingerprint.Condition, rec *ingest.Record) bool {
	for i := range c.Fields {
		f := &c.Fields[i]
		v, ok := fieldOf(rec, f.Name)
		met := ok && (f.Value == "" || categoryGlob(f.Value).Match(string(v)))
		if !t.step("field", met, func() string { return fieldDetail(f, v, ok) }) {
			return false
		}
		name := f.As
		if name == "" {
			name = f.Name
		}
		t.Captures = append(t.Captures, Capture{name, string(v)})
	}
	if c.Pattern != nil {
		text := rec.Message
		spans, ok := c.Pattern.Match(text, nil)
		if !ok {
			text = rec.Text
			spans, ok = c.Pattern.Match(text, nil)
		}
		if !t.step("pattern", ok, func() string { return patternDetail(c.Pattern, rec, ok) }) {
			return false
		}
		for i, n := range c.Pattern.Names() {
			t.Captures = append(t.Captures, Capture{n, string(text[spans[i].Start:spans[i].End])})
		}
	}
	if c.Regexp != nil {
		text := rec.Message
		at := c.Regexp.FindSubmatchIndex(text)
		if at == nil {
			text = rec.Text
			at = c.Regexp.FindSubmatchIndex(text)
		}
		if !t.step("regexp", at != nil, func() string { return regexpDetail(c.Regexp, rec, at != nil) }) {
			return false
		}
		for i, n := range c.Regexp.SubexpNames() {
			if n != "" && at[2*i] >= 0 {
				t.Captures = append(t.Captures, Capture{n, string(text[at[2*i]:at[2*i+1]])})
			}
		}
	}
	return true
}

func fieldDetail(f *fingerprint.FieldMatcher, v []byte, found bool) string {
	switch {
	case !found:
		return fmt.Sprintf("there is no field %s", f.Name)
	case f.Value != "":
		return fmt.Sprintf("the field %s is %q, %q is wanted", f.Name, v, f.Value)
	}
	return fmt.Sprintf("the field %s is %q", f.Name, v)
}

// categoryGlob makes a glob in which only * is special one of analyze's.
func categoryGlob(s string) analyze.Glob {
	return analyze.Glob(strings.NewReplacer(`\`, `\\`, `?`, `\?`).Replace(s))
}

// fieldOf finds a field as fingerprint does: by its name in any case, behind
// the prefixes of .NET's and Serilog's properties, then among the metadata.
func fieldOf(r *ingest.Record, name string) ([]byte, bool) {
	for i := range r.Fields {
		f := string(r.Fields[i].Name)
		for _, prefix := range []string{"", "State.", "Properties.", "attributes."} {
			if len(f) == len(prefix)+len(name) && strings.EqualFold(f[:len(prefix)], prefix) && strings.EqualFold(f[len(prefix):], name) {
				return r.Fields[i].Value, true
			}
		}
	}
	for _, m := range r.Metadata {
		if strings.EqualFold(m.Name, name) {
			return []byte(m.Value), true
		}
	}
	return nil, false
}

func labelOf(r *ingest.Record, name string) string {
	if r.Stream != nil {
		if v, ok := r.Stream.Get(name); ok {
			return v
		}
	}
	for _, m := range r.Metadata {
		if m.Name == name {
			return m.Value
		}
	}
	return ""
}

// matcherExpr is a matcher's expression as it is written.
func matcherExpr(m *fingerprint.LabelMatcher) string {
	return strings.TrimSuffix(strings.TrimPrefix(m.Regexp.String(), "^(?s:"), ")$")
}

func matcherText(m *fingerprint.LabelMatcher) string {
	op, value := "=", m.Value
	if m.Regexp != nil {
		op, value = "=~", matcherExpr(m)
	}
	if m.Negate {
		op = "!" + strings.Replace(op, "=", "", 1)
		if m.Regexp == nil {
			op = "!="
		}
	}
	return fmt.Sprintf("%s%q", op, value)
}

// patternDetail says how far a pattern got, in the text in which it got
// further.
func patternDetail(p *fingerprint.Pattern, rec *ingest.Record, ok bool) string {
	if ok {
		return fmt.Sprintf("fits %q", p)
	}
	text := rec.Message
	took, reached, _ := p.Progress(text)
	if took2, reached2, _ := p.Progress(rec.Text); took2 > took {
		text, took, reached = rec.Text, took2, reached2
	}
	parts := splitPattern(p.String())
	switch {
	case took > 0:
	case parts[0].capture && len(parts) > 1:
		return fmt.Sprintf("%q is nowhere in the text", parts[1].text)
	default:
		return fmt.Sprintf("the text begins with %s, not as %q does", quote(text), p)
	}
	return fmt.Sprintf("fits up to %q, then wants %q where the text goes on with %s", p.String()[:took], p.String()[took:], quote(text[min(reached, len(text)):]))
}

// regexpDetail says how many parts of an expression are found together.
func regexpDetail(re *regexp.Regexp, rec *ingest.Record, ok bool) string {
	if ok {
		return fmt.Sprintf("fits %q", re)
	}
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err == nil && parsed.Op == syntax.OpConcat {
		for n := len(parsed.Sub) - 1; n > 0; n-- {
			prefix := concat(parsed.Sub[:n])
			head, err := regexp.Compile(prefix)
			if err != nil {
				continue
			}
			for _, text := range [][]byte{rec.Message, rec.Text} {
				if at := head.FindIndex(text); at != nil && at[1] > at[0] {
					return fmt.Sprintf("fits up to %q, then wants %q where the text goes on with %s", prefix, concat(parsed.Sub[n:]), quote(text[at[1]:]))
				}
			}
		}
	}
	return fmt.Sprintf("nothing in the text fits %q", re)
}

func concat(subs []*syntax.Regexp) string {
	var b strings.Builder
	for _, s := range subs {
		if s.Op == syntax.OpAlternate {
			b.WriteString("(?:" + s.String() + ")")
			continue
		}
		b.WriteString(s.String())
	}
	return b.String()
}

// quote shows the beginning of a text.
func quote(b []byte) string {
	const most = 40
	b, _, _ = bytes.Cut(b, []byte("\n"))
	if len(b) <= most {
		return fmt.Sprintf("%q", b)
	}
	n := most
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return fmt.Sprintf("%q…", b[:n])
}

package rules

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// branches watches which ways through a regular expression matches take: each
// alternative, and each optional part with and without it. An expression is
// watched by wrapping its branches in groups, which changes nothing in what it
// matches. Of a part that repeats, every branch that any repetition took
// counts. What repeats any number of times is no branch.
type branches struct {
	where string // which expression, for a gap
	re    *regexp.Regexp
	list  []branch
}

// branch is one way through an expression.
type branch struct {
	text     string // as it is written
	optional bool
	group    int // of the wrapped expression
	parent   int // the branch that this one lies in, -1 for none
	taken    bool
	skipped  bool // of an optional part: its place was passed without it
}

// branchGroup is how the names of the groups that watch begin.
const branchGroup = "vdm_branch_"

// maxBranches bounds how many branches of one expression are watched.
const maxBranches = 200

var leadingFlags = regexp.MustCompile(`^\(\?[a-zA-Z-]+\)`)

// newBranches returns nil for an expression that has only one way through it,
// or that cannot be watched because it quotes with \Q or sets flags half-way.
// prefix and suffix are put around the expression to match with.
func newBranches(where, prefix, expr, suffix string) *branches {
	for {
		flags := leadingFlags.FindString(expr)
		if flags == "" {
			break
		}
		prefix, expr = prefix+flags, expr[len(flags):]
	}
	w := branchWriter{s: expr}
	if w.alternatives(0, -1) < len(expr) || w.odd || len(w.list) == 0 || len(w.list) > maxBranches {
		return nil
	}
	re, err := regexp.Compile(prefix + w.out.String() + suffix)
	if err != nil {
		return nil
	}
	b := &branches{where: where, re: re, list: w.list}
	for i := range b.list {
		b.list[i].group = re.SubexpIndex(fmt.Sprint(branchGroup, i))
	}
	return b
}

// note books the ways that the match in a text takes, and reports whether
// there is one.
func (b *branches) note(text []byte) bool {
	at := b.re.FindSubmatchIndex(text)
	if at == nil {
		return false
	}
	in := func(i int) bool { return i < 0 || at[2*b.list[i].group] >= 0 }
	for i := range b.list {
		br := &b.list[i]
		switch {
		case in(i):
			br.taken = true
		case br.optional && in(br.parent):
			br.skipped = true
		}
	}
	return true
}

// gaps lists the ways that no match took. Those inside of a branch that was
// never taken are not told of.
func (b *branches) gaps() []string {
	var out []string
	for i := range b.list {
		br := &b.list[i]
		if br.parent >= 0 && !b.list[br.parent].taken {
			continue
		}
		switch {
		case !br.taken && br.optional:
			out = append(out, fmt.Sprintf("the optional %q of %s is in no test", br.text, b.where))
		case !br.taken:
			out = append(out, fmt.Sprintf("the alternative %q of %s is taken by no test", br.text, b.where))
		case br.optional && !br.skipped:
			out = append(out, fmt.Sprintf("the optional %q of %s is left out in no test", br.text, b.where))
		}
	}
	return out
}

// ruleBranches watches a rule's expressions.
type ruleBranches struct {
	rule   *Rule
	main   *branches
	labels []*branches // as the rule's Labels; nil where there is no choice
	unless []*branches // as the rule's Unless
}

func newRuleBranches(r *Rule) *ruleBranches {
	b := &ruleBranches{rule: r}
	if r.Regexp != nil {
		b.main = newBranches("the expression", "", r.Regexp.String(), "")
	}
	for i := range r.Labels {
		var of *branches
		if m := &r.Labels[i]; m.Regexp != nil && !m.Negate {
			of = newBranches("the matcher of "+m.Name, "^(?s:", matcherExpr(m), ")$")
		}
		b.labels = append(b.labels, of)
	}
	for i := range r.Unless {
		var of *branches
		if u := &r.Unless[i]; u.Regexp != nil {
			of = newBranches(fmt.Sprintf("exception %d", i+1), "", u.Regexp.String(), "")
		}
		b.unless = append(b.unless, of)
	}
	return b
}

// note books a record of a test: one that the rule matches for its match, one
// that an exception takes from it for the exception.
func (b *ruleBranches) note(rec *ingest.Record) {
	if b.rule.decide(rec).Matched {
		noteText(b.main, rec)
		for i, of := range b.labels {
			if of != nil {
				of.note([]byte(labelOf(rec, b.rule.Labels[i].Name)))
			}
		}
		return
	}
	for i, of := range b.unless {
		u := Trial{silent: true}
		if of != nil && u.condition(&b.rule.Unless[i], rec) {
			noteText(of, rec)
		}
	}
}

// noteText looks where a rule does: in the message, else in the whole text.
func noteText(b *branches, rec *ingest.Record) {
	if b != nil && !b.note(rec.Message) {
		b.note(rec.Text)
	}
}

func (b *ruleBranches) gaps() []string {
	var out []string
	for _, of := range append(append([]*branches{b.main}, b.labels...), b.unless...) {
		if of != nil {
			out = append(out, of.gaps()...)
		}
	}
	return out
}

// unwanted lists what the rule says of its records and no test asks for.
func unwanted(r *Rule, tests []*Test) []string {
	var stage, level, source, event bool
	for _, t := range tests {
		stage = stage || t.Want.Stage != nil
		level = level || t.Want.Level != nil
		id := t.Want.Fingerprint != nil
		source = source || id || t.Want.Source != nil
		event = event || id || t.Want.Event != nil
	}
	var missing []string
	for _, c := range []struct {
		says, wanted bool
		what         string
	}{
		{r.Source != "", source, "Source"},
		{r.Event != "", event, "event"},
		{r.Effect.Stage != "" || len(r.Effect.Bounds) > 0, stage, "stage"},
		{r.Effect.Severity != ingest.LevelUnknown, level, "level"},
	} {
		if c.says && !c.wanted {
			missing = append(missing, c.what)
		}
	}
	if missing == nil {
		return nil
	}
	return []string{"no test wants its " + strings.Join(missing, ", ")}
}

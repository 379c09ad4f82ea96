package stage

import (
	"fmt"
	"math/bits"
	"slices"
)

func trailingZeros(x uint64) int { return bits.TrailingZeros64(x) }
func leadingZeros(x uint64) int  { return bits.LeadingZeros64(x) }

// Options configure a Classifier. The zero value gives the built-in rules.
type Options struct {
	// Rules are tried beside the built-in ones.
	Rules []Rule
}

// compiledRule is a Rule ready to be matched.
type compiledRule struct {
	Rule
	match pattern
	and   []pattern
	not   []pattern
	conds []condition
	role  Role
	wants [][]uint16 // sets of words of which one each must be in the record, the smallest first
	twin  int        // the first rule of the same Match, or the rule itself
}

// Classifier attributes records to stages. It owns scratch memory that it
// reuses: one goroutine at a time. It is cheap to have one for each.
type Classifier struct {
	rules    []compiledRule
	refs     []anchored    // of the three indexes
	indexes  [3]*ruleIndex // by the kind of line: rules for messages, for stack frames, and none
	measures []compiledRule
	counted  *ruleIndex // measures with a word before their number
	measured *ruleIndex // those without
	words    *vocabulary
	tree     phraseTree
	settle   settleWords
	// Classes of failure: any of them, and the single ones that ended asks for.
	failures, refused, reset, closed uint64
	gate                             gate
	view                             view
	found                            []candidate
	pending                          pending
	starts                           []start
	met                              []uint64 // by rule: walk and line on which its rarest element was met
	walks                            uint64
	tried                            tried
	asked                            []uint8 // by rule, see beside
}

// candidate is a rule that matched.
type candidate struct {
	rule       uint16
	start, end int32 // tokens
	link       int16
	caps       captures
}

// New compiles the built-in rules and those of the options.
func New(o Options) (*Classifier, error) {
	c := &Classifier{}
	comp := &compiler{ids: map[string]uint16{}, classes: map[string]uint8{}}
	for i, cl := range lexicon {
		comp.classes[cl.name] = uint8(i)
	}
	for i, cl := range lexicon {
		for _, p := range cl.phrases {
			if err := c.tree.add(comp, p, uint8(i)); err != nil {
				return nil, err
			}
		}
	}
	c.settle = newSettleWords(comp)
	c.refused, c.reset, c.closed = 1<<comp.classes["refused"], 1<<comp.classes["reset"], 1<<comp.classes["closed"]
	c.failures = c.refused | c.reset | c.closed | 1<<classTimeout | 1<<comp.classes["unreachable"] | 1<<comp.classes["cancel"] | 1<<comp.classes["premature"] | 1<<comp.classes["dnsfail"]
	all := append(builtin(), o.Rules...)
	var err error
	if c.rules, err = compileRules(comp, all); err != nil {
		return nil, err
	}
	if c.measures, err = compileRules(comp, measures()); err != nil {
		return nil, err
	}
	c.asked = make([]uint8, len(c.rules))
	c.words = newVocabulary(comp.words)
	c.tree.finish(len(comp.words))
	u := newUsage(len(comp.words), c.rules, c.measures)
	isText := func(r *compiledRule) bool { return !r.Frame }
	isFrame := func(r *compiledRule) bool { return r.Frame }
	isCounted := func(r *compiledRule) bool { return u.beforeNumber(&r.match) >= 0 }
	isNot := func(r *compiledRule) bool { return !isCounted(r) }
	c.indexes = [...]*ruleIndex{
		lineText:  newRuleIndex(&c.refs, c.rules, u.rarest, u, isText),
		lineFrame: newRuleIndex(&c.refs, c.rules, u.rarest, u, isFrame),
		lineCode:  newRuleIndex(&c.refs, nil, u.rarest, u, isText),
	}
	c.counted = newRuleIndex(&c.refs, c.measures, u.beforeNumber, u, isCounted)
	c.measured = newRuleIndex(&c.refs, c.measures, u.rarest, u, isNot)
	c.view.frames = wordsInFrames(len(comp.words), c.rules, c.measures)
	for _, w := range c.indexes[lineFrame].any {
		c.view.frames[w>>6] |= 1 << (w & 63)
	}
	c.met = make([]uint64, max(len(c.rules), len(c.measures)))
	c.view.present = make([]uint64, len(comp.words)/64+1)
	c.gate = newGate(comp, c.rules[len(all)-len(o.Rules):])
	return c, nil
}

// wordsInFrames returns the words with which patterns start that are looked for
// in frames: those of rules for them, and those of what a record must hold or
// must not.
func wordsInFrames(words int, all ...[]compiledRule) wordSet {
	s := make(wordSet, words/64+1)
	add := func(p *pattern) {
		for _, w := range p.elems[0].words {
			s[w>>6] |= 1 << (w & 63)
		}
	}
	for _, rules := range all {
		for i := range rules {
			r := &rules[i]
			if r.Frame {
				add(&r.match)
			}
			for k := range r.and {
				add(&r.and[k])
			}
			for k := range r.not {
				add(&r.not[k])
			}
		}
	}
	return s
}

func compileRules(comp *compiler, rules []Rule) ([]compiledRule, error) {
	out := make([]compiledRule, 0, len(rules))
	twins := map[string]int{}
	for n, r := range rules {
		cr := compiledRule{Rule: r, role: r.Role, twin: n}
		if first, ok := twins[r.Match]; ok {
			cr.twin = first
		} else {
			twins[r.Match] = n
		}
		var err error
		if cr.match, err = comp.compile(r.Match); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		if cr.and, err = comp.compileAll(r.And); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		if cr.not, err = comp.compileAll(r.Not); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.ID, err)
		}
		for _, s := range r.If {
			k, err := compileCondition(s)
			if err != nil {
				return nil, fmt.Errorf("rule %s: %w", r.ID, err)
			}
			cr.conds = append(cr.conds, k)
		}
		if r.Stage != "" && !r.Stage.Valid() {
			return nil, fmt.Errorf("rule %s: no stage %q", r.ID, r.Stage)
		}
		if cr.Rank == 0 {
			cr.Rank = RankPhase
		}
		if cr.Confidence == 0 {
			cr.Confidence = cr.Rank.confidence()
		}
		if cr.role == "" {
			cr.role = Cause
			if r.Stage == OuterCancelled {
				cr.role = Outer
			}
		}
		cr.wants = cr.match.wants(nil, 2)
		for k := range cr.and {
			cr.wants = cr.and[k].wants(cr.wants, 1)
		}
		slices.SortStableFunc(cr.wants, func(a, b []uint16) int { return len(a) - len(b) })
		out = append(out, cr)
	}
	return out, nil
}

func (c *compiler) compileAll(list []string) ([]pattern, error) {
	var out []pattern
	for _, s := range list {
		p, err := c.compile(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

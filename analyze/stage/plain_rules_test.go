package stage

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// plainMatch is a rule at a token, as the plain way finds it.
type plainMatch struct{ rule, token int }

// plainMatches tries every rule at every token.
func plainMatches(c *Classifier) (out []plainMatch) {
	v := &c.view
	for i := range v.tokens {
		for n := range c.rules {
			r := &c.rules[n]
			if k := v.tokens[i].lineKind; k == lineCode || r.Frame != (k == lineFrame) {
				continue
			}
			var caps captures
			if _, ok := r.match.match(v, i, 0, &caps); !ok {
				continue
			}
			holds := true
			for _, k := range r.conds {
				holds = holds && k.holds(&caps)
			}
			for k := range r.and {
				holds = holds && plainOccurs(v, &r.and[k])
			}
			for k := range r.not {
				holds = holds && !plainOccurs(v, &r.not[k])
			}
			if holds {
				out = append(out, plainMatch{n, i})
			}
		}
	}
	return out
}

func plainOccurs(v *view, p *pattern) bool {
	var caps captures
	for i := range v.tokens {
		if _, ok := p.match(v, i, 0, &caps); ok {
			return true
		}
	}
	return false
}

// plainBest returns the rule that decides, or -1: the highest rank, then the
// innermost; of those at one token the one that starts with a word alone, then
// with words beside each other, then with a class, and the first in the list.
func plainBest(c *Classifier, all []plainMatch) plainMatch {
	headOf := func(m plainMatch) int {
		p := &c.rules[m.rule].match
		if p.head > 0 {
			return min(p.head, 2)
		}
		return 3 + int(p.elems[0].class)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(x, y plainMatch) int {
		return cmp.Or(-cmp.Compare(min(c.rules[x.rule].Rank, rankChains-1), min(c.rules[y.rule].Rank, rankChains-1)), -cmp.Compare(x.token, y.token), cmp.Compare(headOf(x), headOf(y)), cmp.Compare(x.rule, y.rule))
	})
	best := plainMatch{-1, -1}
	candidateOf := func(m plainMatch) *candidate {
		return &candidate{rule: uint16(m.rule), start: int32(m.token), link: c.view.tokens[m.token].link}
	}
	for _, m := range all {
		if best.rule < 0 || c.stronger(candidateOf(m), candidateOf(best)) {
			best = m
		}
	}
	return best
}

// checkRules holds what the index finds against trying every rule everywhere.
func checkRules(t *testing.T, c *Classifier, text string) {
	v := &c.view
	v.text = []byte(text)
	c.read()
	if len(v.tokens) > 400 {
		return // too long for the plain way
	}
	want := plainMatches(c)
	best := plainBest(c, want)
	c.collect(true)
	var got []plainMatch
	for _, f := range c.found {
		got = append(got, plainMatch{int(f.rule), int(f.start)})
	}
	if v.steps < maxSteps/2 {
		return // the plain way spent them
	}
	order := func(x, y plainMatch) int { return cmp.Or(cmp.Compare(x.token, y.token), cmp.Compare(x.rule, y.rule)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(want, got) {
		t.Fatalf("%q: the index finds other rules than trying all:\n%s", text, gocmp.Diff(want, got, gocmp.AllowUnexported(plainMatch{})))
	}
	c.read()
	c.collect(false)
	one := plainMatch{-1, -1}
	if i := c.best(); i >= 0 {
		one = plainMatch{int(c.found[i].rule), int(c.found[i].start)}
	}
	if one != best {
		t.Fatalf("%q: decided by rule %v, want %v", text, one, best)
	}
}

func TestRulesArePlain(t *testing.T) {
	c, err := New(Options{Rules: []Rule{
		{ID: "own", Match: "fetch ** failed|timeout", Stage: BodyStalled, Rank: RankCode + 3},
		{ID: "own-above", Match: "timed out", Stage: Connect, Rank: 200},
		{ID: "own-below", Match: "{connect} ~ <elapsed:ms>", And: []string{"{timeout}"}, Stage: TLS, Rank: -7},
	}})
	if err != nil {
		t.Fatal(err)
	}
	texts := sampleTexts(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for range 1_500 {
		checkRules(t, c, disturb(r, texts))
	}
}

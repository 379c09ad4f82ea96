package fingerprint

import (
	"cmp"
	"slices"
	"strings"
)

// Learn decides which keys are of one family.
//
// In every round, for every key and every word of it, the keys that differ in
// that word alone are looked at together. Whether the word is a variable is
// decided from how many values it has, how many words around it stay the
// same, and whether the values look like names; see isVariable. Keys that
// share a variable become one pattern with <*> in its place, and the next
// round looks at the patterns. Each decision depends on the set of keys only,
// and all decisions of a round are taken before any is carried out.
func (f *Families) Learn() *FamilySet {
	keys := f.sorted()
	// patterns of the current round, and for every key its pattern.
	patterns := map[string]bool{}
	of := make([]string, len(keys))
	for i, k := range keys {
		of[i] = k.source + "\x00" + k.key
		patterns[of[i]] = true
	}
	s := &FamilySet{byKey: map[string]int{}, byHole: map[string]int{}, Dropped: f.dropped}
	var holes []map[string]string // of every round: hole to pattern
	for round := 0; round < maxRounds; round++ {
		next := learnRound(patterns)
		if len(next) == 0 {
			break
		}
		holes = append(holes, next)
		moved := map[string]bool{}
		for i := range of {
			of[i] = follow(of[i], next)
			moved[of[i]] = true
		}
		patterns = moved
	}
	place := s.build(keys, of)
	for r, round := range holes {
		for _, hole := range round {
			to := hole
			for _, later := range holes[r+1:] {
				to = follow(to, later)
			}
			s.byHole[hole] = place[to]
		}
	}
	return s
}

// maxRounds is how many words of one pattern can be found to vary.
const maxRounds = 4

func follow(p string, next map[string]string) string {
	if to, ok := next[p]; ok {
		return to
	}
	return p
}

// group is the patterns that differ in one word.
type group struct {
	hole    string
	values  []string
	members []string
	shared  int // constant words around the hole
}

// learnRound returns, for every pattern that changes, what it becomes.
func learnRound(patterns map[string]bool) map[string]string {
	var varying []*group
	for _, g := range groupsOf(patterns) {
		if isVariable(g) {
			varying = append(varying, g)
		}
	}
	// A pattern may be a member of several groups that vary; it goes with the
	// one of most values, then the one whose hole sorts first.
	slices.SortFunc(varying, func(a, b *group) int {
		return cmp.Or(cmp.Compare(len(b.values), len(a.values)), strings.Compare(a.hole, b.hole))
	})
	next := map[string]string{}
	for _, g := range varying {
		for _, m := range g.members {
			if _, taken := next[m]; !taken && m != g.hole {
				next[m] = g.hole
			}
		}
	}
	return next
}

// groupsOf finds the groups of at least two patterns. Holes are counted by
// hash first, so that memory is spent on those alone that several share.
func groupsOf(patterns map[string]bool) map[uint64]*group {
	counts := map[uint64]uint8{}
	for p := range patterns {
		eachHole(p, func(h uint64, _ []string, _, _ int) {
			if counts[h] < 2 {
				counts[h]++
			}
		})
	}
	groups := map[uint64]*group{}
	for p := range patterns {
		eachHole(p, func(h uint64, words []string, i, shared int) {
			if counts[h] < 2 {
				return
			}
			g := groups[h]
			if g == nil {
				source, _, _ := strings.Cut(p, "\x00")
				g = &group{hole: source + "\x00" + withHole(words, i), shared: shared}
				groups[h] = g
			}
			g.values = append(g.values, words[i])
			g.members = append(g.members, p)
		})
	}
	return groups
}

// eachHole calls f for every word of a pattern around which at least two
// constant words stay, with a hash of the pattern with that word open.
func eachHole(p string, f func(hash uint64, words []string, i, shared int)) {
	const base = 0x9e3779b97f4a7c15
	source, key, _ := strings.Cut(p, "\x00")
	words := strings.Split(key, " ")
	constant := 0
	for _, w := range words {
		if isConstantWord(w) {
			constant++
		}
	}
	if constant < 2 {
		return
	}
	// The hash is a polynomial in the words' hashes, so that opening one word
	// changes one term.
	whole, power := hash64(source)+uint64(len(words)), uint64(base)
	hashes := make([]uint64, len(words))
	for i, w := range words {
		hashes[i] = hash64(w)
		whole += hashes[i] * power
		power *= base
	}
	open := hash64(wildcard)
	power = base
	for i, w := range words {
		shared := constant
		if isConstantWord(w) {
			shared--
		}
		if shared >= 2 {
			f(whole+(open-hashes[i])*power, words, i, shared)
		}
		power *= base
	}
}

// isConstantWord reports whether a word has letters of its own.
func isConstantWord(w string) bool {
	rest := strings.ReplaceAll(w, wildcard, "")
	for i := 0; i < len(rest); i++ {
		if isLetter(rest[i]) || rest[i] >= 0x80 {
			return true
		}
	}
	return false
}

// isVariable decides whether the word in which the members of a group differ
// is a variable.
func isVariable(g *group) bool {
	names := 0
	open := false
	for _, v := range g.values {
		switch {
		case strings.Contains(v, wildcard) && !isConstantWord(v):
			open = true
			names++
		case looksLikeName(v):
			names++
		}
	}
	n := len(g.values)
	switch {
	case open && names == n:
		return true
	case names == n:
		return n+g.shared >= 6
	case n >= 3:
		return g.shared >= 5
	}
	return false
}

// looksLikeName reports whether a word is an identifier rather than a word of
// a sentence: it has a capital, a digit, a full stop, a hyphen or an
// underscore inside.
func looksLikeName(w string) bool {
	w = strings.Trim(w, ".,:;!?()[]{}\"'")
	for i := 1; i < len(w); i++ {
		c := w[i]
		if isDigit(c) || c == '_' || c == '.' || c == '@' || c >= 'A' && c <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// build makes the families of the keys and their patterns and returns where
// the family of each pattern is.
func (s *FamilySet) build(keys []*familyKey, of []string) map[string]int {
	index := map[string]int{}
	for i, k := range keys {
		j, ok := index[of[i]]
		if !ok {
			source, pattern, _ := strings.Cut(of[i], "\x00")
			j = len(s.families)
			index[of[i]] = j
			s.families = append(s.families, Family{ID: familyID(source, pattern), Source: source, Pattern: pattern, Template: k.template})
		}
		fam := &s.families[j]
		fam.Templates++
		fam.Records += k.records
		if fam.Templates > 1 || k.template != k.lastTemplate {
			fam.Template = fam.Pattern
		}
	}
	slices.SortFunc(s.families, func(a, b Family) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Source, b.Source), strings.Compare(a.Pattern, b.Pattern))
	})
	place := map[string]int{}
	for i := range s.families {
		place[s.families[i].Source+"\x00"+s.families[i].Pattern] = i
	}
	for i, k := range keys {
		s.byKey[k.source+"\x00"+k.key] = place[of[i]]
	}
	return place
}

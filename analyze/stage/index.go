package stage

import (
	"slices"
	"sort"
)

// ruleRef is what is asked before a rule's pattern is tried, kept together and
// small because most rules fail it.
type ruleRef struct {
	mask   uint64    // classes that must follow on the line
	record uint64    // classes that must occur in the record
	needs  [2]uint16 // sets of words of which one each must follow on the line; 0 asks nothing
	rule   uint16
	order  uint16 // place among the index' rules
	rank   int8   // chain of the rule's rank
}

// startIndex lists rules by what their patterns start with: words that stand
// beside each other, or a phrase of a class.
type startIndex struct {
	trie
	heads [][]ruleRef // by node: rules whose first words end there, or at a node of two words or more before it
	class [][]ruleRef // by class
}

// maxHead bounds the ways to write a pattern's first words by which it is
// indexed; words after those are found by trying.
const maxHead = 96

// newStartIndex indexes those of the rules that are for frames, or those that
// are not, the strongest first.
func newStartIndex(rules []compiledRule, needs *needTable, words int, frames bool) startIndex {
	x := startIndex{trie: newTrie(), class: make([][]ruleRef, len(lexicon))}
	var order []int
	for i := range rules {
		if rules[i].Frame == frames {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return rules[order[a]].Rank > rules[order[b]].Rank })
	for n, i := range order {
		x.add(&rules[i], ruleRef{rule: uint16(i), order: uint16(n)}, needs)
	}
	x.finish(words)
	x.heads = append(x.heads, make([][]ruleRef, len(x.inner)-len(x.heads))...)
	next := map[uint16][]uint16{}
	for _, e := range x.edges {
		if e.to != 0 {
			next[uint16(e.key>>16)] = append(next[uint16(e.key>>16)], e.to)
		}
	}
	for _, n := range x.start {
		x.inherit(next, n, nil)
	}
	return x
}

// inherit gives the nodes behind node n what was found on the way to them, in
// the order of the rules: of rules that are equally strong the first counts.
func (x *startIndex) inherit(next map[uint16][]uint16, n uint16, found []ruleRef) {
	for _, to := range next[n] {
		refs := append(slices.Clone(x.heads[to]), found...)
		slices.SortStableFunc(refs, func(a, b ruleRef) int { return int(a.order) - int(b.order) })
		x.heads[to] = refs
		x.inherit(next, to, refs)
	}
}

func (x *startIndex) add(r *compiledRule, ref ruleRef, needs *needTable) {
	p := &r.match
	ref.mask, ref.rank = p.later(), int8(min(max(int(r.Rank), 0), rankChains-1))
	for k := range r.and {
		ref.record |= r.and[k].mask
	}
	ref.needs = needs.rarest(p)
	if p.head == 0 {
		class := p.elems[0].class
		x.class[class] = append(x.class[class], ref)
		return
	}
	at := []uint16{0}
	for _, e := range p.elems[:p.head] {
		var next []uint16
		for _, w := range e.words {
			for _, n := range at {
				next = append(next, x.grow(n, w))
			}
		}
		at = next
	}
	for len(x.heads) < len(x.inner) {
		x.heads = append(x.heads, nil)
	}
	for i, n := range at {
		if !slices.Contains(at[:i], n) { // an alternative may be written twice
			x.heads[n] = append(x.heads[n], ref)
		}
	}
}

// headLen returns how many of the pattern's elements are words that stand
// beside each other from the first on, as far as they are indexed.
func (p *pattern) headLen() int {
	n, ways := 0, 1
	for n < len(p.elems) && p.elems[n].kind == elemWords && (n == 0 || p.elems[n].gap == gapNone) {
		if ways *= len(p.elems[n].words); ways > maxHead && n > 0 {
			break
		}
		n++
	}
	return n
}

// needTable numbers the sets of words that patterns need, and says of each word
// in which of them it is. Number 0 is no set.
type needTable struct {
	numbers map[string]uint16
	of      [][]uint16 // by word
	uses    []int      // by word: how often rules name it, which they do with words that are common
}

// newNeedTable counts how often each word is in the patterns of the rules.
func newNeedTable(words int, all ...[]compiledRule) *needTable {
	t := &needTable{numbers: map[string]uint16{}, of: make([][]uint16, words+1), uses: make([]int, words+1)}
	for _, rules := range all {
		for i := range rules {
			for _, e := range rules[i].match.elems {
				for _, w := range e.words {
					t.uses[w]++
				}
			}
		}
	}
	return t
}

// rarest returns the numbers of the two sets of words, of those behind the
// pattern's head, that are likely to be met least.
func (t *needTable) rarest(p *pattern) (out [2]uint16) {
	var sets [2][]uint16
	var uses [2]int
	for i := max(p.head, 1); i < len(p.elems); i++ {
		words := p.elems[i].words
		if words == nil {
			continue
		}
		sum := 0
		for _, w := range words {
			sum += t.uses[w]
		}
		switch {
		case sets[0] == nil || sum < uses[0]:
			sets[1], uses[1] = sets[0], uses[0]
			sets[0], uses[0] = words, sum
		case sets[1] == nil || sum < uses[1]:
			sets[1], uses[1] = words, sum
		}
	}
	for k, s := range sets {
		out[k] = t.number(s)
	}
	return out
}

// number returns the number of a set, or 0 for none.
func (t *needTable) number(words []uint16) uint16 {
	if words == nil {
		return 0
	}
	key := make([]byte, 0, 2*len(words))
	for _, w := range words {
		key = append(key, byte(w), byte(w>>8))
	}
	n, ok := t.numbers[string(key)]
	if !ok {
		n = uint16(len(t.numbers) + 1)
		t.numbers[string(key)] = n
		for _, w := range words {
			if !slices.Contains(t.of[w], n) {
				t.of[w] = append(t.of[w], n)
			}
		}
	}
	return n
}

package stage

import "sort"

// ruleRef is what is asked before a rule's pattern is tried, kept together and
// small because most rules fail it.
type ruleRef struct {
	mask     uint64 // classes that must follow on the line
	record   uint64 // classes that must occur in the record
	from, to uint16 // range of the index' words of which one must follow on the line; an empty one asks nothing
	rule     uint16
	rank     int8 // chain of the rule's rank
}

// startIndex lists rules by what their patterns start with: two words that
// stand beside each other, one word, or a phrase of a class.
type startIndex struct {
	word, class [][]ruleRef
	pairs       []pairRefs // open addressing by the hash of the pair
	shift       uint8
	starts      wordSet  // words that start a pair
	words       []uint16 // backs the ranges of the refs
}

// pairRefs are the rules that start with a pair of words.
type pairRefs struct {
	pair uint32 // 0 is free
	refs []ruleRef
}

func pairOf(first, second uint16) uint32 { return uint32(first)<<16 | uint32(second) }

// slot returns where the pair is, or where it would be.
func (x *startIndex) slot(pair uint32) *pairRefs {
	for s := pair * 2654435761 >> x.shift; ; s = (s + 1) & uint32(len(x.pairs)-1) {
		if p := &x.pairs[s]; p.pair == pair || p.pair == 0 {
			return p
		}
	}
}

// newStartIndex indexes those of the rules that are for frames, or those that
// are not, the strongest first.
func newStartIndex(rules []compiledRule, words int, frames bool) startIndex {
	x := startIndex{word: make([][]ruleRef, words+1), class: make([][]ruleRef, len(lexicon)), shift: 32 - 6, starts: make(wordSet, words/64+1)}
	var order []int
	pairs := 0
	for i := range rules {
		if rules[i].Frame != frames {
			continue
		}
		order = append(order, i)
		if first, second := rules[i].match.pair(); second != nil {
			pairs += len(first) * len(second)
		}
	}
	for 1<<(32-x.shift) < 3*pairs {
		x.shift--
	}
	x.pairs = make([]pairRefs, 1<<(32-x.shift))
	sort.SliceStable(order, func(a, b int) bool { return rules[order[a]].Rank > rules[order[b]].Rank })
	for _, i := range order {
		x.add(&rules[i], uint16(i))
	}
	return x
}

func (x *startIndex) add(r *compiledRule, n uint16) {
	ref := ruleRef{mask: r.match.later(), rank: int8(min(max(int(r.Rank), 0), rankChains-1)), rule: n, from: uint16(len(x.words))}
	x.words = append(x.words, r.match.rarestWords()...)
	ref.to = uint16(len(x.words))
	for k := range r.and {
		ref.record |= r.and[k].mask
	}
	first, second := r.match.pair()
	if first == nil {
		class := r.match.elems[0].class
		x.class[class] = append(x.class[class], ref)
	}
	for _, w := range first {
		if second == nil {
			x.word[w] = append(x.word[w], ref)
			continue
		}
		x.starts[w>>6] |= 1 << (w & 63)
		for _, next := range second {
			p := x.slot(pairOf(w, next))
			p.pair, p.refs = pairOf(w, next), append(p.refs, ref)
		}
	}
}

// pair returns the words that the pattern can start with, or nil if it starts
// with a class, and those that must stand beside them, or nil.
func (p *pattern) pair() (first, second []uint16) {
	if p.elems[0].kind != elemWords {
		return nil, nil
	}
	if len(p.elems) > 1 && p.elems[1].gap == gapNone {
		second = p.elems[1].words
	}
	return p.elems[0].words, second
}

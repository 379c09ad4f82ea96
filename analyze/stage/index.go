package stage

import "slices"

// anchored is a rule at the element of its pattern that is met least, and what
// is asked before the pattern is tried. It is small because most rules fail it.
type anchored struct {
	mask  uint64    // classes that must occur in the record
	words [2]uint16 // words that must occur in the record; 0 asks nothing
	near  [2]uint16 // words that must stand before and behind the element; 0 asks nothing
	rule  uint16
	order uint16 // place among the index' rules
	rank  int8   // chain of the rule's rank
	back  int8   // tokens from the element back to the pattern's start, or further if it is not known
	group uint8  // what the pattern starts with, see group
}

// aNumber as a word that must stand behind an element is any number.
const aNumber = 1<<16 - 1

// further as anchored.back says that the pattern starts anywhere before the
// element on its line.
const further = -1

// ruleIndex lists each rule once, by the word or the class in its pattern that
// is likely to be met least: what a record does not hold costs nothing.
type ruleIndex struct {
	words   []uint32 // by word: where its refs start; they end where the next word's start
	class   [64]struct{ from, to uint32 }
	classes uint64   // those that have refs
	any     []uint16 // the words that have refs
}

// usage is how often words and classes are in patterns, which is about how
// often they are met in records of failures: classes of many phrases more so.
type usage struct{ words, classes []int }

// classWeight is how much more often a class is met than a word that is in as
// many patterns.
const classWeight = 10

func newUsage(words int, all ...[]compiledRule) *usage {
	u := &usage{words: make([]int, words+1), classes: make([]int, len(lexicon))}
	for _, rules := range all {
		for i := range rules {
			for k := range rules[i].match.elems {
				switch e := &rules[i].match.elems[k]; e.kind {
				case elemWords:
					for _, w := range e.words {
						u.words[w]++
					}
				case elemClass:
					u.classes[e.class] += classWeight
				}
			}
		}
	}
	return u
}

// of returns how often one of what an element asks for is met, more than
// anything for a number.
func (u *usage) of(e *elem) (n int) {
	switch e.kind {
	case elemWords:
		for _, w := range e.words {
			n += u.words[w]
		}
		return n
	case elemClass:
		return u.classes[e.class]
	}
	return 1 << 30
}

// rarest returns the place of the element that is met least. Few words of a
// record have a number behind them.
func (u *usage) rarest(p *pattern) int {
	at := func(k int) int {
		n := u.of(&p.elems[k])
		if p.beside(k)[1] == aNumber {
			n /= 8
		}
		return n
	}
	best := 0
	for k := range p.elems {
		if at(k) < at(best) {
			best = k
		}
	}
	return best
}

// others returns the two words alone, beside element n, that are met least.
func (u *usage) others(p *pattern, n int) (out [2]uint16) {
	for k := range p.elems {
		e := &p.elems[k]
		if k == n || e.kind != elemWords || len(e.words) != 1 {
			continue
		}
		switch w := e.words[0]; {
		case out[0] == 0 || u.words[w] < u.words[out[0]]:
			out[0], out[1] = w, out[0]
		case out[1] == 0 || u.words[w] < u.words[out[1]]:
			out[1] = w
		}
	}
	return out
}

// beside returns the words alone that must stand before and behind element n.
func (p *pattern) beside(n int) (near [2]uint16) {
	alone := func(k int) uint16 {
		if e := &p.elems[k]; e.kind == elemWords && len(e.words) == 1 {
			return e.words[0]
		}
		return 0
	}
	if n > 0 && p.elems[n].gap == gapNone {
		near[0] = alone(n - 1)
	}
	if n+1 < len(p.elems) && p.elems[n+1].gap == gapNone && p.elems[n].kind == elemWords {
		near[1] = alone(n + 1)
		if p.elems[n+1].kind == elemNumber {
			near[1] = aNumber
		}
	}
	return near
}

// beforeNumber returns the place of the rarest of the elements that are words
// with a number behind them, or -1: few words of a record are.
func (u *usage) beforeNumber(p *pattern) int {
	best := -1
	for k := range len(p.elems) - 1 {
		if p.beside(k)[1] == aNumber && (best < 0 || u.of(&p.elems[k]) < u.of(&p.elems[best])) {
			best = k
		}
	}
	return best
}

// newRuleIndex indexes the rules that are wanted by an element each, and appends
// what it has of them to refs. Of rules that are equally strong the first
// counts.
func newRuleIndex(refs *[]anchored, rules []compiledRule, element func(*pattern) int, u *usage, wanted func(*compiledRule) bool) *ruleIndex {
	words := make([][]anchored, len(u.words))
	classes := make([][]anchored, len(lexicon))
	var order []int
	for i := range rules {
		if wanted(&rules[i]) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(rules[b].Rank) - int(rules[a].Rank) })
	for n, i := range order {
		r := &rules[i]
		p := &r.match
		at := element(p)
		ref := anchored{mask: p.mask, words: u.others(p, at), near: p.beside(at), rule: uint16(i), order: uint16(n), rank: int8(min(max(int(r.Rank), 0), rankChains-1)), back: further, group: p.group()}
		for k := range r.and {
			ref.mask |= r.and[k].mask
		}
		if at < max(p.head, 1) {
			ref.back = int8(at)
		}
		switch e := &p.elems[at]; e.kind {
		case elemWords:
			for k, w := range e.words {
				if !slices.Contains(e.words[:k], w) { // an alternative may be written twice
					words[w] = append(words[w], ref)
				}
			}
		case elemClass:
			classes[e.class] = append(classes[e.class], ref)
		}
	}
	x := &ruleIndex{words: make([]uint32, len(u.words)+1)}
	for w, list := range words {
		x.words[w] = uint32(len(*refs))
		*refs = append(*refs, list...)
		if list != nil {
			x.any = append(x.any, uint16(w))
		}
	}
	x.words[len(words)] = uint32(len(*refs))
	for c, list := range classes {
		x.class[c].from = uint32(len(*refs))
		*refs = append(*refs, list...)
		x.class[c].to = uint32(len(*refs))
		if list != nil {
			x.classes |= 1 << c
		}
	}
	return x
}

// headLen returns how many of the pattern's elements are words that stand
// beside each other from the first on.
func (p *pattern) headLen() int {
	n := 0
	for n < len(p.elems) && p.elems[n].kind == elemWords && (n == 0 || p.elems[n].gap == gapNone) {
		n++
	}
	return n
}

// group orders the rules that match at one token and are equally strong: first
// those that start with a word alone, then those that start with words beside
// each other, then those that start with a class.
func (p *pattern) group() uint8 {
	if p.head == 0 {
		return 2 + p.elems[0].class
	}
	return uint8(min(p.head, 2) - 1)
}

package stage

import (
	"cmp"
	"slices"
)

// pending are the rules that may match, by rank: a chain for each rank, of
// which ranks beyond the last share one.
type pending struct {
	refs  []pendingRef
	first [rankChains]int32 // one more than an index into refs, 0 for none
	last  [rankChains]int32 // valid where there is a first
	ranks [rankChains / 64]uint64
}

const rankChains = 128

// pendingRef is a rule whose rarest element is met at a token.
type pendingRef struct {
	known int32 // place among the known tokens
	next  int32
	ref   uint32 // place in the index
}

// add puts a rule that may match into the chain of its rank.
func (p *pending) add(k int8, ref uint32, known int) {
	p.refs = append(p.refs, pendingRef{ref: ref, known: int32(known)})
	if n := int32(len(p.refs)); p.first[k] == 0 {
		p.first[k], p.last[k] = n, n
		p.ranks[k>>6] |= 1 << (k & 63)
	} else {
		p.refs[p.last[k]-1].next, p.last[k] = n, n
	}
}

func (p *pending) reset() {
	p.refs = p.refs[:0]
	for w, bits := range p.ranks {
		for ; bits != 0; bits &= bits - 1 {
			p.first[w<<6|trailingZeros(bits)] = 0
		}
		p.ranks[w] = 0
	}
}

// start is a token at which a rule may match. Keys put starts in order: by the
// token, and those of one token by what the rules' patterns start with.
type start struct {
	key   uint64
	token uint16
	rule  uint16
}

// sortStarts sorts by the keys; mostly there are few.
func sortStarts(list []start) {
	if len(list) > 16 {
		slices.SortFunc(list, func(a, b start) int { return cmp.Compare(a.key, b.key) })
		return
	}
	for n := 1; n < len(list); n++ {
		s, k := list[n], n
		for ; k > 0 && list[k-1].key > s.key; k-- {
			list[k] = list[k-1]
		}
		list[k] = s
	}
}

// collect gathers the rules that match: all of them, or only the strongest.
func (c *Classifier) collect(all bool) {
	c.found = c.found[:0]
	c.pending.reset()
	c.walks++
	c.tried.twin = -1
	v := &c.view
	for k := len(v.known) - 1; k >= 0; k-- {
		t := &v.tokens[v.known[k]]
		x := c.indexes[t.lineKind]
		if from, to := x.words[t.id], x.words[t.id+1]; from != to {
			c.meet(from, to, t, k)
		}
		for m := t.mask & x.classes; m != 0; m &= m - 1 {
			class := &x.class[trailingZeros(m)]
			c.meet(class.from, class.to, t, k)
		}
	}
	p := &c.pending
	for w := len(p.ranks) - 1; w >= 0; w-- {
		for bits := p.ranks[w]; bits != 0; {
			k := 63 - leadingZeros(bits)
			bits &^= 1 << k
			c.starts = c.starts[:0]
			for at := p.first[w<<6|k]; at != 0; at = p.refs[at-1].next {
				r := &p.refs[at-1]
				ref := &c.refs[r.ref]
				c.startsOf(ref, &c.rules[ref.rule], int(r.known), maxTokens)
			}
			sortStarts(c.starts)
			for n, s := range c.starts {
				if n > 0 && s == c.starts[n-1] || !all && c.outdone(s.rule, int(s.token)) {
					continue
				}
				c.try(s.rule, int(s.token))
			}
			if len(c.found) > 0 && !all {
				return
			}
		}
	}
}

// meet keeps those of some rules of an index whose rarest element is at a known
// token, and the rest of which is in the record.
func (c *Classifier) meet(from, to uint32, t *token, known int) {
	v := &c.view
	i := int(v.known[known])
	before, behind := v.beside(i)
	for n, refs := 0, c.refs[from:to]; n < len(refs); n++ {
		ref := &refs[n]
		if x, y := ref.near[0], ref.near[1]; x != 0 && x != before || y != 0 && y != behind && (behind != aNumber || y != v.tokens[i+1].id) {
			continue
		}
		if ref.mask&^v.mask != 0 || !v.holds(ref.words[0]) || !v.holds(ref.words[1]) {
			continue
		}
		if ref.back == further {
			// The last such element of a line speaks for all before it.
			met := c.walks<<16 | uint64(t.line)
			if c.met[ref.rule] == met {
				continue
			}
			c.met[ref.rule] = met
		}
		c.pending.add(ref.rank, from+uint32(n), known)
	}
}

// beside returns the words before and behind token i.
func (v *view) beside(i int) (before, behind uint16) {
	if i > 0 {
		before = v.tokens[i-1].id
	}
	if i+1 < len(v.tokens) {
		if t := &v.tokens[i+1]; t.kind == kindNumber || t.kind == kindSpan {
			behind = aNumber
		} else {
			behind = t.id
		}
	}
	return before, behind
}

// holds reports whether the word occurs in the record; word 0 always does.
func (v *view) holds(word uint16) bool { return v.present[word>>6]>>(word&63)&1 != 0 }

// startsOf notes the tokens at which a rule may start that has its rarest
// element at a known token. Starts are in order of the tokens, or against it if
// they are to be counted from the given token back.
func (c *Classifier) startsOf(ref *anchored, r *compiledRule, known, from int) {
	v := &c.view
	for _, words := range r.wants {
		if !v.hasOne(words) {
			return
		}
	}
	add := func(i int) {
		place := i
		if from > 0 {
			place = from - i
		}
		c.starts = append(c.starts, start{uint64(place)<<32 | uint64(ref.group)<<16 | uint64(ref.order), uint16(i), ref.rule})
	}
	i := int(v.known[known])
	if ref.back >= 0 {
		if i >= int(ref.back) {
			add(i - int(ref.back))
		}
		return
	}
	e, line := &r.match.elems[0], v.tokens[i].line
	for k := known - 1; k >= 0; k-- {
		i := int(v.known[k])
		t := &v.tokens[i]
		if t.line != line {
			break
		}
		if e.mayBe(t) {
			add(i)
		}
	}
}

// tried is what came of the last pattern: rules that differ in their conditions
// only follow each other.
type tried struct {
	twin, token int
	end         int
	ok          bool
	caps        captures
}

// outdone reports whether a rule that has matched, farther behind, is stronger
// than rule n at token i can be. Rules for frames are ordered otherwise.
func (c *Classifier) outdone(n uint16, i int) bool {
	if len(c.found) == 0 || c.rules[n].Frame {
		return false
	}
	for k := range c.found {
		f := &c.found[k]
		if r := &c.rules[f.rule]; r.Frame || r.Rank != c.rules[n].Rank || f.link < c.view.tokens[i].link {
			return false
		}
	}
	return true
}

// try notes rule n if it matches at token i, and reports whether it does.
func (c *Classifier) try(n uint16, i int) bool {
	r, v, m := &c.rules[n], &c.view, &c.tried
	if m.twin != r.twin || m.token != i {
		*m = tried{twin: r.twin, token: i}
		m.end, m.ok = r.match.match(v, i, 0, &m.caps)
	}
	if !m.ok {
		return false
	}
	for _, k := range r.conds {
		if !k.holds(&m.caps) {
			return false
		}
	}
	if !c.beside(n) {
		return false
	}
	c.found = append(c.found, candidate{rule: n, start: int32(i), end: int32(m.end), link: v.tokens[i].link, caps: m.caps})
	return true
}

// The answers of beside, kept while one record is read.
const (
	besideUnknown uint8 = iota
	besideHolds
	besideFails
)

// beside reports whether what rule n asks of the rest of the record holds.
func (c *Classifier) beside(n uint16) bool {
	r := &c.rules[n]
	if len(r.and) == 0 && len(r.not) == 0 {
		return true
	}
	if c.asked[n] == besideUnknown {
		c.asked[n] = besideHolds
		for k := range r.and {
			if !c.occurs(&r.and[k]) {
				c.asked[n] = besideFails
			}
		}
		for k := range r.not {
			if c.occurs(&r.not[k]) {
				c.asked[n] = besideFails
			}
		}
	}
	return c.asked[n] == besideHolds
}

// hasOne reports whether one of the words occurs in the record.
func (v *view) hasOne(words []uint16) bool {
	for _, w := range words {
		if v.present[w>>6]&(1<<(w&63)) != 0 {
			return true
		}
	}
	return words == nil
}

// occurs reports whether a pattern matches anywhere in the view.
func (c *Classifier) occurs(p *pattern) bool {
	v := &c.view
	if p.mask&^v.mask != 0 {
		return false
	}
	for i := range p.elems {
		if !v.hasOne(p.elems[i].words) {
			return false
		}
	}
	var caps captures
	e := &p.elems[0]
	for _, i := range v.known {
		if !e.mayBe(&v.tokens[i]) {
			continue
		}
		if _, ok := p.match(v, int(i), 0, &caps); ok {
			return true
		}
	}
	return false
}

// best returns the index of the strongest candidate, or -1: the highest rank,
// then the innermost.
func (c *Classifier) best() int {
	best := -1
	for i := range c.found {
		if best < 0 || c.stronger(&c.found[i], &c.found[best]) {
			best = i
		}
	}
	return best
}

// bestOf is best among the candidates whose rule is wanted.
func (c *Classifier) bestOf(want func(*compiledRule) bool) int {
	best := -1
	for i := range c.found {
		if want(&c.rules[c.found[i].rule]) && (best < 0 || c.stronger(&c.found[i], &c.found[best])) {
			best = i
		}
	}
	return best
}

func (c *Classifier) stronger(x, y *candidate) bool {
	rx, ry := &c.rules[x.rule], &c.rules[y.rule]
	if rx.Rank != ry.Rank {
		return rx.Rank > ry.Rank
	}
	if x.link != y.link {
		return x.link > y.link
	}
	if rx.Frame {
		// Frames are printed innermost first, except by Python.
		return (x.start < y.start) != c.view.python && x.start != y.start
	}
	return x.start > y.start
}

package stage

// pending are the rules that may match, by rank: a chain for each rank, of
// which ranks beyond the last share one.
type pending struct {
	refs  []pendingRef
	first [rankChains]int32 // one more than an index into refs, 0 for none
	last  [rankChains]int32 // valid where there is a first
	ranks [rankChains / 64]uint64
}

const rankChains = 128

type pendingRef struct {
	token int32
	next  int32
	rule  uint16
}

// add puts a rule that may match at a token into the chain of its rank.
func (p *pending) add(k int8, rule uint16, token int) {
	p.refs = append(p.refs, pendingRef{rule: rule, token: int32(token)})
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

// later is what follows on a line behind a token: the tokens are walked from
// the last to the first, because a pattern needs its further words to come.
type later struct {
	needs   []uint64   // bit set of the index' sets of words of which one follows; bit 0 is set
	of      [][]uint16 // by word: the sets it is in
	classes uint64
	number  bool
	line    int32
}

// reset starts a walk, or a line.
func (l *later) reset(line int32) {
	clear(l.needs)
	l.needs[0] = 1
	l.classes, l.number, l.line = 0, false, line
}

// pass adds t to what follows the tokens before it.
func (l *later) pass(t *token) {
	l.classes |= t.mask
	for _, n := range l.of[t.id] {
		l.needs[n>>6] |= 1 << (n & 63)
	}
	l.number = l.number || t.kind == kindNumber || t.kind == kindSpan
}

// has reports whether one word of each set follows.
func (l *later) has(needs [2]uint16) bool {
	x, y := needs[0], needs[1]
	return l.needs[x>>6]>>(x&63)&(l.needs[y>>6]>>(y&63))&1 != 0
}

// collect gathers the rules that match: all of them, or only the strongest.
func (c *Classifier) collect(all bool) {
	c.found = c.found[:0]
	c.pending.reset()
	v := &c.view
	v.later.reset(-1)
	for k := len(v.known) - 1; k >= 0; k-- {
		i := int(v.known[k])
		t := &v.tokens[i]
		if t.lineKind == lineCode {
			continue
		}
		if t.line != v.later.line {
			v.later.reset(t.line)
		}
		if t.id != 0 || t.mask != 0 {
			x := &c.texts
			if t.lineKind == lineFrame {
				x = &c.frames
			}
			c.mayStart(x, t, i)
		}
		v.later.pass(t)
	}
	p := &c.pending
	for w := len(p.ranks) - 1; w >= 0; w-- {
		for bits := p.ranks[w]; bits != 0; {
			k := 63 - leadingZeros(bits)
			bits &^= 1 << k
			for at := p.first[w<<6|k]; at != 0; at = p.refs[at-1].next {
				c.try(p.refs[at-1].rule, int(p.refs[at-1].token))
			}
			if len(c.found) > 0 && !all {
				return
			}
		}
	}
}

// mayStart keeps those of the index' rules that can start at token i.
func (c *Classifier) mayStart(x *startIndex, t *token, i int) {
	v := &c.view
	if n := x.start[t.id]; n != 0 {
		if refs := x.heads[n]; refs != nil {
			c.mayMatch(refs, i)
		}
		first := n
		for j := i + 1; x.inner[n] && j < len(v.tokens) && v.tokens[j].id != 0 && v.tokens[j].line == t.line; j++ {
			next := x.step(n, v.tokens[j].id)
			if next == 0 {
				break
			}
			n = next
		}
		if n != first && x.heads[n] != nil {
			c.mayMatch(x.heads[n], i)
		}
	}
	for m := t.mask; m != 0; m &= m - 1 {
		if refs := x.class[trailingZeros(m)]; refs != nil {
			c.mayMatch(refs, i)
		}
	}
}

// mayMatch keeps those of the rules whose further words follow token i.
func (c *Classifier) mayMatch(refs []ruleRef, i int) {
	v := &c.view
	l := &v.later
	for k := range refs {
		ref := &refs[k]
		if ref.mask&^l.classes == 0 && ref.record&^v.mask == 0 && l.has(ref.needs) {
			c.pending.add(ref.rank, ref.rule, i)
		}
	}
}

// try notes rule n if it matches at token i, and reports whether it does.
func (c *Classifier) try(n uint16, i int) bool {
	r, v := &c.rules[n], &c.view
	var caps captures
	end, ok := r.match.matchHead(v, i, &caps)
	if !ok {
		return false
	}
	for _, k := range r.conds {
		if !k.holds(&caps) {
			return false
		}
	}
	if !c.beside(n) {
		return false
	}
	c.found = append(c.found, candidate{rule: n, start: int32(i), end: int32(end), link: v.tokens[i].link, caps: caps})
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
	var caps captures
	e := &p.elems[0]
	if !v.hasOne(e.words) {
		return false
	}
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

// measure fills the numbers that the deciding rule did not keep; what stands
// first counts.
func (c *Classifier) measure(caps *captures) {
	v := &c.view
	if !v.numbers {
		return
	}
	c.pending.reset()
	v.later.reset(-1)
	for k := len(v.known) - 1; k >= 0; k-- {
		i := int(v.known[k])
		t := &v.tokens[i]
		if t.lineKind != lineText {
			continue
		}
		if t.line != v.later.line {
			v.later.reset(t.line)
		}
		if v.later.number && (t.id != 0 || t.mask != 0) {
			c.mayStart(&c.measured, t, i)
		}
		if t.id == c.settle.elapsed {
			v.elapsedBefore(i, caps)
		}
		if t.kind == kindNumber {
			v.partOf(c.settle.of, i, caps)
		}
		v.later.pass(t)
	}
	refs := c.pending.refs
	for end := len(refs); end > 0; {
		start := end - 1
		for start > 0 && refs[start-1].token == refs[start].token {
			start--
		}
		for _, r := range refs[start:end] {
			c.take(r.rule, int(r.token), caps)
		}
		end = start
	}
}

// partOf keeps a part and a whole that stand at token i and name a unit of
// size: 12.5MB of 100MB, 1.2 of 4 GiB, 12345/100000 bytes.
func (v *view) partOf(of uint16, i int, caps *captures) {
	t := &v.tokens[i]
	part, end, ok := v.quantity(i, fieldReceived, "")
	if !ok || end >= len(v.tokens) || v.tokens[end].line != t.line {
		return
	}
	stated := t.unitEnd > t.end || end > i+1
	switch next := &v.tokens[end]; {
	case next.id == of && end+1 < len(v.tokens):
		end++
	case v.tokens[end-1].post == '/' && next.start == v.tokens[end-1].unitEnd+1:
	default:
		return
	}
	whole, after, ok := v.withUnit(end, fieldDeclared)
	if !ok || caps.has[fieldReceived] || caps.has[fieldDeclared] {
		return
	}
	if bare, ok := parseNumber(v.word(end)); ok && !stated && bare > 0 {
		part *= whole / bare // the unit stands behind the whole only
	}
	if after > end && part <= whole {
		caps.has[fieldReceived], caps.value[fieldReceived] = true, part
		caps.has[fieldDeclared], caps.value[fieldDeclared] = true, whole
	}
}

// elapsedBefore keeps the time that stands before the word elapsed at token i.
func (v *view) elapsedBefore(i int, caps *captures) {
	for j := i - 1; j >= 0 && j >= i-2 && v.tokens[j].line == v.tokens[i].line && !caps.has[fieldElapsed]; j-- {
		if x, end, ok := v.quantity(j, fieldElapsed, ""); ok && end == i && (j == 0 || !equalLower(v.word(j-1), "timeout")) {
			caps.has[fieldElapsed], caps.value[fieldElapsed] = true, x
		}
	}
}

// take keeps the numbers that measure n reads at token i.
func (c *Classifier) take(n uint16, i int, caps *captures) {
	r := &c.measures[n]
	var got captures
	if _, ok := r.match.matchHead(&c.view, i, &got); !ok {
		return
	}
	for _, k := range r.conds {
		if !k.holds(&got) {
			return
		}
	}
	for k := range r.not {
		if c.occurs(&r.not[k]) {
			return
		}
	}
	if got.has[fieldAfter] {
		// A clock prints its bound, which people write in whole seconds; a
		// stopwatch prints what it measured.
		f, other := fieldElapsed, fieldBudget
		if x := got.value[fieldAfter]; x >= 1e9 && x == float64(int64(x/1e9))*1e9 {
			f, other = fieldBudget, fieldElapsed
		}
		if !caps.has[f] && !caps.has[other] {
			caps.has[f], caps.value[f] = true, got.value[fieldAfter]
		}
		got.has[fieldAfter] = false
	}
	for f := range got.has {
		if got.has[f] && !caps.has[f] {
			caps.has[f], caps.value[f] = true, got.value[f]
		}
	}
}

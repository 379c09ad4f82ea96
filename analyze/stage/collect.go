package stage

import "slices"

// collect gathers the rules that match: all of them, or only those that are
// not weaker than one that was found before them.
func (c *Classifier) collect(all bool) {
	c.found = c.found[:0]
	v := &c.view
	floor := Rank(0)
	for i := range v.tokens {
		t := &v.tokens[i]
		if t.lineKind == lineCode {
			continue
		}
		if t.id != 0 {
			floor = c.tryAll(c.byWord[t.id], i, floor, all)
		}
		for m := t.mask; m != 0; m &= m - 1 {
			floor = c.tryAll(c.byClass[trailingZeros(m)], i, floor, all)
		}
	}
}

// tryAll tries rules, strongest first, at token i.
func (c *Classifier) tryAll(rules []ruleRef, i int, floor Rank, all bool) Rank {
	v := &c.view
	frame := v.tokens[i].lineKind == lineFrame
	var next uint16
	if i+1 < len(v.tokens) {
		next = v.tokens[i+1].id
	}
	for k := range rules {
		ref := &rules[k]
		if ref.rank < floor && !all {
			break
		}
		if ref.mask&^v.mask == 0 && ref.frame == frame && (ref.next == nil || slices.Contains(ref.next, next)) && v.hasOne(ref.needs) && c.try(ref.rule, i) {
			floor = max(floor, ref.rank)
		}
	}
	return floor
}

// try notes rule n if it matches at token i, and reports whether it does.
func (c *Classifier) try(n uint16, i int) bool {
	r, v := &c.rules[n], &c.view
	var caps captures
	end, ok := r.match.match(v, i, 0, &caps)
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
	for i := range v.tokens {
		if _, ok := p.match(v, i, 0, &caps); ok {
			return true
		}
	}
	return false
}

// best returns the index of the strongest candidate whose rule is wanted, or
// -1: the highest rank, then the innermost.
func (c *Classifier) best(want func(*compiledRule) bool) int {
	best := -1
	for i := range c.found {
		if !want(&c.rules[c.found[i].rule]) {
			continue
		}
		if best < 0 || c.stronger(&c.found[i], &c.found[best]) {
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

// measure fills the numbers that the deciding rule did not keep.
func (c *Classifier) measure(caps *captures) {
	v := &c.view
	for i := range v.tokens {
		t := &v.tokens[i]
		if t.lineKind != lineText {
			continue
		}
		if t.id != 0 {
			if t.id == c.settle.elapsed {
				v.elapsedBefore(i, caps)
			}
			for k := range c.measureW[t.id] {
				c.take(&c.measureW[t.id][k], i, caps)
			}
		}
		for m := t.mask; m != 0; m &= m - 1 {
			refs := c.measureC[trailingZeros(m)]
			for k := range refs {
				c.take(&refs[k], i, caps)
			}
		}
	}
}

// elapsedBefore keeps the time that stands before the word elapsed at token i.
func (v *view) elapsedBefore(i int, caps *captures) {
	for j := i - 1; j >= 0 && j >= i-2 && v.tokens[j].line == v.tokens[i].line && !caps.has[fieldElapsed]; j-- {
		if x, end, ok := v.quantity(j, fieldElapsed, ""); ok && end == i {
			caps.has[fieldElapsed], caps.value[fieldElapsed] = true, x
		}
	}
}

// take keeps the numbers that a measure reads at token i.
func (c *Classifier) take(ref *ruleRef, i int, caps *captures) {
	if ref.mask&^c.view.mask != 0 || !c.view.hasOne(ref.needs) {
		return
	}
	if ref.next != nil && (i+1 >= len(c.view.tokens) || !slices.Contains(ref.next, c.view.tokens[i+1].id)) {
		return
	}
	r := &c.measures[ref.rule]
	var got captures
	if _, ok := r.match.match(&c.view, i, 0, &got); !ok {
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

package stage

// measure fills the numbers that the deciding rule did not keep; what stands
// first counts.
func (c *Classifier) measure(caps *captures) {
	v := &c.view
	if !v.numbers {
		return
	}
	c.pending.reset()
	c.walks++
	all := c.measured.classes&v.mask != 0 || c.measured.any != nil && v.hasOne(c.measured.any)
	for k := len(v.known) - 1; k >= 0; k-- {
		i := int(v.known[k])
		t := &v.tokens[i]
		if t.lineKind != lineText {
			continue
		}
		if t.kind == kindNumber || t.kind == kindSpan {
			if t.kind == kindNumber {
				v.partOf(c.settle.of, i, caps)
			}
			if i > 0 && k > 0 && int(v.known[k-1]) == i-1 {
				c.meetMeasures(c.counted, &v.tokens[i-1], k-1)
			}
		} else if t.id == c.settle.elapsed {
			v.elapsedBefore(i, caps)
		}
		if all {
			c.meetMeasures(c.measured, t, k)
		}
	}
	c.starts = c.starts[:0]
	for _, r := range c.pending.refs {
		ref := &c.refs[r.ref]
		if m := &c.measures[ref.rule]; m.match.adds(caps) {
			c.startsOf(ref, m, int(r.known), 0)
		}
	}
	sortStarts(c.starts)
	for n, s := range c.starts {
		if n == 0 || s != c.starts[n-1] {
			c.take(s.rule, int(s.token), caps)
		}
	}
}

// meetMeasures keeps those of the index' measures that may match at token t.
func (c *Classifier) meetMeasures(x *ruleIndex, t *token, known int) {
	c.meet(x.words[t.id], x.words[t.id+1], t, known)
	for m := t.mask & x.classes; m != 0; m &= m - 1 {
		class := &x.class[trailingZeros(m)]
		c.meet(class.from, class.to, t, known)
	}
}

// partOf keeps a part and a whole that stand at token i and name a unit of
// size: 12.5MB of 100MB, 1.2 of 4 GiB, 12345/100000 bytes.
func (v *view) partOf(of uint16, i int, caps *captures) {
	t := &v.tokens[i]
	if caps.has[fieldReceived] || caps.has[fieldDeclared] || !v.dividesAt(of, i) {
		return
	}
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
	if !ok {
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

// dividesAt reports whether behind the number at token i, or behind the word
// after it, stands what divides a part from a whole, and a size behind that.
// Few numbers have it.
func (v *view) dividesAt(of uint16, i int) bool {
	for last := i; last+1 < len(v.tokens); {
		next := &v.tokens[last+1]
		if next.line != v.tokens[i].line {
			return false
		}
		if next.id == of && v.mayState(last+2, fieldDeclared) || v.tokens[last].post == '/' && v.mayState(last+1, fieldDeclared) {
			return true
		}
		if last > i || next.kind != kindWord {
			return false
		}
		_, last = v.joined(i + 1)
	}
	return false
}

// mayState reports whether token i may be a number that states a unit.
func (v *view) mayState(i int, f field) bool {
	if i >= len(v.tokens) || v.tokens[i].kind != kindNumber {
		return false
	}
	if t := &v.tokens[i]; t.unitEnd > t.end {
		return f.mayBe(v.text[t.end])
	}
	return i+1 < len(v.tokens) && v.tokens[i+1].kind == kindWord && f.mayBe(v.text[v.tokens[i+1].start])
}

// elapsedBefore keeps the time that stands before the word elapsed at token i.
func (v *view) elapsedBefore(i int, caps *captures) {
	for j := i - 1; j >= 0 && j >= i-2 && v.tokens[j].line == v.tokens[i].line && !caps.has[fieldElapsed]; j-- {
		if x, end, ok := v.quantity(j, fieldElapsed, ""); ok && end == i && (j == 0 || !equalLower(v.word(j-1), "timeout")) {
			caps.has[fieldElapsed], caps.value[fieldElapsed] = true, x
		}
	}
}

// adds reports whether the pattern keeps a number that is not known yet.
func (p *pattern) adds(caps *captures) bool {
	for _, f := range p.fields {
		switch f {
		case fieldAfter:
			if !caps.has[fieldElapsed] && !caps.has[fieldBudget] {
				return true
			}
		case fieldMissing: // only says what is declared
			if !caps.has[fieldMissing] && !caps.has[fieldDeclared] {
				return true
			}
		default:
			if !caps.has[f] {
				return true
			}
		}
	}
	return false
}

// take keeps the numbers that measure n reads at token i.
func (c *Classifier) take(n uint16, i int, caps *captures) {
	r := &c.measures[n]
	if !r.match.adds(caps) {
		return
	}
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

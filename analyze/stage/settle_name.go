package stage

// isName reports whether token i is a part of a name in code, which says
// nothing by its words: HTTPConnectionPool, com.zaxxer.hikari.pool. Names of
// errors do say something.
func (w *settleWords) isName(v *view, i int) bool {
	t := &v.tokens[i]
	if t.post == '.' && isLetter(v.at(int(t.end)+1)) && t.lastPart {
		return true
	}
	if t.part == 0 {
		return false
	}
	first, last := v.joined(i)
	if first == last || v.at(int(v.tokens[first].end)) == '_' || v.at(int(v.tokens[first].end)) == '-' {
		return false
	}
	return !w.errorName.has(v.tokens[last].id) && last-first > 0 && !isUpper(v.at(int(v.tokens[last].end)-1))
}

// quoted reports whether the name from first to last stands alone in quotes or
// a tag and is no value: documentation that names it.
func (v *view) quoted(first, last int) bool {
	open, end := v.tokens[first].pre, v.tokens[last].post
	switch {
	case open == '`', open == '>' && end == '<', open == '<' && end == '>', open == '[', open == '#', open == '@':
		return true
	case open == '\'' && end == '\'', open == '"' && end == '"':
		p := int(v.tokens[first].start) - 2
		for v.at(p) == ' ' {
			p--
		}
		c := v.at(p)
		return c != '=' && c != ':' && (c != '(' || v.called(p))
	}
	return false
}

// called reports whether the bracket at p opens the arguments of a function
// with a lowerCamel name: getOption("timeout").
func (v *view) called(p int) bool {
	upper := false
	for p--; isLetter(v.at(p)); p-- {
		upper = upper || isUpper(v.at(p))
	}
	return upper && isLower(v.at(p+1))
}

// keyed reports whether a value is assigned, behind a space, to the name of
// several words that token i is in: responseTimeout = 30.
func (v *view) keyed(i int) bool {
	if v.tokens[i].part == 0 {
		return false
	}
	_, last := v.joined(i)
	p := int(v.tokens[last].end)
	if v.at(p) != ' ' {
		return v.at(p) == '='
	}
	for v.at(p) == ' ' {
		p++
	}
	return v.at(p) == '=' && v.at(p+1) == ' '
}

// flag reports whether token i is in the name of a program's option:
// --retry-connrefused.
func (v *view) flag(i int) bool {
	first, _ := v.joined(i)
	t := &v.tokens[first]
	if t.pre != '-' {
		return false
	}
	p := int(t.start)
	return v.at(p-2) == '-' && (v.at(p-3) == ' ' || v.at(p-3) == '"' || v.at(p-3) == '\'') && isLower(v.at(p))
}

func (w *settleWords) isNoun(v *view, i int) bool {
	switch b := v.word(i); len(b) {
	case 7: // timeout
		return b[3]|0x20 == 'e' && b[4]|0x20 == 'o'
	}
	return false
}

// joined returns the first and last token of the joined name around token i.
func (v *view) joined(i int) (first, last int) {
	first, last = i, i
	if p := int(v.tokens[i].part); p > 0 {
		first = max(i-p+1, 0)
	}
	for !v.tokens[last].lastPart && last+1 < len(v.tokens) {
		last++
	}
	return first, last
}

// nameIsEvent judges the joined name: ReadTimeout, TimeoutException and
// UND_ERR_BODY_TIMEOUT can be events; requestTimeoutMs, TimeoutPolicy,
// Timeout.Infinite, --timeout and raise_timeout( cannot.
func (w *settleWords) nameIsEvent(v *view, i, first, last int) bool {
	f, l := &v.tokens[first], &v.tokens[last]
	start, end := int(f.start), int(l.end)
	if f.pre == '%' || w.heads(v, first) {
		return false
	}
	if f.pre == '-' && v.at(start-2) == '-' || f.pre == '$' || f.pre == '/' && v.at(start-2) != 'o' {
		return false
	}
	if l.post == '.' && (isLetter(v.at(end+1)) || v.at(end+1) == '_') {
		return false // a component of a longer name
	}
	lowerStart := isLower(v.text[start])
	if lowerStart && l.post == '(' && first != last {
		return false // a function
	}
	if f.pre == '=' && lowerStart && (l.post == ')' || l.post == ',') {
		return false // a keyword argument
	}
	if f.pre == '.' && lowerStart && !isSpace(v.at(start-2)) {
		return false // a field or module
	}
	if first == last {
		return true
	}
	for j := i + 1; j <= last; j++ {
		if !w.failsAfter.has(v.tokens[j].id) {
			return false
		}
	}
	joint := v.text[v.tokens[first].end]
	if lowerStart && joint != '_' && joint != '-' {
		return false // lowerCamel: a variable
	}
	for j := first; j < i; j++ {
		if w.setsBefore.has(v.tokens[j].id) {
			return false
		}
	}
	return true
}

// heads reports whether the noun heads a directive: timeout connect 5000.
func (w *settleWords) heads(v *view, i int) bool {
	if i > 0 && v.tokens[i-1].line == v.tokens[i].line || isUpper(v.at(int(v.tokens[i].start))) {
		return false
	}
	j := i
	for j+1 < len(v.tokens) && j < i+4 && v.tokens[j+1].line == v.tokens[i].line && v.onlySpaceOrHyphen(j) {
		j++
	}
	last := j+1 == len(v.tokens) || v.tokens[j+1].line != v.tokens[i].line
	return last && j > i && v.tokens[j].kind == kindNumber
}

// onlySpaceOrHyphen reports whether tokens i and i+1 are words of one name or
// stand beside each other.
func (v *view) onlySpaceOrHyphen(i int) bool {
	return v.onlySpace(i) || v.tokens[i].post == '-'
}

// assigned reports whether a value is assigned to the name that ends with
// token last: name=5s, name: 30, "name": "10s", name 600s; at a line's end.
func (v *view) assigned(last int) bool {
	p := int(v.tokens[last].end)
	quoted := false
	for v.at(p) == '"' || v.at(p) == '\'' || v.at(p) == '`' || v.at(p) == '*' {
		quoted = true
		p++
	}
	for v.at(p) == ' ' || v.at(p) == '\t' {
		p++
	}
	switch c := v.at(p); c {
	case '=':
		return true
	case ':':
		if quoted {
			return true
		}
		p++
		for v.at(p) == ' ' || v.at(p) == '\t' {
			p++
		}
		for v.at(p) == '"' || v.at(p) == '\'' {
			p++
		}
		c = v.at(p)
		return isDigit(c) || c == '{' || c == '[' || c == '-' && isDigit(v.at(p+1))
	}
	return false
}

// counted reports whether the name that ends with token last is given the value
// 0 or false: a counter, or a fact, that says there was none.
func (v *view) counted(last int) bool {
	p := int(v.tokens[last].end)
	quoted := v.at(p) == '"'
	if quoted {
		p++
	}
	if c := v.at(p); c != '=' && (c != ':' || !quoted) {
		return false
	}
	for p++; v.at(p) == ' ' || v.at(p) == '"'; {
		p++
	}
	if v.at(p) == '0' {
		return !isDigit(v.at(p+1)) && v.at(p+1) != '.'
	}
	return v.at(p)|0x20 == 'f' && v.at(p+1)|0x20 == 'a'
}

// insideName reports whether the phrase that ends with token i stands inside a
// longer joined name that does not end like the name of an error: the name of
// a test or of a metric.
func (w *settleWords) insideName(v *view, i int) bool {
	_, last := v.joined(i)
	return last > i && !w.errorName.has(v.tokens[last].id)
}

// onlySpace reports whether nothing but spaces lies behind token i.
func (v *view) onlySpace(i int) bool {
	for p := int(v.tokens[i].unitEnd); p < len(v.text) && i+1 < len(v.tokens) && p < int(v.tokens[i+1].start); p++ {
		if !isSpace(v.text[p]) {
			return false
		}
	}
	return true
}

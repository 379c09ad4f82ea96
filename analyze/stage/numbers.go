package stage

// number appends the number, span, address or other thing at text[i], which
// starts with a digit.
func (v *view) number(words *vocabulary, i int) int {
	text := v.text
	x := load(text, i)
	if n := run(within(x, '0', '9')); n < window {
		// Most are a few digits and nothing else.
		switch joins[byte(x>>(8*n))] {
		case joinsNothing:
			v.addNumber(words, i, i+n, firstBytes(x, n))
			return i + n
		case joinsDigit:
			if !isDigit(v.at(i + n + 1)) {
				v.addNumber(words, i, i+n, firstBytes(x, n))
				return i + n
			}
		}
	}
	return v.longNumber(words, i)
}

// What a byte behind digits may make of them.
const (
	joinsNothing = iota
	joinsDigit   // more of the number, if a digit follows
	joinsAlways
)

var joins = func() (kinds [256]uint8) {
	for c := range kinds {
		switch {
		case c == '.' || c == ':' || c == ',':
			kinds[c] = joinsDigit
		case isLetter(byte(c)) || isDigit(byte(c)) || c == 0xc2 || c == 0xb5:
			kinds[c] = joinsAlways
		}
	}
	return kinds
}()

// addNumber appends the digits from start to end, of which there are at most
// eight, given as a word's key has them.
func (v *view) addNumber(words *vocabulary, start, end int, digits uint64) {
	t := v.add(kindNumber, start, end, end)
	v.count()
	v.numbered(t, words.find(wordKey{first: digits, length: end - start}, nil))
}

// numbered gives t, a number, the number of its word: 504 is one.
func (v *view) numbered(t *token, id uint16) {
	t.id = id
	v.present[id>>6] |= 1 << (id & 63)
}

// longNumber is number for all that is more than some digits.
func (v *view) longNumber(words *vocabulary, i int) int {
	text := v.text
	kind := kindNumber
	j := i
	dots, colons := 0, 0
	for j < len(text) {
		c := text[j]
		if isDigit(c) {
			j++
			continue
		}
		if j+1 < len(text) && isDigit(text[j+1]) {
			if c == '.' {
				dots++
				j++
				continue
			}
			if c == ':' && (dots > 1 || isClock(text, j)) {
				colons++
				j++
				continue
			}
			if c == ',' && dots+colons == 0 && isThousands(text, i, j) {
				j += 4
				continue
			}
		}
		break
	}
	switch {
	case dots >= 2 || dots == 1 && colons == 1:
		kind = kindAddr
	case colons >= 1:
		kind = kindSpan
	}
	end := j
	k := j
	for k < len(text) && (isLetter(text[k]) || text[k] == 0xc2 && k+1 < len(text) && text[k+1] == 0xb5 || text[k] == 0xb5) {
		k++
	}
	if k > j && k < len(text) && isDigit(text[k]) && isGoUnit(text[j:k]) {
		v.add(kind, i, end, k) // 1m30s: the rest is a token of its own
		if kind != kindAddr {
			v.count()
		}
		return k
	}
	if k < len(text) && (isDigit(text[k]) || text[k] == '_' || text[k] == '-' && k > j && k+1 < len(text) && isLetter(text[k+1])) && k > j {
		// 0x7f79, 3f2504e0: not a number with a unit.
		for k < len(text) && (isLetter(text[k]) || isDigit(text[k]) || text[k] == '_' || text[k] == '-') {
			k++
		}
		kind, end = kindAddr, k
	}
	t := v.add(kind, i, end, k)
	switch {
	case kind != kindAddr:
		v.count()
		if kind == kindNumber && k == j {
			v.numbered(t, words.find(keyOf(text, i, end), text[i:end]))
		}
	case text[i] == '0' && i+1 < len(text) && text[i+1]|0x20 == 'x':
		v.know(t, words.find(keyOf(text, i, end), text[i:end]))
	}
	return k
}

// isoDuration returns where the duration of ISO 8601 at text[i] ends, such as
// PT2S or PT1M30.5S, or i if there is none.
func isoDuration(text []byte, i int) int {
	if text[i] != 'P' || i+3 >= len(text) || text[i+1] != 'T' || !isDigit(text[i+2]) {
		return i
	}
	j := i + 2
	for j < len(text) && (isDigit(text[j]) || text[j] == '.' || text[j] == 'H' || text[j] == 'M' || text[j] == 'S') {
		j++
	}
	for text[j-1] == '.' {
		j--
	}
	if isDigit(text[j-1]) || j < len(text) && isLetter(text[j]) {
		return i
	}
	return j
}

// isThousands reports whether the comma at j separates thousands of the number
// that starts at i: three digits and no more follow, and it is the first comma
// after at most three digits, or the next of such commas.
func isThousands(text []byte, i, j int) bool {
	if j-i > 3 && text[j-4] != ',' || text[i] == '0' {
		return false
	}
	return j+3 < len(text) && isDigit(text[j+2]) && isDigit(text[j+3]) && (j+4 == len(text) || !isDigit(text[j+4]))
}

// isClock reports whether two digits and no more follow the colon at i.
func isClock(text []byte, i int) bool {
	return i+2 < len(text) && isDigit(text[i+1]) && isDigit(text[i+2]) && (i+3 == len(text) || !isDigit(text[i+3]))
}

// isGoUnit reports whether b is a unit that a Go duration continues after.
func isGoUnit(b []byte) bool {
	return len(b) == 1 && (b[0] == 'm' || b[0] == 'h' || b[0] == 's')
}

package stage

import (
	"encoding/binary"
	"strings"
)

// gate is the literal prefilter in front of the rules: a set of words of which
// every record that can match a rule contains at least one. It is made of the
// stems of failure and, for a caller's rules that need none of those, of the
// rarest words that they need.
//
// It looks at four bytes at every second place, so that every word of five or
// more bytes is met at one of its first two; a hit is then compared in full.
// Letter case is folded by setting bit 5 of every byte, which also folds some
// punctuation and is exact enough for a filter.
type gate struct {
	bits  [1 << 11]uint64    // which of 128 Ki hashed groups are in a word
	words map[uint32][]gword // words by the hash of a group
	slots []gateSlot         // the same by open addressing
	open  bool               // there is a word too short to look for: all pass
	texts []string           // all words as they are given
}

// gword is a word whose group stands at the given offset.
type gword struct {
	text   string // folded
	offset int
}

// common lists words that are in too many records to filter by. A rule that
// has neither a root nor a rarer word is still found by them.
var common = wordsOf(`connection connections http https request requests
response responses read reading write server client host name body content data file files size bytes byte time service socket system
while from with not before after during operation open send sending sent received receive header headers line end start started
stream value type version path found local remote session new result status code handled false standard attempt execution source
lookup idle handler lost chunk archive target task transfer message messages total call command expected got only state remaining
dns hostname name domain resolver resolution ssl tls pool queue slot slots acquire lease backend origin upstream peer user times too took wait full many conn`)

func wordsOf(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

func rarity(w string) int {
	switch {
	case len(w) < 3:
		return 0
	case common[w]:
		return 1
	}
	return 1 + len(w)
}

// newGate makes the gate of the roots, which serve all built-in rules, and of
// the caller's rules.
func newGate(comp *compiler, rules []compiledRule) gate {
	g := gate{words: map[uint32][]gword{}}
	seen := map[string]bool{}
	add := func(w string) {
		if len(w) < 5 { // a caller's rule that has nothing longer
			g.open = true
			return
		}
		if !seen[w] {
			seen[w] = true
			g.texts = append(g.texts, w)
			g.add(w)
		}
	}
	for _, w := range roots {
		add(w)
	}
	for i := range rules {
		for _, w := range requiredWords(comp, &rules[i]) {
			add(w)
		}
	}
	for status := range statusVerdicts {
		for _, around := range []string{" % ", "\"%\"", ":%,", ":%}", "=%\n", "=% ", "/% ", "(%)", "[%]", " %,", " %:", "'%'", " %;", " %\n", "\t%\t"} {
			add(strings.Replace(around, "%", status, 1))
		}
	}
	for code := range winVerdicts {
		if len(code) == 5 {
			add(" " + code + " ")
		} else {
			add(" 0 " + code + " ") // behind the usual substatus
		}
	}
	add("clienthungup")
	for _, f := range envoyFlags {
		flag := strings.ToLower(f.flag)
		for digit := '0'; digit <= '9'; digit++ {
			add(string(digit) + " " + flag + " ")
			add(string(digit) + " " + flag + ",")
		}
		add("flags=" + flag)
		add("flag=" + flag)
		add("flags\":\"" + flag)
		add("flag\":\"" + flag)
	}
	for s := range haproxyStates {
		add("state\":\"" + strings.ToLower(s))
		add("state=" + strings.ToLower(s))
		s = " " + strings.ToLower(s)
		for digit := '0'; digit <= '9'; digit++ {
			add(s + " " + string(digit))
		}
		for _, cookie := range []string{"--", "NI", "NN", "NR", "II", "ID", "VN", "VI", "VU", "VR", "DI", "DU", "EI", "ED", "OI", "ON"} {
			add(s + strings.ToLower(cookie))
		}
	}
	for _, before := range " :('\"[=\n" {
		for _, after := range " :)'\",.]\n" {
			add(string(before) + "eof" + string(after))
		}
	}
	add("eoferror")
	add("eofexception")
	for c := 'a'; c <= 'z'; c++ {
		add("err_" + string(c))
		add("eai_" + string(c))
	}
	add("transfer refused")
	add("transfer failed")
	add("transfer cancelled")
	g.finish()
	return g
}

// requiredWords returns words of which a match of the rule needs one.
func requiredWords(comp *compiler, r *compiledRule) []string {
	var best []string
	score := -1
	rooted := false
	consider := func(p *pattern) {
		for i := range p.elems {
			var set []string
			switch e := &p.elems[i]; e.kind {
			case elemWords:
				for _, id := range e.words {
					set = append(set, comp.words[id-1])
				}
			case elemClass:
				for _, phrase := range lexicon[e.class].phrases {
					if !hasRoot(phrase) {
						set = append(set, rarest(phrase)...)
					}
				}
				rooted = rooted || len(set) == 0
			default:
				continue
			}
			low := 100
			all := true
			for _, w := range set {
				low = min(low, rarity(w))
				all = all && hasRoot(w)
			}
			rooted = rooted || all
			if low > score || low == score && len(set) < len(best) {
				best, score = set, low
			}
		}
	}
	consider(&r.match)
	for i := range r.and {
		consider(&r.and[i])
	}
	if rooted {
		return nil
	}
	return best
}

// hasRoot reports whether every text that holds the phrase holds a root.
func hasRoot(phrase string) bool {
	if strings.Contains(phrase, "|") {
		for _, f := range strings.Fields(phrase) {
			all := true
			for _, w := range strings.Split(f, "|") {
				all = all && hasRoot(w)
			}
			if all {
				return true
			}
		}
		return false
	}
	for _, r := range roots {
		if strings.Contains(phrase, r) {
			return true
		}
	}
	return false
}

// rarest returns the alternatives of the rarest word of a class phrase; words
// that belong together, such as "time out", stay together.
func rarest(phrase string) []string {
	if phrase == "time out" {
		return []string{"time out", "time-out", "time_out", "timeout"}
	}
	var best []string
	score := -1
	for _, f := range strings.Fields(phrase) {
		set := strings.Split(f, "|")
		low := 100
		for _, w := range set {
			low = min(low, rarity(w))
		}
		if low > score {
			best, score = set, low
		}
	}
	return best
}

const folding = 0x20202020

// groupHash hashes four folded bytes to 17 bits.
func groupHash(x uint32) uint32 { return (x | folding) * 2654435761 >> 15 }

func (g *gate) add(word string) {
	b := []byte(word)
	for i := range b {
		b[i] |= 0x20
	}
	w := string(b)
	for offset := range 2 {
		if offset+4 > len(w) {
			continue
		}
		h := groupHash(binary.LittleEndian.Uint32(b[offset:]))
		g.bits[h>>6] |= 1 << (h & 63)
		g.words[h] = append(g.words[h], gword{w, offset})
	}
}

// gateSlot are the words of one hash, of which there are some.
type gateSlot struct {
	hash  uint32
	words []gword
}

// finish makes the slots, once all words are given.
func (g *gate) finish() {
	n := 1 << 6
	for n < 4*len(g.words) {
		n *= 2
	}
	g.slots = make([]gateSlot, n)
	for h, words := range g.words {
		s := h % uint32(n)
		for g.slots[s].words != nil {
			s = (s + 1) % uint32(n)
		}
		g.slots[s] = gateSlot{h, words}
	}
}

// wordsOf returns the words of a hash.
func (g *gate) wordsOf(h uint32) []gword {
	last := uint32(len(g.slots) - 1)
	for s := h & last; ; s = (s + 1) & last {
		if at := &g.slots[s]; at.hash == h || at.words == nil {
			return at.words
		}
	}
}

// passes reports whether text may match a rule.
func (g *gate) passes(text []byte) bool {
	if g.open {
		return true
	}
	text = text[:min(len(text), maxText)]
	i := 0
	for ; i+8 <= len(text); i += 6 {
		// Three groups of one load, and one question for all of them.
		x := binary.LittleEndian.Uint64(text[i:])
		a, b, c := groupHash(uint32(x)), groupHash(uint32(x>>16)), groupHash(uint32(x>>32))
		if (g.bits[a>>6]>>(a&63)|g.bits[b>>6]>>(b&63)|g.bits[c>>6]>>(c&63))&1 == 0 {
			continue
		}
		for k, h := range [...]uint32{a, b, c} {
			if g.bits[h>>6]>>(h&63)&1 != 0 && g.confirm(text, i+2*k, h) {
				return true
			}
		}
	}
	for ; i+4 <= len(text); i += 2 {
		h := groupHash(binary.LittleEndian.Uint32(text[i:]))
		if g.bits[h>>6]&(1<<(h&63)) != 0 && g.confirm(text, i, h) {
			return true
		}
	}
	for ; i < len(text); i += 2 { // the text's end counts as a line's end
		tail := [4]byte{'\n', '\n', '\n', '\n'}
		copy(tail[:], text[i:])
		h := groupHash(binary.LittleEndian.Uint32(tail[:]))
		if g.bits[h>>6]&(1<<(h&63)) != 0 && g.confirm(text, i, h) {
			return true
		}
	}
	return false
}

// confirm compares the words whose group is at text[i] in full.
func (g *gate) confirm(text []byte, i int, h uint32) bool {
	for _, w := range g.wordsOf(h) {
		start := i - w.offset
		if start < 0 || start+len(w.text) > len(text)+1 {
			continue
		}
		j := 0
		for ; j < len(w.text); j++ {
			c := byte('\n')
			if start+j < len(text) {
				c = text[start+j]
			}
			if c|0x20 != w.text[j] {
				break
			}
		}
		if j == len(w.text) {
			return true
		}
	}
	return false
}

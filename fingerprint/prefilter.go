package fingerprint

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// prefilter tells which rules can match a text at all, so that the cost of a
// record does not grow with the number of rules. Of every rule's required
// literal, or of each of several of which one is required, it knows one group
// of four bytes, the rarest among all rules; the text's groups are looked up
// as they slide by, first in a bitmap. A rule
// without such a literal, or by fields alone, is always asked, unless it names
// a category: then its category is compared first, as ever.
type prefilter struct {
	always []int32            // rules that are asked for every record, in order
	grams  map[uint32][]int32 // rules by their group of bytes
	bitmap [1 << 10]uint64    // of hashes of the groups
	stamps []uint32           // when a rule was found last
	round  uint32
	found  []int32
}

const (
	gramBytes = 4
	// fewRules are asked one after the other.
	fewRules = 8
)

func newPrefilter(rules []compiledRule) *prefilter {
	if len(rules) <= fewRules {
		return nil
	}
	p := &prefilter{grams: map[uint32][]int32{}, stamps: make([]uint32, len(rules))}
	literals := make([][]string, len(rules))
	count := map[uint32]int{}
	for i := range rules {
		literals[i] = rules[i].Literals()
		for _, lit := range literals[i] {
			for j := 0; j+gramBytes <= len(lit); j++ {
				count[gramAt(lit, j)]++
			}
		}
	}
	for i, list := range literals {
		if len(list) == 0 || slices.ContainsFunc(list, func(lit string) bool { return len(lit) < gramBytes }) {
			p.always = append(p.always, int32(i))
			continue
		}
		for _, lit := range list {
			best := gramAt(lit, 0)
			for j := 1; j+gramBytes <= len(lit); j++ {
				if g := gramAt(lit, j); count[g] < count[best] {
					best = g
				}
			}
			p.grams[best] = append(p.grams[best], int32(i))
			h := gramHash(best)
			p.bitmap[h>>6] |= 1 << (h & 63)
		}
	}
	return p
}

func gramAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

func gramHash(g uint32) uint32 { return g * 2654435761 >> 16 }

// candidates returns the rules that may match a record, in order. The slice
// is valid until the next call.
func (p *prefilter) candidates(r *ingest.Record) []int32 {
	p.round++
	if p.round == 0 {
		clear(p.stamps)
		p.round = 1
	}
	p.found = append(p.found[:0], p.always...)
	p.scan(r.Message)
	if len(r.Text) != len(r.Message) || len(r.Text) > 0 && &r.Text[0] != &r.Message[0] {
		p.scan(r.Text)
	}
	if len(p.found) > len(p.always) && len(p.found) > 1 {
		slices.Sort(p.found)
	}
	return p.found
}

func (p *prefilter) scan(text []byte) {
	for i := 0; i+gramBytes <= len(text); i++ {
		g := binary.LittleEndian.Uint32(text[i:])
		h := gramHash(g)
		if p.bitmap[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, rule := range p.grams[g] {
			if p.stamps[rule] != p.round {
				p.stamps[rule] = p.round
				p.found = append(p.found, rule)
			}
		}
	}
}

// Literal returns text that every message or text that meets the condition
// holds, as long as possible; empty when none is known.
func (c *Condition) Literal() string {
	best := ""
	if c.Pattern != nil {
		best = c.Pattern.Literal()
	}
	if l := c.regexpLiterals(1); len(l) > 0 && len(l[0]) > len(best) {
		best = l[0]
	}
	return best
}

// Literals returns texts of which every message or text that meets the
// condition holds at least one, each as long as possible; none when none are
// known.
func (c *Condition) Literals() []string {
	list := c.regexpLiterals(maxLiterals)
	if c.Pattern != nil && len(c.Pattern.Literal()) > shortest(list) {
		return []string{c.Pattern.Literal()}
	}
	return list
}

func (c *Condition) regexpLiterals(most int) []string {
	if c.Regexp == nil {
		return nil
	}
	tree, err := syntax.Parse(c.Regexp.String(), syntax.Perl)
	if err != nil {
		return nil // POSIX syntax: compiled, but not by these rules
	}
	return requiredLiterals(tree, most)
}

// maxLiterals bounds how many texts stand for one expression.
const maxLiterals = 16

// requiredLiterals returns texts, so many at most, of which every match of an
// expression holds at least one.
func requiredLiterals(re *syntax.Regexp, most int) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return []string{string(re.Rune)}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiterals(re.Sub[0], most)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredLiterals(re.Sub[0], most)
		}
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if l := requiredLiterals(sub, most); shortest(l) > shortest(best) || shortest(l) == shortest(best) && len(l) < len(best) {
				best = l
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			l := requiredLiterals(sub, most)
			if len(l) == 0 || len(all)+len(l) > most {
				return nil
			}
			all = append(all, l...)
		}
		return all
	}
	return nil
}

// shortest returns the length of the shortest text of a list; 0 for none.
func shortest(list []string) int {
	n := 0
	for i, s := range list {
		if i == 0 || len(s) < n {
			n = len(s)
		}
	}
	return n
}

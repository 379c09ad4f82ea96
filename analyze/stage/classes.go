package stage

import (
	"fmt"
	"strings"
)

// classHit is a phrase of several words of a class at a token.
type classHit struct {
	token int32
	end   int32 // the token after the phrase
	class uint8
}

// phraseTree finds the phrases of all classes in one walk over the tokens.
type phraseTree struct {
	trie
	ends []uint64 // by node: classes that have a phrase ending there
}

// add puts a phrase, whose words may be alternatives, into the tree.
func (t *phraseTree) add(c *compiler, phrase string, class uint8) error {
	if len(t.inner) == 0 {
		t.trie = newTrie()
	}
	at := []uint16{0}
	for _, f := range strings.Fields(phrase) {
		var next []uint16
		for _, w := range strings.Split(f, "|") {
			if !isWord(w) {
				return fmt.Errorf("class phrase %q: %q is no word", phrase, w)
			}
			id := c.word(w)
			for _, n := range at {
				next = append(next, t.grow(n, id))
			}
		}
		at = next
	}
	for len(t.ends) < len(t.inner) {
		t.ends = append(t.ends, 0)
	}
	for _, n := range at {
		t.ends[n] |= 1 << class
	}
	return nil
}

// find marks every token of a text line with the classes whose phrases start
// there. Of two phrases of one class the longer counts.
func (t *phraseTree) find(v *view) {
	for _, k := range v.known {
		tok := &v.tokens[k]
		if tok.lineKind != lineText {
			continue
		}
		n := t.start[tok.id]
		if n == 0 {
			continue
		}
		tok.mask, tok.first = t.ends[n], uint16(len(v.hits))
		for j := int(k) + 1; t.inner[n] && j < len(v.tokens); j++ {
			next := &v.tokens[j]
			if next.id == 0 || next.line != tok.line {
				break
			}
			if n = t.step(n, next.id); n == 0 {
				break
			}
			if ends := t.ends[n]; ends != 0 {
				v.hit(tok, int(k), j+1, ends)
			}
		}
	}
}

// hit notes the classes of a phrase of several words from token i, which is tok,
// to before token end.
func (v *view) hit(tok *token, i, end int, classes uint64) {
	tok.mask |= classes
	for h := int(tok.first); h < len(v.hits); h++ {
		if c := uint64(1) << v.hits[h].class; classes&c != 0 {
			v.hits[h].end = int32(end)
			classes &^= c
		}
	}
	for ; classes != 0; classes &= classes - 1 {
		v.hits = append(v.hits, classHit{token: int32(i), end: int32(end), class: uint8(trailingZeros(classes))})
	}
}

// phraseEnd returns the token after the phrase of the class at token i, which
// has one.
func (v *view) phraseEnd(i int, class uint8) int {
	for h := int(v.tokens[i].first); h < len(v.hits) && v.hits[h].token == int32(i); h++ {
		if v.hits[h].class == class {
			return int(v.hits[h].end)
		}
	}
	return i + 1
}

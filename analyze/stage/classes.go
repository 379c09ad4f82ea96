package stage

import (
	"fmt"
	"strings"
)

// classHit is a phrase of a class at a token.
type classHit struct {
	token int32
	end   int32 // the token after the phrase
	class uint8
}

// trieNode is a step in the tree of all class phrases.
type trieNode struct {
	next map[uint16]int32
	ends uint64 // classes that have a phrase ending here
}

// phraseTree finds the phrases of all classes in one walk over the tokens.
type phraseTree struct {
	nodes []trieNode
	start []int32 // by word: node of the phrases that start with it, or 0
}

// add puts a phrase, whose words may be alternatives, into the tree.
func (t *phraseTree) add(c *compiler, phrase string, class uint8) error {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, trieNode{})
	}
	at := []int32{0}
	for _, f := range strings.Fields(phrase) {
		var next []int32
		for _, w := range strings.Split(f, "|") {
			if !isWord(w) {
				return fmt.Errorf("class phrase %q: %q is no word", phrase, w)
			}
			id := c.word(w)
			for _, n := range at {
				m, ok := t.nodes[n].next[id]
				if !ok {
					m = int32(len(t.nodes))
					t.nodes = append(t.nodes, trieNode{})
					if t.nodes[n].next == nil {
						t.nodes[n].next = map[uint16]int32{}
					}
					t.nodes[n].next[id] = m
				}
				next = append(next, m)
			}
		}
		at = next
	}
	for _, n := range at {
		t.nodes[n].ends |= 1 << class
	}
	return nil
}

// finish makes the index of first words, once all words are numbered.
func (t *phraseTree) finish(words int) {
	t.start = make([]int32, words+1)
	for id, n := range t.nodes[0].next {
		t.start[id] = n
	}
}

// find marks every token of a text line with the classes whose phrases start
// there. Of two phrases of one class the longer counts.
func (t *phraseTree) find(v *view) {
	for i := range v.tokens {
		tok := &v.tokens[i]
		if tok.id == 0 || tok.lineKind != lineText {
			continue
		}
		n := t.start[tok.id]
		if n == 0 {
			continue
		}
		tok.first = uint16(len(v.hits))
		for j := i + 1; ; j++ {
			if ends := t.nodes[n].ends; ends != 0 {
				v.hit(i, j, ends)
			}
			if j >= len(v.tokens) || v.tokens[j].id == 0 || v.tokens[j].line != tok.line || t.nodes[n].next == nil {
				break
			}
			m, ok := t.nodes[n].next[v.tokens[j].id]
			if !ok {
				break
			}
			n = m
		}
	}
}

// hit notes the classes that end before token j for the phrase at token i.
func (v *view) hit(i, j int, classes uint64) {
	tok := &v.tokens[i]
	for classes != 0 {
		c := uint8(trailingZeros(classes))
		classes &= classes - 1
		if tok.mask&(1<<c) != 0 {
			for h := int(tok.first); h < len(v.hits); h++ {
				if v.hits[h].class == c {
					v.hits[h].end = int32(j)
				}
			}
			continue
		}
		tok.mask |= 1 << c
		v.hits = append(v.hits, classHit{token: int32(i), end: int32(j), class: c})
	}
}

package stage

// trie is a tree of phrases, made of vocabulary words. Its edges stand in one
// table, by the node they leave and their word.
type trie struct {
	start []uint16 // by word: the node of the phrases that start with it, or 0
	inner []bool   // by node: phrases go on from it
	edges []edge   // open addressing
	shift uint8
	used  int
}

// edge leads from a node to another by a word.
type edge struct {
	key uint32 // node and word
	to  uint16 // 0 is free
}

func newTrie() trie {
	return trie{inner: make([]bool, 1), edges: make([]edge, 1<<8), shift: 32 - 8}
}

func edgeKey(node, word uint16) uint32 { return uint32(node)<<16 | uint32(word) }

// slot returns where the edge is, or where it would be.
func (t *trie) slot(key uint32) *edge {
	for s := key * 2654435761 >> t.shift; ; s = (s + 1) & uint32(len(t.edges)-1) {
		if e := &t.edges[s]; e.key == key || e.to == 0 {
			return e
		}
	}
}

// step returns the node that the word leads to, or 0.
func (t *trie) step(node, word uint16) uint16 { return t.slot(edgeKey(node, word)).to }

// grow returns the node that the word leads to from the node, which is made if
// there is none; node 0 is where all phrases start.
func (t *trie) grow(node, word uint16) uint16 {
	if node == 0 {
		for int(word) >= len(t.start) {
			t.start = append(t.start, 0)
		}
		if t.start[word] == 0 {
			t.start[word] = t.node()
		}
		return t.start[word]
	}
	key := edgeKey(node, word)
	if e := t.slot(key); e.to != 0 {
		return e.to
	}
	if t.used++; 4*t.used > len(t.edges) {
		old := t.edges
		t.edges = make([]edge, 2*len(old))
		t.shift--
		for _, e := range old {
			if e.to != 0 {
				*t.slot(e.key) = e
			}
		}
	}
	t.inner[node] = true
	e := t.slot(key)
	e.key, e.to = key, t.node()
	return e.to
}

// node makes a node.
func (t *trie) node() uint16 {
	t.inner = append(t.inner, false)
	return uint16(len(t.inner) - 1)
}

// finish makes room for all words, once they are numbered.
func (t *trie) finish(words int) {
	for len(t.start) <= words {
		t.start = append(t.start, 0)
	}
}

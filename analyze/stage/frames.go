package stage

import (
	"encoding/binary"
	"slices"
)

// cutFrames are lines of stack frames with the tokens that they were cut into:
// the records of an incident print the same frames again and again, which are
// then not cut anew. It is bounded, whatever comes.
type cutFrames [frameLines]cutFrame

const (
	frameLines     = 64 // a power of two
	maxFrameLine   = 512
	maxFrameTokens = 96
)

// cutFrame is one line. Places in the text and among the tokens are counted from
// where the line starts.
type cutFrame struct {
	line   []byte
	tokens []token
	known  []uint16
}

// tokenizeFrame appends the tokens of the frame text[pos:end].
func (v *view) tokenizeFrame(words *vocabulary, pos, end int) {
	line := v.text[pos:end]
	if len(line) > maxFrameLine {
		v.tokenizeLine(words, pos, end)
		return
	}
	f := &v.cut[hashLine(line)>>58]
	if string(f.line) == string(line) && len(v.tokens)+len(f.tokens) < maxTokens {
		v.recall(f, pos)
		return
	}
	tokens, known := len(v.tokens), len(v.known)
	v.tokenizeLine(words, pos, end)
	f.line = f.line[:0] // no frame is empty
	if n := len(v.tokens) - tokens; n > maxFrameTokens || len(v.tokens) >= maxTokens {
		return
	}
	f.line = append(f.line, line...)
	f.tokens = append(f.tokens[:0], v.tokens[tokens:]...)
	for i := range f.tokens {
		f.tokens[i].move(-pos)
	}
	f.known = append(f.known[:0], v.known[known:]...)
	for i := range f.known {
		f.known[i] -= uint16(tokens)
	}
}

// recall appends the tokens of a frame that starts at text[pos].
func (v *view) recall(f *cutFrame, pos int) {
	n := len(v.tokens)
	v.tokens = append(slices.Grow(v.tokens, len(f.tokens)), f.tokens...)
	for i := n; i < len(v.tokens); i++ {
		t := &v.tokens[i]
		t.move(pos)
		t.lineInfo = v.line
		v.present[t.id>>6] |= 1 << (t.id & 63)
	}
	for _, k := range f.known {
		v.known = append(v.known, k+uint16(n))
	}
}

// move moves a token's place in the text.
func (t *token) move(by int) {
	t.start += uint16(by)
	t.end += uint16(by)
	t.unitEnd += uint16(by)
}

// hashLine hashes a line; its first bits are the best.
func hashLine(b []byte) uint64 {
	const mix = 0x9e3779b97f4a7c15
	h := uint64(len(b)) * mix
	for ; len(b) >= window; b = b[window:] {
		h = (h ^ binary.LittleEndian.Uint64(b)) * mix
		h ^= h >> 32
	}
	return (h ^ load(b, 0)) * mix
}

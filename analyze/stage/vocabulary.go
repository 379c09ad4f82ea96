package stage

import "encoding/binary"

// vocabulary maps the words that rules know to small numbers. It is built once
// and only read afterwards.
type vocabulary struct {
	slots []uint16  // open addressing; word numbers, 0 is free
	keys  []wordKey // by word number; keys[0] is unused
	words []string  // by word number
	shift uint8
}

// wordKey is a word's first and last eight bytes in lower case, and its length.
type wordKey struct {
	first, last uint64
	length      int
}

// folds puts letters in lower case and leaves digits and apostrophes as they are:
// a word is made of nothing else.
const folds = 0x2020202020202020

// keyOf makes the key of text[start:end], which is not empty.
func keyOf(text []byte, start, end int) wordKey {
	k := wordKey{length: end - start}
	switch n := end - start; {
	case n > 8:
		k.first = binary.LittleEndian.Uint64(text[start:]) | folds
		k.last = binary.LittleEndian.Uint64(text[end-8:]) | folds
	case start+8 <= len(text):
		k.first = (binary.LittleEndian.Uint64(text[start:]) | folds) & (1<<(8*n) - 1)
	default:
		for i := end - 1; i >= start; i-- {
			k.first = k.first<<8 | uint64(text[i]|0x20)
		}
	}
	return k
}

func (k *wordKey) hash() uint64 {
	return (k.first ^ k.last>>3 ^ uint64(k.length)<<59) * 0x9e3779b97f4a7c15
}

// newVocabulary numbers the given words, which are in lower case and distinct.
func newVocabulary(words []string) *vocabulary {
	v := &vocabulary{words: append([]string{""}, words...), keys: make([]wordKey, 1, len(words)+1), shift: 64 - 6}
	for 1<<(64-v.shift) < 4*len(words) {
		v.shift--
	}
	v.slots = make([]uint16, 1<<(64-v.shift))
	for i, w := range words {
		k := keyOf([]byte(w), 0, len(w))
		v.keys = append(v.keys, k)
		s := k.hash() >> v.shift
		for v.slots[s] != 0 {
			s = (s + 1) & uint64(len(v.slots)-1)
		}
		v.slots[s] = uint16(i + 1)
	}
	return v
}

// lookup returns the number of the word text[start:end], or 0.
func (v *vocabulary) lookup(text []byte, start, end int) uint16 {
	k := keyOf(text, start, end)
	for s := k.hash() >> v.shift; ; s = (s + 1) & uint64(len(v.slots)-1) {
		id := v.slots[s]
		if id == 0 {
			return 0
		}
		if v.keys[id] == k && (k.length <= 16 || equalLower(text[start:end], v.words[id])) {
			return id
		}
	}
}

// equalLower reports whether b in lower case is w.
func equalLower(b []byte, w string) bool {
	if len(b) != len(w) {
		return false
	}
	for i, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		if c != w[i] {
			return false
		}
	}
	return true
}

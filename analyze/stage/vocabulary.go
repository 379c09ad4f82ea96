package stage

import "encoding/binary"

// vocabulary maps the words that rules know to small numbers. It is built once
// and only read afterwards.
type vocabulary struct {
	slots  []uint16  // open addressing; word numbers, 0 is free
	keys   []wordKey // by word number; keys[0] is unused
	words  []string  // by word number
	shift  uint8
	filter [1 << 10]uint64 // by the hash' first bits: what is not here is no word
}

// wordKey is a word's first and last eight bytes in lower case, and its length;
// the last bytes are 0 for a word of no more than eight.
type wordKey struct {
	first, last uint64
	length      int
}

// keyOf makes the key of text[start:end], which is not empty and made of
// letters, digits and apostrophes.
func keyOf(text []byte, start, end int) wordKey {
	n := end - start
	if n <= window {
		return wordKey{first: firstBytes(load(text, start)|folds, n), length: n}
	}
	return wordKey{first: binary.LittleEndian.Uint64(text[start:]) | folds, last: binary.LittleEndian.Uint64(text[end-window:]) | folds, length: n}
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
		h := k.hash()
		v.filter[h>>54] |= 1 << (h >> 48 & 63)
		s := h >> v.shift
		for v.slots[s] != 0 {
			s = (s + 1) & uint64(len(v.slots)-1)
		}
		v.slots[s] = uint16(i + 1)
	}
	return v
}

// find returns the number of the word of the given key, or 0. The word itself
// is looked at only where it is longer than what the key holds of it.
func (v *vocabulary) find(k wordKey, word []byte) uint16 {
	h := k.hash()
	if !v.mayHave(h) {
		return 0
	}
	return v.findHashed(k, h, word)
}

// mayHave reports whether there may be a word of the given hash.
func (v *vocabulary) mayHave(h uint64) bool { return v.filter[h>>54]>>(h>>48&63)&1 != 0 }

// findHashed is find where the key's hash is known.
func (v *vocabulary) findHashed(k wordKey, h uint64, word []byte) uint16 {
	slots := v.slots
	for s := h >> v.shift; s < uint64(len(slots)); s = (s + 1) & uint64(len(slots)-1) {
		id := slots[s]
		if id == 0 {
			break
		}
		if v.keys[id] == k && (k.length <= 2*window || equalLower(word, v.words[id])) {
			return id
		}
	}
	return 0
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

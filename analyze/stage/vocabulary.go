package stage

// vocabulary maps the words that rules know to small numbers. It is built once
// and only read afterwards.
type vocabulary struct {
	slots []uint16 // open addressing; word numbers, 0 is free
	words []string // words[0] is unused
	mask  uint32
}

const hashStart = uint32(2166136261)

// hashByte is one step of FNV-1a over the byte in lower case.
func hashByte(h uint32, c byte) uint32 {
	if isUpper(c) {
		c |= 0x20
	}
	return (h ^ uint32(c)) * 16777619
}

func hashOf(b []byte) uint32 {
	h := hashStart
	for _, c := range b {
		h = hashByte(h, c)
	}
	return h
}

// newVocabulary numbers the given words, which are in lower case and distinct.
func newVocabulary(words []string) *vocabulary {
	size := uint32(64)
	for size < uint32(4*len(words)) {
		size *= 2
	}
	v := &vocabulary{slots: make([]uint16, size), words: append([]string{""}, words...), mask: size - 1}
	for i, w := range words {
		s := hashOf([]byte(w)) & v.mask
		for v.slots[s] != 0 {
			s = (s + 1) & v.mask
		}
		v.slots[s] = uint16(i + 1)
	}
	return v
}

// lookup returns the number of the word b, whose hash is h, or 0.
func (v *vocabulary) lookup(h uint32, b []byte) uint16 {
	for s := h & v.mask; ; s = (s + 1) & v.mask {
		id := v.slots[s]
		if id == 0 {
			return 0
		}
		if equalLower(b, v.words[id]) {
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

package ingest

import "bytes"

// affinity says how well a message goes with a header of the given category,
// event id and level, from what loggers and their messages have in common. It
// decides only between headers of one stream and one nanosecond; 0 is
// indifferent.
func affinity(category, event []byte, level Level, message []byte) int {
	id := pollySentence(message)
	polly := bytes.Equal(category, pollyCategory)
	switch {
	case polly && id >= 0:
		n := 500
		if bytes.Equal(event, pollyIDs[id]) {
			n += 100
		}
		if level == pollyLevel(id, message) {
			n += 10
		}
		return n
	case polly != (id >= 0):
		return -500
	}
	return mentions(category, message)
}

// mentions says how much of a category a text speaks of: of the whole name,
// of its last part, or of the words the name is made of.
func mentions(category, text []byte) int {
	if len(category) < 3 {
		return 0
	}
	if bytes.Contains(text, category) {
		return 100 + len(category)
	}
	last := category
	if i := bytes.LastIndexByte(category, '.'); i >= 0 {
		last = category[i+1:]
	}
	if len(last) > 3 && bytes.Contains(text, last) {
		return 60 + min(len(last), 30)
	}
	n := 0
	for i := 0; i < len(category); {
		word := camelWord(category[i:])
		if len(word) >= 4 && !bytes.Contains(category[:i], word) && containsFold(text, word) {
			n += len(word)
		}
		i += len(word)
	}
	return min(n, 60)
}

// camelWord is the first word of a name written in CamelCase or with other
// signs between its words; a sign is a word by itself.
func camelWord(b []byte) []byte {
	i := 1
	for i < len(b) && isLetter(b[0]) && isLetter(b[i]) && (b[i] >= 'a' || b[i-1] < 'a') {
		i++
	}
	return b[:i]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// containsFold reports whether text holds word, without regard to ASCII case.
func containsFold(text, word []byte) bool {
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && text[i+j]|0x20 == word[j]|0x20 {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}

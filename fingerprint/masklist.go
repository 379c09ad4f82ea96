package fingerprint

import "bytes"

const (
	// maxRepeat is how many words a repeated group may have.
	maxRepeat = 3
	// endsKept is of how many words the ends are known.
	endsKept = 16
)

// endToken notes that a word of the output ends here, and drops it with the
// words before it when they repeat the same number of words before them and
// hold a placeholder: the items of a list are one item.
func (m *masker) endToken() {
	end := len(m.dst)
	m.puts <<= 1
	if m.lastPut > m.wordStart(m.words) {
		m.puts |= 1
	}
	m.ends[uint(m.words)%endsKept] = end
	m.oldest = max(m.oldest, m.words-endsKept+1)
	m.words++
	for n := 1; n <= maxRepeat && 2*n <= m.words; n++ {
		// Words that are alike have their placeholders alike.
		if these := uint32(1)<<n - 1; m.puts&these == 0 || (m.puts^m.puts>>n)&these != 0 {
			continue
		}
		if k := m.words - 2*n; k > 0 && k-1 < m.oldest || m.words-n-1 < m.oldest {
			return
		}
		first := m.wordStart(m.words - 2*n)
		mid := m.wordStart(m.words - n)
		a, b := m.dst[first:mid-1], m.dst[mid:end]
		if bytes.Equal(a, b) {
			m.words -= n
			m.puts >>= n
			m.dst = m.dst[:mid-1]
			m.lastPut = 0
			return
		}
		if n == 1 && bytes.Equal(bytes.TrimSuffix(a, comma), bytes.TrimSuffix(b, comma)) {
			// The later one stays, which tells whether the list goes on.
			m.words--
			m.puts >>= 1
			m.dst = append(m.dst[:first], b...)
			m.ends[uint(m.words-1)%endsKept] = len(m.dst)
			m.lastPut = 0
			return
		}
	}
}

var comma = []byte{','}

// wordStart returns where word i of the output begins.
func (m *masker) wordStart(i int) int {
	if i == 0 {
		return m.base
	}
	return m.ends[uint(i-1)%endsKept] + 1
}

// closeBracket makes one thing of every value in brackets that stands alone,
// whether it is there or not: " ()", " (null)" and " (<host>)". A value that
// only repeats the one before it in another form, as in 2048 bytes (2 KB), goes
// with its brackets; then it returns true.
func (m *masker) closeBracket() bool {
	n := len(m.dst)
	open := n - 1
	for open >= m.base && n-open <= 9 && m.dst[open] != '(' && m.dst[open] != '[' {
		open--
	}
	if m.keep.Has(KindValue) || open < m.base || n-open > 9 || open > m.base && m.dst[open-1] != ' ' && m.dst[open-1] != '=' {
		return false
	}
	content := m.dst[open+1:]
	switch string(content) {
	case kindPlaceholders[KindTime], kindPlaceholders[KindSize]:
		if before := m.dst[m.base:max(m.base, open-1)]; m.dst[open] == '(' && bytes.HasSuffix(before, content) && m.words > 0 {
			m.words--
			m.puts >>= 1
			m.dst = m.dst[:open-1]
			m.lastPut = len(m.dst) - len(content) + 1
			return true
		}
		return false
	case "", "null", "nil", "none", "None", "unknown":
	default:
		if k := placeholderAt(content); k == 0 || k != len(content) {
			return false
		}
	}
	m.dst = m.dst[:open+1]
	m.lastPut = len(m.dst) + 1
	m.dst = append(m.dst, kindPlaceholders[KindValue]...)
	return false
}

// placeholderAt returns the length of the placeholder that b begins with.
func placeholderAt(b []byte) int {
	for _, p := range &kindPlaceholders {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return len(p)
		}
	}
	return 0
}

// put appends the placeholder of a kind, or the text when the kind is kept.
func (m *masker) put(k Kind, text []byte) {
	if m.keep != 0 {
		m.unsure = true
	}
	if m.keep.Has(k) {
		m.dst = append(m.dst, text...)
		return
	}
	m.placeholder(k)
}

// placeholder appends a placeholder, unless it would be the next item of a
// list of equal ones: then the separator goes too.
func (m *masker) placeholder(k Kind) {
	p := kindPlaceholders[k]
	out := m.dst[m.base:]
	end := len(out)
	for n := 0; n < 3 && end > 0 && isListSeparator(out[end-1]); n++ {
		end--
	}
	if end < len(out) && end >= len(p) && string(out[end-len(p):end]) == p {
		m.dst = m.dst[:m.base+end]
		for m.words > 0 && m.ends[uint(m.words-1)%endsKept] >= len(m.dst) {
			m.words--
			m.puts >>= 1
		}
		m.lastPut = len(m.dst) - len(p) + 1
		return
	}
	m.lastPut = len(m.dst) + 1
	m.count++
	m.dst = append(m.dst, p...)
}

func isListSeparator(c byte) bool {
	switch c {
	case ' ', ',', '-', ':', '.', '/', '_', '|', '#', ';', '+', '*', 'x', '\\':
		return true
	}
	return false
}

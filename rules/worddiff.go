package rules

import (
	"strings"
)

// WordDiff quotes two texts and marks the words in which they differ with
// square brackets: a [b] c and a [x] c. Equal texts carry no marks. Texts of
// more than a thousand words are not compared word by word.
func WordDiff(want, got string) (string, string) {
	a, b := words(want), words(got)
	if len(a) > 1000 || len(b) > 1000 || want == got {
		return quoteText(want), quoteText(got)
	}
	keepA, keepB := commonSubsequence(a, b)
	return marked(a, keepA), marked(b, keepB)
}

// words splits a text into words and what stands between them.
func words(s string) []string {
	var list []string
	start := 0
	kind := func(c byte) int {
		switch {
		case c >= 0x80, c == '_', c >= '0' && c <= '9', c|0x20 >= 'a' && c|0x20 <= 'z':
			return 1
		case c == ' ':
			return 2
		}
		return 3
	}
	for i := 1; i <= len(s); i++ {
		if i == len(s) || kind(s[i]) != kind(s[i-1]) || kind(s[i]) == 3 {
			list = append(list, s[start:i])
			start = i
		}
	}
	return list
}

func marked(list []string, keep []bool) string {
	var b strings.Builder
	for i, w := range list {
		if !keep[i] && (i == 0 || keep[i-1]) {
			b.WriteByte('[')
		}
		b.WriteString(w)
		if !keep[i] && (i+1 == len(list) || keep[i+1]) {
			b.WriteByte(']')
		}
	}
	return quoteText(b.String())
}

func quoteText(s string) string {
	return "'" + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + "'"
}

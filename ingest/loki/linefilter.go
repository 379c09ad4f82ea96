package loki

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// LinesWith returns the LogQL stages that keep the lines which match none of
// the expressions (RE2) and hold one of the texts. Fold are texts in lower case
// that are found as they stand, capitalised, with every word capitalised and in
// capitals: servers look for plain text several times faster than for text in
// any letter case. Exact are found as they stand.
func LinesWith(except, fold, exact []string) string {
	texts := slices.Clone(exact)
	for _, t := range fold {
		texts = append(texts, written(t)...)
	}
	slices.SortFunc(texts, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	var kept []string
	for _, t := range texts {
		if !slices.ContainsFunc(kept, func(k string) bool { return strings.Contains(t, k) }) {
			kept = append(kept, t)
		}
	}
	var b strings.Builder
	for _, e := range except {
		b.WriteString("!~ " + strconv.Quote(e) + " ")
	}
	for i, t := range kept {
		b.WriteString([...]string{"|= ", "or "}[min(i, 1)] + strconv.Quote(t) + " ")
	}
	return strings.TrimSpace(b.String())
}

// written returns the ways in which a text in lower case is written.
func written(t string) []string {
	words, capital := []byte(t), true
	for i, c := range words {
		letter := 'a' <= c && c <= 'z'
		if letter && capital {
			words[i] = c &^ 0x20
		}
		capital = !letter
	}
	first := t[:1]
	return []string{t, strings.ToUpper(first) + t[1:], string(words), strings.ToUpper(t)}
}

// LinesLabelled returns the LogQL stage that keeps the lines of which a label
// or a piece of structured metadata has a value that the expression (RE2)
// beside its name matches as a whole.
func LinesLabelled(any []ingest.Label) string {
	parts := make([]string, len(any))
	for i, l := range any {
		parts[i] = l.Name + "=~" + strconv.Quote(l.Value)
	}
	return "| " + strings.Join(parts, " or ")
}

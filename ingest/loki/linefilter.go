package loki

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// LinesWith returns the LogQL stages that keep the lines which match none of
// the expressions (RE2) and hold one of the texts. Fold are texts in lower case
// that are found as they stand, with a capital letter, and single words in
// capitals; Exact are found as they stand. Servers find plain texts several times
// faster than texts in any letter case.
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
	// Not as one expression: of texts that differ in a letter it makes a class
	// of letters, and what holds one is no longer searched as plain text.
	for i, t := range kept {
		b.WriteString([...]string{"|= ", "or "}[min(i, 1)] + strconv.Quote(t) + " ")
	}
	return strings.TrimSpace(b.String())
}

// minTail is how long a word must be for its first letter to be left out, so
// that it is found with a small one and with a capital.
const minTail = 6

// written returns texts that stand for the ways in which a text in lower case
// is written.
func written(t string) []string {
	letter := 'a' <= t[0] && t[0] <= 'z'
	out := []string{t}
	switch {
	case letter && len(t) >= minTail:
		out[0] = t[1:]
	case letter:
		out = append(out, strings.ToUpper(t[:1])+t[1:])
	}
	if strings.ToUpper(t) != t && !strings.Contains(strings.TrimSpace(t), " ") {
		out = append(out, strings.ToUpper(t))
	}
	return out
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

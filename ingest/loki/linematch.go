package loki

import (
	"strconv"
	"strings"
)

// LinesMatching returns the LogQL stages that keep the lines which one of the
// expressions any (RE2; without any, every line) matches and none of none. A
// label, if named, is compared before: its value, or that of a piece of
// structured metadata, must match the expression value as a whole, or with not
// must not. Expressions that are plain texts cost the server a search, and
// those of none are asked only of lines that any has kept.
func LinesMatching(label, value string, not bool, any, none []string) string {
	var b strings.Builder
	if label != "" {
		b.WriteString("| " + label)
		b.WriteString(map[bool]string{false: "=~", true: "!~"}[not])
		b.WriteString(strconv.Quote(value) + " ")
	}
	// Not as one expression: of texts that differ in a letter it makes a class
	// of letters, and what holds one is no longer searched as plain text.
	for i, e := range any {
		b.WriteString([...]string{"|~ ", "or "}[min(i, 1)] + strconv.Quote(e) + " ")
	}
	for _, e := range none {
		b.WriteString("!~ " + strconv.Quote(e) + " ")
	}
	return strings.TrimSpace(b.String())
}

// Captures returns the LogQL stages that take the named groups of expressions
// (RE2) from a line as labels, each where it matches first.
func Captures(expressions []string) string {
	stages := make([]string, len(expressions))
	for i, e := range expressions {
		stages[i] = "| regexp " + strconv.Quote(e)
	}
	return strings.Join(stages, " ")
}

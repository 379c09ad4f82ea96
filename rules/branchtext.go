package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// branchWriter copies a regular expression, which is known to compile, and
// puts a named group around each of its branches: the alternatives of every
// choice, and what a question mark makes optional. It works on the text, since
// a parsed expression no longer has the alternatives that somebody wrote.
type branchWriter struct {
	s    string
	out  strings.Builder
	list []branch
	// odd says that the text has something that groups would change: a quoted
	// run, or flags that reach from one alternative into the next.
	odd bool
}

// alternatives copies what lies between i and the end of the group, or of the
// text, and returns where that is.
func (w *branchWriter) alternatives(i, parent int) int {
	choice := w.hasBar(i)
	for {
		inside := parent
		if choice {
			end := w.skipAlternative(i)
			inside = w.open(w.s[i:end], false, parent)
		}
		for i < len(w.s) && w.s[i] != '|' && w.s[i] != ')' {
			i = w.atom(i, inside)
		}
		if choice {
			w.out.WriteByte(')')
		}
		if i >= len(w.s) || w.s[i] == ')' {
			return i
		}
		w.out.WriteByte('|')
		i++
	}
}

// open notes a branch and begins its group.
func (w *branchWriter) open(text string, optional bool, parent int) int {
	n := len(w.list)
	w.list = append(w.list, branch{text: text, optional: optional, parent: parent})
	fmt.Fprintf(&w.out, "(?P<%s%d>", branchGroup, n)
	return n
}

// atom copies one atom with what repeats it and returns where it ends.
func (w *branchWriter) atom(i, parent int) int {
	end := w.skipAtom(i)
	optional := end < len(w.s) && w.s[end] == '?'
	if optional {
		parent = w.open(w.s[i:end], true, parent)
	}
	if w.s[i] == '(' {
		from, flags := w.groupHead(i)
		w.out.WriteString(w.s[i:from])
		if flags {
			w.odd = true
		} else {
			w.alternatives(from, parent)
			w.out.WriteByte(')')
		}
	} else {
		w.out.WriteString(w.s[i:end])
	}
	if optional {
		w.out.WriteByte(')')
	}
	i = end
	for i < len(w.s) && strings.IndexByte("*+?{", w.s[i]) >= 0 {
		n := 1
		if w.s[i] == '{' {
			if n = repeat(w.s[i:]); n == 0 {
				break // a brace that stands for itself
			}
		}
		w.out.WriteString(w.s[i : i+n])
		i += n
	}
	return i
}

// repeat returns the length of {n}, {n,} or {n,m} at the start of s, else 0.
func repeat(s string) int {
	end := strings.IndexByte(s, '}')
	if end < 2 || strings.Trim(s[1:end], "0123456789,") != "" || s[1] == ',' || strings.Count(s[:end], ",") > 1 {
		return 0
	}
	return end + 1
}

// groupHead returns where the content of the group at i begins, and whether
// the group is nothing but flags, when that is its end.
func (w *branchWriter) groupHead(i int) (from int, flags bool) {
	if !strings.HasPrefix(w.s[i:], "(?") {
		return i + 1, false
	}
	for j := i + 2; j < len(w.s); j++ {
		switch w.s[j] {
		case ':', '>':
			return j + 1, false
		case ')':
			return j + 1, true
		}
	}
	return len(w.s), true
}

// hasBar reports whether there is a choice between i and the end of the group.
func (w *branchWriter) hasBar(i int) bool {
	end := w.skipAlternative(i)
	return end < len(w.s) && w.s[end] == '|'
}

// skipAlternative returns where the alternative at i ends.
func (w *branchWriter) skipAlternative(i int) int {
	for i < len(w.s) && w.s[i] != '|' && w.s[i] != ')' {
		i = w.skipAtom(i)
	}
	return i
}

// skipAtom returns where the atom at i ends; what repeats it comes after.
func (w *branchWriter) skipAtom(i int) int {
	switch w.s[i] {
	case '\\':
		return w.skipEscape(i)
	case '[':
		return w.skipClass(i)
	case '(':
		i, flags := w.groupHead(i)
		if flags {
			return i
		}
		for {
			i = w.skipAlternative(i)
			if i >= len(w.s) || w.s[i] == ')' {
				return min(i+1, len(w.s))
			}
			i++
		}
	}
	_, n := utf8.DecodeRuneInString(w.s[i:])
	return i + n
}

func (w *branchWriter) skipEscape(i int) int {
	if i+1 >= len(w.s) {
		return len(w.s)
	}
	switch c := w.s[i+1]; {
	case c == 'Q':
		w.odd = true
	case (c == 'x' || c == 'p' || c == 'P') && i+2 < len(w.s):
		if w.s[i+2] == '{' {
			if end := strings.IndexByte(w.s[i:], '}'); end > 0 {
				return i + end + 1
			}
		}
		if c == 'x' {
			return min(i+4, len(w.s))
		}
		return i + 3
	case c >= '0' && c <= '7':
		n := 2
		for i+n < len(w.s) && n < 4 && w.s[i+n] >= '0' && w.s[i+n] <= '7' {
			n++
		}
		return i + n
	}
	_, n := utf8.DecodeRuneInString(w.s[i+1:])
	return i + 1 + n
}

func (w *branchWriter) skipClass(i int) int {
	j := i + 1
	if j < len(w.s) && w.s[j] == '^' {
		j++
	}
	for first := true; j < len(w.s); first = false {
		switch {
		case w.s[j] == ']' && !first:
			return j + 1
		case w.s[j] == '\\':
			j = w.skipEscape(j)
		case strings.HasPrefix(w.s[j:], "[:") && strings.Contains(w.s[j+2:], ":]"):
			j += strings.Index(w.s[j+2:], ":]") + 4
		default:
			j++
		}
	}
	return j
}

package stage

import "strings"

// Needs lists texts of which every record that [Classifier.Classify]
// attributes to a stage holds one: a source of logs can leave out the lines
// of records that hold none. Fold are to be found in any letter case, Exact as
// they stand. All says that a rule of the caller can match any record.
type Needs struct {
	Fold, Exact []string
	All         bool
}

// Needs tells what the Classifier's rules need. It is what the rules' own
// prefilter asks for, made shorter where fewer texts say as much: a number or
// a flag is looked for without the signs around it.
func (c *Classifier) Needs() Needs {
	n := Needs{All: c.gate.open}
	n.Fold = append(n.Fold, roots...)
	n.Fold = append(n.Fold, c.gate.asked...)
	n.Fold = append(n.Fold, "eof", "err_", "eai_", "transfer refused", "transfer failed", "transfer cancelled", "flags=", "flag=", `flags":"`, `flag":"`)
	for status := range statusVerdicts {
		n.Exact = append(n.Exact, status)
	}
	for _, f := range envoyFlags {
		n.Exact = append(n.Exact, " "+f.flag)
	}
	for s := range haproxyStates {
		n.Exact = append(n.Exact, " "+s, `tate":"`+s, "tate="+s)
	}
	n.Fold, n.Exact = shortest(n.Fold), shortest(n.Exact)
	return n
}

// shortest drops the words that hold another one, and doubles.
func shortest(words []string) []string {
	out := words[:0:0]
	for i, w := range words {
		keep := true
		for j, other := range words {
			if other == w && j < i || other != w && strings.Contains(w, other) {
				keep = false
				break
			}
		}
		if keep {
			out = append(out, w)
		}
	}
	return out
}

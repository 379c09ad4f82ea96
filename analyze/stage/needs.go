package stage

import (
	"maps"
	"slices"
	"strings"
)

// Needs lists texts of which every record that [Classifier.Classify]
// attributes to a stage holds one: a source of logs can leave out the lines
// of records that hold none. Fold are to be found in any letter case, Exact as
// they stand. Numbers are to be found as whole words: no letter and no digit
// stands beside them. All says that a rule of the caller can match any record.
type Needs struct {
	Fold, Exact []string
	Numbers     []string
	All         bool
}

// Needs tells what the Classifier's rules need. It is what the rules' own
// prefilter asks for, made shorter where fewer texts say as much: a status or a
// flag is looked for without the signs around it.
func (c *Classifier) Needs() Needs {
	n := Needs{All: c.gate.open, Fold: []string{"eof", "err_", "eai_", "flags=", "flag=", `flags":"`, `flag":"`, "state=", `state":"`}}
	// Words that names write in humps, less the first letter.
	n.Exact = append(n.Exact, "imeOut", "otFound", "nknownHost", "adStatus", "everReceived", "nvalidChunk", "oAway", "HungUp", "elfSigned", "etAddresses", "onExist")
	n.Numbers = slices.Sorted(maps.Keys(statusVerdicts))
	for _, f := range envoyFlags {
		n.Exact = append(n.Exact, " "+f.flag)
	}
	for s := range haproxyStates {
		n.Exact = append(n.Exact, " "+s)
	}
	slices.Sort(n.Exact)
	n.Exact = slices.Compact(n.Exact)
	short := len(n.Fold)
	for _, w := range c.gate.texts {
		w = strings.Trim(w, "\n")
		if !holdsOne(w, n.Fold[:short]) && !holdsOne(w, n.Exact) && !slices.Contains(n.Numbers, strings.Trim(w, signs)) {
			n.Fold = append(n.Fold, w)
		}
	}
	n.Fold = shortest(n.Fold)
	return n
}

// signs stand around a number.
const signs = "\t !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// holdsOne reports whether a word of the prefilter, which knows no letter case,
// is one of the texts with signs and numbers around it, and a proxy's two
// letters for a cookie. The flags and states of proxies are told in one case
// only, so that no more than that has to be looked for.
func holdsOne(w string, of []string) bool {
	letters := func(s string) (n int) {
		for _, c := range strings.ToLower(s) {
			if 'a' <= c && c <= 'z' {
				n++
			}
		}
		return n
	}
	return slices.ContainsFunc(of, func(o string) bool {
		return strings.Contains(strings.ToLower(w), strings.ToLower(o)) && letters(w) <= letters(o)+2
	})
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

// Package nearest finds the name that was probably meant.
package nearest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Of returns the candidate nearest to a misspelt name, or "" if none is near:
// at most a third of the name's letters may differ, one at least. Case and
// the difference of - and _ count little. Among equally near candidates the
// first wins.
func Of(name string, candidates []string) string {
	if len(name) > 100 {
		return ""
	}
	fold := strings.NewReplacer("-", "_", " ", "_")
	want := fold.Replace(strings.ToLower(name))
	limit := max(1, len([]rune(name))/3)
	best, bestDistance := "", limit+1
	for _, c := range candidates {
		d := levenshtein.ComputeDistance(want, fold.Replace(strings.ToLower(c)))
		if d < bestDistance && c != name {
			best, bestDistance = c, d
		}
	}
	return best
}

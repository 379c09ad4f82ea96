package report

import (
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// podNames gives every pod of an analysis the shortest end of its name, in
// whole parts between hyphens, that no other pod of it has: replicas differ at
// the end. A short name is longer than one hyphen and four letters, so that it
// can be found again in the cluster's own lists.
func podNames(an *analyze.Analysis, s Screen) map[string]string {
	var pods []string
	for i := range an.Incidents {
		pods = append(pods, an.Incidents[i].Pods...)
	}
	slices.Sort(pods)
	pods = slices.Compact(pods)
	names := make(map[string]string, len(pods))
	open := pods
	for parts := 1; parts <= podParts && len(open) > 0; parts++ {
		ends := map[string]int{}
		for _, p := range pods {
			ends[endOf(p, parts)]++
		}
		var still []string
		for _, p := range open {
			end := endOf(p, parts)
			switch {
			case end == p:
				names[p] = p
			case ends[end] > 1 || len(end) < 5:
				still = append(still, p)
			default:
				names[p] = s.sign("…", "..") + end
			}
		}
		open = still
	}
	return names
}

// podParts bounds how many parts of a name are tried.
const podParts = 8

// endOf returns the last parts of a name with the hyphen before them, or all
// of a name that has no more.
func endOf(name string, parts int) string {
	i := len(name)
	for range parts {
		if i = strings.LastIndexByte(name[:i], '-'); i <= 0 {
			return name
		}
	}
	return name[i:]
}

// podShown bounds the columns of a pod's short name.
const podShown = 24

// pod is a pod's short name, fit for the screen.
func (t *text) pod(name string) string {
	if end, ok := t.pods[name]; ok {
		name = end
	}
	return t.s.fitLeft(t.s.safe(name), podShown)
}

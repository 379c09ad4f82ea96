package analyze

import "slices"

// weight says how closely an issue names an incident: 0 not at all, least by
// the shortest pattern, more by a Source without wildcards, most by the
// incident's fingerprint. A masked id does not tell incidents apart and
// decides nothing.
func (is *Issue) weight(inc *incident) int {
	if slices.Contains(is.Fingerprints, inc.id.String()) {
		return 1 << 30
	}
	best := 0
	for _, g := range is.Sources {
		if !g.Match(inc.source) {
			continue
		}
		w := 1 + len(g)
		if _, literal := g.Literal(); literal {
			w += 1 << 20
		}
		best = max(best, w)
	}
	return best
}

// about reports whether an incident is an issue's: no other issue names it more
// closely, and none that is open as closely as one that is closed.
func (a *Analyzer) about(is *Issue, inc *incident) bool {
	w := is.weight(inc)
	if w == 0 {
		return false
	}
	for i := range a.opts.Config.Issues {
		other := &a.opts.Config.Issues[i]
		if other.Number == is.Number {
			continue
		}
		if o := other.weight(inc); o > w || o == w && is.State == "closed" && other.State != "closed" {
			return false
		}
	}
	return true
}

// shared reports whether an issue names incidents that are another issue's.
func (a *Analyzer) shared(is *Issue) bool {
	return slices.ContainsFunc(a.order, func(inc *incident) bool { return is.weight(inc) > 0 && !a.about(is, inc) })
}

package analyze

import "slices"

// readWithin returns the lengths of the stretches of [from, to) that were read
// whole, in order: what was not read was not silent. It returns nil if there is
// none.
func (a *Analyzer) readWithin(from, to int64) []int64 {
	type hole struct{ start, end int64 }
	var holes []hole
	for _, g := range a.gaps {
		h := hole{max(g.Start.UnixNano(), from), min(g.End.UnixNano(), to)}
		if h.start < h.end {
			holes = append(holes, h)
		}
	}
	slices.SortFunc(holes, func(x, y hole) int {
		if x.start != y.start {
			return int(min(max(x.start-y.start, -1), 1))
		}
		return int(min(max(x.end-y.end, -1), 1))
	})
	var out []int64
	for _, h := range holes {
		if h.start > from {
			out = append(out, h.start-from)
		}
		from = max(from, h.end)
	}
	if to > from {
		out = append(out, to-from)
	}
	return out
}

func total(lengths []int64) int64 {
	sum := int64(0)
	for _, l := range lengths {
		sum += l
	}
	return sum
}

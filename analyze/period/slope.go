package period

// gridSlope returns by how much the spacing inside runs, each of which has a
// phase of its own, differs from period: the slope of the regression of what
// is left on the slots. A period that was fitted across the pauses between
// runs is off by what the pauses are no multiple of.
func gridSlope(runs []run, period float64) float64 {
	num, den := 0.0, 0.0
	for _, r := range runs {
		n, slots, rest := 0.0, 0.0, 0.0
		for j, k := range r.slot {
			n++
			slots += float64(k)
			rest += r.at(j) - r.at(0) - float64(k)*period
		}
		slots, rest = slots/n, rest/n
		for j, k := range r.slot {
			d := float64(k) - slots
			num += d * (r.at(j) - r.at(0) - float64(k)*period - rest)
			den += d * d
		}
	}
	if den == 0 {
		return 0
	}
	return num / den
}

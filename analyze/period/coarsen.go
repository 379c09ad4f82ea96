package period

import "slices"

// coarsen returns a part whose period is the greatest that all its runs allow:
// where no run has an event in any but every g-th slot, the period is g slots.
func coarsen(p part) part {
	g := 0
	for _, r := range p.runs {
		for _, k := range r.slot {
			g = gcd(g, k-r.slot[0])
		}
	}
	if g < 2 {
		return p
	}
	p.period *= float64(g)
	p.runs = slices.Clone(p.runs)
	for i := range p.runs {
		r := &p.runs[i]
		first := r.slot[0]
		r.slot = slices.Clone(r.slot)
		for j := range r.slot {
			r.slot[j] = (r.slot[j] - first) / g
		}
	}
	return p
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

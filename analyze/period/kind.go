package period

import "math"

// kindOdds returns the natural logarithm of the Bayes factor of fixed rate over
// fixed delay.
//
// Fixed rate: time = phase of the run + slot × period + white noise. Fixed
// delay: time is a random walk with steps of mean period and a variance that
// grows with the slots, seen through the clock's rounding. Phase, period and
// the logarithm of the noise have flat priors in both, and are integrated out:
// three events then weigh exactly nothing. The walk's ratio of rounding to step
// variance is integrated over a grid.
func kindOdds(runs []run, period, step float64) float64 {
	dof := -1
	for _, r := range runs {
		dof += len(r.events) - 1
	}
	if dof < 1 {
		return 0
	}
	ssGrid, logDetGrid := gridResidual(runs, period)
	round := step * step / 12
	half := float64(dof) / 2
	if ssGrid <= float64(dof)*round*0.5 || ssGrid <= 1e-18 || withinStep(runs, period, step) {
		// Nothing but rounding: a walk would have to be so much finer than
		// the clock that even its sum stays below a step.
		return math.Log(float64(dof)) / 2
	}
	ssGrid = math.Max(ssGrid, float64(dof)*round)
	grid := -half*math.Log(ssGrid) - logDetGrid/2
	// Ratio of rounding variance to step variance, 0 first.
	ss0, det0 := walkResidual(runs, period, 0)
	if ss0 <= 0 {
		return 0
	}
	walk := -half*math.Log(ss0) - det0/2
	if round > 0.02*ss0/float64(dof) {
		sum, n := 0.0, 0.0
		top := math.Inf(-1)
		var lls []float64
		for ratio := 0.05; ratio < 100; ratio *= 2 {
			ss, det := walkResidual(runs, period, ratio)
			// The step variance that this ratio implies must agree
			// with the known rounding within a factor of four.
			v := ss / float64(dof)
			if q := v * ratio / round; q < 0.25 || q > 4 {
				continue
			}
			ll := -half*math.Log(ss) - det/2
			lls = append(lls, ll)
			top = math.Max(top, ll)
		}
		for _, ll := range lls {
			sum += math.Exp(ll - top)
			n++
		}
		if n > 0 {
			walk = math.Max(walk, top+math.Log(sum/n))
		}
	}
	return grid - walk
}

// withinStep reports whether, in every run, what is left of the times beside a
// grid fits into one step of the clock: some phase then explains them by
// rounding alone. Noise that is no normal one, since most runs have none and
// those near a step's border jump by the whole of it, says nothing more.
func withinStep(runs []run, period, step float64) bool {
	period += gridSlope(runs, period)
	for _, r := range runs {
		low, high := 0.0, 0.0
		for j, k := range r.slot {
			d := r.at(j) - r.at(0) - float64(k)*period
			low, high = math.Min(low, d), math.Max(high, d)
		}
		if high-low > step*1.1 { // the slope, too, was read off rounded times
			return false
		}
	}
	return true
}

// gridResidual returns the sum of squares about the best grid, and the log
// determinant that integrating phases and period leaves.
func gridResidual(runs []run, period float64) (ss, logDet float64) {
	num, den := 0.0, 0.0
	type moments struct{ n, k, t float64 }
	ms := make([]moments, len(runs))
	for i, r := range runs {
		m := &ms[i]
		for j, k := range r.slot {
			m.n++
			m.k += float64(k)
			m.t += r.at(j) - r.at(0) - float64(k)*period
		}
		m.k, m.t = m.k/m.n, m.t/m.n
		for j, k := range r.slot {
			dk := float64(k) - m.k
			num += dk * (r.at(j) - r.at(0) - float64(k)*period - m.t)
			den += dk * dk
		}
		logDet += math.Log(m.n)
	}
	slope := num / den
	for i, r := range runs {
		for j, k := range r.slot {
			e := r.at(j) - r.at(0) - float64(k)*period - ms[i].t - slope*(float64(k)-ms[i].k)
			ss += e * e
		}
	}
	return ss, logDet + math.Log(den)
}

// walkResidual is the same for a random walk observed with white noise of
// ratio times the variance of one step (Kalman filter; the slope is profiled
// by regression on the innovations).
func walkResidual(runs []run, period, ratio float64) (ss, logDet float64) {
	// Innovations are linear in the slope: u = a - slope*b.
	aa, ab, bb := 0.0, 0.0, 0.0
	for _, r := range runs {
		// State after the first observation.
		level, slopePart, variance := 0.0, 0.0, ratio
		for j := 1; j < len(r.events); j++ {
			g := float64(r.slot[j] - r.slot[j-1])
			d := r.at(j) - r.at(0) - float64(r.slot[j])*period
			variance += g
			f := variance + ratio
			a := d - level
			b := float64(r.slot[j]) - slopePart
			logDet += math.Log(f)
			aa += a * a / f
			ab += a * b / f
			bb += b * b / f
			gain := variance / f
			level += gain * a
			slopePart += gain * b
			variance *= 1 - gain
		}
	}
	return aa - ab*ab/bb, logDet + math.Log(bb)
}

package analyze

import "math"

// chanceRuns returns the expected number of runs of gaps that all lie within
// tolerance of d, among n events over span nanoseconds, if the gaps were
// exponential with the mean that these events have.
func chanceRuns(n, gaps int, span, tolerance, d int64) float64 {
	mean := float64(span) / float64(n-1)
	p := math.Exp(-float64(d-tolerance)/mean) - math.Exp(-float64(d+tolerance)/mean)
	return float64(n) * math.Pow(p, float64(gaps))
}

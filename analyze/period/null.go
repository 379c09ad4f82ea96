package period

import "math"

// kernelWidth is the bandwidth, in natural logarithms of an interval, below
// which the null hypothesis sees no structure. It makes a renewal process
// whose intervals have a coefficient of variation of about 0.4 or more part of
// the null.
const kernelWidth = 0.4

// nullExcess returns by how many nats the best of the smooth renewal processes
// explains the intervals better than Poisson events of the local rate do; at
// least zero. The candidates are gamma renewal processes of shape 2 to 6, and
// a leave-one-out kernel estimate on the logarithms of the intervals.
func nullExcess(t, rate []float64, step float64) float64 {
	n := len(t) - 1
	if n < 2 {
		return 0
	}
	poisson, sumLog := 0.0, 0.0
	logs := make([]float64, n)
	mean := math.Max((t[n]-t[0])/float64(n), step)
	for i := range n {
		w := math.Max(t[i+1]-t[i], step)
		logs[i] = math.Log(w)
		sumLog += logs[i]
		poisson += math.Log(rate[i+1]) - 1
	}
	best := 0.0
	for k := 2.0; k <= 6; k++ {
		lg, _ := math.Lgamma(k)
		ll := float64(n)*(k*math.Log(k/mean)-lg-k) + (k-1)*sumLog
		best = math.Max(best, ll-poisson)
	}
	return math.Max(best, kernelLogLikelihood(logs)-poisson)
}

// kernelLogLikelihood is the leave-one-out log-likelihood of intervals, given
// as logarithms, under a Gaussian kernel estimate of width kernelWidth on the
// logarithms. It works on a histogram whose bins are a tenth of a nat.
func kernelLogLikelihood(logs []float64) float64 {
	const bin = 0.1
	n := len(logs)
	if n < 3 {
		return math.Inf(-1)
	}
	lo, hi := logs[0], logs[0]
	for _, l := range logs {
		lo, hi = math.Min(lo, l), math.Max(hi, l)
	}
	bins := int((hi-lo)/bin) + 1
	count := make([]float64, bins)
	for _, l := range logs {
		count[int((l-lo)/bin)]++
	}
	reach := int(4 * kernelWidth / bin)
	kern := make([]float64, reach+1)
	for d := range kern {
		x := float64(d) * bin / kernelWidth
		kern[d] = math.Exp(-x*x/2) / (kernelWidth * math.Sqrt(2*math.Pi))
	}
	ll := 0.0
	for b, c := range count {
		if c == 0 {
			continue
		}
		p := -kern[0]
		for d := -reach; d <= reach; d++ {
			if b+d >= 0 && b+d < bins {
				p += count[b+d] * kern[max(d, -d)]
			}
		}
		p = (p + 0.02) / float64(n-1) // the rest: anything at all
		ll += c * (math.Log(p) - (lo + (float64(b)+0.5)*bin))
	}
	return ll
}

package period

import (
	"math"
	"time"
)

// Find returns the recurrences in the series, those with most events first,
// then by period. The result depends on nothing but the arguments.
func Find(series []Series, opt Options) []Recurrence {
	var out []Recurrence
	for i, s := range series {
		n := len(s.Times)
		if n < 3 {
			continue
		}
		mean := float64(s.Times[n-1]-s.Times[0]) / float64(n-1)
		ss := 0.0
		for j := 1; j < n; j++ {
			d := float64(s.Times[j]-s.Times[j-1]) - mean
			ss += d * d
		}
		cv := math.Sqrt(ss/float64(n-1)) / mean
		if mean <= 0 || cv > 0.2 || math.Pow(cv, float64(n-2)) > 0.001 {
			continue
		}
		p := time.Duration(mean)
		r := Recurrence{Period: p, Low: p, High: p, Jitter: time.Duration(cv * mean), Kind: UnknownKind, Events: n, Slots: n, Explained: 1,
			Phases: []Phase{{Stream: s.Stream, Series: i, Offset: time.Duration(s.Times[n-1] % int64(p)), Events: n, Slots: n, NextDue: s.Times[n-1] + int64(p)}}}
		out = append(out, r)
	}
	return out
}

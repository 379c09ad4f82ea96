package period

import "math"

// What makes a stream one of pairs: a start and an end a fixed time apart.
const (
	leastPairEvents = 6    // events that can show it
	pairShare       = 0.7  // least share of events in pairs
	pairChains      = 0.25 // most pairs of which the end starts another
	pairLoose       = 0.25 // of the distance: how loosely a third event is looked for
	pairReach       = 5    // events after the first among which its partner is sought
)

// withoutCompanions returns the streams with the second event of every pair
// left out where most events come in pairs a fixed time apart, and whether any
// do. Pairs at random times make coincidences of single times look like those
// of two; what recurs recurs without the partners as well.
func withoutCompanions(streams []*stream) (out []*stream, any bool) {
	out = make([]*stream, 0, len(streams))
	for _, s := range streams {
		if gone := companions(s); gone != nil {
			any = true
			s = s.without(gone)
		}
		if s != nil {
			out = append(out, s)
		}
	}
	return out, any
}

// companions marks the second events of pairs, or returns nil where pairs are
// not what the stream is made of.
func companions(s *stream) []bool {
	n := len(s.t)
	if n < leastPairEvents {
		return nil
	}
	for _, c := range differencePeaks([]*stream{s}, pairReach) {
		tolerance := math.Max(3*c.width, 2*s.step)
		if tolerance > 0.1*c.period {
			continue
		}
		second := make([]bool, n)
		pairs, chains := 0, 0
		j := 0
		for i := range n {
			for j < n && s.t[j] < s.t[i]+c.period-tolerance {
				j++
			}
			if j == n || s.t[j] > s.t[i]+c.period+tolerance {
				continue
			}
			if second[i] {
				chains++
				continue
			}
			second[j] = true
			pairs++
		}
		if 2*float64(pairs) >= pairShare*float64(n) && float64(chains) <= pairChains*float64(pairs) {
			if !goesOn(s, second, c.period) {
				return second
			}
		}
	}
	return nil
}

// goesOn reports whether second events have another event about as far ahead
// as their partner is behind, more often than the rate of events lets expect:
// such are no pairs, but a row with jitter.
func goesOn(s *stream, second []bool, distance float64) bool {
	n, third, expect := 0.0, 0.0, 0.0
	lo := 0
	end := s.t[len(s.t)-1] - distance
	for i, t := range s.t {
		if !second[i] || t > end {
			continue
		}
		from, to := t+distance*(1-pairLoose), t+distance*(1+pairLoose)
		for lo < len(s.t) && s.t[lo] < from {
			lo++
		}
		n++
		if lo < len(s.t) && s.t[lo] <= to {
			third++
		}
		expect += 1 - math.Exp(-2*pairLoose*distance*float64(len(s.t))/s.span())
	}
	return n > 0 && third-expect > 1.5*math.Sqrt(expect*(1-expect/n)+0.1)
}

// related reports whether two periods are within 2 % of a ratio of small whole
// numbers.
func related(a, b float64) bool {
	for p := 1.0; p <= 6; p++ {
		for q := 1.0; q <= 6; q++ {
			if math.Abs(a*q/(b*p)-1) < 0.02 {
				return true
			}
		}
	}
	return false
}

package period

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCalibration holds what evidence means: of searches of structureless
// streams at most a share of about exp(-x) reaches evidence x. It allows half as
// much again, and four standard deviations of the number of searches made.
func TestCalibration(t *testing.T) {
	searches := 400
	if *manyCases > 0 {
		searches = 25 * *manyCases
	}
	for _, shape := range []int{1, 6} { // of gamma intervals: Poisson, and as regular as the null allows
		for _, n := range []int{3, 5, 8, 40} {
			r := rand.New(rand.NewPCG(*caseSeed, uint64(100*n+shape)))
			var beyond [7]int
			for range searches {
				times := sorted(renewal(n, func() float64 {
					x := 0.0
					for range shape {
						x += 100 * r.ExpFloat64() / float64(shape)
					}
					return x
				}))
				streams, _ := prepare([]Series{{Times: times, Resolution: 1000}})
				var f finder
				g, ok := f.search(streams)
				for x := range beyond {
					if ok && g.score > float64(x) {
						beyond[x]++
					}
				}
			}
			for x := 2; x < len(beyond); x++ {
				expected := float64(searches) * math.Exp(-float64(x))
				if limit := 1.5*expected + 4*math.Sqrt(expected) + 1; float64(beyond[x]) > limit {
					t.Errorf("shape %d, %d events: %d of %d searches reach evidence %d, want at most %.1f", shape, n, beyond[x], searches, x, limit)
				}
			}
		}
	}
}

package period

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

// timingSeries makes one stream of n events: a recurrence of ten seconds with
// 2 % jitter and a fifth of its slots missing, among as many random events.
func timingSeries(n int, seed uint64) Series {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	return Series{Stream: fmt.Sprint(seed), Times: sorted(append(
		grid(r, 10, 0.2, n*5/8, 0.2), poisson(r, 5*float64(n)*5/4, n/2)...))}
}

// BenchmarkFind is the cost of one stream over its length.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
		s := []Series{timingSeries(n, 1)}
		b.Run(fmt.Sprintf("events=%d", len(s[0].Times)), func(b *testing.B) {
			b.SetBytes(int64(8 * len(s[0].Times)))
			b.ReportAllocs()
			for b.Loop() {
				if len(Find(s, Options{})) == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}

// BenchmarkFindNothing is the cost of structureless events.
func BenchmarkFindNothing(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		r := rand.New(rand.NewPCG(3, uint64(n)))
		s := []Series{{Times: sorted(poisson(r, float64(n), n))}}
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			b.SetBytes(int64(8 * n))
			b.ReportAllocs()
			for b.Loop() {
				if len(Find(s, Options{})) != 0 {
					b.Fatal("found something in nothing")
				}
			}
		})
	}
}

var benchStreams = flag.Int("streams", 10_000, "streams in BenchmarkFindStreams")

// BenchmarkFindStreams is the cost of 10,000 streams of 50 events: all with
// one period, each with a period of its own, and with none.
func BenchmarkFindStreams(b *testing.B) {
	for _, kind := range []string{"shared", "own", "none"} {
		series := make([]Series, *benchStreams)
		bytes := int64(0)
		for i := range series {
			r := rand.New(rand.NewPCG(9, uint64(i)))
			p := 60.0
			if kind == "own" {
				p = 10 + 1000*r.Float64()
			}
			var t []float64
			if kind == "none" {
				t = poisson(r, 50*p, 50)
			} else {
				t = grid(r, p, 0.01*p, 50, 0)
			}
			series[i] = Series{Stream: fmt.Sprint(i), Times: sorted(t)}
			bytes += int64(8 * len(t))
		}
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				Find(series, Options{MaxRecurrences: 20_000})
			}
		})
	}
}

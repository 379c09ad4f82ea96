package period

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestSummaryKeepsAllUntilItIsFull(t *testing.T) {
	s := NewSummary(1000)
	var want []int64
	for i := range int64(600) {
		s.Add(i * 7)
		want = append(want, i*7)
	}
	if s.Thinned() || s.Count() != 600 || !slices.Equal(s.Times(), want) {
		t.Errorf("thinned %v, count %d, %d times; want every one of 600", s.Thinned(), s.Count(), len(s.Times()))
	}
}

func TestSummaryIsBounded(t *testing.T) {
	for _, bound := range []int{256, 1000, 4096} {
		s := NewSummary(bound)
		for i := range int64(100_000) {
			s.Add(i)
			if i%997 != 0 {
				continue
			}
			if n := len(s.Times()); n > bound {
				t.Fatalf("bound %d: %d times kept", bound, n)
			}
		}
		times := s.Times()
		if !s.Thinned() || s.Count() != 100_000 || len(times) > bound || len(times) < bound/2 {
			t.Errorf("bound %d: thinned %v, count %d, %d times", bound, s.Thinned(), s.Count(), len(times))
		}
		newest := times[len(times)-bound/2+summaryBlock:]
		for i := 1; i < len(newest); i++ {
			if newest[i] != newest[i-1]+1 {
				t.Errorf("bound %d: a gap among the newest", bound)
			}
		}
		if times[0] > 1000 {
			t.Errorf("bound %d: the oldest kept is %d, want the beginning", bound, times[0])
		}
	}
}

func TestSummaryOfTheUnordered(t *testing.T) {
	s := NewSummary(256)
	for i := range int64(100) {
		s.Add(i ^ 1)
	}
	if !slices.IsSorted(s.Times()) {
		t.Error("times are not in order")
	}
}

// TestSummaryFindsTheSame: what is found in a thinned stream is what is found
// in the whole.
func TestSummaryFindsTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	times := sorted(append(grid(r, 30, 0.3, 20_000, 0.2), poisson(r, 600_000, 10_000)...))
	s := NewSummary(2000)
	for _, x := range times {
		s.Add(x)
	}
	found := Find([]Series{{Times: s.Times()}}, Options{})
	if len(found) == 0 {
		t.Fatal("nothing found in the thinned stream")
	}
	near(t, "period", found[0].Period, 30*time.Second, 10*time.Millisecond)
}

func BenchmarkSummary(b *testing.B) {
	b.SetBytes(8)
	b.ReportAllocs()
	s := NewSummary(20_000)
	i := int64(0)
	for b.Loop() {
		s.Add(i)
		i++
	}
}

package main

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEvenness(t *testing.T) {
	tests := []struct {
		name              string
		xs                []int64
		jain, minOverMean float64
	}{
		{"one", []int64{7}, 1, 1},
		{"all equal", []int64{5, 5, 5}, 1, 1},
		{"all to one of four", []int64{8, 0, 0, 0}, 0.25, 0},
		{"three to one", []int64{3, 1}, 0.8, 0.5},
		{"nothing", []int64{0, 0}, math.NaN(), math.NaN()},
		{"nobody", nil, math.NaN(), math.NaN()},
	}
	for _, tt := range tests {
		jain, minOverMean := evenness(tt.xs)
		got, want := []*float64{measured(jain), measured(minOverMean)}, []*float64{measured(tt.jain), measured(tt.minOverMean)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: evenness(%v) (-want +got):\n%s", tt.name, tt.xs, diff)
		}
	}
}

func TestCutSegments(t *testing.T) {
	tests := []struct {
		size int64
		n    int
		want [][2]int64
	}{
		{10, 1, [][2]int64{{0, 9}}},
		{10, 3, [][2]int64{{0, 2}, {3, 5}, {6, 9}}},
		{2, 4, [][2]int64{{0, 0}, {1, 1}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, cutSegments(tt.size, tt.n)); diff != "" {
			t.Errorf("cutSegments(%d, %d) (-want +got):\n%s", tt.size, tt.n, diff)
		}
	}
}

// TestBenchReport turns a load that was measured into a report, once where all
// bars are kept and then with one of them missed at a time.
func TestBenchReport(t *testing.T) {
	start := time.Unix(0, 0)
	fair := func() *bench {
		b := &bench{o: transferBenchOptions{tasks: 2, segments: 4, slots: 4, size: 1 << 20, limitRate: 1 << 20, limiter: "fair"},
			started: start, first: start, complete: start.Add(1900 * time.Millisecond)}
		for range 2 {
			b.tasks = append(b.tasks, &benchTask{bench: b, size: 1 << 20, bytes: 1 << 20, steady: 19 << 20 / 20,
				elapsed: 2 * time.Second, longest: 70 * time.Millisecond})
		}
		return b
	}
	tests := []struct {
		name   string
		change func(*bench)
		fair   bool
	}{
		{"as it should be", func(*bench) {}, true},
		{"slow", func(b *bench) { b.tasks[1].elapsed = 2200 * time.Millisecond }, false},
		{"a long wait", func(b *bench) { b.tasks[1].longest = 130 * time.Millisecond }, false},
		{"uneven", func(b *bench) { b.tasks[0].steady, b.tasks[1].steady = 1<<20, 18<<20/20 }, true},
		{"too uneven", func(b *bench) { b.tasks[0].steady, b.tasks[1].steady = 11<<20/10, 16<<20/20 }, false},
		{"above the limit", func(b *bench) { b.complete = start.Add(1880 * time.Millisecond) }, false},
		{"below the limit", func(b *bench) { b.complete = start.Add(1920 * time.Millisecond) }, false},
		{"a false stall", func(b *bench) { b.tasks[0].failures, b.tasks[0].stalls = 1, 1 }, false},
		{"uneven for want of slots", func(b *bench) {
			b.o.slots, b.tasks[0].steady, b.tasks[1].steady = 1, 19<<20/10, 0
			b.tasks[0].longest = 0
			b.tasks[1].longest = 0
		}, true},
	}
	for _, tt := range tests {
		b := fair()
		tt.change(b)
		if r := b.report(); r.Fair != tt.fair {
			t.Errorf("%s: fair is %v, want %v: %+v", tt.name, r.Fair, tt.fair, r.bars())
		}
	}
}

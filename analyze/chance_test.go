package analyze

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestPassRuns(t *testing.T) {
	const d = 180 * time.Second
	at := func(seconds ...float64) []int64 {
		out := make([]int64, len(seconds))
		for i, s := range seconds {
			out[i] = int64(s * 1e9)
		}
		return out
	}
	for _, c := range []struct {
		name          string
		ts            []int64
		longest, runs int
	}{
		{"three in a row", at(0, 180, 360), 3, 1},
		{"two are no pass", at(0, 180), 0, 0},
		{"two twice are no pass", at(0, 180, 5000, 5180), 0, 0},
		{"five, a pause, four", at(0, 180.001, 360, 540, 720.002, 2880, 3060, 3240, 3420), 5, 2},
		{"another length", at(0, 120, 240, 360), 0, 0},
		{"equal times are no pass", at(7, 7, 7, 7), 0, 0},
	} {
		if longest, runs := passRuns(c.ts, d); longest != c.longest || runs != c.runs {
			t.Errorf("%s: longest %d in %d runs, want %d in %d", c.name, longest, runs, c.longest, c.runs)
		}
	}
}

// TestPassRunsInNoise draws Poisson events whose mean gap is the very length
// of the budget: three in a row by chance must not be told as a pass.
func TestPassRunsInNoise(t *testing.T) {
	const seed, trials = 11, 2000
	rng := rand.New(rand.NewPCG(seed, 0))
	alarms := 0
	for range trials {
		ts := make([]int64, 300)
		now := 0.0
		for i := range ts {
			now += rng.ExpFloat64() * 180
			ts[i] = int64(now * 1e9)
		}
		slices.Sort(ts)
		if _, runs := passRuns(ts, 180*time.Second); runs > 0 {
			alarms++
		}
	}
	if alarms > trials*2/100 {
		t.Errorf("seed %d: %d of %d noise streams were called a pass", seed, alarms, trials)
	}
}

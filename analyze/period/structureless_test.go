package period

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// structureless are families of events in which nothing recurs with a fixed
// period, each made from a random source.
var structureless = []struct {
	name string
	make func(r *rand.Rand) []Series
}{
	{"poisson", func(r *rand.Rand) []Series {
		n := between(r, 3, 400)
		return one(poisson(r, span(r)*float64(n), n), 1000)
	}},
	{"few", func(r *rand.Rand) []Series {
		n := between(r, 3, 9)
		return one(poisson(r, span(r)*float64(n), n), 1000)
	}},
	{"many streams", func(r *rand.Rand) []Series {
		mean := span(r)
		var out []Series
		for range between(r, 2, 20) {
			n := between(r, 2, 60)
			out = append(out, one(poisson(r, mean*60, n), 1e6)...)
		}
		return out
	}},
	{"whole seconds", func(r *rand.Rand) []Series {
		n := between(r, 4, 300)
		return one(poisson(r, float64(n)*logBetween(r, 2, 60), n), 1e9)
	}},
	{"whole minutes", func(r *rand.Rand) []Series {
		n := between(r, 4, 300)
		return one(poisson(r, float64(n)*logBetween(r, 60, 3600), n), 60e9)
	}},
	{"fairly regular", func(r *rand.Rand) []Series { // gamma intervals, shape 1 to 6
		k, mean := between(r, 1, 6), span(r)
		return one(renewal(between(r, 5, 400), func() float64 {
			x := 0.0
			for range k {
				x += mean / float64(k) * r.ExpFloat64()
			}
			return x
		}), 1000)
	}},
	{"heavy tails", func(r *rand.Rand) []Series {
		mean, sigma := span(r), 0.6+r.Float64()*1.5
		return one(renewal(between(r, 5, 400), func() float64 { return mean * math.Exp(sigma*r.NormFloat64()) }), 1000)
	}},
	{"day and night", func(r *rand.Rand) []Series {
		depth, day := 0.5+r.Float64()/2, 86400.0
		var out []float64
		for len(out) < 60 {
			for _, t := range poisson(r, day*(3+6*r.Float64()), 300) {
				if r.Float64() < (1+depth*math.Sin(2*math.Pi*t/day))/2 {
					out = append(out, t)
				}
			}
		}
		return one(out, 1000)
	}},
	{"working hours", func(r *rand.Rand) []Series { // random events, eight hours a day
		var out []float64
		for d := range between(r, 3, 12) {
			for _, t := range poisson(r, 8*3600, between(r, 4, 60)) {
				out = append(out, float64(d)*86400+8*3600+t)
			}
		}
		return one(out, 1000)
	}},
	{"bursts", func(r *rand.Rand) []Series {
		gap := span(r)
		var out []float64
		t := 0.0
		for range between(r, 3, 60) {
			x := t
			for range between(r, 1, 12) {
				out = append(out, x)
				x += gap / 40 * r.ExpFloat64()
			}
			t += gap * r.ExpFloat64()
		}
		return one(out, 1000)
	}},
	{"hot and cold", func(r *rand.Rand) []Series {
		mean, hot, left := span(r), true, 0.0
		return one(renewal(between(r, 20, 400), func() float64 {
			if left <= 0 {
				hot, left = !hot, 10*mean*r.ExpFloat64()
			}
			d := mean * r.ExpFloat64()
			if !hot {
				d *= 12
			}
			left -= d
			return d
		}), 1000)
	}},
	{"start and end", func(r *rand.Rand) []Series { // pairs a fixed time apart, at random times
		length := span(r)
		var out []float64
		for _, t := range poisson(r, length*200, between(r, 3, 60)) {
			out = append(out, t, t+length*(1+1e-5*r.NormFloat64()))
		}
		return one(out, 1000)
	}},
	{"start and end on streams", func(r *rand.Rand) []Series {
		length := span(r)
		var out []Series
		for range between(r, 2, 8) {
			var ts []float64
			for _, t := range poisson(r, length*300, between(r, 2, 20)) {
				ts = append(ts, t, t+length*(1+1e-5*r.NormFloat64()))
			}
			out = append(out, one(ts, 1000)...)
		}
		return out
	}},
	{"written twice", func(r *rand.Rand) []Series {
		n := between(r, 4, 200)
		ts := poisson(r, span(r)*float64(n), n)
		for _, t := range ts[:n] {
			ts = append(ts, t+logBetween(r, 2e-4, 2e-2))
		}
		return one(ts, 1000)
	}},
	{"batches", func(r *rand.Rand) []Series { // batches of random size at random times, lines apart at random
		gap := span(r)
		var out []float64
		for _, t := range poisson(r, gap*60, between(r, 3, 50)) {
			for range between(r, 2, 20) {
				out = append(out, t)
				t += gap * 1e-3 * r.Float64()
			}
		}
		return one(out, 1e6)
	}},
	{"growing", func(r *rand.Rand) []Series {
		e, unit, k := 1.2+0.8*r.Float64(), span(r), 0.0
		return one(renewal(between(r, 12, 300), func() float64 {
			k++
			return unit * (math.Pow(k, e) - math.Pow(k-1, e))
		}), 1000)
	}},
	{"random walk of the rate", func(r *rand.Rand) []Series {
		d := span(r)
		return one(renewal(between(r, 12, 300), func() float64 {
			d *= math.Exp(0.3 * r.NormFloat64())
			d = min(max(d, 0.1), 1e5)
			return d * r.ExpFloat64()
		}), 1000)
	}},
	{"clock steps", func(r *rand.Rand) []Series {
		n := between(r, 10, 200)
		ts := poisson(r, span(r)*float64(n), n)
		at, by := ts[n/2], logBetween(r, 1, 3600)
		for i := range ts {
			if ts[i] > at {
				ts[i] += by
			}
		}
		return one(ts, 1e6)
	}},
}

// ladders are retry schedules, started at random times.
var ladders = []struct {
	name string
	make func(r *rand.Rand) []Series
}{
	{"doubling", func(r *rand.Rand) []Series { return one(ladder(r, 2, between(r, 4, 9), 0), 1000) }},
	{"steep", func(r *rand.Rand) []Series { return one(ladder(r, 3, between(r, 4, 7), 0), 1000) }},
	{"gentle", func(r *rand.Rand) []Series { return one(ladder(r, 1.5, between(r, 5, 10), 0), 1000) }},
	{"jittered by a tenth", func(r *rand.Rand) []Series { return one(ladder(r, 2, between(r, 4, 9), 0.1), 1000) }},
	{"jittered by a quarter", func(r *rand.Rand) []Series { return one(ladder(r, 2, between(r, 4, 9), 0.25), 1000) }},
	{"full jitter", func(r *rand.Rand) []Series { return one(ladder(r, 2, between(r, 4, 9), 1), 1000) }},
}

// ladder makes up to 60 chains of events with growing intervals. Jitter moves
// each interval by up to that share of it; one means anything up to the whole.
func ladder(r *rand.Rand, factor float64, depth int, jitter float64) []float64 {
	base := logBetween(r, 0.1, 5)
	var out []float64
	t := 0.0
	for range between(r, 1, 60) {
		x, d := t, base
		for range depth {
			out = append(out, x)
			w := 1 + jitter*(2*r.Float64()-1)
			if jitter == 1 {
				w = r.Float64()
			}
			x += d * w
			d *= factor
		}
		t = x + 2*d*r.ExpFloat64()
	}
	return out
}

func renewal(n int, gap func() float64) []float64 {
	out := make([]float64, n)
	for i := 1; i < n; i++ {
		out[i] = out[i-1] + gap()
	}
	return out
}

func span(r *rand.Rand) float64 { return logBetween(r, 1, 3600) }

func between(r *rand.Rand, lo, hi int) int { return int(logBetween(r, float64(lo), float64(hi)+0.99)) }

func logBetween(r *rand.Rand, lo, hi float64) float64 {
	return lo * math.Exp(r.Float64()*math.Log(hi/lo))
}

// one makes the series of one stream with a clock of the given step.
func one(seconds []float64, step int64) []Series {
	times := sorted(seconds)
	for i := range times {
		times[i] -= times[i] % step
	}
	return []Series{{Stream: "s", Times: times, Resolution: time.Duration(step)}}
}

var (
	manyCases = flag.Int("cases", 0, "cases of every structureless family and ladder (0: a few)")
	caseSeed  = flag.Uint64("caseseed", 1, "seed of generated cases")
)

// TestStructureless holds the share of false alarms on events without any
// period. With few cases the bound allows for chance: it is one more than
// twice what the default promises.
func TestStructureless(t *testing.T) {
	cases := 12
	if *manyCases > 0 {
		cases = *manyCases
	}
	all, alarms := 0, 0
	for _, f := range structureless {
		n := falseAlarms(t, f.name, f.make, cases)
		all, alarms = all+cases, alarms+n
	}
	t.Logf("structureless: %d false alarms in %d cases", alarms, all)
	if limit := 1 + int(0.005*float64(all)); alarms > limit {
		t.Errorf("%d false alarms in %d cases, want at most %d", alarms, all, limit)
	}
}

// TestLadders holds the share of retry schedules that are called periodic.
func TestLadders(t *testing.T) {
	cases := 12
	if *manyCases > 0 {
		cases = *manyCases
	}
	all, alarms := 0, 0
	for _, f := range ladders {
		n := falseAlarms(t, f.name, f.make, cases)
		all, alarms = all+cases, alarms+n
	}
	t.Logf("ladders: %d false alarms in %d cases", alarms, all)
	if limit := 1 + int(0.02*float64(all)); alarms > limit {
		t.Errorf("%d false alarms in %d ladders, want at most %d", alarms, all, limit)
	}
}

func falseAlarms(t *testing.T, name string, make func(*rand.Rand) []Series, cases int) int {
	t.Helper()
	n := 0
	for i := range cases {
		r := rand.New(rand.NewPCG(*caseSeed, uint64(i)<<8|uint64(len(name))))
		found := Find(make(r), Options{})
		if len(found) == 0 {
			continue
		}
		n++
		f := found[0]
		t.Logf("%s, seed %d, case %d: %v ± %v, %d events, evidence %.1f", name, *caseSeed, i, f.Period, f.Jitter, f.Events, f.Evidence)
	}
	if cases > 100 {
		t.Logf("%-28s %d of %d", name, n, cases)
	}
	return n
}

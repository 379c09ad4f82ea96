package period

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Named is a length of time that has a name: a budget, a schedule, a
// well-known clock.
type Named struct {
	Name string
	// Expression is the text that Length was computed from; may be empty.
	Expression string
	Length     time.Duration
}

// A Match names what has the length of a period.
type Match struct {
	// Text reads like an expression: "A", "3 × A", "A + B", "A + 1m".
	Text string
	// Names are the names of the lengths in Text.
	Names []string
	// Length is what Text adds up to, Error the period less Length.
	Length, Error time.Duration
	// Chance is the probability that a period which has nothing to do with
	// the named lengths, anywhere within a factor of three of this one, lies
	// as close to any expression that is as simple as this one or simpler. A
	// match of 0.05 and more may well be a coincidence.
	Chance float64
}

// Clocks returns the well-known lengths that need no configuration: the usual
// scrape intervals and the steps of the wall clock.
func Clocks() []Named {
	return []Named{
		{Name: "scrape interval", Expression: "15s", Length: 15 * time.Second},
		{Name: "scrape interval", Expression: "30s", Length: 30 * time.Second},
		{Name: "every minute", Expression: "1m", Length: time.Minute},
		{Name: "every five minutes", Expression: "5m", Length: 5 * time.Minute},
		{Name: "every ten minutes", Expression: "10m", Length: 10 * time.Minute},
		{Name: "every quarter of an hour", Expression: "15m", Length: 15 * time.Minute},
		{Name: "every half hour", Expression: "30m", Length: 30 * time.Minute},
		{Name: "every hour", Expression: "1h", Length: time.Hour},
		{Name: "every day", Expression: "1d", Length: 24 * time.Hour},
		{Name: "every week", Expression: "1w", Length: 7 * 24 * time.Hour},
	}
}

// The expressions that Matches tries beyond a single name.
var (
	matchMultiples = [...]int{2, 3, 4, 5}
	matchRounds    = [...]time.Duration{time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}
)

const (
	// matchSlack is how far, as a share, a period may be from a length beyond
	// its own uncertainty: a delay of the length adds the work between.
	matchSlack = 0.005
	// matchRange is the factor around the period within which an unrelated
	// one could as well have been.
	matchRange = 3.0
	maxMatches = 5
)

// Matches returns the simplest expressions over the named lengths that have the
// length of a period, given with its confidence interval: single names; where
// there is none, multiples up to five, sums of two names, and a name and a
// round number. Of equal simplicity the less probable by chance comes first,
// then by Text; five at most.
func Matches(period, low, high time.Duration, named []Named) []Match {
	if period <= 0 {
		return nil
	}
	half := math.Max(float64(high-low)/2, 0)
	tolerance := math.Max(half, matchSlack*float64(period))
	var tried []float64 // logarithms of the lengths of all expressions so far
	for _, level := range [][]Match{singles(named), compounds(named)} {
		var found []Match
		for _, m := range level {
			tried = append(tried, math.Log(float64(m.Length)))
			m.Error = period - m.Length
			if math.Abs(float64(m.Error)) <= tolerance {
				found = append(found, m)
			}
		}
		if len(found) == 0 {
			continue
		}
		slices.Sort(tried)
		for i := range found {
			near := math.Max(math.Abs(float64(found[i].Error)), half) / float64(period)
			found[i].Chance = coverage(tried, math.Log(float64(period)), math.Max(near, 1e-6))
		}
		slices.SortStableFunc(found, func(a, b Match) int {
			return cmp.Or(cmp.Compare(a.Chance, b.Chance), cmp.Compare(a.Text, b.Text))
		})
		return found[:min(len(found), maxMatches)]
	}
	return nil
}

func singles(named []Named) []Match {
	var out []Match
	for _, n := range named {
		if n.Length > 0 {
			out = append(out, Match{Text: n.Name, Names: []string{n.Name}, Length: n.Length})
		}
	}
	return out
}

func compounds(named []Named) []Match {
	var out []Match
	for i, a := range named {
		if a.Length <= 0 {
			continue
		}
		for _, k := range matchMultiples {
			out = append(out, Match{Text: fmt.Sprintf("%d × %s", k, a.Name), Names: []string{a.Name}, Length: time.Duration(k) * a.Length})
		}
		for _, b := range named[i+1:] {
			if b.Length > 0 {
				out = append(out, Match{Text: a.Name + " + " + b.Name, Names: []string{a.Name, b.Name}, Length: a.Length + b.Length})
			}
		}
		for _, r := range matchRounds {
			// What is added is smaller than what it is added to, else
			// the name explains nothing.
			if r < a.Length {
				out = append(out, Match{Text: a.Name + " + " + short(r), Names: []string{a.Name}, Length: a.Length + r})
			}
		}
	}
	return out
}

// short formats whole seconds and minutes without zero parts.
func short(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%ds", d/time.Second)
}

// coverage returns the share of the range around centre, in logarithms, that
// lies within near of one of the points, which are sorted.
func coverage(points []float64, centre, near float64) float64 {
	lo, hi := centre-math.Log(matchRange), centre+math.Log(matchRange)
	covered, end := 0.0, lo
	for _, p := range points {
		from, to := math.Max(p-near, end), math.Min(p+near, hi)
		if to > from {
			covered += to - from
			end = to
		}
	}
	return covered / (hi - lo)
}

package period

import "time"

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
	// Text reads like an expression: "A", "A + B", "2 × A", "A + 1m".
	Text string
	// Names are the names of the lengths in Text.
	Names []string
	// Length is what Text adds up to, Error the period less Length.
	Length, Error time.Duration
	// Chance is the probability that a period unrelated to any of the named
	// lengths would lie this close to one of the expressions tried.
	Chance float64
}

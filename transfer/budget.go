package transfer

import (
	"context"
	"fmt"
	"time"
)

// DefaultStallBudget bounds silence where nothing else is said.
const DefaultStallBudget = 120 * time.Second

// DefaultHeadroom is what Outer adds where nothing else is said.
const DefaultHeadroom = time.Minute

// Budget is a named time bound. It is plain data and may describe bounds of
// other programs too.
type Budget struct {
	// Name is how logs and configuration call it.
	Name     string
	Duration time.Duration
	// Attempts is how often the work under this bound is tried; 0 means 1.
	Attempts int
	// Contains names the budgets that run inside this one.
	Contains []string
	// Bounds are the stages that this budget can end. They may be stages of
	// foreign clients, which this package does not know.
	Bounds []string
	// Guarantee is what the derivation that made the budget promises; empty
	// for a budget that was written down rather than derived.
	Guarantee string
}

// Named returns b under another name.
func (b Budget) Named(name string) Budget {
	b.Name = name
	return b
}

// Total returns the longest time that the budget allows in all its attempts,
// and false when that does not fit a time.Duration.
func (b Budget) Total() (time.Duration, bool) {
	total, ok := multiplyInt64(int64(b.Duration), int64(max(b.Attempts, 1)))
	return time.Duration(total), ok
}

// Outer derives the budget that contains one use of t: its length in all its
// attempts and the headroom, DefaultHeadroom where that is not positive.
//
// The guarantee: a stage of t that is silent from its start is refused by t,
// by name, before Outer fires. It is not promised that work which is slow but
// moving fits, nor that two stages in a row do; see Sequence.
func Outer(t Budget, headroom time.Duration) Budget {
	if headroom <= 0 {
		headroom = DefaultHeadroom
	}
	total, ok := t.Total()
	sum, fits := addInt64(int64(total), int64(headroom))
	if !ok || !fits {
		sum = int64(1<<63 - 1)
	}
	return Budget{
		Name:     t.Name + "+headroom",
		Duration: time.Duration(sum),
		Contains: []string{t.Name},
		Guarantee: fmt.Sprintf("fires %s after %s has refused one stage that was silent from its start; "+
			"a second silent stage, or a body that is slow but moving, may be cut by it", headroom, t.Name),
	}
}

// Sequence derives the budget of parts that run one after the other, such as
// an index and then a bundle: the sum of their lengths in all their attempts.
// It has no headroom of its own; Outer adds that.
func Sequence(parts ...Budget) Budget {
	var s Budget
	for i, p := range parts {
		total, ok := p.Total()
		sum, fits := addInt64(int64(s.Duration), int64(total))
		if !ok || !fits {
			sum = int64(1<<63 - 1)
		}
		s.Duration = time.Duration(sum)
		if i > 0 {
			s.Name += " then "
		}
		s.Name += p.Name
		s.Contains = append(s.Contains, p.Name)
	}
	s.Guarantee = fmt.Sprintf("ends no part of %q that is silent from its start before that part's own budget does", s.Name)
	return s
}

// Context returns a context that ends when the budget is spent. Its cause is
// then a *BudgetError, so that whoever is cut can say by which budget. The
// budget's length is used once, whatever Attempts says.
func (b Budget) Context(parent context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(parent, b.Duration, &BudgetError{Name: b.Name, Duration: b.Duration})
}

// BudgetError is the cause of a context whose budget is spent.
type BudgetError struct {
	Name     string
	Duration time.Duration
}

// Error names the budget and its length.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("the budget %s of %s is spent", e.Name, e.Duration)
}

// Timeout reports true.
func (e *BudgetError) Timeout() bool { return true }

// Is makes a BudgetError pass for context.DeadlineExceeded, which it is.
func (e *BudgetError) Is(target error) bool { return target == context.DeadlineExceeded }

package transfer

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// FlawKind says what is wrong with a nest of budgets.
type FlawKind string

// The kinds of flaw, worst first.
const (
	// FlawCycle: a budget contains itself, directly or not.
	FlawCycle FlawKind = "cycle"
	// FlawUnknownName: a budget contains one that does not exist.
	FlawUnknownName FlawKind = "unknown-name"
	// FlawDuplicateName: two budgets have one name; the first counts.
	FlawDuplicateName FlawKind = "duplicate-name"
	// FlawInverted: the inner budget, in all its attempts, is not shorter than
	// the outer one, which then cuts first and hides the inner one's evidence.
	FlawInverted FlawKind = "inverted"
	// FlawTotalOverBody: a warning. The outer budget bounds the total time of
	// something whose inner budget bounds silence in a streamed body: a body
	// that still moves is cut by its size and not by a fault.
	FlawTotalOverBody FlawKind = "total-over-body"
)

// Flaw is one finding of Check.
type Flaw struct {
	Kind FlawKind
	// Outer and Inner name the budgets. For FlawDuplicateName Outer is the
	// name; for FlawCycle Outer and Inner are two neighbours on the cycle.
	Outer, Inner string
	// Path are the budgets from Outer to Inner, both included; for FlawCycle
	// the whole cycle.
	Path []string
	// OuterDuration is the outer bound, InnerDuration one attempt of the inner
	// one, Attempts how often it is tried within the outer one, InnerTotal the
	// product, or the largest duration where it does not fit. All are zero
	// for the kinds that compare no durations.
	OuterDuration, InnerDuration, InnerTotal time.Duration
	Attempts                                 int
}

// Warning reports whether the flaw may be intended.
func (f Flaw) Warning() bool { return f.Kind == FlawTotalOverBody }

// String tells the flaw in a sentence, with the arithmetic where there is one.
func (f Flaw) String() string {
	switch f.Kind {
	case FlawCycle:
		return fmt.Sprintf("the budgets contain each other: %s", strings.Join(f.Path, " > "))
	case FlawUnknownName:
		return fmt.Sprintf("%s contains %s, which is no known budget", f.Outer, f.Inner)
	case FlawDuplicateName:
		return fmt.Sprintf("two budgets are named %s", f.Outer)
	case FlawTotalOverBody:
		return fmt.Sprintf("%s (%s) bounds total time around %s (%s), which bounds silence in a streamed body: a body that still moves is cut after %s",
			f.Outer, f.OuterDuration, f.Inner, f.InnerDuration, f.OuterDuration)
	}
	arithmetic := f.InnerDuration.String()
	if f.Attempts > 1 {
		arithmetic = fmt.Sprintf("%d × %s = %s", f.Attempts, f.InnerDuration, f.InnerTotal)
	}
	return fmt.Sprintf("%s (%s) is not longer than %s inside it (%s): it cuts first, and the inner cause leaves no line",
		f.Outer, f.OuterDuration, f.Inner, arithmetic)
}

// Check finds the flaws in a set of budgets, in the order of the outer budgets
// and, within one, of what they contain. Nesting is followed through any
// number of levels.
//
// How often a contained budget is tried is the product of the Attempts on the
// way down: its own, that of each budget between, and, for an outermost
// budget, its own, which says how often its contents are tried within it.
// Every number is thus counted once: Attempts of a contained budget multiplies
// that budget's length, Attempts of an outermost one that of its contents.
func Check(budgets []Budget) []Flaw {
	c := checker{byName: map[string]*Budget{}, contained: map[string]bool{}}
	var flaws []Flaw
	for i := range budgets {
		b := &budgets[i]
		if c.byName[b.Name] != nil {
			flaws = append(flaws, Flaw{Kind: FlawDuplicateName, Outer: b.Name})
			continue
		}
		c.byName[b.Name] = b
	}
	for i := range budgets {
		for _, inner := range budgets[i].Contains {
			c.contained[inner] = true
		}
	}
	for i := range budgets {
		b := &budgets[i]
		if c.byName[b.Name] != b {
			continue
		}
		c.outer, c.seen, c.found = b, map[string]int{}, nil
		factor := 1
		if !c.contained[b.Name] {
			factor = max(b.Attempts, 1)
		}
		c.walk(b, factor, []string{b.Name})
		flaws = append(flaws, c.found...)
	}
	return dropRepeatedCycles(flaws)
}

type checker struct {
	byName    map[string]*Budget
	contained map[string]bool // names that some budget contains
	outer     *Budget
	seen      map[string]int // most attempts with which a budget was reached
	found     []Flaw
}

// walk compares everything inside b with c.outer. factor is how often b's
// contents are tried within the outer budget, before their own Attempts.
func (c *checker) walk(b *Budget, factor int, path []string) {
	for _, name := range b.Contains {
		inner := c.byName[name]
		at := append(slices.Clone(path), name)
		switch {
		case inner == nil:
			if b == c.outer {
				c.found = append(c.found, Flaw{Kind: FlawUnknownName, Outer: b.Name, Inner: name, Path: at})
			}
			continue
		case inner == c.outer:
			c.found = append(c.found, Flaw{Kind: FlawCycle, Outer: b.Name, Inner: name, Path: at})
			continue
		}
		attempts, ok := multiplyInt64(int64(factor), int64(max(inner.Attempts, 1)))
		if !ok || attempts > math.MaxInt32 {
			attempts = math.MaxInt32
		}
		// A budget that is reached by two ways counts with the more attempts.
		if int(attempts) <= c.seen[name] {
			continue
		}
		c.seen[name] = int(attempts)
		total, ok := multiplyInt64(int64(inner.Duration), attempts)
		if !ok {
			total = math.MaxInt64
		}
		f := Flaw{Outer: c.outer.Name, Inner: name, Path: at, OuterDuration: c.outer.Duration,
			InnerDuration: inner.Duration, InnerTotal: time.Duration(total), Attempts: int(attempts)}
		switch {
		case f.InnerTotal >= f.OuterDuration:
			f.Kind = FlawInverted
		case slices.Contains(inner.Bounds, string(StageBodyStalled)) && !slices.Contains(c.outer.Bounds, string(StageBodyStalled)):
			f.Kind = FlawTotalOverBody
		}
		if f.Kind != "" {
			c.found = slices.DeleteFunc(c.found, func(g Flaw) bool { return g.Inner == name && g.Attempts > 0 })
			c.found = append(c.found, f)
		}
		c.walk(inner, int(attempts), at)
	}
}

// dropRepeatedCycles keeps a cycle once, under the first budget on it.
func dropRepeatedCycles(flaws []Flaw) []Flaw {
	seen := map[string]bool{}
	return slices.DeleteFunc(flaws, func(f Flaw) bool {
		if f.Kind != FlawCycle {
			return false
		}
		members := slices.Clone(f.Path[1:])
		slices.Sort(members)
		key := strings.Join(members, "\x00")
		repeated := seen[key]
		seen[key] = true
		return repeated
	})
}

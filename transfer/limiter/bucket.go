package limiter

import (
	"math"
	"time"
)

// maxLate bounds what a bucket makes up for when its timer fired late, in
// nanoseconds: enough for a busy machine, and little after a suspended one.
const maxLate = float64(250 * time.Millisecond)

// slack is the part of a byte by which rounding may leave a level short.
const slack = 1e-6

// bucket is one level's token bucket. Its level rises by rate and is charged
// by grants. It saves up burst while it is idle. While somebody waits below it
// it may rise beyond that by the largest step, so that all levels gather at the
// same time what a grant will take from each, and by another, so that the turn
// which a narrow queue waits for at the wide level costs it nothing. What is
// above burst when the last waiter has gone is kept but does not grow.
type bucket struct {
	rate  float64 // bytes per nanosecond; 0 is unlimited
	burst float64 // bytes that an idle bucket saves up
	level float64 // bytes that may be granted
	last  int64   // the time for which level holds, in nanoseconds
	step  float64 // the largest step of those who wait; 0 if nobody does
	// base is the level at baseAt, when something was granted last: what trim
	// goes back to.
	base   float64
	baseAt int64
}

// advance brings the level to the time now. late is by how much the limiter's
// timer has overslept: time that those who wait were owed.
func (b *bucket) advance(now, late int64) {
	elapsed := now - b.last
	if elapsed <= 0 {
		return
	}
	b.last = now
	if b.rate == 0 {
		return
	}
	top := b.burst
	if b.step > 0 {
		top += 2*b.step + b.rate*min(float64(late), maxLate)
	}
	if b.level < top {
		b.level = min(b.level+b.rate*float64(elapsed), top)
	}
}

// covers reports whether n bytes may be granted now. The bucket must have been
// advanced.
func (b *bucket) covers(n float64) bool { return b.rate == 0 || b.level+slack >= n }

// full reports whether the bucket has all that it saves up.
func (b *bucket) full() bool { return b.rate == 0 || b.level >= b.burst }

// due returns the time at which the bucket will cover n bytes; it is after
// the time the bucket was advanced to.
func (b *bucket) due(n float64) int64 {
	return b.last + max(1, int64(math.Ceil((n-b.level)/b.rate)))
}

// take charges n bytes. The bucket must have been advanced.
func (b *bucket) take(n float64) {
	if b.rate == 0 {
		return
	}
	b.level -= n
	b.base, b.baseAt = b.level, b.last
}

// giveBack undoes the charge of n bytes.
func (b *bucket) giveBack(n float64) {
	if b.rate == 0 {
		return
	}
	b.level += n
	b.base += n
}

// awaited notes that somebody waits for a step of n bytes.
func (b *bucket) awaited(n float64) { b.step = max(b.step, n) }

// left notes that nobody waits any more.
func (b *bucket) left() { b.step = 0 }

// trim brings the level to where it were if nobody had waited since the last
// grant: those who did have left without one.
func (b *bucket) trim() {
	idle := b.base
	if idle < b.burst {
		idle = min(b.burst, idle+b.rate*float64(b.last-b.baseAt))
	}
	b.level = min(b.level, idle)
}

// setRate changes the rate. The bucket must have been advanced to the time of
// the change. A bucket that was unlimited starts full.
func (b *bucket) setRate(rate Rate, burst time.Duration) {
	wasUnlimited := b.rate == 0
	b.rate = max(0, float64(rate)) / float64(time.Second)
	b.burst = b.rate * float64(burst)
	if wasUnlimited {
		b.level = b.burst
	}
	b.level = min(b.level, b.burst+2*b.step)
	b.base, b.baseAt = min(b.level, b.burst), b.last
}

package limiter

import "time"

// Clock is where a Limiter takes its time from. Implementations must be safe
// for concurrent use.
type Clock interface {
	// Now returns the current time. It must not run backwards.
	Now() time.Time
	// AfterFunc calls f once, in a goroutine of its own, when d has passed.
	// It must not call f before it returns.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending call made by Clock.AfterFunc; *time.Timer is one.
type Timer interface {
	// Reset makes the call due when d has passed from now, whether or not it
	// has been made already.
	Reset(d time.Duration) bool
	// Stop prevents the call, if it has not been made.
	Stop() bool
}

type systemClock struct{}

func (systemClock) Now() time.Time                            { return time.Now() }
func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

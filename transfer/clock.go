package transfer

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// Clock is where a Client takes its time from. The default is the time
// package, which testing/synctest replaces in tests.
type Clock interface {
	// Now returns the present; readings are compared by Sub, so they should
	// carry a monotonic part where the system has one.
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once d has passed.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is what a Clock's AfterFunc returns; *time.Timer is one.
type Timer interface {
	// Stop prevents the call and reports whether it was still to come.
	Stop() bool
	// Reset lets the call come d from now and reports whether it was still
	// to come.
	Reset(d time.Duration) bool
}

type systemClock struct{}

func (systemClock) Now() time.Time                            { return time.Now() }
func (systemClock) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }

// The states of a stallClock; every positive state is the instant at which
// the present silence began, in nanoseconds since base, plus one.
const (
	clockPaused  = 0
	clockTripped = -1
	clockStopped = -2
)

// stallClock measures silence and is the token that decides what a failure is
// called: once it has tripped the transfer is refused, whatever error comes
// back from the transport, and as long as it has not, the transfer is not.
//
// Its hot operations, arm and disarm, are one clock reading and one atomic
// operation. The timer is not moved by them: it fires once per budget at the
// most, looks how old the present silence is, and goes back to sleep.
type stallClock struct {
	clock  Clock
	budget time.Duration
	base   time.Time
	cancel context.CancelCauseFunc
	timer  Timer
	// unread reports whether bytes of the peer wait to be read; nil knows not.
	unread func() bool

	state   atomic.Int64
	silence atomic.Int64 // how long the silence was that tripped it
	warned  int64        // the silence that had its last call; only the timer's
}

// errStall is the cause with which a tripped clock ends the transport's work;
// it never leaves the package.
type errStall struct{}

func (errStall) Error() string { return "stall budget spent" }

func (s *stallClock) start(clock Clock, budget time.Duration, cancel context.CancelCauseFunc) {
	s.clock, s.budget, s.cancel = clock, budget, cancel
	s.base = clock.Now()
	// The callback uses timer, which must be set before it can run.
	s.state.Store(clockPaused)
	ready := make(chan struct{})
	s.timer = clock.AfterFunc(budget, func() {
		<-ready
		s.fire()
	})
	close(ready)
}

func (s *stallClock) now() int64 { return int64(s.clock.Now().Sub(s.base)) }

// arm begins a silence. It does nothing once the clock has tripped.
func (s *stallClock) arm() (now int64) {
	now = s.now()
	s.state.CompareAndSwap(clockPaused, now+1)
	return now
}

// disarm ends a silence, because something was heard or because what follows
// is not the peer's to answer for. It returns how long the silence was, and
// false when the clock has tripped.
func (s *stallClock) disarm() (silence time.Duration, ok bool) {
	for {
		at := s.state.Load()
		switch {
		case at == clockTripped:
			return time.Duration(s.silence.Load()), false
		case at <= 0:
			return 0, true
		case s.state.CompareAndSwap(at, clockPaused):
			return time.Duration(s.now() - (at - 1)), true
		}
	}
}

// pause is disarm for a wait in the middle of a silence: resume goes on where
// pause stopped.
func (s *stallClock) pause() (silence time.Duration, ok bool) { return s.disarm() }

func (s *stallClock) resume(silence time.Duration) {
	if s.state.CompareAndSwap(clockPaused, s.now()+1-int64(silence)) {
		s.timer.Reset(s.budget - silence)
	}
}

func (s *stallClock) tripped() bool { return s.state.Load() == clockTripped }

// remaining returns how much of the budget the present silence has left, and
// false when no silence is being measured.
func (s *stallClock) remaining() (time.Duration, bool) {
	at := s.state.Load()
	if at <= 0 {
		return 0, false
	}
	return s.budget - time.Duration(s.now()-(at-1)), true
}

// lastCall is how long after the end of the budget the clock trips. A process
// that was starved finds the timer and the peer's bytes overdue at the same
// moment; the bytes then go first.
func (s *stallClock) lastCall() time.Duration { return min(s.budget/50, 5*time.Millisecond) }

// What a process that does not get to run is allowed for.
const (
	// starved is how late a timer is in such a process.
	starved = time.Millisecond
	// pollEvery is how often the runtime asks the network in it, at least.
	pollEvery = 12 * time.Millisecond
	// lookEvery is how often it is looked whether unread bytes have been read.
	lookEvery = 4 * time.Millisecond
)

// patience is how long after the end of the budget bytes that are there and
// unread keep the clock from tripping. It ends within the promised time: to a
// peer that never ends its headers there are always bytes unread.
func (s *stallClock) patience() time.Duration { return max(s.budget/20, 50*time.Millisecond) * 4 / 5 }

// fire is the timer's call.
func (s *stallClock) fire() {
	at := s.state.Load()
	if at < 0 {
		return
	}
	if at == clockPaused {
		// Whatever is armed after this ends a budget after this, or later.
		s.timer.Reset(s.budget)
		return
	}
	silence := time.Duration(s.now() - (at - 1))
	late := silence - s.budget
	switch {
	case late < 0:
		s.timer.Reset(-late)
	case s.warned != at && late < starved:
		s.warned = at
		s.timer.Reset(s.lastCall())
	case s.warned != at && late < s.patience():
		s.warned = at
		s.timer.Reset(min(max(s.lastCall(), pollEvery), s.patience()-late))
	case late < s.patience() && s.unread != nil && s.unread():
		// The peer has spoken, and this process has not come to read it.
		s.timer.Reset(lookEvery)
	default:
		// Whoever the network has woken by now is in line before this
		// goroutine and has its turn first.
		runtime.Gosched()
		s.trip(at, time.Duration(s.now()-(at-1)))
	}
}

func (s *stallClock) trip(at int64, silence time.Duration) {
	s.silence.Store(int64(silence))
	if s.state.CompareAndSwap(at, clockTripped) {
		s.cancel(errStall{})
		return
	}
	s.timer.Reset(s.budget)
}

// tripIfDue trips the clock if the present silence is as long as the budget,
// without a last call, and reports whether it has tripped.
func (s *stallClock) tripIfDue() bool {
	if at := s.state.Load(); at > 0 {
		if silence := time.Duration(s.now() - (at - 1)); silence >= s.budget {
			s.trip(at, silence)
		}
	}
	return s.tripped()
}

// stop ends the clock; a tripped clock stays tripped.
func (s *stallClock) stop() {
	for {
		at := s.state.Load()
		if at < 0 || s.state.CompareAndSwap(at, clockStopped) {
			break
		}
	}
	s.timer.Stop()
}

// grace is how close before the end of the budget another clock may fire and
// still leave the word to this one: two timers of one length, set a moment
// apart, are the same timer to whoever reads the log.
func (s *stallClock) grace() time.Duration {
	return min(max(s.budget/20, 5*time.Millisecond), 50*time.Millisecond, s.budget/4)
}

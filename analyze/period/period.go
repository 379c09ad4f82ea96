package period

import "time"

// A Series is the events of one stream.
type Series struct {
	// Stream names the stream; it need not be unique.
	Stream string
	// Times are the event times in nanoseconds since the Unix epoch, in
	// ascending order. Equal times are allowed.
	Times []int64
	// Resolution is the step of the clock that wrote the times. Zero means
	// unknown: it is then estimated from the times.
	Resolution time.Duration
}

// Options tune a search. The zero value is what most callers want.
type Options struct {
	// FalseAlarm is the accepted probability that one call of Find on
	// structureless streams reports anything. Zero means DefaultFalseAlarm.
	FalseAlarm float64
	// Clocks are the lengths of clocks and bounds that somebody configured. A
	// recurrence of such a length is more likely to keep a grid: what waits
	// after each event adds its own work to the length.
	Clocks []time.Duration
	// Location is the wall clock that schedules follow; nil means UTC.
	Location *time.Location
	// Until is the end of the observation in nanoseconds since the Unix
	// epoch, from which the next slots are foretold. Zero means the newest
	// event of all series.
	Until int64
	// MaxRecurrences bounds the number of recurrences reported. Zero means
	// DefaultMaxRecurrences.
	MaxRecurrences int
}

// The values that stand for a zero option.
const (
	DefaultFalseAlarm     = 0.002
	DefaultMaxRecurrences = 8
)

// Kind says what keeps a recurrence in step.
type Kind string

// The kinds of recurrence.
const (
	// FixedRate recurrences keep a grid: a late event does not move the next.
	FixedRate Kind = "fixed-rate"
	// FixedDelay recurrences wait after each event: delays add up.
	FixedDelay Kind = "fixed-delay"
	// Cron recurrences keep a grid that is tied to the wall clock.
	Cron Kind = "cron"
	// UnknownKind says that the events are too few, or too ambiguous, to tell.
	UnknownKind Kind = "unknown-kind"
)

// A Recurrence is one cause that repeats with a fixed period.
type Recurrence struct {
	// Period is the estimated time between two slots, Low and High the ends
	// of its 95 % confidence interval.
	Period, Low, High time.Duration
	// Jitter is the standard deviation of one event about its slot
	// (FixedRate, Cron) or of one interval (FixedDelay, UnknownKind), clock
	// steps included.
	Jitter time.Duration
	Kind   Kind
	// KindConfidence is the posterior probability of Kind among FixedRate
	// (with Cron) and FixedDelay under equal priors; for UnknownKind it is
	// that of the likelier of the two.
	KindConfidence float64
	// FalseAlarm bounds the probability that structureless streams of this
	// size show a recurrence as clear as this one, over all tests made.
	FalseAlarm float64
	// Evidence is the natural logarithm of the likelihood ratio between this
	// recurrence and the best structureless explanation, less what was paid
	// for choosing its parameters.
	Evidence float64
	// Events is the number of events that belong to it, Slots the number of
	// slots between the first and the last event of every segment, Missed
	// the slots among them without an event.
	Events, Slots, Missed int
	// Explained is Events as a share of all events of the streams in Phases.
	Explained float64
	// Phases has one element a stream and phase, ordered as the series were
	// given, then by Offset.
	Phases []Phase
	// Segments are the stretches without a break of phase, by stream as the
	// series were given, then by time.
	Segments []Segment
	// Pass is set when the events come in runs that come again after pauses.
	Pass *Pass
}

// A Phase is how a Recurrence shows on one stream.
type Phase struct {
	Stream string
	// Series is the index of the stream's Series in the argument of Find.
	Series int
	// Offset is the place of the slots within the period, counted from the
	// start of the UTC day in which the first event of all series lies, as of
	// the last segment; 0 <= Offset < Period.
	Offset                time.Duration
	Events, Slots, Missed int
	// MissedAt are the centres of the first missed slots, 100 at most.
	MissedAt []int64
	// Members are the indices into Series.Times of the events that belong
	// to the recurrence, ascending.
	Members []int
	// NextDue is the first slot after Options.Until, Overdue the number of
	// slots between the last event and Options.Until that stayed empty (of
	// passes with a cycle: the number of passes).
	NextDue int64
	Overdue int
}

// A Segment is a stretch of one stream within which the phase is unbroken.
type Segment struct {
	Stream        string
	Series        int
	First, Last   int64 // times of its first and last event
	Events, Slots int
}

// A Pass describes a recurrence whose events come in runs.
type Pass struct {
	// Cycle is the time from the start of one run to the start of the next;
	// zero when the runs come at no fixed interval.
	Cycle time.Duration
	// RunLength is the median number of events in a run, Runs their number.
	RunLength, Runs int
}

package stage

import "time"

// Name is a stage: a named place where a transfer failed.
type Name string

// The stages. The reference client of this module can be refused in exactly
// three of them (NoResponse, BodyStalled, SizeExceeded); the others name what
// foreign logs tell of.
const (
	// Resolve: the name was not turned into an address.
	Resolve Name = "resolve"
	// Connect: the transport connection was not made.
	Connect Name = "connect"
	// TLS: connected, handshake not finished.
	TLS Name = "tls"
	// Send: the request was not fully written, or not fully read by the peer.
	Send Name = "send"
	// NoResponse: asked, and no response header came.
	NoResponse Name = "no-response"
	// BodyStalled: the response began and then went silent.
	BodyStalled Name = "body-stalled"
	// SizeExceeded: a declared or counted size was over a bound.
	SizeExceeded Name = "size-exceeded"
	// Truncated: the peer ended the body early.
	Truncated Name = "truncated"
	// TotalDeadline: one clock over the whole operation fired; bytes may have
	// been flowing.
	TotalDeadline Name = "total-deadline"
	// OuterCancelled: a caller, a proxy's client or a containing budget
	// cancelled; the inner stage is unknown.
	OuterCancelled Name = "outer-cancelled"
	// QueueWait: waited for a slot, a connection or a limiter; nothing was sent.
	QueueWait Name = "queue-wait"
	// ServerSide: a proxy or gateway reports a timeout towards its upstream.
	ServerSide Name = "server-side"
	// NotATimeout: no transfer failed.
	NotATimeout Name = "not-a-timeout"
)

// Names lists every stage, in the order in which a transfer passes them.
func Names() []Name {
	return []Name{Resolve, Connect, TLS, Send, NoResponse, BodyStalled, SizeExceeded, Truncated,
		TotalDeadline, OuterCancelled, QueueWait, ServerSide, NotATimeout}
}

// Valid reports whether n is one of the stages.
func (n Name) Valid() bool {
	for _, m := range Names() {
		if n == m {
			return true
		}
	}
	return false
}

// Role says what a record is to the event it tells of.
type Role string

// The roles.
const (
	Cause     Role = "cause"     // the record is evidence of the stage
	Duplicate Role = "duplicate" // another layer reports the same event
	Outer     Role = "outer"     // an enclosing clock or caller reports it
)

// Unknown is the value of a number that the record does not state. It is not
// zero: zero bytes received is evidence, unknown is none.
const Unknown = -1

// Attribution says where a transfer failed and how that is known.
type Attribution struct {
	Stage Name
	// Confidence is between 0 and 1: 1 for a client that names the stage in a
	// field made for it, about 0.9 for an explicit phase word or code, 0.5 for
	// what the text suggests and does not decide. It orders attributions; it
	// is not a measured probability.
	Confidence float64
	// Phase is the last known phase of a clock or of a proxy's upstream:
	// pre-headers, body, unknown, or a stage name. Empty where there is none.
	Phase string
	Role  Role
	// Kind is how the transfer ended if no timer ended it: refused, reset,
	// closed, not-found. Empty for a timer.
	Kind string
	// BytesReceived and BytesDeclared count the body as its own client counts
	// it; Unknown where the record does not say.
	BytesReceived, BytesDeclared int64
	// Elapsed is how long the operation had run, Budget the bound of the clock
	// that fired; Unknown (-1 ns) where the record does not say.
	Elapsed, Budget time.Duration
	// Target is the address the transfer went to, and Source the resilience
	// source (pipeline/instance/strategy), where stated.
	Target, Source string
	// Evidence lists the words or fields that decided.
	Evidence []string
	// Rule is the identifier of the rule that decided.
	Rule string
}

// reset makes a an attribution that knows nothing, keeping its memory.
func (a *Attribution) reset() {
	*a = Attribution{BytesReceived: Unknown, BytesDeclared: Unknown, Elapsed: Unknown, Budget: Unknown, Evidence: a.Evidence[:0]}
}

package transfer

import "time"

// EventKind says what an Event tells.
type EventKind string

// The kinds of event, in the order in which they usually come.
const (
	EventStart         EventKind = "start"         // the transfer was asked for
	EventPhase         EventKind = "phase"         // a phase was entered
	EventInformational EventKind = "informational" // a 1xx came (Status)
	EventRedirect      EventKind = "redirect"      // another address is asked (Status)
	EventRetry         EventKind = "retry"         // another try follows after Wait (Status or Err)
	EventResponse      EventKind = "response"      // the final headers are in (Status)
	EventProgress      EventKind = "progress"      // a chunk came (Bytes)
	EventQueued        EventKind = "queued"        // a wait for a slot or the limiter is over (Wait)
	EventRestart       EventKind = "restart"       // what was kept is no use: from the start (Err)
	EventDone          EventKind = "done"          // the transfer is over (Err)
)

// Event is something that happened to a transfer.
type Event struct {
	Kind EventKind
	// Target is the address being asked, without credentials.
	Target string
	Phase  Phase
	// Elapsed is the time since the call.
	Elapsed time.Duration
	// Attempt is the present try, from 1.
	Attempt int
	// Segment is which parallel part of the object this is, from 1; 0 where
	// the object comes as one.
	Segment int
	// Bytes is the size of the chunk, BytesReceived the count so far,
	// BytesDeclared the object's size or Unknown.
	Bytes         int
	BytesReceived int64
	BytesDeclared int64
	// Status is an HTTP status, Wait a length of time, where the kind has one.
	Status int
	Wait   time.Duration
	Err    error
}

package transfer

// Stage is one of the three ways in which the client refuses a transfer. Every
// other end of a transfer is a fault of somebody else, and reported as such.
type Stage string

// The stages, and there are no others.
const (
	// StageNoResponse: the final response headers did not come within one
	// stall budget of the request going out.
	StageNoResponse Stage = "no-response"
	// StageBodyStalled: the response began, and then no byte of the body, nor
	// its end, came for one stall budget.
	StageBodyStalled Stage = "body-stalled"
	// StageSizeExceeded: the object is larger than the size bound, by its own
	// declaration or by counting.
	StageSizeExceeded Stage = "size-exceeded"
)

// Phase is how far a transfer had come. It refines a Stage: a request that got
// no response may have died in the resolver or behind a complete request.
type Phase string

// The phases, in the order in which a transfer goes through them. PhaseQueue
// comes before and between the others.
const (
	// PhaseQueue: waiting for a slot, a connection or the limiter.
	PhaseQueue Phase = "queue"
	// PhaseResolve: turning the name into addresses.
	PhaseResolve Phase = "resolve"
	// PhaseConnect: making the transport connection.
	PhaseConnect Phase = "connect"
	// PhaseTLS: in the TLS handshake.
	PhaseTLS Phase = "tls"
	// PhaseSend: writing the request.
	PhaseSend Phase = "send"
	// PhaseHeaders: the request is out, the final response headers are not in.
	PhaseHeaders Phase = "headers"
	// PhaseBody: the headers are in, the body (and its trailers) are not.
	PhaseBody Phase = "body"
)

// Package transfer is an HTTP client that bounds silence, not time, and whose
// refusals say what was silent, how far the transfer had come, and how many of
// how many bytes had arrived. It imports the standard library only, keeps no
// global state, and is silent unless it is handed a logger.
//
//	c := &transfer.Client{Budget: transfer.Budget{Name: "TransferStallBudget", Duration: 2 * time.Minute}}
//	res, err := c.Get(ctx, transfer.Request{URL: "https://registry.example/bundles/index.json", Name: "bundle index"})
//
// # Model
//
// One stall budget T bounds silence. A first silence begins when the request
// goes out and ends with the final response headers: redirects, 1xx answers,
// retries and single bytes of headers are inside it and do not extend it.
// After that every chunk of the body ends a silence and begins the next, until
// the body, its trailers and its end have come. A transfer that trickles for
// many T completes. Whatever is the client's own waiting, for a slot, for the
// limiter, for a slow sink, is no silence, and the clock stands still.
//
// A transfer ends in one of five ways:
//
//   - completed: the error is nil;
//   - refused by the client: *[Error], with one of three stages,
//     [StageNoResponse], [StageBodyStalled] or [StageSizeExceeded], and the
//     phase inside it;
//   - answered with something else than the object: *[Fault], with a [Kind];
//   - cut by the caller: what the caller's context says, with the name of the
//     [Budget] where the context was made by [Budget.Context];
//   - failed in the transport, the sink or the limiter: that error itself, the
//     identical value.
//
// The *[Result] is never nil and says in every case what had arrived.
//
// [Client.Get] keeps the object in memory, [Client.Receive] writes it to an
// io.Writer, and [Client.Download] makes a file of it, in parallel segments
// and resuming, where the server allows that. [Once] reads something once for
// many, such as an index before its bundles. [Budget], [Outer], [Sequence],
// [Check] and [ParseExpr] do arithmetic with time bounds that contain each
// other.
//
// # Promises
//
//	no hang      every transfer ends: each silence is bounded by T, also of a
//	             round tripper that ignores its context
//	in time      a stall is refused between T and T + max(5 %, 50 ms) of silence,
//	             as far as the process gets to run
//	never early  nothing that is heard before T is called a stall; a process
//	             that was starved looks once more before it trips
//	one name     the client's own clock decides what a stall is called, in every
//	             ordering with timers of the caller and of the transport, as
//	             long as those fire within max(T/20, 5 ms), 50 ms at most, of it
//	as it was    the caller's cancellation and other people's errors are
//	             returned as they are, and never called a stall
//	one request  a stall is never tried again; the retries of faster faults
//	             share the first silence, and are Retry.Attempts at most
//	unknown      a size that nobody stated is Unknown and not 0; a rate over an
//	             interval too small to divide by is 0
//	bounded      a declared size over the bound is refused before a byte of the
//	             body is read, a counted one at the bound; what a gzip coding
//	             expands to is counted, too
//	whole        Download's file appears complete, verified and synced, or not
//	             at all; parts are put together only under a strong validator,
//	             an exact Content-Range and equal overlapping bytes, else the
//	             transfer begins again
//	lean         nothing is allocated per chunk, no goroutine is started but the
//	             digest's and, where the round tripper is not net/http's, one
//	             that reads its body; memory does not grow with the object
//	discreet     users, tokens and signatures in addresses appear in no error,
//	             event or log line; headers do not follow a redirect to another
//	             origin
//
// Not promised: that a server which lies about its object consistently, bytes,
// sizes and validators, is found out without a digest; that a body delimited
// by the connection's end alone is whole; that the system waits as long as T:
// Go's resolver gives up after its own 5 s a try and a connect after the
// kernel's two minutes or so, and their errors come as they are.
//
// # Log lines
//
// With a Logger the client writes one line when a transfer ends and one when
// it is tried again. Messages and keys are part of the package's compatible
// surface. All numbers are integers, all lengths of time nanoseconds; a key
// whose value is not known is left out.
//
//	message              level  keys beside those of all
//	transfer completed   info   digest, resumedFrom
//	transfer refused     error  stage, phase; for silence budget, budgetNs and
//	                            silenceNs, for size limitBytes; error
//	transfer failed      error  kind, phase, status, error
//	transfer cancelled   warn   kind, phase, outerBudget, outerBudgetNs, error
//	transfer tried again warn   target, attempt, waitNs, status or kind and error
//
//	of all but the last: name, target, bytesReceived, bytesDeclared, elapsedNs,
//	bytesPerSecond, queuedNs, attempts, status
//
//	key            value
//	name           Request.Name
//	target         the address asked last, without secrets
//	stage          no-response, body-stalled or size-exceeded
//	phase          queue, resolve, connect, tls, send, headers or body
//	kind           a Kind, such as truncated, status, refused, deadline
//	budget         the stall budget's name, budgetNs its length
//	outerBudget    the name of the budget of the caller that cut the transfer
//	silenceNs      how long nothing was heard
//	limitBytes     the size bound
//	bytesReceived  body bytes that came over the wire, in this call
//	bytesDeclared  the object's size as the server stated it
//	elapsedNs      time since the call
//	queuedNs       how much of it was waiting for slots and the limiter
//	bytesPerSecond the rate; 0 where too little time passed to tell
//	attempts       how often the request was sent
//	resumedFrom    the offset at which an earlier transfer was gone on with
//	digest         the algorithm and digest of the object
//	error          the error's text
package transfer

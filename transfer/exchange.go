package transfer

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// RequestError says that a Request cannot be sent, as it is written.
type RequestError struct{ Msg string }

// Error returns the complaint.
func (e *RequestError) Error() string { return e.Msg }

// exchange is one request of a Client under way, with its retries and
// redirects. One goroutine drives it; the trace's callbacks only enter phases.
type exchange struct {
	c       *Client
	req     *Request
	parent  context.Context // the caller's
	ctx     context.Context // the transport's; ends by the relay or the stall clock
	cancel  context.CancelCauseFunc
	unrelay func() bool
	clock   Clock
	stall   stallClock
	budget  Budget
	limit   int64
	limiter Limiter
	verify  digestSpec
	// expected is how many body bytes the final headers promise, or Unknown.
	expected int64

	start   time.Time
	opened  time.Time // when the final headers were in
	url     *url.URL
	attempt int
	segment int
	phase   atomic.Int32
	release func()
	conn    atomic.Pointer[syscall.RawConn]
	res     Result
	// observing makes the observer's calls one at a time. Parts of one
	// transfer share it.
	observing *sync.Mutex
	// until is after how many bytes the rest of the body is others' to get; 0
	// is none. together counts what all parts of the transfer received.
	until    int64
	together *atomic.Int64
	// quiet keeps log lines and the start and done events for the whole of
	// which this is a part.
	quiet bool
}

func (c *Client) newExchange(ctx context.Context, req *Request) *exchange {
	x := &exchange{c: c, req: req, parent: ctx, clock: c.clock(), budget: c.budgetFor(req),
		limit: c.maxSizeFor(req), limiter: c.limiterFor(req), observing: new(sync.Mutex)}
	x.start = x.clock.Now()
	x.res = Result{BytesDeclared: Unknown, Segments: 1}
	return x
}

// enter notes a phase and tells the observer.
func (x *exchange) enter(p Phase) {
	x.phase.Store(phaseRank[p])
	x.emit(Event{Kind: EventPhase, Phase: p})
}

func (x *exchange) inPhase() Phase { return phases[x.phase.Load()] }

// prepare checks the request and makes its context.
func (x *exchange) prepare() error {
	u, err := url.Parse(x.req.URL)
	switch {
	case err != nil:
		// The parser's error quotes the address, secrets and all.
		return &RequestError{Msg: "the address cannot be parsed as a URL"}
	case u.Scheme != "http" && u.Scheme != "https":
		return &RequestError{Msg: fmt.Sprintf("the address has the scheme %q; only http and https can be got", u.Scheme)}
	case u.Hostname() == "":
		return &RequestError{Msg: "the address names no host"}
	}
	x.url, x.res.Target = u, redacted(u)
	if x.verify, err = digestFor(x.req, u); err != nil {
		return err
	}
	return nil
}

// open brings the transfer to its final response headers.
func (x *exchange) open() (*http.Response, error) {
	if err := x.prepare(); err != nil {
		return nil, err
	}
	if !x.quiet {
		x.emit(Event{Kind: EventStart})
	}
	if x.parent.Err() != nil {
		return nil, cancellation(x.parent)
	}
	if err := x.takeSlot(); err != nil {
		return nil, err
	}
	x.ctx, x.cancel = context.WithCancelCause(context.WithoutCancel(x.parent))
	x.phase.Store(phaseRank[PhaseHeaders])
	x.stall.unread = x.unread
	x.stall.start(x.clock, x.budget.Duration, x.cancel)
	x.stall.arm()
	x.unrelay = context.AfterFunc(x.parent, x.relay)
	for {
		x.attempt++
		resp, answered, err := x.try()
		pause, again := x.mayRetry(resp, answered, err)
		if !again {
			return x.settle(resp, answered, err)
		}
		event := Event{Kind: EventRetry, Wait: pause, Err: err}
		if resp != nil {
			event.Status = resp.StatusCode
			resp.Body.Close()
		}
		x.emit(event)
		x.logRetry(event)
		if !wait(x.ctx, x.clock, pause) {
			// The wait was chosen to end within the budget, so this is the
			// caller, or a process that was starved.
			if x.stall.tripped() {
				return x.settle(resp, answered, err)
			}
			return nil, x.verdict(err)
		}
	}
}

// takeSlot waits for a slot, before any clock runs.
func (x *exchange) takeSlot() error {
	slots := x.c.slotsFor(x.req)
	if slots == nil {
		return nil
	}
	x.enter(PhaseQueue)
	began := x.clock.Now()
	err := slots.Acquire(x.parent)
	x.waited(x.clock.Now().Sub(began))
	if err != nil {
		if x.parent.Err() != nil {
			return cancellation(x.parent)
		}
		return err
	}
	x.release = slots.Release
	return nil
}

func (x *exchange) waited(d time.Duration) {
	x.res.Queued += d
	x.emit(Event{Kind: EventQueued, Wait: d})
}

// relay hands the caller's cancellation on to the transport. A timer of the
// caller's that fires a moment before the stall clock would is the same timer:
// the stall clock then has the word, if it still wants it by then.
func (x *exchange) relay() {
	left, silent := x.stall.remaining()
	if silent && left <= x.stall.grace() && (isTimeout(x.parent.Err()) || isTimeout(context.Cause(x.parent))) {
		x.clock.AfterFunc(max(left, 0)+2*x.stall.lastCall(), func() {
			if !x.stall.tripIfDue() {
				x.cancel(cancellation(x.parent))
			}
		})
		return
	}
	x.cancel(cancellation(x.parent))
}

// watch notes the connection that the present request is on.
func (x *exchange) watch(c net.Conn) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if s, ok := c.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			x.conn.Store(&raw)
		}
	}
}

// unread reports whether the connection has bytes that nobody has read.
func (x *exchange) unread() bool {
	raw := x.conn.Load()
	return raw != nil && hasUnread(*raw)
}

// mayRetry decides whether another try follows, and after what wait.
func (x *exchange) mayRetry(resp *http.Response, answered bool, err error) (time.Duration, bool) {
	retry := x.c.Retry
	if x.attempt >= retry.attempts() || x.ctx.Err() != nil {
		return 0, false
	}
	wait := retry.wait(x.attempt, x.c.random())
	if err != nil {
		if answered || !retryError(err) {
			return 0, false
		}
	} else {
		if !retryStatus(resp.StatusCode) {
			return 0, false
		}
		if after, ok := parseRetryAfter(resp.Header.Get("Retry-After"), x.clock.Now()); ok {
			if after > orDefault(retry.MaxAfter, 10*time.Second) {
				return 0, false
			}
			wait = max(wait, after)
		}
	}
	left, silent := x.stall.remaining()
	return wait, silent && wait < left
}

// wait waits and reports whether nothing ended ctx meanwhile.
func wait(ctx context.Context, clock Clock, d time.Duration) bool {
	done := make(chan struct{})
	t := clock.AfterFunc(d, func() { close(done) })
	defer t.Stop()
	select {
	case <-done:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// settle ends the wait for headers with what the last try brought.
func (x *exchange) settle(resp *http.Response, answered bool, err error) (*http.Response, error) {
	if err != nil {
		verdict := x.verdict(err)
		if verdict == err && (answered || isHTTP2Violation(err)) && x.malformed(err) {
			return nil, x.fault(KindProtocol, "the response cannot be read", err)
		}
		return nil, verdict
	}
	_, ok := x.stall.disarm()
	x.opened = x.clock.Now()
	x.res.Timings.Headers = x.opened.Sub(x.start)
	x.res.Status, x.res.Proto, x.res.Header = resp.StatusCode, resp.Proto, resp.Header
	final := resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests
	if !ok && final {
		resp.Body.Close()
		return nil, x.refusal(StageNoResponse, nil)
	}
	if err := x.accept(resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// accept checks the final headers: status, protocol and declared size.
func (x *exchange) accept(resp *http.Response) error {
	x.emit(Event{Kind: EventResponse, Status: resp.StatusCode})
	status := resp.StatusCode
	asked := x.req.span != nil || x.req.Header.Get("Range") != ""
	switch {
	case status == http.StatusSwitchingProtocols:
		return x.protocol(resp, "the server switched protocols, unasked")
	case status == http.StatusPartialContent && !asked:
		return x.protocol(resp, "the server sent a part of the object, unasked")
	case status < 200 || status > 299:
		f := x.fault(KindStatus, fmt.Sprintf("the server at %s answered %s", peerOf(x.res.Target), statusText(status)), nil)
		f.Status = status
		f.RetryAfter, _ = parseRetryAfter(resp.Header.Get("Retry-After"), x.clock.Now())
		return f
	}
	x.phase.Store(phaseRank[PhaseHeaders])
	x.expected = max(resp.ContentLength, Unknown)
	x.res.BytesDeclared = x.expected
	if status == http.StatusPartialContent && x.req.span != nil {
		r, err := x.checkSpan(resp)
		if err != nil {
			return err
		}
		x.expected = r.last - r.first + 1
		x.res.BytesDeclared = r.total
	} else if status == http.StatusPartialContent {
		if err := x.checkRange(resp); err != nil {
			return err
		}
	}
	if x.res.BytesDeclared > x.limit {
		return x.refusal(StageSizeExceeded, nil)
	}
	return x.adoptServerDigest(resp.Header.Get("Docker-Content-Digest"))
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprint(status)
}

func (x *exchange) elapsed() time.Duration { return x.clock.Now().Sub(x.start) }

func (x *exchange) listened(silence time.Duration) {
	x.res.Timings.LongestSilence = max(x.res.Timings.LongestSilence, silence)
}

// finish closes the exchange and fills in the result.
func (x *exchange) finish(err error) (*Result, error) {
	if x.cancel != nil {
		x.unrelay()
		x.stall.stop()
		x.cancel(nil)
	}
	if x.release != nil {
		x.release()
	}
	if err != nil {
		x.dropDial()
	}
	x.res.Elapsed = x.elapsed()
	x.res.Attempts = x.attempt
	x.res.Phase = x.inPhase()
	x.res.BytesPerSecond = rate(x.res.BytesReceived, x.res.Elapsed)
	if !x.opened.IsZero() {
		x.res.Timings.Body = x.clock.Now().Sub(x.opened)
	}
	if !x.quiet {
		x.logEnd(&x.res, err)
		x.emit(Event{Kind: EventDone, Err: err})
	}
	return &x.res, err
}

// dropDial ends a dial that was given up. Net/http lets it go on, for a later
// request to the same host, unless idle connections are closed; on a silent
// network that is a goroutine and a socket for minutes.
func (x *exchange) dropDial() {
	switch x.inPhase() {
	case PhaseResolve, PhaseConnect, PhaseTLS:
		if x.c.Transport == nil && x.cancel != nil {
			x.c.own.CloseIdleConnections()
		}
	}
}

// rate divides only what can be divided.
func rate(bytes int64, d time.Duration) int64 {
	if d < time.Millisecond {
		return 0
	}
	return int64(float64(bytes) / d.Seconds())
}

// emit tells the observer, one event at a time.
func (x *exchange) emit(e Event) {
	if x.c.Observer == nil {
		return
	}
	e.Target, e.Elapsed, e.Attempt, e.Segment = x.res.Target, x.elapsed(), max(x.attempt, 1), x.segment
	e.BytesReceived, e.BytesDeclared = x.res.BytesReceived, x.res.BytesDeclared
	if x.together != nil {
		e.BytesReceived = x.together.Load()
	}
	if e.Phase == "" {
		e.Phase = x.inPhase()
	}
	x.observing.Lock()
	defer x.observing.Unlock()
	x.c.Observer(e)
}

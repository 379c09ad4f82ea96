package transfer

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const maxRedirects = 10

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
	x.stall.start(x.clock, x.budget.Duration, x.cancel)
	x.stall.arm()
	x.unrelay = context.AfterFunc(x.parent, x.relay)
	for {
		x.attempt++
		resp, answered, err := x.try()
		wait, again := x.mayRetry(resp, answered, err)
		if !again {
			return x.settle(resp, answered, err)
		}
		event := Event{Kind: EventRetry, Wait: wait, Err: err}
		if resp != nil {
			event.Status = resp.StatusCode
			resp.Body.Close()
		}
		x.emit(event)
		x.logRetry(event)
		if !x.sleep(wait) {
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
	if silent && left <= x.stall.grace() && isTimeout(context.Cause(x.parent)) {
		x.clock.AfterFunc(max(left, 0)+2*x.stall.lastCall(), func() {
			if !x.stall.tripIfDue() {
				x.cancel(cancellation(x.parent))
			}
		})
		return
	}
	x.cancel(cancellation(x.parent))
}

// try sends the request and follows redirects. answered says that a byte of a
// response had come when it failed.
func (x *exchange) try() (resp *http.Response, answered bool, err error) {
	u, header := x.url, x.header()
	for redirects := 0; ; redirects++ {
		resp, answered, err = x.roundTrip(u, header)
		if err != nil || !isRedirect(resp.StatusCode) {
			return resp, answered, err
		}
		next, err := u.Parse(resp.Header.Get("Location"))
		switch {
		case resp.Header.Get("Location") == "":
			return resp, true, nil // a status like any other
		case err != nil:
			err = x.protocol(resp, "the redirect's Location cannot be parsed")
		case next.Scheme != "http" && next.Scheme != "https" || next.Hostname() == "":
			err = x.protocol(resp, fmt.Sprintf("the redirect leads to the scheme %q", next.Scheme))
		case redirects >= maxRedirects:
			err = x.protocol(resp, fmt.Sprintf("more than %d redirects", maxRedirects))
		}
		resp.Body.Close()
		if err != nil {
			return nil, true, err
		}
		if !sameOrigin(u, next) {
			header = anywhere(header)
		}
		u = next
		x.res.Redirects++
		x.res.Target = redacted(u)
		x.emit(Event{Kind: EventRedirect, Status: resp.StatusCode})
	}
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// sameOrigin reports whether credentials for a may go to b: the same scheme
// and host, or the same host by https instead of http on the usual ports.
func sameOrigin(a, b *url.URL) bool {
	if strings.EqualFold(a.Host, b.Host) && a.Scheme == b.Scheme {
		return true
	}
	return a.Scheme == "http" && b.Scheme == "https" && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		(a.Port() == "" || a.Port() == "80") && (b.Port() == "" || b.Port() == "443")
}

// anywhere returns the headers that every server may see.
func anywhere(h http.Header) http.Header {
	kept := http.Header{}
	for _, name := range []string{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Range", "If-Range"} {
		if v, ok := h[name]; ok {
			kept[name] = v
		}
	}
	return kept
}

func (x *exchange) header() http.Header {
	h := http.Header{}
	if x.req.Header != nil {
		h = x.req.Header.Clone()
	}
	if _, ok := h["User-Agent"]; !ok {
		h.Set("User-Agent", "vdm-logs-transfer")
	}
	if _, ok := h["Accept-Encoding"]; !ok {
		h.Set("Accept-Encoding", "identity")
	}
	if u := x.url.User; u != nil && h.Get("Authorization") == "" {
		password, _ := u.Password()
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if s := x.req.span; s != nil {
		h.Set("Range", s.header())
		if v := s.validator.String(); v != "" {
			h.Set("If-Range", v)
		}
	}
	return h
}

// roundTrip asks one address and returns when the final headers are in.
func (x *exchange) roundTrip(u *url.URL, header http.Header) (*http.Response, bool, error) {
	rt, standard := x.c.transport()
	h := &hop{x: x}
	own := *u
	own.User = nil
	req := (&http.Request{Method: http.MethodGet, URL: &own, Host: own.Host, Header: header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}).
		WithContext(httptrace.WithClientTrace(x.ctx, h.trace(mayQueue(rt))))
	var resp *http.Response
	var err error
	if standard {
		resp, err = rt.RoundTrip(req)
	} else {
		resp, err = x.guarded(rt, req)
	}
	timings, answered := h.end()
	timings.LongestSilence = x.res.Timings.LongestSilence
	x.res.Timings = timings
	if err == nil && resp == nil {
		err = errors.New("the injected transport returned neither a response nor an error")
	}
	if err != nil {
		return nil, answered, err
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	return resp, true, nil
}

// mayQueue reports whether a round tripper makes requests wait for each other's
// connections and is seen to dial when the wait is over. Diallers of others
// need not be: a wait that nobody sees the end of could be one of for ever.
func mayQueue(rt http.RoundTripper) bool {
	t, ok := rt.(*http.Transport)
	return ok && t.MaxConnsPerHost > 0 && t.DialContext == nil && t.DialTLSContext == nil
}

// guarded is for round trippers of others, which may not notice that their
// context has ended: it is not this call that then hangs.
func (x *exchange) guarded(rt http.RoundTripper, req *http.Request) (*http.Response, error) {
	type answer struct {
		resp *http.Response
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		resp, err := rt.RoundTrip(req)
		done <- answer{resp, err}
	}()
	select {
	case a := <-done:
		return a.resp, a.err
	case <-x.ctx.Done():
	}
	go func() {
		if a := <-done; a.resp != nil && a.resp.Body != nil {
			a.resp.Body.Close()
		}
	}()
	return nil, context.Cause(x.ctx)
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

// sleep waits and reports whether nothing ended the transfer meanwhile.
func (x *exchange) sleep(d time.Duration) bool {
	done := make(chan struct{})
	t := x.clock.AfterFunc(d, func() { close(done) })
	defer t.Stop()
	select {
	case <-done:
		return x.ctx.Err() == nil
	case <-x.ctx.Done():
		return false
	}
}

// settle ends the wait for headers with what the last try brought.
func (x *exchange) settle(resp *http.Response, answered bool, err error) (*http.Response, error) {
	if err != nil {
		verdict := x.verdict(err)
		if verdict == err && answered && x.malformed(err) {
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

// verdict says what a failure of the transport is: the client's refusal, the
// caller's cancellation, or what it is.
func (x *exchange) verdict(err error) error {
	if !x.stall.tripped() && x.ctx.Err() == nil && isTimeout(err) {
		// Another clock fired. If ours is about to, it has the word.
		if left, silent := x.stall.remaining(); silent && left <= x.stall.grace() {
			<-x.ctx.Done()
		}
	}
	if x.stall.tripped() {
		stage := StageNoResponse
		if !x.opened.IsZero() {
			stage = StageBodyStalled
		}
		return x.refusal(stage, err)
	}
	if cause := context.Cause(x.ctx); cause != nil {
		return cause
	}
	return err
}

// malformed reports whether an error of net/http's transport, after the first
// byte of a response, says that it is no HTTP: whatever comes from the network
// or the handshake is told apart by its type.
func (x *exchange) malformed(err error) bool {
	var network net.Error
	var fault *Fault
	_, standard := x.c.transport()
	return standard && !errors.As(err, &network) && !errors.As(err, &fault) && !isCut(err) && !errors.Is(err, io.EOF) && KindOf(err) == KindOther
}

// refusal makes the Error of a stage. What the transport says to its own
// cancellation is no news and is left out.
func (x *exchange) refusal(stage Stage, err error) *Error {
	if errors.Is(err, errStall{}) || errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		err = nil
	}
	e := &Error{Stage: stage, Phase: x.inPhase(), What: x.req.Name, Target: x.res.Target, Elapsed: x.elapsed(),
		BytesReceived: x.res.BytesReceived, BytesDeclared: x.res.BytesDeclared, Budget: x.budget, Attempt: x.attempt, Err: err}
	if stage == StageSizeExceeded {
		e.Limit = x.limit
	} else {
		e.Silence, _ = x.stall.disarm()
		if stage == StageBodyStalled {
			x.listened(e.Silence)
		}
	}
	return e
}

func (x *exchange) fault(kind Kind, detail string, err error) *Fault {
	return &Fault{Kind: kind, Phase: x.inPhase(), What: x.req.Name, Target: x.res.Target, Elapsed: x.elapsed(),
		BytesReceived: x.res.BytesReceived, BytesDeclared: x.res.BytesDeclared, Attempt: x.attempt, Detail: detail, Err: err}
}

func (x *exchange) protocol(resp *http.Response, detail string) *Fault {
	f := x.fault(KindProtocol, detail, nil)
	f.Status = resp.StatusCode
	return f
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

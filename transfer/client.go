package transfer

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// DefaultMaxSize is the size bound where nothing else is said: 2 GiB − 1.
const DefaultMaxSize int64 = 1<<31 - 1

// chunkSize is what one read asks for; limitedChunk where a limiter is asked
// for every chunk, so that no single wait is long.
const (
	chunkSize    = 256 << 10
	limitedChunk = 16 << 10
)

// Client gets objects over HTTP. Its zero value is ready to use. A Client is
// used by any number of goroutines at once; its fields are not changed after
// the first use, and it is not copied.
type Client struct {
	// Transport does the requests. Nil means a transport of the client's own,
	// which has no timers, no proxy and no compression. A transport that was
	// handed in keeps its own timers; where one of those fires first, its
	// error is returned as it is.
	Transport http.RoundTripper
	// Budget is the stall budget. A zero Duration means DefaultStallBudget; an
	// empty Name means "stall budget".
	Budget Budget
	// MaxSize bounds the object, as it comes over the wire and after decoding,
	// in bytes; 0 means DefaultMaxSize, a negative one no bound.
	MaxSize int64
	// Retry says what is tried again, and how often.
	Retry Retry
	// Limiter paces the bytes; nil is no limit. Waiting in it is no silence.
	Limiter Limiter
	// Slots bounds how many requests run at once; nil is no bound. Waiting for
	// one is no silence.
	Slots Slots
	// Logger gets the lines listed in the package comment; nil is silent.
	Logger *slog.Logger
	// Observer is told every event, one at a time within a transfer, while the
	// transfer waits. Nil is nobody.
	Observer func(Event)
	// Clock is the source of time; nil is the system's.
	Clock Clock
	// Rand returns numbers in [0,1) for the jitter; nil is math/rand/v2.
	Rand func() float64

	ownOnce sync.Once
	own     *http.Transport
	buffers sync.Pool
}

// Limiter paces bytes. It is implemented outside, for instance by
// transfer/limiter.
type Limiter interface {
	// Wait returns when n more bytes may have been received. It returns early
	// with an error when ctx ends or the limiter can never grant n. It is
	// called by many goroutines at once.
	Wait(ctx context.Context, n int) error
}

// Slots bounds how many requests run at once. It is implemented outside, for
// instance by transfer/limiter.
type Slots interface {
	// Acquire waits for a slot, or returns an error when ctx ends. It is
	// called by many goroutines at once.
	Acquire(ctx context.Context) error
	// Release gives a slot back; it is called once for each Acquire that
	// returned nil.
	Release()
}

// Request says what to get.
type Request struct {
	// URL is an absolute http or https address. A user in it is sent as basic
	// credentials and appears in no output.
	URL string
	// Name is what the object is to its reader, "bundle index"; it begins the
	// text of errors.
	Name string
	// Header is added to the request. Apart from Accept, Accept-Language and
	// User-Agent, a redirect to another origin does not get it.
	Header http.Header
	// Digest is what the object must be: "sha256:" and hexadecimal digits, or
	// sha384, sha512, and for old lists sha1 and md5. Where it is empty and
	// the address ends in a digest, as those of OCI blobs and manifests do,
	// that is it.
	Digest string
	// ComputeDigest names an algorithm whose digest is computed and returned
	// where nothing is known to compare it with; empty computes none.
	ComputeDigest string
	// MaxSize is as in Client, and is used instead where it is not 0.
	MaxSize int64
	// Budget is as in Client, and is used instead where its Duration is not 0.
	Budget Budget
	// Limiter and Slots are as in Client, and used instead where not nil.
	Limiter Limiter
	Slots   Slots
	// KeepEncoding delivers the bytes as they came. Without it a gzip content
	// coding, which is never asked for, is undone.
	KeepEncoding bool

	span *span // the part of the object that is asked for; nil is all
}

// Result is what is known of a transfer, completed or not.
type Result struct {
	// Target is the address that was asked last, without credentials.
	Target string
	// Status, Proto and Header are those of the final response; 0, "" and nil
	// before there was one.
	Status int
	Proto  string
	Header http.Header
	// Body is what Get received; nil for every other method.
	Body []byte
	// Phase is how far the transfer came.
	Phase Phase
	// BytesReceived counts body bytes as they came over the wire, in this
	// call; ResumedFrom, which were there before, are not in it.
	BytesReceived int64
	// BytesDelivered counts the bytes that were written to the sink: those
	// received, after decoding.
	BytesDelivered int64
	// BytesDeclared is the object's size as the server stated it, or Unknown.
	BytesDeclared int64
	// ResumedFrom is the offset at which the transfer went on; 0 from the start.
	ResumedFrom int64
	// Elapsed is the time since the call, Queued how much of it was waiting
	// for slots and the limiter.
	Elapsed, Queued time.Duration
	// BytesPerSecond is BytesReceived over Elapsed; 0 where less than a
	// millisecond passed, which is too little to divide by.
	BytesPerSecond int64
	// Attempts counts the tries: 1 and the retries. Redirects are not tries.
	Attempts  int
	Redirects int
	// Digest is that of the delivered bytes, where one was asked for and the
	// transfer completed or failed for its digest.
	Digest string
	// Segments is in how many parallel parts the object came; 1 usually.
	Segments int
	Timings  Timings
}

// Get returns the object in Result.Body. The Result is never nil and holds,
// beside an error, what is known; Body then has the bytes that had arrived.
//
// The error is an *Error where the client refused the transfer, a *Fault where
// what came was not the object, what the caller's context says where the
// caller cancelled, and else the transport's own error value.
func (c *Client) Get(ctx context.Context, req Request) (*Result, error) {
	var body bytes.Buffer
	res, err := c.Receive(ctx, req, &body)
	res.Body = body.Bytes()
	return res, err
}

// Receive writes the object to sink as it arrives. Result and error are as for
// Get; an error of the sink is returned as it is. What was written before an
// error stays written: sink holds a verified object only after a nil error.
//
// The bytes handed to sink are reused after Write returns. If sink is slow,
// that is no silence of the server.
func (c *Client) Receive(ctx context.Context, req Request, sink io.Writer) (*Result, error) {
	x := c.newExchange(ctx, &req)
	return x.finish(x.receive(sink))
}

// CloseIdleConnections closes the connections of the client's own transport
// that nobody uses.
func (c *Client) CloseIdleConnections() {
	c.ownOnce.Do(c.makeOwn)
	c.own.CloseIdleConnections()
}

// transport returns the round tripper, and whether it is net/http's, which
// keeps the promise to return when its context ends.
func (c *Client) transport() (rt http.RoundTripper, standard bool) {
	if c.Transport != nil {
		_, standard = c.Transport.(*http.Transport)
		return c.Transport, standard
	}
	c.ownOnce.Do(c.makeOwn)
	return c.own, true
}

func (c *Client) makeOwn() {
	c.own = NewTransport()
}

// NewTransport returns a transport as a Client makes for itself, for callers
// who want one that is a little different: no timers of its own, since the
// stall budget bounds every phase; no transparent compression, since that
// hides sizes; HTTP/2 where the server has it.
func NewTransport() *http.Transport {
	return &http.Transport{
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxIdleConnsPerHost:    16,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

func (c *Client) clock() Clock {
	if c.Clock != nil {
		return c.Clock
	}
	return systemClock{}
}

func (c *Client) buffer() *[]byte {
	if b, ok := c.buffers.Get().(*[]byte); ok {
		return b
	}
	b := make([]byte, chunkSize)
	return &b
}

// effective values of a request.

func (c *Client) budgetFor(req *Request) Budget {
	b := c.Budget
	if req.Budget.Duration != 0 {
		b = req.Budget
	}
	if b.Duration <= 0 {
		b.Duration = DefaultStallBudget
	}
	if b.Name == "" {
		b.Name = "stall budget"
	}
	return b
}

func (c *Client) maxSizeFor(req *Request) int64 {
	for _, m := range []int64{req.MaxSize, c.MaxSize} {
		switch {
		case m > 0:
			return m
		case m < 0:
			return 1<<63 - 2
		}
	}
	return DefaultMaxSize
}

func (c *Client) limiterFor(req *Request) Limiter {
	if req.Limiter != nil {
		return req.Limiter
	}
	return c.Limiter
}

func (c *Client) slotsFor(req *Request) Slots {
	if req.Slots != nil {
		return req.Slots
	}
	return c.Slots
}

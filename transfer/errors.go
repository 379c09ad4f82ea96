package transfer

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// Unknown stands for a number of bytes that nobody stated. It is not zero.
const Unknown int64 = -1

// Sentinels for errors.Is: an *Error is the one of its Stage, and the first
// two are also ErrStalled.
var (
	ErrStalled      = errors.New("the transfer was silent for its stall budget")
	ErrNoResponse   = errors.New("no response within the stall budget")
	ErrBodyStalled  = errors.New("the body was silent for the stall budget")
	ErrSizeExceeded = errors.New("the object is larger than the size bound")
)

// Error is the client's own refusal of a transfer.
type Error struct {
	Stage Stage
	Phase Phase
	// What is Request.Name; empty where the caller gave none.
	What string
	// Target is the URL that was asked last, without credentials.
	Target string
	// Elapsed is the time since the call, waits included.
	Elapsed time.Duration
	// Silence is how long nothing was heard; zero for StageSizeExceeded.
	Silence time.Duration
	// BytesReceived counts body bytes as they came over the wire.
	BytesReceived int64
	// BytesDeclared is the size the server stated, or Unknown.
	BytesDeclared int64
	// Limit is the size bound; set for StageSizeExceeded.
	Limit int64
	// Budget is the stall budget that was spent.
	Budget Budget
	// Attempt is which request of the transfer this was, from 1.
	Attempt int
	// Err is what the transport said; often nil.
	Err error
}

// Error tells what did not complete, how much had arrived, and why, in one
// line.
func (e *Error) Error() string {
	return didNotComplete(e.What, e.Target, e.Elapsed, e.BytesReceived, e.BytesDeclared) + e.cause()
}

func (e *Error) cause() string {
	peer, within := peerOf(e.Target), readable(e.Budget.Duration)
	switch e.Stage {
	case StageSizeExceeded:
		if e.Phase == PhaseHeaders {
			return fmt.Sprintf("the object declares %d bytes, over the bound of %d", e.BytesDeclared, e.Limit)
		}
		return fmt.Sprintf("the object is larger than the bound of %d bytes", e.Limit)
	case StageBodyStalled:
		return fmt.Sprintf("the server at %s began a response and then sent nothing for %s", peer, within)
	}
	switch e.Phase {
	case PhaseQueue:
		return fmt.Sprintf("no connection to %s became free within %s", peer, within)
	case PhaseResolve:
		return fmt.Sprintf("the name of %s was not resolved within %s", peer, within)
	case PhaseConnect:
		return fmt.Sprintf("no connection to %s was made within %s", peer, within)
	case PhaseTLS:
		return fmt.Sprintf("the TLS handshake with %s was not finished within %s", peer, within)
	case PhaseSend:
		return fmt.Sprintf("the server at %s did not take the request within %s", peer, within)
	}
	return fmt.Sprintf("the server at %s did not begin a response within %s", peer, within)
}

// Timeout reports whether the refusal is for silence.
func (e *Error) Timeout() bool { return e.Stage != StageSizeExceeded }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is a sentinel of the error's stage.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrStalled:
		return e.Timeout()
	case ErrNoResponse:
		return e.Stage == StageNoResponse
	case ErrBodyStalled:
		return e.Stage == StageBodyStalled
	case ErrSizeExceeded:
		return e.Stage == StageSizeExceeded
	}
	return false
}

// Kind says, in one word, what ended a transfer that was neither completed
// nor refused.
type Kind string

// The kinds that come as a *Fault.
const (
	KindStatus    Kind = "status"    // a final status that is no success
	KindTruncated Kind = "truncated" // the body ended before its stated end
	KindDigest    Kind = "digest"    // the bytes are not those that were asked for
	KindProtocol  Kind = "protocol"  // an answer that HTTP does not allow here
	KindEncoding  Kind = "encoding"  // a content coding that cannot be undone
	KindChanged   Kind = "changed"   // the object changed while it was read in parts
)

// The kinds of errors that come as they are; see KindOf.
const (
	KindCancelled Kind = "cancelled" // the caller cancelled
	KindDeadline  Kind = "deadline"  // the caller's deadline, or an outer budget
	KindTimeout   Kind = "timeout"   // a timer of the transport or the system
	KindRefused   Kind = "refused"   // connection refused
	KindReset     Kind = "reset"     // connection reset
	KindClosed    Kind = "closed"    // closed before a response
	KindNotFound  Kind = "not-found" // the name does not exist
	KindTLS       Kind = "tls"       // handshake or certificate
	KindOther     Kind = "other"
)

// Fault is an answer that came but is not the object: the peer's doing, and
// no refusal.
type Fault struct {
	Kind   Kind
	Phase  Phase
	What   string
	Target string
	// Status is the HTTP status; 0 where it does not matter.
	Status int
	// RetryAfter is what a 429 or 503 asked for; 0 where it asked nothing.
	RetryAfter    time.Duration
	Elapsed       time.Duration
	BytesReceived int64
	BytesDeclared int64 // or Unknown
	Attempt       int
	// Detail says what was found and what was expected.
	Detail string
	// Err is the transport's error beneath; may be nil.
	Err error
}

// Error tells what did not complete, how much had arrived, and why, in one
// line.
func (f *Fault) Error() string {
	s := didNotComplete(f.What, f.Target, f.Elapsed, f.BytesReceived, f.BytesDeclared) + f.Detail
	if f.Err != nil {
		s += ": " + f.Err.Error()
	}
	return s
}

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

func didNotComplete(what, target string, elapsed time.Duration, received, declared int64) string {
	if what == "" {
		what = "transfer"
	}
	of := "an undeclared number of"
	if declared >= 0 {
		of = fmt.Sprint(declared)
	}
	return fmt.Sprintf("%s from %s did not complete after %d ms: %d of %s bytes had arrived: ", what, target, elapsed.Milliseconds(), received, of)
}

// readable writes whole seconds as such, for the one number that people
// compare with their configuration.
func readable(d time.Duration) string {
	switch {
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	case d%time.Millisecond == 0:
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return d.String()
}

// KindOf returns the kind of an error that a Client returned and that is no
// *Error; for an *Error and for nil it returns "".
func KindOf(err error) Kind {
	var refusal *Error
	var fault *Fault
	var dns *net.DNSError
	switch {
	case err == nil || errors.As(err, &refusal):
		return ""
	case errors.As(err, &fault):
		return fault.Kind
	case errors.Is(err, context.Canceled):
		return KindCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return KindDeadline
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return KindNotFound
		}
		if dns.IsTimeout {
			return KindTimeout
		}
		return KindOther
	case isTLS(err):
		return KindTLS
	case errors.Is(err, syscall.ECONNREFUSED):
		return KindRefused
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), isStreamReset(err):
		return KindReset
	case isTimeout(err):
		return KindTimeout
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(err.Error(), "server closed"), isLostConn(err):
		return KindClosed
	}
	return KindOther
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		return true // an alert that was received or sent, which crypto/tls says so
	}
	return errors.As(err, &verify) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// http2StreamError has the shape of the HTTP/2 stream error that net/http keeps to
// itself; its errors let themselves be copied into such a one.
type http2StreamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e http2StreamError) Error() string {
	return fmt.Sprintf("HTTP/2 stream %d: code %d", e.StreamID, e.Code)
}

// isStreamReset reports whether the peer has ended an HTTP/2 stream or its
// connection. An error of a stream that the transport has found itself is
// another matter.
func isStreamReset(err error) bool {
	var stream http2StreamError
	if errors.As(err, &stream) {
		return stream.Cause != nil && stream.Cause.Error() == "received from peer"
	}
	return strings.Contains(err.Error(), "GOAWAY")
}

// isLostConn reports whether an HTTP/2 connection has ended beneath a request:
// net/http has four texts for that and no value.
func isLostConn(err error) bool { return strings.Contains(err.Error(), "http2: client conn") }

// isHTTP2Violation reports whether the transport has found that the peer does
// not speak HTTP/2 as it must; that may be before a response has begun.
func isHTTP2Violation(err error) bool {
	var stream http2StreamError
	return errors.As(err, &stream) && !isStreamReset(err) ||
		strings.HasPrefix(err.Error(), "connection error: ") || strings.Contains(err.Error(), "http2: frame too large")
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

// isCut reports whether a body error is the peer ending the body early. Some
// of net/http's words for it are no value that could be compared.
func isCut(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "unexpected EOF") || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || isStreamReset(err) || isLostConn(err)
}

// CancelError is returned when the caller's context was cancelled with a cause
// of the caller's own. It is both the cause and the context's error.
type CancelError struct {
	// Err is the context's error, context.Canceled or DeadlineExceeded.
	Err error
	// Cause is the context's cause.
	Cause error
}

// Error returns both texts.
func (e *CancelError) Error() string { return e.Err.Error() + ": " + e.Cause.Error() }

// Unwrap returns both errors.
func (e *CancelError) Unwrap() []error { return []error{e.Err, e.Cause} }

// cancellation returns what the caller's context says: its own error, or its
// cause where that is one, too.
func cancellation(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case cause == nil || cause == err:
		return err
	case errors.Is(cause, err):
		return cause
	}
	return &CancelError{Err: err, Cause: cause}
}

package transfer

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
)

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

package transfer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
)

// DefaultSegments is in how many parallel parts a file is got where nothing
// else is said, the server has ranges, and the file is large enough.
const DefaultSegments = 8

// The least size of a segment: where the number of segments is the client's
// choice, and where it is the caller's.
const (
	minSegment       = 1 << 20
	minSegmentWanted = 64 << 10
)

// maxOverlap bounds how many of the bytes that are there a resumed transfer
// asks for again, to compare them. A server that answers a changed object
// under its old validator is found out by that, unless the bytes are equal.
const maxOverlap = 4 << 10

// File says where Download puts an object.
type File struct {
	// Path is the file to make. It appears, or is replaced, when the whole
	// object is there, verified and on disk, and not before. A file that is
	// replaced keeps its mode; one that is not regular is refused.
	Path string
	// Resume keeps what a transfer that failed has received, in Path.part and
	// Path.part.json, and goes on from there next time, provided that the
	// server proves by a strong validator that the object is the same.
	Resume bool
	// Segments is how many parts of the object are got at once, where the
	// server has ranges and a strong validator; 0 means DefaultSegments for
	// large objects, 1 never. Each has a stall clock of its own.
	Segments int
}

// Download writes the object to a file: into a temporary one beside it, which
// is synced and renamed when it is complete. Result and error are as for Get;
// a refusal counts the bytes of all segments.
func (c *Client) Download(ctx context.Context, req Request, file File) (*Result, error) {
	d := &download{base: c.newExchange(ctx, &req), c: c, req: req, file: file}
	return d.base.finish(d.run(ctx))
}

type download struct {
	base *exchange // speaks for the whole
	c    *Client
	req  Request
	file File
	part *part
	spec digestSpec

	ctx      context.Context // ends when a part fails
	cancel   context.CancelCauseFunc
	together atomic.Int64
	mu       sync.Mutex // guards base.res while parts run
}

// errSibling is why a segment is cut when another has failed.
var errSibling = errors.New("another segment failed")

// errRestart says that what was asked for in parts must be got as a whole.
type errRestart struct{ err error }

func (e errRestart) Error() string { return e.err.Error() }
func (e errRestart) Unwrap() error { return e.err }

func (d *download) run(ctx context.Context) error {
	if err := d.base.prepare(); err != nil {
		return err
	}
	d.base.together = &d.together
	d.base.emit(Event{Kind: EventStart})
	if ctx.Err() != nil {
		return cancellation(ctx)
	}
	dest, err := destination(d.file.Path)
	if err != nil {
		return err
	}
	if d.part, err = openPart(dest, d.req.URL, d.file.Resume, d.c.clock()); err != nil {
		return err
	}
	d.spec = d.base.verify
	err = d.attempt(ctx, d.part.have() > 0)
	if again := (errRestart{}); errors.As(err, &again) {
		// Once, as one stream: parts of a changing object never fit.
		d.file.Segments = 1
		d.base.res.ResumedFrom, d.base.res.Segments = 0, 1
		d.base.emit(Event{Kind: EventRestart, Err: again.err})
		d.spec = d.base.verify
		err = d.attempt(ctx, false)
	}
	if again := (errRestart{}); errors.As(err, &again) {
		err = again.err
	}
	if err == nil {
		return d.part.commit()
	}
	d.adjust(err)
	switch KindOf(err) {
	case KindDigest, KindChanged, KindEncoding:
		d.part.discard()
		return err
	}
	if left := d.part.abandon(); left != nil {
		return errors.Join(err, fmt.Errorf("keeping what had arrived: %w", left))
	}
	return err
}

// adjust makes an error of one part speak for the whole.
func (d *download) adjust(err error) {
	var refusal *Error
	var fault *Fault
	res := &d.base.res
	switch {
	case errors.As(err, &refusal):
		refusal.Elapsed, refusal.BytesReceived = d.base.elapsed(), res.BytesReceived
		if refusal.BytesDeclared < 0 {
			refusal.BytesDeclared = res.BytesDeclared
		}
	case errors.As(err, &fault):
		fault.Elapsed, fault.BytesReceived = d.base.elapsed(), res.BytesReceived
		if fault.BytesDeclared < 0 {
			fault.BytesDeclared = res.BytesDeclared
		}
	}
}

// attempt gets all that is missing, and digests it.
func (d *download) attempt(ctx context.Context, resume bool) error {
	d.ctx, d.cancel = context.WithCancelCause(ctx)
	defer d.cancel(nil)
	defer d.stopDigest()
	var err error
	if resume {
		err = d.goOn()
	} else {
		err = d.fresh()
	}
	if err != nil {
		return err
	}
	if left := d.part.gaps(); d.part.total >= 0 && len(left) > 0 {
		return fmt.Errorf("internal error: the transfer ended without %v of %s", left, d.file.Path)
	}
	if d.part.digest == nil {
		return nil
	}
	sum, err := d.part.digest.sum()
	if err != nil {
		return err
	}
	d.base.res.Digest = sum
	if d.spec.hex == "" || d.spec.String() == sum {
		return nil
	}
	err = d.base.fault(KindDigest, fmt.Sprintf("the bytes have the digest %s and not %s", sum, d.spec), nil)
	if d.base.res.ResumedFrom > 0 {
		// The bytes that were kept may be at fault, and not the server.
		return errRestart{err}
	}
	return err
}

func (d *download) stopDigest() {
	if d.part.digest != nil {
		d.part.digest.sum()
		d.part.digest = nil
	}
}

// followDigest digests the file behind its writers.
func (d *download) followDigest() {
	if d.spec.algorithm != "" && d.part.digest == nil {
		d.part.digest = follow(d.spec.algorithm, d.part.f)
		d.part.digest.advance(d.part.prefix())
	}
}

// exchange makes the request for a part of the object, or all of it.
func (d *download) exchange(s *span, segment int) *exchange {
	req := d.req
	req.span = s
	x := d.c.newExchange(d.ctx, &req)
	x.quiet, x.observing, x.together, x.segment = true, d.base.observing, &d.together, segment
	return x
}

// close ends a part and adds it to the whole.
func (d *download) close(x *exchange, err error) error {
	part, err := x.finish(err)
	d.mu.Lock()
	defer d.mu.Unlock()
	res := &d.base.res
	res.Target, res.Phase = part.Target, part.Phase
	if part.Status != 0 && (res.Status == 0 || x.segment <= 1) {
		res.Status, res.Proto, res.Header, res.Redirects = part.Status, part.Proto, part.Header, part.Redirects
	}
	res.BytesReceived += part.BytesReceived
	res.BytesDelivered += part.BytesDelivered
	if part.BytesDeclared >= 0 {
		res.BytesDeclared = part.BytesDeclared
	}
	res.Queued += part.Queued
	longest := max(res.Timings.LongestSilence, part.Timings.LongestSilence)
	if x.segment <= 1 {
		res.Timings = part.Timings
	}
	res.Timings.LongestSilence = longest
	if part.Digest != "" {
		res.Digest = part.Digest
	}
	d.base.attempt = max(d.base.attempt, x.attempt)
	d.base.phase.Store(x.phase.Load())
	d.base.opened = x.opened
	return err
}

// fresh asks for the whole object.
func (d *download) fresh() error {
	x := d.exchange(nil, 0)
	resp, err := x.open()
	if err != nil {
		return d.close(x, err)
	}
	return d.whole(x, resp)
}

// whole receives a response that has all of the object, in as many segments
// as are worth it, and closes the exchange.
func (d *download) whole(x *exchange, resp *http.Response) error {
	v, total := validatorOf(resp.Header), resp.ContentLength
	if coded(resp.Header) {
		v, total = validator{}, Unknown // the coding's bytes are not the file's
	}
	if err := d.part.restart(v, total); err != nil {
		resp.Body.Close()
		return d.close(x, err)
	}
	d.spec = x.verify
	n := d.segments(total)
	if n < 2 || v == (validator{}) || resp.Header.Get("Accept-Ranges") != "bytes" {
		return d.fill(x, resp, 0, 0)
	}
	x.verify = digestSpec{}
	d.followDigest()
	gaps := split([][2]int64{{0, total}}, total/int64(n)+1)
	x.segment, x.until = 1, gaps[0][1]
	return d.parallel(gaps, func() error { return d.fill(x, resp, 0, 0) })
}

// fill writes a response to its place in the file, of which the first again
// bytes before from are there and come again, and closes the exchange.
func (d *download) fill(x *exchange, resp *http.Response, from, again int64) error {
	defer resp.Body.Close()
	sink, err := d.part.section(from, again)
	if err != nil {
		return d.close(x, err)
	}
	if from > 0 {
		x.verify = digestSpec{} // a part has no digest
		x.limit -= from - again
	}
	if err = x.copyBody(resp, sink); errors.Is(err, errChanged) {
		err = errRestart{x.fault(KindChanged, errChanged.Error(), nil)}
	}
	resp.Body.Close()
	return d.close(x, err)
}

// restartIf marks the faults that say that the parts do not fit together.
func restartIf(err error) error {
	var f *Fault
	if errors.As(err, &f) && (f.Kind == KindChanged || f.Kind == KindProtocol || f.Status == http.StatusRequestedRangeNotSatisfiable) {
		return errRestart{err}
	}
	return err
}

// goOn gets what an earlier transfer has left.
func (d *download) goOn() error {
	p := d.part
	gaps := p.gaps()
	if len(gaps) == 0 {
		// All is there; the last bytes prove that it is still the object.
		gaps = [][2]int64{{p.total, p.total}}
	} else if n := d.segments(p.total); n > 1 && p.total > 0 {
		gaps = split(gaps, max(p.total/int64(n)+1, minSegmentWanted))
	}
	again := int64(0)
	if gaps[0][0] == p.prefix() {
		again = min(maxOverlap, (gaps[0][0]+15)/16)
	}
	d.base.res.ResumedFrom = p.have() - again
	x := d.exchange(&span{from: gaps[0][0] - again, to: gaps[0][1], validator: p.validator, total: p.total}, 0)
	resp, err := x.open()
	if err != nil {
		return d.close(x, restartIf(err))
	}
	if resp.StatusCode != http.StatusPartialContent {
		// The object changed, or the server has no ranges: this is all of it.
		d.base.res.ResumedFrom = 0
		d.base.emit(Event{Kind: EventRestart, Status: resp.StatusCode})
		x.req.span = nil
		return d.whole(x, resp)
	}
	p.total = x.res.BytesDeclared
	d.spec = x.verify
	d.followDigest()
	x.verify = digestSpec{}
	if len(gaps) == 1 {
		return d.fill(x, resp, gaps[0][0], again)
	}
	x.segment = 1
	return d.parallel(gaps, func() error { return d.fill(x, resp, gaps[0][0], again) })
}

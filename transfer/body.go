package transfer

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// receive opens the transfer and copies its body to sink.
func (x *exchange) receive(sink io.Writer) error {
	resp, err := x.open()
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return x.copyBody(resp, sink)
}

// copyBody moves the body to sink and checks that it is whole and the right
// one. It allocates nothing per chunk.
func (x *exchange) copyBody(resp *http.Response, sink io.Writer) error {
	w := &wire{x: x, body: resp.Body}
	if _, standard := x.c.transport(); !standard {
		// A body of others may not notice that the context has ended.
		stop := context.AfterFunc(x.ctx, func() { resp.Body.Close() })
		defer stop()
		guard := x.c.guardBody(x.ctx, resp.Body)
		defer guard.stop()
		w.body = guard
	}
	x.enter(PhaseBody)
	source, err := x.decoder(resp, w)
	if err != nil {
		return err
	}
	if x.verify.algorithm == "" {
		err = x.pump(source, w, sink, nil)
	} else {
		h := newHasher(x.c, x.verify.algorithm)
		err = x.pump(source, w, sink, h)
		sum := h.sum(x.c)
		if err == nil {
			x.res.Digest = sum
			err = x.checkDigest(sum)
		}
	}
	return err
}

// pump reads chunks until the end and hands each to sink and, if there is one,
// the hasher, which works on it while the next chunk is read.
func (x *exchange) pump(source io.Reader, w *wire, sink io.Writer, h *hasher) error {
	ask := chunkSize
	if x.limiter != nil {
		ask = limitedChunk
	}
	held := x.c.buffer()
	defer func() { x.c.buffers.Put(held) }()
	used := 0 // how much of held waits to be hashed
	for {
		buf := (*held)[used:min(used+ask, chunkSize)]
		n, err := source.Read(buf)
		if n > 0 {
			// The wire counts what comes over it; this bounds what a content
			// coding makes of that.
			if x.res.BytesDelivered+int64(n) > x.limit {
				return x.refusal(StageSizeExceeded, nil)
			}
			written, werr := sink.Write(buf[:n])
			x.res.BytesDelivered += int64(max(written, 0))
			if werr == nil && written != n {
				werr = io.ErrShortWrite
			}
			if werr != nil {
				return werr
			}
		}
		if h != nil {
			if used += n; used > chunkSize/2 || err != nil {
				held, used = h.take(held, used), 0
			}
		}
		switch {
		case w.failed != nil:
			return w.failed
		case err == io.EOF:
			return x.whole()
		case err != nil:
			return x.undecodable(err)
		}
	}
}

// whole checks a body that ended in order against its declaration. net/http
// has done so already; other round trippers may not have.
func (x *exchange) whole() error {
	if x.expected < 0 || x.expected == x.res.BytesReceived || x.until > 0 && x.until == x.res.BytesReceived {
		return nil
	}
	if x.res.BytesReceived < x.expected {
		return x.fault(KindTruncated, "the body ended early", nil)
	}
	return x.fault(KindProtocol, "the body was longer than declared", nil)
}

// decoder returns what the body is to be read through.
func (x *exchange) decoder(resp *http.Response, w *wire) (io.Reader, error) {
	coding := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	switch {
	case coding == "" || coding == "identity" || x.req.KeepEncoding:
		return w, nil
	case coding == "gzip" || coding == "x-gzip":
		return &gunzip{wire: bufio.NewReaderSize(w, 32<<10)}, nil
	}
	return nil, x.fault(KindEncoding, fmt.Sprintf("the content coding %q was not asked for and cannot be undone", coding), nil)
}

// gunzip starts the decompressor when the first byte is asked for, which is
// when a silent peer must already be watched.
type gunzip struct {
	wire *bufio.Reader
	z    *gzip.Reader
}

func (g *gunzip) Read(p []byte) (int, error) {
	if g.z == nil {
		// What does not even begin as gzip is no gzip that was cut off.
		if magic, err := g.wire.Peek(2); len(magic) > 0 && magic[0] != 0x1f || len(magic) > 1 && magic[1] != 0x8b {
			return 0, gzip.ErrHeader
		} else if len(magic) == 0 && err != nil {
			return 0, io.ErrUnexpectedEOF
		}
		z, err := gzip.NewReader(g.wire)
		if err != nil {
			return 0, err
		}
		g.z = z
	}
	return g.z.Read(p)
}

// undecodable says what a decoder's error means when the wire has none: the
// coded stream is cut off, or is no such stream.
func (x *exchange) undecodable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return x.fault(KindTruncated, "the body ended in the middle of its gzip stream", err)
	}
	return x.fault(KindEncoding, "the gzip content coding cannot be undone", err)
}

// emptyRead is the pause after a read that brought neither bytes nor an error,
// as round trippers of others may have them.
const emptyRead = time.Millisecond

// wire reads the body under the stall clock and counts what comes. An error
// other than the end stays in failed, so that a decoder cannot hide it.
type wire struct {
	x      *exchange
	body   io.Reader
	failed error
	ended  bool
}

// Read returns io.EOF at the end, and any other error only once it is in
// failed.
func (w *wire) Read(p []byte) (int, error) {
	x := w.x
	if w.failed != nil {
		return 0, w.failed
	}
	if w.ended {
		return 0, io.EOF
	}
	// One byte more than allowed tells a larger object from one at the bound.
	if room := x.limit + 1 - x.res.BytesReceived; int64(len(p)) > room {
		p = p[:room]
	}
	if x.until > 0 {
		if x.res.BytesReceived >= x.until {
			w.ended = true
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), x.until-x.res.BytesReceived)]
	}
	x.stall.arm()
	n, err := w.body.Read(p)
	for n == 0 && err == nil {
		// Nothing heard is silence, however it is put.
		if !wait(x.ctx, x.clock, emptyRead) {
			err = x.ctx.Err()
			break
		}
		n, err = w.body.Read(p)
	}
	x.res.BytesReceived += int64(n)
	if x.together != nil {
		x.together.Add(int64(n))
	}
	if err != nil && err != io.EOF {
		w.failed = w.fault(err)
		return n, w.failed
	}
	silence, ok := x.stall.disarm()
	x.listened(silence)
	switch {
	case !ok:
		w.failed = x.refusal(StageBodyStalled, nil)
	case x.res.BytesReceived > x.limit:
		w.failed = x.refusal(StageSizeExceeded, nil)
		n-- // the byte that told
	case n > 0:
		if x.c.Observer != nil {
			x.emit(Event{Kind: EventProgress, Bytes: n})
		}
		if x.limiter != nil {
			w.failed = w.pace(n)
		}
	}
	if w.failed != nil {
		return n, w.failed
	}
	w.ended = err == io.EOF
	return n, err
}

// fault names a read error: ours, the caller's, an early end, or itself.
func (w *wire) fault(err error) error {
	x := w.x
	verdict := x.verdict(err)
	silence, _ := x.stall.disarm()
	x.listened(silence)
	switch {
	case verdict != err:
		return verdict
	case isCut(err):
		return x.fault(KindTruncated, "the body ended early", err)
	case x.malformed(err):
		return x.fault(KindProtocol, "the body cannot be read", err)
	}
	return err
}

// pace waits until the n bytes that came are allowed.
func (w *wire) pace(n int) error {
	x := w.x
	began := x.clock.Now()
	x.phase.Store(phaseRank[PhaseQueue])
	err := x.limiter.Wait(x.ctx, n)
	if waited := x.clock.Now().Sub(began); waited > 0 {
		x.waited(waited)
	}
	if err != nil {
		if cause := context.Cause(x.ctx); cause != nil {
			return cause
		}
		return err
	}
	x.phase.Store(phaseRank[PhaseBody])
	return nil
}

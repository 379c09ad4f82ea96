package transfer_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// The frame types and flags of RFC 9113 that the cases need.
const (
	frameData         = 0
	frameHeaders      = 1
	frameReset        = 3
	frameSettings     = 4
	framePush         = 5
	framePing         = 6
	frameGoAway       = 7
	frameWindow       = 8
	frameContinuation = 9

	flagEnd        = 1 // END_STREAM, and ACK of settings and pings
	flagEndHeaders = 4
	flagPadded     = 8
)

// frame writes a frame as it goes over the wire.
func frame(kind, flags byte, stream uint32, payload string) string {
	b := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	return string(binary.BigEndian.AppendUint32(b, stream)) + payload
}

// Header fields in HPACK (RFC 7541): an indexed status, and literals that are
// not indexed.
const status200 = "\x88"

func field(name, value string) string {
	return "\x00" + string([]byte{byte(len(name))}) + name + string([]byte{byte(len(value))}) + value
}

func length(n int) string { return field("content-length", fmt.Sprint(n)) }

func code(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

var (
	settings  = frame(frameSettings, 0, 0, "")
	ping      = frame(framePing, 0, 0, "pingping")
	headers   = func(fields string) string { return frame(frameHeaders, flagEndHeaders, 1, fields) }
	data      = func(text string) string { return frame(frameData, 0, 1, text) }
	lastData  = func(text string) string { return frame(frameData, flagEnd, 1, text) }
	padded    = frame(frameData, flagPadded, 1, "\x08\x00\x00\x00\x00\x00\x00\x00\x00")
	window    = frame(frameWindow, 0, 1, "\x00\x00\x10\x00")
	reset     = func(c uint32) string { return frame(frameReset, 0, 1, code(c)) }
	goAway    = func(last, c uint32) string { return frame(frameGoAway, 0, 0, code(last)+code(c)) }
	earlyHint = headers(field(":status", "103") + field("link", "</a>"))
)

// preface reads what a client begins with, and then everything else it says.
// It returns once the headers of a request are in; later requests are told by
// p.asked.
func (p *peer) preface() bool {
	if _, err := p.r.Discard(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")); err != nil {
		return false
	}
	p.asked = make(chan uint32, 100)
	go func() {
		defer close(p.asked)
		for {
			var head [9]byte
			if _, err := io.ReadFull(p.r, head[:]); err != nil {
				return
			}
			if _, err := p.r.Discard(int(head[0])<<16 | int(head[1])<<8 | int(head[2])); err != nil {
				return
			}
			if head[3] == frameHeaders {
				select {
				case p.asked <- binary.BigEndian.Uint32(head[5:]):
				default:
				}
			}
		}
	}()
	p.send("%s", settings)
	return p.nextRequest() != 0
}

// nextRequest returns the stream of the next request, or 0 at the end.
func (p *peer) nextRequest() uint32 {
	select {
	case stream := <-p.asked:
		return stream
	case <-p.done:
		return 0
	}
}

// frames returns a script that answers a request with frames, and then with
// pieces in dribbles, or silence.
func frames(answer string, pieces ...string) func(*peer) {
	return func(p *peer) {
		if !p.preface() {
			return
		}
		p.send("%s", answer)
		if len(pieces) > 0 {
			p.dribble(pieces...)
			return
		}
		<-p.done
	}
}

// ends returns a script that answers with frames and closes.
func ends(answer string) func(*peer) {
	return func(p *peer) {
		if p.preface() {
			p.send("%s", answer)
		}
	}
}

// TestHTTP2Faults does over HTTP/2 what the other tests do over HTTP/1, and
// what only HTTP/2 can do.
func TestHTTP2Faults(t *testing.T) {
	const unknown = transfer.Unknown
	noHeaders := noResponse(transfer.PhaseHeaders)
	cases := []fault{
		{name: "silence", script: frames(""), want: noHeaders},
		{name: "not even settings", script: func(p *peer) { <-p.done }, want: noHeaders},
		{name: "pings", script: frames("", ping), want: noHeaders},
		{name: "pings flooded", script: func(p *peer) {
			if p.preface() {
				p.dribble(strings.Repeat(ping, 5))
			}
		}, want: noHeaders},
		{name: "settings", script: frames("", settings), want: noHeaders},
		{name: "window updates", script: frames("", window), want: noHeaders},
		{name: "early hints", script: frames("", earlyHint), want: noHeaders},
		{name: "headers without their end", script: frames(frame(frameHeaders, 0, 1, status200)), want: noHeaders},
		{name: "continuations", script: frames(frame(frameHeaders, 0, 1, status200), frame(frameContinuation, 0, 1, field("x", "y"))), want: noHeaders},
		{name: "half a frame", script: frames(headers(status200)[:7]), want: noHeaders},
		{name: "frames of another stream", script: frames("", frame(framePing, flagEnd, 0, "pingping")), want: noHeaders},

		{name: "no data", script: frames(headers(status200 + length(10))), want: bodyStalled(0, 10)},
		{name: "half the data", script: frames(headers(status200+length(10)) + data("12345")), want: bodyStalled(5, 10)},
		{name: "data and pings", script: frames(headers(status200)+data("12345"), ping), want: bodyStalled(5, unknown)},
		{name: "data and window updates", script: frames(headers(status200)+data("12345"), window), want: bodyStalled(5, unknown)},
		{name: "data and empty data", script: frames(headers(status200)+data("12345"), data("")), want: bodyStalled(5, unknown)},
		{name: "data and padding", script: frames(headers(status200)+data("12345"), padded), want: bodyStalled(5, unknown)},
		{name: "all data and no end", script: frames(headers(status200+length(5)) + data("12345")), want: bodyStalled(5, 5)},
		{name: "trailers without their end", script: frames(headers(status200) + data("12345") + frame(frameHeaders, flagEnd, 1, field("x", "y"))), want: bodyStalled(5, unknown)},
		{name: "half a data frame", script: frames(headers(status200) + data("1234567890")[:14]), want: bodyStalled(0, unknown)}, // net/http reads frames whole

		{name: "declared too large", size: 4, script: frames(headers(status200 + length(5))), want: tooLarge(transfer.PhaseHeaders, 0, 5)},
		{name: "too large", size: 4, script: frames(headers(status200) + data("1234567890")), want: tooLarge(transfer.PhaseBody, 5, unknown)},

		{name: "streams reset before headers", script: func(p *peer) {
			if !p.preface() {
				return
			}
			for stream := uint32(1); stream != 0; stream = p.nextRequest() {
				p.send("%s", frame(frameReset, 0, stream, code(2)))
			}
		}, want: failed(transfer.KindReset)},
		{name: "stream reset in the body", script: frames(headers(status200+length(10)) + data("12345") + reset(2)), want: failedInBody(transfer.KindTruncated, 5, 10)},
		{name: "stream cancelled in the body", script: frames(headers(status200) + data("12345") + reset(8)), want: failedInBody(transfer.KindTruncated, 5, unknown)},
		{name: "ended early", script: frames(headers(status200+length(10)) + lastData("12345")), want: failedInBody(transfer.KindTruncated, 5, 10)},
		{name: "connection closed in the body", script: ends(headers(status200+length(10)) + data("12345")), want: failedInBody(transfer.KindTruncated, 5, 10)},
		{name: "connection closed in a body without length", script: ends(headers(status200) + data("12345")), want: failedInBody(transfer.KindTruncated, 5, unknown)},
		{name: "goaway in the body", script: ends(headers(status200+length(10)) + data("12345") + goAway(0, 0)), want: failedInBody(transfer.KindTruncated, 5, 10)},
		{name: "more than declared", script: frames(headers(status200+length(5)) + lastData("1234567890")), want: failedInBody(transfer.KindProtocol, 5, 5)},

		{name: "a frame that is too large", script: frames("\xff\xff\xff\x00\x00\x00\x00\x00\x01" + strings.Repeat("x", 1000)), want: failed(transfer.KindProtocol)},
		{name: "data before headers", script: frames(data("12345")), want: failed(transfer.KindProtocol)},
		{name: "no status", script: frames(headers(field("x", "y"))), want: failed(transfer.KindProtocol)},
		{name: "status in words", script: frames(headers(field(":status", "ok"))), want: failed(transfer.KindProtocol)},
		{name: "headers that cannot be unpacked", script: frames(headers("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")), want: failed(transfer.KindProtocol)},
		{name: "101", script: frames(headers(field(":status", "101"))), want: noHeaders}, // informational, to HTTP/2
		{name: "push", script: frames(frame(framePush, flagEndHeaders, 1, code(2)+status200)), want: failed(transfer.KindProtocol)},
		{name: "HTTP/1 after all", script: frames("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), want: failed(transfer.KindProtocol)},

		{name: "404", script: frames(frame(frameHeaders, flagEndHeaders|flagEnd, 1, field(":status", "404"))), want: verdict{kind: transfer.KindStatus, status: 404, declared: unknown}},
		{name: "whole", script: frames(headers(status200+length(5)) + lastData("12345")), want: completes(5, 5)},
		{name: "whole with trailers", script: frames(headers(status200) + data("12345") + frame(frameHeaders, flagEndHeaders|flagEnd, 1, field("x", "y"))), want: completes(5, unknown)},
		{name: "goaway, and then all of it", script: frames(goAway(1, 0) + headers(status200) + lastData("12345")), want: completes(5, unknown)},
		{name: "trickle", script: func(p *peer) {
			if !p.preface() {
				return
			}
			p.send("%s", headers(status200))
			for range tricklePieces {
				p.pause(trickleGap)
				p.send("%s", data("x"))
			}
			p.send("%s", lastData(""))
			<-p.done
		}, want: completes(tricklePieces, unknown), atLeast: manyBudgets * 9 / 10},
	}
	for i := range cases {
		cases[i].tls = serverTLS("h2")
	}
	runFaults(t, cases)
}

// TestHTTP2NoStreams asks a server that permits no stream at all. Whether the
// request is sent before that is known depends on the moment; it must end in
// time, and without a storm of connections.
func TestHTTP2NoStreams(t *testing.T) {
	f := fault{tls: serverTLS("h2"), script: func(p *peer) {
		p.send("%s", frame(frameSettings, 0, 0, "\x00\x03\x00\x00\x00\x00"))
		p.silence()
	}}
	for range 3 {
		server := serveBadly(t, f.tls, f.script)
		client, closeClient := f.client()
		start := time.Now()
		_, err := client.Get(t.Context(), transfer.Request{URL: "https://" + server.addr + "/"})
		took := time.Since(start)
		if !errors.Is(err, transfer.ErrNoResponse) || took < faultBudget || took > 3*faultBudget {
			t.Errorf("error %v after %v, want no response after %v", err, took, faultBudget)
		}
		if n := server.connections(); n > 10 {
			t.Errorf("%d connections were made for one request", n)
		}
		closeClient()
		server.close()
	}
}

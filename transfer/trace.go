package transfer

import (
	"crypto/tls"
	"net/http/httptrace"
	"net/textproto"
	"sync"
	"time"
)

// Timings says where the time of a transfer went, for the last address that
// was asked. A part that did not happen, such as resolving the name on a
// connection that was there already, is zero.
type Timings struct {
	Resolve, Connect, TLS, Send time.Duration
	// FirstByte is from the request being out to the first byte of headers.
	FirstByte time.Duration
	// Headers is from the call to the final headers, redirects and retries
	// included; Body from there to the end.
	Headers, Body time.Duration
	// LongestSilence is the longest that the client listened in the body and
	// heard nothing; waits of its own are not in it.
	LongestSilence time.Duration
	// Reused says that a connection was there already.
	Reused bool
	// RemoteAddr is whom the connection was with; empty where none was made.
	RemoteAddr string
}

// hop follows one request to one address. Its callbacks come from goroutines
// of the transport, some of them after the request has ended: a dial that was
// not needed goes on without it.
type hop struct {
	x *exchange

	mu                        sync.Mutex
	phase                     Phase
	connected                 bool // GotConn has come; later dials are not ours
	over                      bool
	answered                  bool // a byte of a response has come
	queued                    bool // the stall clock stands, for a connection of others
	silence                   time.Duration
	queuedAt                  time.Time
	dns, dial, tls, got, sent time.Time
	timings                   Timings
}

var (
	phases    = [...]Phase{PhaseQueue, PhaseResolve, PhaseConnect, PhaseTLS, PhaseSend, PhaseHeaders, PhaseBody}
	phaseRank = map[Phase]int32{PhaseQueue: 0, PhaseResolve: 1, PhaseConnect: 2, PhaseTLS: 3, PhaseSend: 4, PhaseHeaders: 5, PhaseBody: 6}
)

// enter moves the hop on to a later phase, and never back.
func (h *hop) enter(p Phase) {
	if !h.over && phaseRank[p] > phaseRank[h.phase] {
		h.phase = p
		h.x.enter(p)
	}
}

// queue stops the stall clock until unqueue.
func (h *hop) queue() {
	h.silence, h.queued = h.x.stall.pause()
	h.queuedAt = h.x.clock.Now()
	h.x.enter(PhaseQueue)
}

func (h *hop) unqueue() {
	if h.queued {
		h.queued = false
		h.x.waited(h.x.clock.Now().Sub(h.queuedAt))
		h.x.stall.resume(h.silence)
	}
}

func (h *hop) end() (Timings, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.unqueue()
	h.over = true
	if !h.answered {
		h.cutShort()
	}
	return h.timings, h.answered
}

// cutShort gives the part in which the request stands the time until now.
func (h *hop) cutShort() {
	var part *time.Duration
	var since time.Time
	switch t := &h.timings; h.phase {
	case PhaseResolve:
		part, since = &t.Resolve, h.dns
	case PhaseConnect:
		part, since = &t.Connect, h.dial
	case PhaseTLS:
		part, since = &t.TLS, h.tls
	case PhaseSend:
		part, since = &t.Send, h.got
	case PhaseHeaders:
		part, since = &t.FirstByte, h.sent
	default:
		return
	}
	if *part == 0 && !since.IsZero() {
		*part = h.x.clock.Now().Sub(since)
	}
}

// trace returns the callbacks. mayQueue says that the transport may make the
// request wait for a connection of others, and tells when it dials at last.
func (h *hop) trace(mayQueue bool) *httptrace.ClientTrace {
	now := h.x.stall.clock.Now
	// locked runs f unless what is told belongs to a dial that is not ours.
	locked := func(f func()) {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.over {
			f()
		}
	}
	dialling := func(f func()) {
		locked(func() {
			if !h.connected {
				f()
			}
		})
	}
	return &httptrace.ClientTrace{
		GetConn: func(string) {
			locked(func() {
				// The transport may call again, when a kept connection turns
				// out to be dead.
				h.connected, h.phase = false, ""
				h.timings = Timings{}
				h.phase = PhaseQueue
				if h.unqueue(); mayQueue {
					h.queue()
				} else {
					// A dialler of the caller's tells nothing; it connects.
					h.x.phase.Store(phaseRank[PhaseConnect])
				}
			})
		},
		DNSStart: func(httptrace.DNSStartInfo) {
			dialling(func() { h.unqueue(); h.dns = now(); h.enter(PhaseResolve) })
		},
		DNSDone: func(httptrace.DNSDoneInfo) {
			dialling(func() { h.timings.Resolve = now().Sub(h.dns) })
		},
		ConnectStart: func(string, string) {
			dialling(func() {
				if h.unqueue(); h.dial.IsZero() {
					h.dial = now()
				}
				h.enter(PhaseConnect)
			})
		},
		ConnectDone: func(_, _ string, err error) {
			dialling(func() {
				if err == nil {
					h.timings.Connect = now().Sub(h.dial)
				}
			})
		},
		TLSHandshakeStart: func() {
			dialling(func() { h.tls = now(); h.enter(PhaseTLS) })
		},
		TLSHandshakeDone: func(tls.ConnectionState, error) {
			dialling(func() { h.timings.TLS = now().Sub(h.tls) })
		},
		GotConn: func(info httptrace.GotConnInfo) {
			locked(func() {
				h.unqueue()
				h.connected, h.got = true, now()
				h.timings.Reused = info.Reused
				if info.Conn != nil {
					h.timings.RemoteAddr = info.Conn.RemoteAddr().String()
					h.x.watch(info.Conn)
				}
				h.enter(PhaseSend)
			})
		},
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			locked(func() {
				if info.Err == nil {
					h.sent = now()
					h.timings.Send = h.sent.Sub(h.got)
					h.enter(PhaseHeaders)
				}
			})
		},
		GotFirstResponseByte: func() {
			locked(func() {
				h.answered = true
				if !h.sent.IsZero() {
					h.timings.FirstByte = now().Sub(h.sent)
				}
			})
		},
		Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
			locked(func() { h.x.emit(Event{Kind: EventInformational, Status: code}) })
			return nil
		},
	}
}

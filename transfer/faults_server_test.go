package transfer_test

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// The tests of this group hold the client against servers that misbehave on
// real sockets and in real time. Each case says what the server does, byte by
// byte, and what the client must make of it.

// faultBudget is the stall budget of the cases, and manyBudgets a length of
// time with which no silence may be confused.
const (
	faultBudget = slowness * 300 * time.Millisecond
	manyBudgets = 5 * faultBudget
)

// peer is the server's end of one connection.
type peer struct {
	net.Conn
	r    *bufio.Reader
	n    int // which connection this is, from 1
	done <-chan struct{}
	// asked gets the stream of each request, under HTTP/2.
	asked chan uint32
}

// NetConn returns the connection beneath TLS.
func (p *peer) NetConn() net.Conn { return p.Conn.(*tls.Conn).NetConn() }

func (p *peer) send(format string, args ...any) { fmt.Fprintf(p.Conn, format, args...) }

// request reads a request's header.
func (p *peer) request() *http.Request {
	r, err := http.ReadRequest(p.r)
	if err != nil {
		return nil
	}
	return r
}

// silence keeps the connection open and says nothing, until the client or the
// test ends.
func (p *peer) silence() {
	gone := make(chan struct{})
	go func() { defer close(gone); io.Copy(io.Discard, p.r) }()
	select {
	case <-gone:
	case <-p.done:
	}
}

// pause waits, and reports whether the test goes on.
func (p *peer) pause(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-p.done:
		return false
	}
}

// dribble sends a piece a fifth of the budget apart, until nobody listens.
func (p *peer) dribble(pieces ...string) {
	for i := 0; ; i++ {
		if _, err := io.WriteString(p.Conn, pieces[i%len(pieces)]); err != nil || !p.pause(faultBudget/5) {
			return
		}
	}
}

// flood sends a piece as fast as it is taken.
func (p *peer) flood(piece string) {
	block := strings.Repeat(piece, 1+(16<<10)/len(piece))
	for {
		if _, err := io.WriteString(p.Conn, block); err != nil {
			return
		}
		select {
		case <-p.done:
			return
		default:
		}
	}
}

// reset lets the connection end with a reset instead of an orderly close.
func (p *peer) reset() {
	conn := p.Conn
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	conn.(*net.TCPConn).SetLinger(0)
	conn.Close()
}

// badServer accepts connections and lets a script serve each.
type badServer struct {
	addr string
	mu   sync.Mutex
	n    int
	// close ends the server and waits for its scripts.
	close func()
}

func (s *badServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// serveBadly listens on loopback. With a TLS configuration the handshake is
// the server's, before the script begins.
func serveBadly(t *testing.T, config *tls.Config, script func(*peer)) *badServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &badServer{addr: l.Addr().String()}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.n++
			n := s.n
			s.mu.Unlock()
			wg.Go(func() {
				defer conn.Close()
				if config != nil {
					c := tls.Server(conn, config)
					if c.Handshake() != nil {
						return
					}
					conn = c
				}
				// A client that is gone must not keep the script: the test
				// waits for it.
				script(&peer{Conn: conn, r: bufio.NewReader(conn), n: n, done: done})
			})
		}
	})
	s.close = sync.OnceFunc(func() {
		close(done)
		l.Close()
		wg.Wait()
	})
	return s
}

// authority is a certificate for 127.0.0.1 that signs itself.
var authority = sync.OnceValue(func() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<33, 0), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
})

func serverTLS(protocols ...string) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{authority()}, NextProtos: protocols}
}

// verdict is what the client made of a server. Fields that do not apply are
// zero, as in the client's own types.
type verdict struct {
	stage    transfer.Stage
	phase    transfer.Phase
	kind     transfer.Kind
	status   int
	received int64
	declared int64 // Unknown where nothing was declared
}

// fault is one case.
type fault struct {
	name   string
	tls    *tls.Config // the server's
	script func(*peer)
	req    transfer.Request // its URL is the server's
	size   int64            // the bound on size, 0 for none of the case's own
	want   verdict
	// connections is how many the client must have made; 0 is one.
	connections int
	// atLeast is how long a transfer that completes must have taken.
	atLeast time.Duration
	text    string // a part of the error's text
}

// refused and friends make verdicts.
func noResponse(phase transfer.Phase) verdict {
	return verdict{stage: transfer.StageNoResponse, phase: phase, declared: transfer.Unknown}
}

func bodyStalled(received, declared int64) verdict {
	return verdict{stage: transfer.StageBodyStalled, phase: transfer.PhaseBody, received: received, declared: declared}
}

func tooLarge(phase transfer.Phase, received, declared int64) verdict {
	return verdict{stage: transfer.StageSizeExceeded, phase: phase, received: received, declared: declared}
}

func failed(kind transfer.Kind) verdict { return verdict{kind: kind, declared: transfer.Unknown} }

func failedInBody(kind transfer.Kind, received, declared int64) verdict {
	return verdict{kind: kind, status: 200, received: received, declared: declared}
}

func answered(status int) verdict {
	return verdict{kind: transfer.KindStatus, status: status, declared: transfer.Unknown}
}

func completes(bytes, declared int64) verdict {
	return verdict{status: 200, received: bytes, declared: declared}
}

// runFaults runs the cases side by side: each of them waits more than it works.
func runFaults(t *testing.T, cases []fault) {
	var wg sync.WaitGroup
	turns := make(chan struct{}, 24)
	for _, f := range cases {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			t.Run(f.name, f.run)
		})
	}
	wg.Wait()
}

// run runs the case. Where the machine itself was so late that the outcome
// says nothing about the client, it runs it again.
func (f *fault) run(t *testing.T) {
	for try := 1; ; try++ {
		complaints, late := f.try(t)
		if len(complaints) > 0 && late > faultBudget/10 && try < 5 {
			continue
		}
		for _, c := range complaints {
			t.Error(c)
		}
		return
	}
}

// try runs the case once, and returns what is wrong and how late the machine
// was.
func (f *fault) try(t *testing.T) (complaints []string, late time.Duration) {
	server := serveBadly(t, f.tls, f.script)
	defer server.close()
	req := f.req
	if req.URL == "" {
		req.URL = "http://" + server.addr + "/object"
		if f.tls != nil {
			req.URL = "https://" + server.addr + "/object"
		}
	} else {
		_, port, _ := net.SplitHostPort(server.addr)
		req.URL = strings.NewReplacer("SERVER", server.addr, "PORT", port).Replace(req.URL)
	}
	client, closeClient := f.client()
	defer closeClient()
	ctx, cancel := context.WithTimeout(t.Context(), 20*faultBudget) // a hang is a failure, not a wait
	defer cancel()
	lateness := watchLateness()
	start := time.Now()
	res, err := client.Get(ctx, req)
	took := time.Since(start)
	late = lateness()
	if ctx.Err() != nil {
		return []string{fmt.Sprintf("hung: %v", err)}, 0
	}
	if f.want.stage == transfer.StageSizeExceeded && f.want.phase == transfer.PhaseHeaders {
		took -= res.Timings.Headers // what counts is how soon a declaration is acted upon
	}
	return append(f.compare(res, err, server), f.timely(err, took, late)...), late
}

// client returns a client for the case, and what ends it.
func (f *fault) client() (*transfer.Client, func()) {
	transport := transfer.NewTransport()
	roots := x509.NewCertPool()
	roots.AddCert(authority().Leaf)
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	transport.DisableKeepAlives = f.tls == nil // net/http logs what comes after an answer
	return &transfer.Client{Transport: transport, MaxSize: f.size, Retry: transfer.Retry{Base: time.Millisecond},
		Budget: transfer.Budget{Name: "T", Duration: faultBudget}}, transport.CloseIdleConnections
}

// compare checks what the client said against what it must say.
func (f *fault) compare(res *transfer.Result, err error, server *badServer) (complaints []string) {
	complain := func(format string, args ...any) { complaints = append(complaints, fmt.Sprintf(format, args...)) }
	got := verdict{kind: transfer.KindOf(err), status: res.Status, received: res.BytesReceived, declared: res.BytesDeclared}
	var refusal *transfer.Error
	if errors.As(err, &refusal) {
		got.stage, got.phase, got.status = refusal.Stage, refusal.Phase, 0
		if refusal.BytesReceived != res.BytesReceived || refusal.BytesDeclared != res.BytesDeclared {
			complain("the error tells of %d of %d bytes, the result of %d of %d",
				refusal.BytesReceived, refusal.BytesDeclared, res.BytesReceived, res.BytesDeclared)
		}
		if refusal.Timeout() && refusal.Silence < faultBudget {
			complain("refused after a silence of %v, before the budget was spent", refusal.Silence)
		}
		if !strings.Contains(err.Error(), "did not complete after") {
			complain("the refusal says %q", err)
		}
	}
	if f.want.received == anyNumber && got.received > 0 {
		got.received = anyNumber
	}
	if got != f.want {
		complain("got  %+v\nwant %+v\nerror: %v", got, f.want, err)
	}
	if err != nil && f.text != "" && !strings.Contains(err.Error(), f.text) {
		complain("the error %q does not say %q", err, f.text)
	}
	if want := max(f.connections, 1); server.connections() != want {
		complain("%d connections were made, want %d", server.connections(), want)
	}
	if int64(len(res.Body)) != res.BytesDelivered {
		complain("%d bytes in the result, %d delivered", len(res.Body), res.BytesDelivered)
	}
	return complaints
}

// timely checks that a stall was refused neither before its time nor long
// after it, and that everything else took no time to speak of. late is what
// the machine itself was late by meanwhile.
func (f *fault) timely(err error, took, late time.Duration) (complaints []string) {
	from, to := time.Duration(0), faultBudget
	switch {
	case f.want.stage == transfer.StageNoResponse:
		from, to = faultBudget, faultBudget+50*time.Millisecond
	case f.want.stage == transfer.StageBodyStalled:
		// Some of these move for a while before they go silent.
		from, to = faultBudget, 2*manyBudgets
		var refusal *transfer.Error
		if errors.As(err, &refusal) && refusal.Silence > faultBudget+50*time.Millisecond+late {
			complaints = append(complaints, fmt.Sprintf("refused after a silence of %v, long after the budget", refusal.Silence))
		}
	case f.want.stage == transfer.StageSizeExceeded && f.want.phase == transfer.PhaseHeaders:
		to = slowness * 50 * time.Millisecond
	case f.atLeast > 0:
		from, to = f.atLeast, time.Hour
	}
	if took < from || took > to+late {
		complaints = append(complaints, fmt.Sprintf("took %v, want %v to %v (the machine was %v late)", took, from, to, late))
	}
	return complaints
}

// watchLateness measures how late the machine wakes those who sleep. The
// function that it returns ends the measurement, and doubles it: a case waits
// for more than one wake-up.
func watchLateness() func() time.Duration {
	const nap = 2 * time.Millisecond
	stop, worst := make(chan struct{}), make(chan time.Duration)
	go func() {
		var late time.Duration
		for {
			start := time.Now()
			select {
			case <-time.After(nap):
				late = max(late, time.Since(start)-nap)
			case <-stop:
				worst <- late
				return
			}
		}
	}()
	return func() time.Duration {
		close(stop)
		return 2 * <-worst
	}
}

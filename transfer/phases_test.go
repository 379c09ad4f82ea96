package transfer

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPhaseOfNoResponse lets each phase before the headers go silent.
func TestPhaseOfNoResponse(t *testing.T) {
	blocked := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	var far net.Conn
	deaf := func(read bool) func(context.Context, string, string) (net.Conn, error) {
		return func(context.Context, string, string) (net.Conn, error) {
			var near net.Conn
			near, far = net.Pipe()
			if read {
				go io.Copy(io.Discard, far)
			}
			return near, nil
		}
	}
	tests := []struct {
		name string
		url  string
		dial func(context.Context, string, string) (net.Conn, error)
		want Phase
		text string
	}{
		{name: "the connection", url: "http://registry.test/", want: PhaseConnect, text: "no connection to registry.test was made within 120 s", dial: blocked},
		{name: "the handshake", url: "https://registry.test/", want: PhaseTLS, text: "the TLS handshake with registry.test was not finished within 120 s", dial: deaf(true)},
		{name: "the request", url: "http://registry.test/", want: PhaseSend, text: "the server at registry.test did not take the request within 120 s", dial: deaf(false)},
		{name: "the response", url: "http://registry.test/", want: PhaseHeaders, text: "the server at registry.test did not begin a response within 120 s", dial: deaf(true)},
	}
	for _, tt := range tests {
		t.Run(tt.name, inBubble(func(t *testing.T) {
			tr := NewTransport()
			tr.DialContext = tt.dial
			c := &Client{Transport: tr, Budget: Budget{Name: "T", Duration: testBudget}}
			// Net/http counts a request as written once it is in its buffer of
			// 4 KiB, so one that is to be seen in the phase must be larger.
			_, err := c.Get(context.Background(), Request{URL: tt.url, Header: http.Header{"X-Large": {strings.Repeat("x", 5000)}}})
			tr.CloseIdleConnections()
			if far != nil {
				far.Close()
			}
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Stage != StageNoResponse || refusal.Phase != tt.want {
				t.Fatalf("error = %v, want no-response in phase %s", err, tt.want)
			}
			checkRefusalTime(t, refusal.Silence)
			if !strings.HasSuffix(err.Error(), tt.text) {
				t.Errorf("text %q, want …%q", err, tt.text)
			}
		}))
	}
}

// TestSilentResolver is on the wall clock, since the system's resolver keeps
// state between tests. Its own timer is 5 s.
func TestSilentResolver(t *testing.T) {
	const budget = 200 * time.Millisecond
	tr := NewTransport()
	tr.DialContext = (&net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}}).DialContext
	c := &Client{Transport: tr, Budget: Budget{Duration: budget}}
	_, err := c.Get(context.Background(), Request{URL: "http://registry.test/"})
	tr.CloseIdleConnections() // which ends the dial, too
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Stage != StageNoResponse || refusal.Phase != PhaseResolve || refusal.Silence < budget ||
		!strings.HasSuffix(err.Error(), "the name of registry.test was not resolved within 200 ms") {
		t.Errorf("error = %v", err)
	}
}

// TestGivenUpDialEnds looks at the connection of a handshake that was refused.
func TestGivenUpDialEnds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	closed := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			defer conn.Close()
			_, err = io.Copy(io.Discard, conn)
		}
		closed <- err
	}()
	c := &Client{Budget: Budget{Duration: 100 * time.Millisecond}}
	_, err = c.Get(context.Background(), Request{URL: "https://" + l.Addr().String()})
	var refusal *Error
	if !errors.As(err, &refusal) || refusal.Phase != PhaseTLS {
		t.Errorf("error = %v", err)
	}
	// Without an end this waits for the test's own.
	<-closed
}

// TestWaitForAConnectionIsNoSilence has two requests share one connection, of
// which the first takes many budgets.
func TestWaitForAConnectionIsNoSilence(t *testing.T) {
	const budget = 300 * time.Millisecond
	release := make(chan struct{})
	first := make(chan struct{})
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			for {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				once.Do(func() { close(first) })
				select {
				case <-release:
					return
				case <-time.After(budget / 10):
				}
			}
		}
		w.Write([]byte("done"))
	}))
	defer server.Close()
	tr := NewTransport()
	tr.MaxConnsPerHost = 1
	defer tr.CloseIdleConnections()
	c := &Client{Transport: tr, Budget: Budget{Duration: budget}}
	var wg sync.WaitGroup
	wg.Go(func() {
		if _, err := c.Get(context.Background(), Request{URL: server.URL + "/slow"}); err != nil {
			t.Errorf("the first: %v", err)
		}
	})
	<-first
	time.AfterFunc(3*budget, func() { close(release) })
	res, err := c.Get(context.Background(), Request{URL: server.URL + "/quick"})
	if err != nil || string(res.Body) != "done" || res.Queued < 2*budget {
		t.Errorf("the second: %v, queued for %v", err, res.Queued)
	}
	wg.Wait()
}

// pacer is a Limiter that makes every wait as long as it says.
type pacer time.Duration

func (p pacer) Wait(ctx context.Context, n int) error {
	select {
	case <-time.After(time.Duration(p)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// oneSlot is a Slots of one.
type oneSlot chan struct{}

func (s oneSlot) Acquire(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
func (s oneSlot) Release() { <-s }

func TestOwnWaitsAreNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servePipe(t, func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx")
			time.Sleep(testBudget / 2)
			c.send("y")
		})
		c := s.client(t, testBudget)
		c.Limiter = pacer(5 * testBudget)
		slot := make(oneSlot, 1)
		c.Slots = slot
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				res, err := c.Receive(context.Background(), Request{URL: s.URL}, slowWriter(3*testBudget))
				if err != nil || res.BytesReceived != 2 || res.Queued < 10*testBudget {
					t.Errorf("error = %v, %d bytes, queued for %v", err, res.BytesReceived, res.Queued)
				}
			})
		}
		wg.Wait()
		if len(slot) != 0 {
			t.Error("a slot was not given back")
		}
		// Cut while queued, a transfer ends as the caller says, in that phase.
		for _, hold := range []bool{true, false} {
			if hold {
				slot <- struct{}{}
			}
			ctx, cancel := Budget{Name: "outer", Duration: 2 * testBudget}.Context(context.Background())
			res, err := c.Get(ctx, Request{URL: s.URL})
			cancel()
			var outer *BudgetError
			if !errors.As(err, &outer) || res.Phase != PhaseQueue {
				t.Errorf("error = %v in phase %s", err, res.Phase)
			}
			if hold {
				<-slot
			}
		}
	})
}

type slowWriter time.Duration

func (w slowWriter) Write(p []byte) (int, error) {
	time.Sleep(time.Duration(w))
	return len(p), nil
}

// TestHTTP2PingsAreNoResponse has a server that answers nothing but lives.
func TestHTTP2PingsAreNoResponse(t *testing.T) {
	for name, headers := range map[string]bool{"no headers": false, "headers, no data": true} {
		t.Run(name, inBubble(func(t *testing.T) {
			stop := make(chan struct{})
			var wg sync.WaitGroup
			tr := NewTransport()
			tr.Protocols = new(http.Protocols)
			tr.Protocols.SetUnencryptedHTTP2(true)
			tr.DialContext = func(context.Context, string, string) (net.Conn, error) {
				near, far := net.Pipe()
				wg.Go(func() { pingOnly(far, stop, headers) })
				return near, nil
			}
			c := &Client{Transport: tr, Budget: Budget{Duration: testBudget}}
			res, err := c.Get(context.Background(), Request{URL: "http://registry.test/"})
			tr.CloseIdleConnections()
			close(stop)
			wg.Wait()
			want, phase := StageNoResponse, PhaseHeaders
			if headers {
				want, phase = StageBodyStalled, PhaseBody
			}
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Stage != want || refusal.Phase != phase {
				t.Fatalf("error = %v, status %d", err, res.Status)
			}
			checkRefusalTime(t, refusal.Silence)
		}))
	}
}

// pingOnly speaks just enough HTTP/2.
func pingOnly(c net.Conn, stop chan struct{}, headers bool) {
	defer c.Close()
	r := bufio.NewReader(c)
	if _, err := io.CopyN(io.Discard, r, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	var writing sync.Mutex
	frame := func(kind, flags byte, stream uint32, payload string) error {
		head := []byte{0, 0, byte(len(payload)), kind, flags, 0, 0, 0, 0}
		binary.BigEndian.PutUint32(head[5:], stream)
		writing.Lock()
		defer writing.Unlock()
		_, err := c.Write(append(head, payload...))
		return err
	}
	go func() {
		for {
			var head [9]byte
			if _, err := io.ReadFull(r, head[:]); err != nil {
				return
			}
			n := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
			if _, err := io.CopyN(io.Discard, r, n); err != nil {
				return
			}
			if head[3] == 1 && headers { // HEADERS of the request: answer :status 200
				go frame(1, 4, 1, "\x88")
			}
		}
	}()
	if frame(4, 0, 0, "") != nil { // SETTINGS
		return
	}
	tick := time.NewTicker(testBudget / 8)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			if frame(6, 0, 0, "12345678") != nil { // PING
				return
			}
		}
	}
}

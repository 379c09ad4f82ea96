package transfer

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// script is what a misbehaving server does with one connection. It gets the
// request's header, and returns to close the connection.
type script func(c *serverConn, req *http.Request)

// serverConn is the server's end of a connection.
type serverConn struct {
	net.Conn
	stop chan struct{} // closed when the test is over
	n    int           // which request of the server this is, from 1
}

func (c *serverConn) send(format string, args ...any) { fmt.Fprintf(c.Conn, format, args...) }

// hang keeps the connection open and silent until the test or the client ends.
func (c *serverConn) hang() {
	gone := make(chan struct{})
	go func() { io.Copy(io.Discard, c.Conn); close(gone) }()
	select {
	case <-c.stop:
	case <-gone:
	}
}

// dribble sends text again and again, every so often, until nobody listens.
func (c *serverConn) dribble(every time.Duration, text string) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if _, err := io.WriteString(c.Conn, text); err != nil {
			return
		}
		select {
		case <-c.stop:
			return
		case <-tick.C:
		}
	}
}

func (c *serverConn) reset() {
	if t, ok := c.Conn.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
}

// faultServer serves a script and keeps a journal of requests.
type faultServer struct {
	URL string

	f       script
	stop    chan struct{}
	mu      sync.Mutex
	journal []*http.Request
	wg      sync.WaitGroup
	pipes   bool
}

func (s *faultServer) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.journal...)
}

func (s *faultServer) handle(conn net.Conn) {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer conn.Close()
		req, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		s.mu.Lock()
		s.journal = append(s.journal, req)
		n := len(s.journal)
		s.mu.Unlock()
		s.f(&serverConn{Conn: conn, stop: s.stop, n: n}, req)
	}()
}

// client returns a client of the server with the stall budget.
func (s *faultServer) client(t testing.TB, budget time.Duration) *Client {
	c := &Client{Budget: Budget{Name: "T", Duration: budget}, Retry: Retry{Base: time.Millisecond}}
	if s.pipes {
		tr := NewTransport()
		tr.DialContext = func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			s.handle(far)
			return near, nil
		}
		c.Transport = tr
		t.Cleanup(tr.CloseIdleConnections)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// servePipe serves a script in memory, for use in a synctest bubble, where
// its time is the test's.
func servePipe(t testing.TB, f script) *faultServer {
	s := &faultServer{URL: "http://registry.test", f: f, stop: make(chan struct{}), pipes: true}
	t.Cleanup(func() {
		close(s.stop)
		s.wg.Wait()
	})
	return s
}

// serveTCP serves a script on loopback.
func serveTCP(t testing.TB, f script) *faultServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &faultServer{URL: "http://" + l.Addr().String(), f: f, stop: make(chan struct{})}
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.handle(conn)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		close(s.stop)
		s.wg.Wait()
	})
	return s
}

package transfer

import (
	"bufio"
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

// faultServer serves a script on loopback and keeps a journal of requests.
type faultServer struct {
	URL string

	mu      sync.Mutex
	journal []*http.Request
	wg      sync.WaitGroup
}

func (s *faultServer) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.journal...)
}

func serve(t testing.TB, f script) *faultServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &faultServer{URL: "http://" + l.Addr().String()}
	stop := make(chan struct{})
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
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
				f(&serverConn{Conn: conn, stop: stop, n: n}, req)
			}()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		close(stop)
		s.wg.Wait()
	})
	return s
}

package transfer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testBudget is the stall budget of most tests. Their time is a bubble's, so
// it costs nothing.
const testBudget = 120 * time.Second

// checkRefusalTime checks the promise on when a refusal comes.
func checkRefusalTime(t *testing.T, silence time.Duration) {
	t.Helper()
	if limit := testBudget + 50*time.Millisecond; silence < testBudget || silence > limit {
		t.Errorf("refused after %v of silence, want between %v and %v", silence, testBudget, limit)
	}
}

func zeros(n int) []byte { return make([]byte, n) }

func gzipped(b []byte) string {
	var z bytes.Buffer
	w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
	w.Write(b)
	w.Close()
	return z.String()
}

// anyBytes stands for a number of bytes that depends on buffering.
const anyBytes = -2

func TestRefusals(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	step := testBudget / 4
	tests := []struct {
		name     string
		serve    script
		maxSize  int64
		stage    Stage
		phase    Phase
		received int64
		declared int64
		requests int
	}{
		{name: "silence after the request", serve: func(c *serverConn, _ *http.Request) { c.hang() }, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown},
		{name: "1xx dribble", serve: func(c *serverConn, _ *http.Request) {
			c.dribble(step, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")
		}, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown},
		{name: "100 flood", serve: func(c *serverConn, _ *http.Request) { c.dribble(time.Millisecond, "HTTP/1.1 100 Continue\r\n\r\n") }, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown},
		{name: "header dribble", serve: func(c *serverConn, _ *http.Request) { c.send(ok); c.dribble(step, "X-A: b\r\n") }, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown},
		{name: "status line dribble", serve: func(c *serverConn, _ *http.Request) { c.send("HTTP/1.1 200 "); c.dribble(step, "O") }, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown},
		{name: "headers and silence", serve: func(c *serverConn, _ *http.Request) { c.send(ok + "Content-Length: 9\r\n\r\n"); c.hang() }, stage: StageBodyStalled, phase: PhaseBody, declared: 9},
		{name: "half a body", serve: func(c *serverConn, _ *http.Request) { c.send(ok + "Content-Length: 9\r\n\r\nhalf"); c.hang() }, stage: StageBodyStalled, phase: PhaseBody, received: 4, declared: 9},
		{name: "close-delimited body that never ends", serve: func(c *serverConn, _ *http.Request) { c.send(ok + "Connection: close\r\n\r\nhalf"); c.hang() }, stage: StageBodyStalled, phase: PhaseBody, received: 4, declared: Unknown},
		{name: "last chunk missing", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
			c.hang()
		}, stage: StageBodyStalled, phase: PhaseBody, received: 4, declared: Unknown},
		{name: "chunk size dribble", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
			c.dribble(step, "0")
		}, stage: StageBodyStalled, phase: PhaseBody, received: 4, declared: Unknown},
		{name: "trailer dribble", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n4\r\nhalf\r\n0\r\n")
			c.dribble(step, "X: y\r\n")
		}, stage: StageBodyStalled, phase: PhaseBody, received: 4, declared: Unknown},
		{name: "gzip stream goes silent", serve: func(c *serverConn, _ *http.Request) {
			z := gzipped([]byte(strings.Repeat("some text ", 1000)))
			c.send("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", ok, len(z), z[:len(z)/2])
			c.hang()
		}, stage: StageBodyStalled, phase: PhaseBody, received: int64(len(gzipped([]byte(strings.Repeat("some text ", 1000)))) / 2), declared: int64(len(gzipped([]byte(strings.Repeat("some text ", 1000)))))},
		{name: "slow redirect chain", serve: func(c *serverConn, _ *http.Request) {
			select {
			case <-time.After(testBudget * 2 / 5):
			case <-c.stop:
			}
			c.send("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown, requests: 3},
		{name: "redirect whose body dribbles", serve: func(c *serverConn, _ *http.Request) {
			if c.n > 1 {
				c.hang()
			}
			c.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 100000\r\n\r\n")
			c.dribble(step, "x")
		}, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown, requests: 2},
		{name: "quick 503 and then silence", serve: func(c *serverConn, _ *http.Request) {
			if c.n == 1 {
				c.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			c.hang()
		}, stage: StageNoResponse, phase: PhaseHeaders, declared: Unknown, requests: 2},
		{name: "declared too large", maxSize: 100, serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Content-Length: 101\r\n\r\n")
			c.hang()
		}, stage: StageSizeExceeded, phase: PhaseHeaders, declared: 101},
		{name: "counted too large", maxSize: 100, serve: func(c *serverConn, _ *http.Request) {
			c.send("%sConnection: close\r\n\r\n%s", ok, strings.Repeat("x", 200))
			c.hang()
		}, stage: StageSizeExceeded, phase: PhaseBody, received: 101, declared: Unknown},
		{name: "gzip bomb", maxSize: 1 << 20, serve: func(c *serverConn, _ *http.Request) {
			z := gzipped(zeros(8 << 20))
			c.send("%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", ok, len(z), z)
			c.hang()
		}, stage: StageSizeExceeded, phase: PhaseBody, received: anyBytes, declared: int64(len(gzipped(zeros(8 << 20))))},
	}
	for _, tt := range tests {
		t.Run(tt.name, inBubble(func(t *testing.T) {
			s := servePipe(t, tt.serve)
			c := s.client(t, testBudget)
			began := time.Now()
			res, err := c.Get(context.Background(), Request{URL: s.URL + "/index.json", MaxSize: tt.maxSize})
			took := time.Since(began)
			var refusal *Error
			if !errors.As(err, &refusal) {
				t.Fatalf("error = %v, want a refusal", err)
			}
			if refusal.Stage != tt.stage || refusal.Phase != tt.phase {
				t.Errorf("stage %s in phase %s, want %s in %s", refusal.Stage, refusal.Phase, tt.stage, tt.phase)
			}
			if refusal.BytesReceived != tt.received && tt.received != anyBytes || refusal.BytesDeclared != tt.declared {
				t.Errorf("%d of %d bytes, want %d of %d", refusal.BytesReceived, refusal.BytesDeclared, tt.received, tt.declared)
			}
			if res.BytesReceived != refusal.BytesReceived || res.BytesDeclared != refusal.BytesDeclared {
				t.Errorf("the result has %d of %d bytes, the error %d of %d", res.BytesReceived, res.BytesDeclared, refusal.BytesReceived, refusal.BytesDeclared)
			}
			if refusal.Budget.Name != "T" {
				t.Errorf("budget %+v", refusal.Budget)
			}
			if tt.stage == StageSizeExceeded {
				if refusal.Timeout() || took > testBudget {
					t.Errorf("Timeout() = %v after %v", refusal.Timeout(), took)
				}
			} else {
				checkRefusalTime(t, refusal.Silence)
				if !refusal.Timeout() || !errors.Is(err, ErrStalled) || took < testBudget {
					t.Errorf("Timeout() = %v, errors.Is(ErrStalled) = %v after %v", refusal.Timeout(), errors.Is(err, ErrStalled), took)
				}
			}
			if got, want := len(s.requests()), max(tt.requests, 1); got != want {
				t.Errorf("%d requests reached the server, want %d", got, want)
			}
		}))
	}
}

func TestFaults(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	tests := []struct {
		name     string
		serve    script
		digest   string
		kind     Kind
		status   int
		received int64
		declared int64
		requests int
	}{
		{name: "not found", serve: func(c *serverConn, _ *http.Request) { c.send("HTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\nnope!") }, kind: KindStatus, status: 404, declared: Unknown},
		{name: "unauthorized", serve: func(c *serverConn, _ *http.Request) { c.send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n") }, kind: KindStatus, status: 401, declared: Unknown},
		{name: "500 is tried three times", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}, kind: KindStatus, status: 500, declared: Unknown, requests: 3},
		{name: "503 with a dribbled body", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 503 No\r\nContent-Length: 100\r\n\r\n")
			c.dribble(testBudget/10, "x")
		}, kind: KindStatus, status: 503, declared: Unknown, requests: 3},
		{name: "501 is final", serve: func(c *serverConn, _ *http.Request) { c.send("HTTP/1.1 501 No\r\nContent-Length: 0\r\n\r\n") }, kind: KindStatus, status: 501, declared: Unknown},
		{name: "Retry-After of a day", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 429 Slow\r\nRetry-After: 86400\r\nContent-Length: 0\r\n\r\n")
		}, kind: KindStatus, status: 429, declared: Unknown},
		{name: "unasked 101", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
			c.hang()
		}, kind: KindProtocol, status: 101, declared: Unknown},
		{name: "unasked 206", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-3/9\r\nContent-Length: 4\r\n\r\nhalf")
		}, kind: KindProtocol, status: 206, declared: Unknown},
		{name: "redirect loop", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 307 Go\r\nLocation: /x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		}, kind: KindProtocol, status: 307, declared: Unknown, requests: 11},
		{name: "redirect to a file", serve: func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 302 Go\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n")
		}, kind: KindProtocol, status: 302, declared: Unknown},
		{name: "closed short of its length", serve: func(c *serverConn, _ *http.Request) { c.send(ok + "Content-Length: 9\r\n\r\nhalf") }, kind: KindTruncated, received: 4, declared: 9},
		{name: "chunked and closed", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
		}, kind: KindTruncated, received: 4, declared: Unknown},
		{name: "gzip cut off inside its length", serve: func(c *serverConn, _ *http.Request) {
			z := gzipped([]byte("hello, hello"))
			c.send("%sContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n%s", ok, z[:20])
		}, kind: KindTruncated, received: 20, declared: 20},
		{name: "no HTTP", serve: func(c *serverConn, _ *http.Request) { c.send("220 smtp.test ESMTP\r\n") }, kind: KindProtocol, declared: Unknown},
		{name: "impossible length", serve: func(c *serverConn, _ *http.Request) { c.send(ok + "Content-Length: -5\r\n\r\n") }, kind: KindProtocol, declared: Unknown},
		{name: "endless headers", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok)
			c.dribble(time.Microsecond, "X: "+strings.Repeat("y", 4000)+"\r\n")
		}, kind: KindProtocol, declared: Unknown},
		{name: "impossible chunk", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n")
		}, kind: KindProtocol, received: 4, declared: Unknown},
		{name: "no gzip at all", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Content-Encoding: gzip\r\nContent-Length: 12\r\n\r\nhello, hello")
		}, kind: KindEncoding, received: 12, declared: 12},
		{name: "unknown coding", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Content-Encoding: br\r\nContent-Length: 3\r\n\r\nabc")
		}, kind: KindEncoding, declared: 3},
		{name: "other bytes", digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("hello"))), serve: func(c *serverConn, _ *http.Request) {
			c.send(ok + "Content-Length: 5\r\n\r\nhallo")
		}, kind: KindDigest, received: 5, declared: 5},
		{name: "registry announces another digest", digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("hello"))), serve: func(c *serverConn, _ *http.Request) {
			c.send(ok+"Docker-Content-Digest: sha256:%x\r\nContent-Length: 5\r\n\r\nhello", sha256.Sum256(nil))
		}, kind: KindDigest, declared: 5},
		{name: "registry's own digest is wrong", serve: func(c *serverConn, _ *http.Request) {
			c.send(ok+"Docker-Content-Digest: sha256:%x\r\nContent-Length: 5\r\n\r\nhello", sha256.Sum256(nil))
		}, kind: KindDigest, received: 5, declared: 5},
	}
	for _, tt := range tests {
		t.Run(tt.name, inBubble(func(t *testing.T) {
			s := servePipe(t, tt.serve)
			c := s.client(t, testBudget)
			began := time.Now()
			res, err := c.Get(context.Background(), Request{URL: s.URL + "/x", Digest: tt.digest})
			var fault *Fault
			if !errors.As(err, &fault) {
				t.Fatalf("error = %v, want a *Fault", err)
			}
			if fault.Kind != tt.kind || KindOf(err) != tt.kind || tt.status != 0 && fault.Status != tt.status {
				t.Errorf("kind %s, status %d, want %s, %d: %v", fault.Kind, fault.Status, tt.kind, tt.status, err)
			}
			if fault.BytesReceived != tt.received || fault.BytesDeclared != tt.declared || res.BytesReceived != tt.received || res.BytesDeclared != tt.declared {
				t.Errorf("%d of %d bytes (result: %d of %d), want %d of %d", fault.BytesReceived, fault.BytesDeclared, res.BytesReceived, res.BytesDeclared, tt.received, tt.declared)
			}
			if took := time.Since(began); took > testBudget {
				t.Errorf("took %v", took)
			}
			if got, want := len(s.requests()), max(tt.requests, 1); got != want {
				t.Errorf("%d requests reached the server, want %d", got, want)
			}
		}))
	}
}

func TestTrickleOfManyBudgetsCompletes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pieces = 20
		s := servePipe(t, func(c *serverConn, _ *http.Request) {
			c.send("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", pieces)
			for range pieces {
				time.Sleep(testBudget - time.Millisecond)
				c.send("x")
			}
		})
		res, err := s.client(t, testBudget).Get(context.Background(), Request{URL: s.URL})
		if err != nil || string(res.Body) != strings.Repeat("x", pieces) {
			t.Fatalf("got %q, %v", res.Body, err)
		}
		want := pieces * (testBudget - time.Millisecond)
		if res.Elapsed != want || res.Timings.LongestSilence != testBudget-time.Millisecond {
			t.Errorf("elapsed %v, longest silence %v", res.Elapsed, res.Timings.LongestSilence)
		}
	})
}

// inBubble makes a subtest run in a synctest bubble.
func inBubble(f func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) { synctest.Test(t, f) }
}

func TestReset(t *testing.T) {
	for name, before := range map[string]string{"before a byte": "", "in the body": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"} {
		t.Run(name, func(t *testing.T) {
			read := make(chan struct{}, 8)
			s := serveTCP(t, func(c *serverConn, _ *http.Request) {
				c.send("%s", before)
				if before != "" {
					<-read
				}
				c.reset()
			})
			c := s.client(t, time.Minute)
			c.Observer = func(e Event) {
				if e.Kind == EventProgress {
					read <- struct{}{}
				}
			}
			res, err := c.Get(context.Background(), Request{URL: s.URL})
			if !errors.Is(err, syscall.ECONNRESET) {
				t.Fatalf("error = %v", err)
			}
			if before == "" {
				var op *net.OpError
				if _, ok := err.(*Fault); ok || !errors.As(err, &op) || KindOf(err) != KindReset || res.Attempts != 3 || len(s.requests()) != 3 {
					t.Errorf("error = %#v of kind %s, %d attempts, %d requests", err, KindOf(err), res.Attempts, len(s.requests()))
				}
			} else if KindOf(err) != KindTruncated || res.BytesReceived != 4 || len(s.requests()) != 1 {
				t.Errorf("error = %v of kind %s, %d bytes", err, KindOf(err), res.BytesReceived)
			}
		})
	}
}

func TestErrorsOfOthersAreIdentical(t *testing.T) {
	boom := errors.New("boom")
	t.Run("round tripper", func(t *testing.T) {
		c := &Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) { return nil, boom })}
		if _, err := c.Get(context.Background(), Request{URL: "http://h/"}); err != boom {
			t.Errorf("error = %#v", err)
		}
	})
	t.Run("body", func(t *testing.T) {
		c := &Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 9, Body: io.NopCloser(io.MultiReader(strings.NewReader("half"), errReader{boom}))}, nil
		})}
		res, err := c.Get(context.Background(), Request{URL: "http://h/"})
		if err != boom || res.BytesReceived != 4 || res.BytesDeclared != 9 || string(res.Body) != "half" {
			t.Errorf("error = %#v, result %+v", err, res)
		}
	})
	t.Run("sink", func(t *testing.T) {
		c := &Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 4, Body: io.NopCloser(strings.NewReader("half"))}, nil
		})}
		if _, err := c.Receive(context.Background(), Request{URL: "http://h/"}, errWriter{boom}); err != boom {
			t.Errorf("error = %#v", err)
		}
	})
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

type errWriter struct{ err error }

func (w errWriter) Write([]byte) (int, error) { return 0, w.err }

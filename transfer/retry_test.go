package transfer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func TestRetry(t *testing.T) {
	answer := func(status int, header ...string) func() (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return func() (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: h, ContentLength: 2, Body: readCloser{strings.NewReader("ok")}}, nil
		}
	}
	fail := func(err error) func() (*http.Response, error) {
		return func() (*http.Response, error) { return nil, err }
	}
	refused := fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	other := errors.New("no such protocol")
	tests := []struct {
		name    string
		retry   Retry
		answers []func() (*http.Response, error)
		tries   int
		waited  time.Duration // with Rand = 1
		kind    Kind
	}{
		{name: "first time", answers: []func() (*http.Response, error){answer(200)}, tries: 1},
		{name: "503 and good", answers: []func() (*http.Response, error){answer(503), answer(200)}, tries: 2, waited: 100 * time.Millisecond},
		{name: "refused and good", answers: []func() (*http.Response, error){fail(refused), answer(200)}, tries: 2, waited: 100 * time.Millisecond},
		{name: "doubling", answers: []func() (*http.Response, error){answer(500), fail(syscall.ECONNRESET), answer(200)}, tries: 3, waited: 300 * time.Millisecond},
		{name: "Retry-After", answers: []func() (*http.Response, error){answer(429, "Retry-After", "7"), answer(200)}, tries: 2, waited: 7 * time.Second},
		{name: "Retry-After beyond the bound", answers: []func() (*http.Response, error){answer(429, "Retry-After", "11")}, tries: 1, kind: KindStatus},
		{name: "Retry-After of a wider bound", retry: Retry{MaxAfter: time.Minute}, answers: []func() (*http.Response, error){answer(429, "Retry-After", "11"), answer(200)}, tries: 2, waited: 11 * time.Second},
		{name: "Retry-After beyond the budget", retry: Retry{MaxAfter: time.Hour}, answers: []func() (*http.Response, error){answer(429, "Retry-After", "120")}, tries: 1, kind: KindStatus},
		{name: "Retry-After that is nonsense", answers: []func() (*http.Response, error){answer(503, "Retry-After", "soon"), answer(200)}, tries: 2, waited: 100 * time.Millisecond},
		{name: "given up", answers: []func() (*http.Response, error){answer(500)}, tries: 3, waited: 300 * time.Millisecond, kind: KindStatus},
		{name: "more tries, bounded waits", retry: Retry{Attempts: 8, Max: 400 * time.Millisecond}, answers: []func() (*http.Response, error){answer(500)}, tries: 8, waited: 2300 * time.Millisecond, kind: KindStatus},
		{name: "never", retry: Retry{Attempts: 1}, answers: []func() (*http.Response, error){answer(500)}, tries: 1, kind: KindStatus},
		{name: "no transient error", answers: []func() (*http.Response, error){fail(other)}, tries: 1, kind: KindOther},
		{name: "404", answers: []func() (*http.Response, error){answer(404)}, tries: 1, kind: KindStatus},
	}
	for _, tt := range tests {
		t.Run(tt.name, inBubble(func(t *testing.T) {
			tries := 0
			c := &Client{Retry: tt.retry, Budget: Budget{Duration: testBudget}, Rand: func() float64 { return 1 },
				Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
					tries++
					return tt.answers[min(tries, len(tt.answers))-1]()
				})}
			began := time.Now()
			res, err := c.Get(context.Background(), Request{URL: "http://registry.test/"})
			if tries != tt.tries || res.Attempts != tt.tries || time.Since(began) != tt.waited || KindOf(err) != tt.kind {
				t.Errorf("%d tries (%d reported) in %v, error %v of kind %q; want %d in %v, kind %q",
					tries, res.Attempts, time.Since(began), err, KindOf(err), tt.tries, tt.waited, tt.kind)
			}
			if err == nil && string(res.Body) != "ok" {
				t.Errorf("body %q", res.Body)
			}
		}))
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// TestRetriesShareTheBudget has a server that fails slowly, so that the tries
// run out of time before they run out of number.
func TestRetriesShareTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servePipe(t, func(c *serverConn, _ *http.Request) {
			select {
			case <-time.After(testBudget * 2 / 5):
			case <-c.stop:
			}
			c.send("HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		})
		c := s.client(t, testBudget)
		c.Retry.Attempts = 10
		began := time.Now()
		_, err := c.Get(context.Background(), Request{URL: s.URL})
		var refusal *Error
		if !errors.As(err, &refusal) || refusal.Stage != StageNoResponse || refusal.Attempt != 3 || len(s.requests()) != 3 {
			t.Fatalf("error = %v after %d requests", err, len(s.requests()))
		}
		checkRefusalTime(t, time.Since(began))
	})
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "120": 2 * time.Minute, " 5 ": 5 * time.Second, "86400": 24 * time.Hour,
		"99999999999999999999":          1<<63 - 1,
		"Sat, 19 Sep 2026 12:00:30 GMT": 30 * time.Second,
		"Sat, 19 Sep 2026 11:00:00 GMT": 0,
		"":                              -1, "-5": -1, "soon": -1, "1.5": -1, "5s": -1,
	} {
		got, ok := parseRetryAfter(value, now)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("parseRetryAfter(%q) = %v, %v, want %v", value, got, ok, want)
		}
	}
}

func FuzzParseRetryAfter(f *testing.F) {
	for _, s := range []string{"120", "Sat, 19 Sep 2026 12:00:30 GMT", "-1", "9223372036", "9223372037", "0x10", ""} {
		f.Add(s)
	}
	now := time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := parseRetryAfter(s, now); d < 0 || !ok && d != 0 {
			t.Errorf("parseRetryAfter(%q) = %v, %v", s, d, ok)
		}
	})
}

package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// logLines runs a transfer and returns its log lines, without the time.
func logLines(t *testing.T, c *Client, ctx context.Context, req Request) (lines []map[string]any) {
	t.Helper()
	var out bytes.Buffer
	c.Logger = slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	c.Receive(ctx, req, io.Discard)
	for line := range strings.Lines(out.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, m)
	}
	return lines
}

// TestLogLines pins messages and keys, which others read.
func TestLogLines(t *testing.T) {
	respond := func(status int, header http.Header, length int64, body io.Reader) roundTripFunc {
		return func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return &http.Response{StatusCode: status, Header: header, ContentLength: length, Body: io.NopCloser(body)}, nil
		}
	}
	const address = "http://user:secret@registry.test/index.json?sig=abc"
	common := func(m map[string]any) map[string]any {
		for k, v := range map[string]any{"name": "bundle index", "target": "http://registry.test/index.json?sig=…", "attempts": 1.0, "bytesReceived": 0.0, "bytesPerSecond": 0.0, "elapsedNs": 1e9} {
			if _, ok := m[k]; !ok {
				m[k] = v
			}
		}
		return m
	}
	outer := Budget{Name: "PerPackageAdoptBudget", Duration: time.Second}
	tests := []struct {
		name      string
		transport roundTripFunc
		max       int64
		outer     bool
		want      []map[string]any
	}{
		{name: "completed", transport: respond(200, nil, 4, strings.NewReader("data")), want: []map[string]any{
			common(map[string]any{"level": "INFO", "msg": "transfer completed", "bytesReceived": 4.0, "bytesDeclared": 4.0, "bytesPerSecond": 4.0, "status": 200.0, "digest": "md5:8d777f385d3dfec8815d20f7496026dc"})}},
		{name: "no response", transport: silentTransport(time.Hour, nil), want: []map[string]any{
			common(map[string]any{"level": "ERROR", "msg": "transfer refused", "stage": "no-response", "phase": "headers", "budget": "T", "budgetNs": 2e9, "silenceNs": 2.005e9, "elapsedNs": 2.005e9,
				"error": "bundle index from http://registry.test/index.json?sig=… did not complete after 2005 ms: 0 of an undeclared number of bytes had arrived: the server at registry.test did not begin a response within 2 s"})}},
		{name: "too large", max: 3, transport: respond(200, nil, 4, nil), want: []map[string]any{
			common(map[string]any{"level": "ERROR", "msg": "transfer refused", "stage": "size-exceeded", "phase": "headers", "limitBytes": 3.0, "bytesDeclared": 4.0, "status": 200.0,
				"error": "bundle index from http://registry.test/index.json?sig=… did not complete after 1000 ms: 0 of 4 bytes had arrived: the object declares 4 bytes, over the bound of 3"})}},
		{name: "truncated", transport: respond(200, nil, 9, strings.NewReader("data")), want: []map[string]any{
			common(map[string]any{"level": "ERROR", "msg": "transfer failed", "kind": "truncated", "phase": "body", "bytesReceived": 4.0, "bytesDeclared": 9.0, "bytesPerSecond": 4.0, "status": 200.0,
				"error": "bundle index from http://registry.test/index.json?sig=… did not complete after 1000 ms: 4 of 9 bytes had arrived: the body ended early"})}},
		{name: "status", transport: respond(404, nil, 0, http.NoBody), want: []map[string]any{
			common(map[string]any{"level": "ERROR", "msg": "transfer failed", "kind": "status", "phase": "headers", "status": 404.0,
				"error": "bundle index from http://registry.test/index.json?sig=… did not complete after 1000 ms: 0 of an undeclared number of bytes had arrived: the server at registry.test answered 404 Not Found"})}},
		{name: "of others", transport: silentTransport(time.Second, os.ErrPermission), want: []map[string]any{
			common(map[string]any{"level": "ERROR", "msg": "transfer failed", "kind": "other", "phase": "headers", "error": "permission denied"})}},
		{name: "outer budget", outer: true, transport: silentTransport(time.Hour, nil), want: []map[string]any{
			common(map[string]any{"level": "WARN", "msg": "transfer cancelled", "kind": "deadline", "phase": "headers", "outerBudget": "PerPackageAdoptBudget", "outerBudgetNs": 1e9, "error": "the budget PerPackageAdoptBudget of 1s is spent"})}},
		{name: "tried again", transport: func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"1"}}, Body: http.NoBody}, nil
		}, want: []map[string]any{
			{"level": "WARN", "msg": "transfer tried again", "target": "http://registry.test/index.json?sig=…", "attempt": 1.0, "waitNs": 1e9, "status": 503.0},
			common(map[string]any{"level": "ERROR", "msg": "transfer failed", "kind": "status", "phase": "headers", "status": 503.0, "attempts": 2.0,
				"error": "bundle index from http://registry.test/index.json?sig=… did not complete after 1000 ms: 0 of an undeclared number of bytes had arrived: the server at registry.test answered 503 Service Unavailable"}),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, inBubble(func(t *testing.T) {
			c := &Client{Transport: tt.transport, Budget: Budget{Name: "T", Duration: 2 * time.Second}, MaxSize: tt.max,
				Retry: Retry{Base: time.Millisecond}}
			ctx := context.Background()
			if tt.outer {
				var cancel context.CancelFunc
				ctx, cancel = outer.Context(ctx)
				defer cancel()
			}
			got := logLines(t, c, ctx, Request{URL: address, Name: "bundle index", ComputeDigest: "md5"})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("log lines (-want +got):\n%s", diff)
			}
		}))
	}
}

// TestSecretsStayInside looks for the secrets of addresses and headers in all
// that comes out.
func TestSecretsStayInside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := servePipe(t, func(c *serverConn, r *http.Request) {
			if c.n == 1 {
				c.send("HTTP/1.1 302 Found\r\nLocation: http://blobs.test/b?X-Amz-Signature=s3cr3t&part=7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				return
			}
			c.hang()
		})
		c := s.client(t, testBudget)
		var out bytes.Buffer
		c.Logger = slog.New(slog.NewTextHandler(&out, nil))
		var events []string
		c.Observer = func(e Event) { events = append(events, e.Target) }
		res, err := c.Get(context.Background(), Request{URL: "http://bob:s3cr3t@registry.test/a?token=s3cr3t#s3cr3t",
			Header: http.Header{"X-Api-Key": {"s3cr3t"}, "Accept": {"application/zip"}}})
		all := strings.Join(append(events, out.String(), err.Error(), res.Target), "\n")
		if strings.Contains(all, "s3cr3t") || !strings.Contains(all, "http://blobs.test/b?X-Amz-Signature=…&part=7") || !strings.Contains(all, "http://registry.test/a?token=…") {
			t.Errorf("output:\n%s", all)
		}
		first, second := s.requests()[0], s.requests()[1]
		if user, password, _ := first.BasicAuth(); user != "bob" || password != "s3cr3t" || first.Header.Get("X-Api-Key") != "s3cr3t" {
			t.Errorf("the first request has the headers %v", first.Header)
		}
		if second.Header.Get("Authorization") != "" || second.Header.Get("X-Api-Key") != "" || second.Header.Get("Accept") != "application/zip" {
			t.Errorf("the redirect's target got the headers %v", second.Header)
		}
	})
}

package transfer_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// The tests of this file inject round trippers that misbehave as no server
// can: they break the contracts of http.RoundTripper and io.Reader.

// odd is a round tripper made of functions.
type odd struct {
	answer func(*http.Request) (*http.Response, error)
}

func (o odd) RoundTrip(r *http.Request) (*http.Response, error) { return o.answer(r) }

// reads is a body made of a function.
type reads func(p []byte) (int, error)

func (r reads) Read(p []byte) (int, error) { return r(p) }

// withBody answers with a body.
func withBody(declared int64, body io.Reader) odd {
	return odd{func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: declared, Body: io.NopCloser(body), Request: r}, nil
	}}
}

// empty is a body that brings nothing and does not end.
var empty = reads(func([]byte) (int, error) { return 0, nil })

func TestOddTransports(t *testing.T) {
	const budget = 120 * time.Second
	own := errors.New("the transport's own")
	var over chan struct{} // closed when the case is over
	deaf := odd{func(*http.Request) (*http.Response, error) { <-over; return nil, own }}
	tests := []struct {
		name      string
		transport http.RoundTripper
		cancel    time.Duration // when the caller cancels; 0 is never
		size      int64
		stage     transfer.Stage
		kind      transfer.Kind
		received  int64
		took      time.Duration // within 50 ms
	}{
		{name: "reads of nothing", transport: withBody(-1, empty), stage: transfer.StageBodyStalled, took: budget},
		{name: "reads of nothing, cancelled", transport: withBody(-1, empty), cancel: time.Second, kind: transfer.KindCancelled, took: time.Second},
		{name: "bytes and then reads of nothing", transport: withBody(-1, io.MultiReader(strings.NewReader("12345"), empty)), stage: transfer.StageBodyStalled, received: 5, took: budget},
		{name: "never returns", transport: deaf, stage: transfer.StageNoResponse, took: budget},
		{name: "never returns, cancelled", transport: deaf, cancel: time.Second, kind: transfer.KindCancelled, took: time.Second},
		{name: "body never returns", transport: withBody(-1, reads(func([]byte) (int, error) { <-over; return 0, io.EOF })), stage: transfer.StageBodyStalled, took: budget},
		{name: "neither response nor error", transport: odd{func(*http.Request) (*http.Response, error) { return nil, nil }}, kind: transfer.KindOther},
		{name: "no body", transport: odd{func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: -1}, nil
		}}},
		{name: "less than declared", transport: withBody(10, strings.NewReader("12345")), kind: transfer.KindTruncated, received: 5},
		{name: "more than declared", transport: withBody(3, strings.NewReader("12345")), kind: transfer.KindProtocol, received: 5},
		{name: "bytes and an error at once", transport: withBody(10, reads(func(p []byte) (int, error) { return copy(p, "12345"), own })), kind: transfer.KindOther, received: 5},
		{name: "endless", transport: withBody(-1, reads(func(p []byte) (int, error) { return len(p), nil })), size: 1 << 20, stage: transfer.StageSizeExceeded, received: 1<<20 + 1},
		{name: "a timer of its own, long before the budget", transport: odd{func(r *http.Request) (*http.Response, error) {
			time.Sleep(budget / 2)
			return nil, context.DeadlineExceeded
		}}, kind: transfer.KindDeadline, took: budget / 2},
		{name: "a timer of its own, with the budget", transport: odd{func(r *http.Request) (*http.Response, error) {
			time.Sleep(budget - time.Millisecond)
			return nil, context.DeadlineExceeded
		}}, stage: transfer.StageNoResponse, took: budget},
		{name: "another error, with the budget", transport: odd{func(r *http.Request) (*http.Response, error) {
			time.Sleep(budget - time.Millisecond)
			return nil, own
		}}, kind: transfer.KindOther, took: budget},
		{name: "the end of the budget told as another error", transport: odd{func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, own
		}}, stage: transfer.StageNoResponse, took: budget},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				over = make(chan struct{})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancel > 0 {
					time.AfterFunc(tt.cancel, cancel)
				}
				client := &transfer.Client{Transport: tt.transport, MaxSize: tt.size, Budget: transfer.Budget{Duration: budget}}
				start := time.Now()
				res, err := client.Receive(ctx, transfer.Request{URL: "http://registry.test/"}, io.Discard)
				took := time.Since(start)
				close(over)
				var stage transfer.Stage
				var refusal *transfer.Error
				if errors.As(err, &refusal) {
					stage = refusal.Stage
				}
				if stage != tt.stage || transfer.KindOf(err) != tt.kind || res.BytesReceived != tt.received {
					t.Errorf("stage %q, kind %q, %d bytes; want %q, %q, %d: %v", stage, transfer.KindOf(err), res.BytesReceived, tt.stage, tt.kind, tt.received, err)
				}
				if took < tt.took-2*time.Millisecond || took > tt.took+50*time.Millisecond {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if tt.kind == transfer.KindOther && tt.name != "neither response nor error" && err != own {
					t.Errorf("the error is %#v and not the transport's own", err)
				}
			})
		})
	}
}

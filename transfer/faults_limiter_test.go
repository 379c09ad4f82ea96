package transfer_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// The tests of this file put the client under the limiter and the slots of
// package limiter: no wait of ours may count as the server's silence.

// bodyOf answers every request with a body.
type bodyOf func() io.Reader

func (b bodyOf) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, ContentLength: -1, Header: http.Header{}, Body: io.NopCloser(b()), Request: r}, nil
}

// silentAfter sends text and is then silent until the request is cancelled.
type silentAfter string

func (s silentAfter) RoundTrip(r *http.Request) (*http.Response, error) {
	silence, _ := io.Pipe()
	context.AfterFunc(r.Context(), func() { silence.CloseWithError(r.Context().Err()) })
	body := io.MultiReader(strings.NewReader(string(s)), silence)
	return &http.Response{StatusCode: 200, ContentLength: -1, Header: http.Header{}, Body: io.NopCloser(body), Request: r}, nil
}

func TestWaitingForTheLimiterIsNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget, size = time.Second, 256 << 10
		// 160 transfers at once: each waits ten times its stall budget for
		// every piece that it is granted.
		task := limiter.New(256<<10).NewTask(limiter.Unlimited, 1)
		client := &transfer.Client{Budget: transfer.Budget{Duration: budget}, Limiter: task,
			Transport: bodyOf(func() io.Reader { return strings.NewReader(strings.Repeat("x", size)) })}
		start := time.Now()
		var wg sync.WaitGroup
		for range 160 {
			wg.Go(func() {
				res, err := client.Receive(t.Context(), transfer.Request{URL: "http://registry.test/"}, io.Discard)
				if err != nil || res.BytesReceived != size {
					t.Errorf("%d bytes, error %v", res.BytesReceived, err)
				}
				if res.Queued < 100*budget {
					t.Errorf("queued for %v of %v", res.Queued, res.Elapsed)
				}
				if res.Timings.LongestSilence > budget/10 {
					t.Errorf("a silence of %v from a server that is never silent", res.Timings.LongestSilence)
				}
			})
		}
		wg.Wait()
		if took := time.Since(start).Round(time.Second); took != 160*time.Second {
			t.Errorf("took %v, want 160s", took)
		}
	})
}

func TestWaitingForASlotIsNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = time.Second
		slots := limiter.NewSlots(1)
		other := slots.NewHolder()
		if err := other.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(30*budget, other.Release)
		client := &transfer.Client{Budget: transfer.Budget{Duration: budget}, Slots: slots.NewHolder(),
			Transport: bodyOf(func() io.Reader { return strings.NewReader("hello") })}
		res, err := client.Get(t.Context(), transfer.Request{URL: "http://registry.test/"})
		if err != nil || res.Queued != 30*budget {
			t.Errorf("queued for %v, error %v", res.Queued, err)
		}
		// The slot is free again, also after a transfer that failed.
		client.Transport = silentAfter("")
		if _, err := client.Get(t.Context(), transfer.Request{URL: "http://registry.test/"}); !errors.Is(err, transfer.ErrBodyStalled) {
			t.Errorf("error %v, want a stalled body", err)
		}
		if err := other.Acquire(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestStallBesideALimiter checks that the limiter hides no silence: the clock
// stands while we wait, and goes on when we listen.
func TestStallBesideALimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const budget = time.Second
		client := &transfer.Client{Budget: transfer.Budget{Duration: budget},
			Limiter:   limiter.New(1<<10, limiter.WithBurst(0)).NewTask(limiter.Unlimited, 1),
			Transport: silentAfter(strings.Repeat("x", 5<<10))}
		start := time.Now()
		_, err := client.Receive(t.Context(), transfer.Request{URL: "http://registry.test/"}, io.Discard)
		var refusal *transfer.Error
		if !errors.As(err, &refusal) || refusal.Stage != transfer.StageBodyStalled || refusal.Phase != transfer.PhaseBody ||
			refusal.BytesReceived != 5<<10 || refusal.Silence < budget || refusal.Silence > budget+50*time.Millisecond {
			t.Errorf("error %+v, want a body that stalled after 5120 bytes", err)
		}
		if took := time.Since(start); took < 6*time.Second || took > 6*time.Second+50*time.Millisecond {
			t.Errorf("refused after %v, want 5s of waiting and the budget", took)
		}
	})
}

// TestCancelInTheLimiter cancels a transfer that waits: its error is the
// caller's, and what it had asked for is given to another.
func TestCancelInTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limiter.New(1<<10, limiter.WithBurst(0))
		mine, other := l.NewTask(limiter.Unlimited, 1), l.NewTask(limiter.Unlimited, 1)
		client := &transfer.Client{Budget: transfer.Budget{Duration: time.Second}, Limiter: mine,
			Transport: bodyOf(func() io.Reader { return strings.NewReader(strings.Repeat("x", 16<<10)) })}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(8*time.Second, cancel)
		start := time.Now()
		res, err := client.Receive(ctx, transfer.Request{URL: "http://registry.test/"}, io.Discard)
		if err != context.Canceled || res.Phase != transfer.PhaseQueue || res.BytesReceived == 0 {
			t.Errorf("error %v in phase %s with %d bytes, want the caller's in the queue", err, res.Phase, res.BytesReceived)
		}
		if took := time.Since(start); took != 8*time.Second {
			t.Errorf("the cancellation took effect after %v, want 8s", took)
		}
		if err := other.Wait(t.Context(), 1<<10); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 9*time.Second+time.Millisecond {
			t.Errorf("the other task waited until %v, want 9s", took)
		}
		if l.Waiting() != 0 {
			t.Errorf("%d requests still wait", l.Waiting())
		}
	})
}

package transfer

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// silentTransport answers nothing until its own timer or the context fires,
// with the error that a transport gives for that.
func silentTransport(own time.Duration, err error) roundTripFunc {
	return func(r *http.Request) (*http.Response, error) {
		t := time.NewTimer(own)
		defer t.Stop()
		select {
		case <-t.C:
			return nil, err
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}

// silentBody is a response whose body says one thing and then nothing.
func silentBody(own time.Duration, err error) roundTripFunc {
	return func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, ContentLength: -1, Body: io.NopCloser(io.MultiReader(strings.NewReader("half"), readFunc(func([]byte) (int, error) {
			_, e := silentTransport(own, err)(r)
			return 0, e
		})))}, nil
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// TestStageIsStableInEveryOrdering races the client's clock with clocks of the
// caller and of the transport that are as long, started in any order and a
// little shorter or longer.
func TestStageIsStableInEveryOrdering(t *testing.T) {
	const budget = 2 * time.Second
	rounds := 10000
	if testing.Short() {
		rounds = 1000
	}
	random := rand.New(rand.NewPCG(1, 2))
	never := time.Hour
	synctest.Test(t, func(t *testing.T) {
		for i := range rounds {
			// The other clock is within the grace before, or anywhere after.
			skew := time.Duration(random.Int64N(int64(60*time.Millisecond))) - 45*time.Millisecond
			if i%3 == 0 {
				skew = 0
			}
			outer, own := never, never
			switch i % 4 {
			case 0:
				outer = budget + skew
			case 1:
				own = budget + skew
			case 2:
				outer, own = budget+skew, budget-skew/2
			}
			ctx, cancel := Budget{Name: "outer", Duration: outer}.Context(context.Background())
			if i%5 == 0 {
				ctx, cancel = context.WithTimeoutCause(context.Background(), outer, errors.New("the pass is over"))
			}
			stage, transport := StageNoResponse, silentTransport(own, os.ErrDeadlineExceeded)
			if i%2 == 0 {
				stage, transport = StageBodyStalled, silentBody(own, os.ErrDeadlineExceeded)
			}
			c := &Client{Transport: transport, Budget: Budget{Duration: budget}}
			_, err := c.Get(ctx, Request{URL: "http://registry.test/"})
			cancel()
			var refusal *Error
			if !errors.As(err, &refusal) || refusal.Stage != stage {
				t.Fatalf("round %d: outer %v, transport %v: %v, want %s", i, outer, own, err, stage)
			}
			if refusal.Silence < budget || refusal.Silence > budget+50*time.Millisecond {
				t.Fatalf("round %d: refused after %v", i, refusal.Silence)
			}
		}
	})
}

// TestStageIsStableOnTheWallClock does the same with real timers and a real
// scheduler, where orderings arise that nobody chose.
func TestStageIsStableOnTheWallClock(t *testing.T) {
	const budget = time.Second
	const rounds = 200
	results := make(chan error, rounds)
	for range rounds {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), budget)
			defer cancel()
			c := &Client{Transport: silentTransport(budget, os.ErrDeadlineExceeded), Budget: Budget{Duration: budget}}
			_, err := c.Get(ctx, Request{URL: "http://registry.test/"})
			results <- err
		}()
	}
	for range rounds {
		if err := <-results; !errors.Is(err, ErrNoResponse) {
			t.Errorf("error = %v", err)
		}
	}
}

func TestCallerCancellation(t *testing.T) {
	const budget = 2 * time.Second
	why := errors.New("the pod goes down")
	tests := []struct {
		name   string
		ctx    func() (context.Context, context.CancelFunc)
		is     []error
		kind   Kind
		exact  error
		within time.Duration
	}{
		{name: "cancel", ctx: func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, exact: context.Canceled, kind: KindCancelled, within: time.Second},
		{name: "cancel a moment before the budget ends", ctx: func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(budget-time.Millisecond, cancel)
			return ctx, cancel
		}, exact: context.Canceled, kind: KindCancelled, within: budget},
		{name: "cause", ctx: func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(context.Background())
			time.AfterFunc(time.Second, func() { cancel(why) })
			return ctx, func() { cancel(nil) }
		}, is: []error{context.Canceled, why}, kind: KindCancelled, within: time.Second},
		{name: "deadline", ctx: func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), time.Second)
		}, exact: context.DeadlineExceeded, kind: KindDeadline, within: time.Second},
		{name: "deadline well before the budget", ctx: func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), budget*9/10)
		}, exact: context.DeadlineExceeded, kind: KindDeadline, within: budget * 9 / 10},
		{name: "outer budget", ctx: func() (context.Context, context.CancelFunc) {
			return Budget{Name: "PerPackageAdoptBudget", Duration: time.Second}.Context(context.Background())
		}, is: []error{context.DeadlineExceeded}, kind: KindDeadline, within: time.Second},
		{name: "cancelled before", ctx: func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		}, exact: context.Canceled, kind: KindCancelled},
	}
	for _, tt := range tests {
		for where, transport := range map[string]roundTripFunc{"headers": silentTransport(time.Hour, nil), "body": silentBody(time.Hour, nil)} {
			t.Run(tt.name+" in the "+where, inBubble(func(t *testing.T) {
				ctx, cancel := tt.ctx()
				defer cancel()
				c := &Client{Transport: transport, Budget: Budget{Duration: budget}}
				began := time.Now()
				res, err := c.Get(ctx, Request{URL: "http://registry.test/"})
				if took := time.Since(began); took > tt.within {
					t.Errorf("returned after %v, want %v", took, tt.within)
				}
				if tt.exact != nil && err != tt.exact {
					t.Errorf("error = %#v, want %v itself", err, tt.exact)
				}
				for _, target := range tt.is {
					if !errors.Is(err, target) {
						t.Errorf("error %v is not %v", err, target)
					}
				}
				if errors.Is(err, ErrStalled) || KindOf(err) != tt.kind {
					t.Errorf("error %v of kind %s", err, KindOf(err))
				}
				if where == "body" && tt.within > 0 && res.BytesReceived != 4 {
					t.Errorf("%d bytes, want 4", res.BytesReceived)
				}
				var outer *BudgetError
				if tt.name == "outer budget" && (!errors.As(err, &outer) || outer.Name != "PerPackageAdoptBudget") {
					t.Errorf("error %v does not say which budget cut", err)
				}
			}))
		}
	}
}

// TestTransportThatIgnoresItsContext must not hang the caller.
func TestTransportThatIgnoresItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		defer close(stop)
		c := &Client{Budget: Budget{Duration: time.Second}, Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			<-stop
			return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
		})}
		began := time.Now()
		_, err := c.Get(context.Background(), Request{URL: "http://registry.test/"})
		if !errors.Is(err, ErrNoResponse) || time.Since(began) > 1050*time.Millisecond {
			t.Errorf("error = %v after %v", err, time.Since(began))
		}
	})
}

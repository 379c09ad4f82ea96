package transfer

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var loadRuns = flag.Int("load", 60, "how many transfers the load test makes; 1000 is the promise")

// spoken is when a server spoke last, and how long it was silent at most.
type spoken struct {
	last    time.Time
	longest time.Duration
}

// TestNoEarlyTripUnderLoad has servers that speak just in time, on a machine
// that is kept busy. Where the server itself was late, the run tells nothing.
func TestNoEarlyTripUnderLoad(t *testing.T) {
	const budget = 250 * time.Millisecond
	const gap, pieces = budget * 6 / 10, 5
	var late sync.Map // path -> spoken
	s := serveTCP(t, func(c *serverConn, r *http.Request) {
		last, longest := time.Now(), time.Duration(0)
		speak := func(text string) {
			c.send("%s", text)
			now := time.Now()
			longest, last = max(longest, now.Sub(last)), now
			late.Store(r.URL.Path, spoken{last, longest})
		}
		time.Sleep(gap)
		speak("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
		for range pieces {
			time.Sleep(gap)
			speak("x")
		}
	})
	var early, void atomic.Int64
	var wg sync.WaitGroup
	work := make(chan string)
	for range 30 {
		wg.Go(func() {
			c := &Client{Budget: Budget{Duration: budget}}
			defer c.CloseIdleConnections()
			for path := range work {
				_, err := c.Get(context.Background(), Request{URL: s.URL + path})
				var refusal *Error
				if err == nil {
					continue
				}
				told, _ := late.Load(path)
				server, ok := told.(spoken)
				// The silence that goes on at the refusal counts, too.
				longest := max(server.longest, time.Since(server.last))
				if errors.As(err, &refusal) && ok && longest < budget {
					early.Add(1)
					t.Errorf("refused after %v although the server was silent for %v at most: %v", refusal.Silence, longest, err)
				} else {
					void.Add(1)
				}
			}
		})
	}
	for i := range *loadRuns {
		work <- fmt.Sprintf("/%d", i)
	}
	close(work)
	wg.Wait()
	t.Logf("%d transfers, %d refused early, %d void because the machine was late", *loadRuns, early.Load(), void.Load())
}

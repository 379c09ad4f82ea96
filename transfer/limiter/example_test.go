package limiter_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/vdm-logs/vdm-logs/transfer"
	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// Two downloads share one limit: each gets half, however many segments it has
// and however large the pieces are that it asks for.
func Example() {
	l := limiter.New(64 << 20)
	var wg sync.WaitGroup
	for _, piece := range []int{2 << 10, 64 << 10} {
		task := l.NewTask(limiter.Unlimited, 1)
		wg.Go(func() {
			for range (1 << 20) / piece {
				if err := task.Wait(context.Background(), piece); err != nil {
					fmt.Println(err)
				}
			}
		})
	}
	wg.Wait()
	fmt.Println(l.Waiting(), "waiting")
	// Output: 0 waiting
}

func ExampleLimiter_NewQueue() {
	l := limiter.New(100 << 20)
	updates := l.NewQueue(10 << 20) // all updates together
	task := updates.NewTask(limiter.Unlimited, 1)
	fmt.Println(task.Wait(context.Background(), 4<<10))
	updates.SetRate(limiter.Unlimited) // whoever waits goes on at once
	// Output: <nil>
}

func ExampleTask_Reader() {
	task := limiter.New(1<<20).NewTask(limiter.Unlimited, 1)
	body := strings.NewReader("as fast as the limit permits")
	text, err := io.ReadAll(task.Reader(context.Background(), body))
	fmt.Println(string(text), err)
	// Output: as fast as the limit permits <nil>
}

// A transfer.Client takes a task as its limiter and a holder as its slots:
// what it waits for in either is no silence of the server.
func Example_client() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "an object")
	}))
	defer server.Close()

	all := limiter.New(4 << 20)      // bytes a second, for everything
	active := limiter.NewSlots(32)   // requests at a time, for everything
	bundles := all.NewQueue(1 << 20) // bundles together get a quarter of it
	client := &transfer.Client{
		Limiter: bundles.NewTask(limiter.Unlimited, 1),
		Slots:   active.NewHolder(),
	}
	defer client.CloseIdleConnections()
	res, err := client.Get(context.Background(), transfer.Request{URL: server.URL})
	fmt.Println(string(res.Body), err)
	// Output: an object <nil>
}

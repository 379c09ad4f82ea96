package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// A server that takes the request and says nothing is refused by stage, and
// the refusal says what to look at.
func Example() {
	done := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer server.Close()
	defer close(done)

	c := &transfer.Client{Budget: transfer.Budget{Name: "TransferStallBudget", Duration: 50 * time.Millisecond}}
	_, err := c.Get(context.Background(), transfer.Request{URL: server.URL + "/index.json", Name: "bundle index"})

	var refusal *transfer.Error
	if errors.As(err, &refusal) {
		fmt.Println(refusal.Stage, "in phase", refusal.Phase)
		fmt.Println(refusal.BytesReceived, "bytes, declared unknown:", refusal.BytesDeclared == transfer.Unknown)
	}
	// Output:
	// no-response in phase headers
	// 0 bytes, declared unknown: true
}

func ExampleOnce() {
	reads := 0
	index := transfer.NewOnce(func(context.Context) (string, error) {
		reads++
		return "the index", nil
	})
	for range 3 {
		text, err := index.Get(context.Background())
		fmt.Println(text, err)
	}
	fmt.Println(reads, "read")
	// Output:
	// the index <nil>
	// the index <nil>
	// the index <nil>
	// 1 read
}

func ExampleOuter() {
	stall := transfer.Budget{Name: "TransferStallBudget", Duration: 120 * time.Second}
	adopt := transfer.Outer(stall, 0).Named("PerPackageAdoptBudget")
	fmt.Println(adopt.Name, adopt.Duration)
	fmt.Println(adopt.Guarantee)
	// Output:
	// PerPackageAdoptBudget 3m0s
	// fires 1m0s after TransferStallBudget has refused one stage that was silent from its start; a second silent stage, or a body that is slow but moving, may be cut by it
}

func ExampleCheck() {
	for _, flaw := range transfer.Check([]transfer.Budget{
		{Name: "TransferStallBudget", Duration: 120 * time.Second, Attempts: 3},
		{Name: "PerPackageAdoptBudget", Duration: 180 * time.Second, Contains: []string{"TransferStallBudget"}},
	}) {
		fmt.Println(flaw.Kind)
		fmt.Println(flaw)
	}
	// Output:
	// inverted
	// PerPackageAdoptBudget (3m0s) is not longer than TransferStallBudget inside it (3 × 2m0s = 6m0s): it cuts first, and the inner cause leaves no line
}

func ExampleParseExpr() {
	e, err := transfer.ParseExpr("TransferStallBudget + 1m")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := e.Eval(func(name string) (time.Duration, bool) { return 120 * time.Second, name == "TransferStallBudget" })
	fmt.Println(d, err)
	// Output:
	// 3m0s <nil>
}

package stage_test

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// One line, from the text to the stage with its numbers.
func ExampleClassifier_Classify() {
	c, err := stage.New(stage.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var a stage.Attribution
	for _, line := range []string{
		"curl: (28) Operation timed out after 2010 milliseconds with 12345 out of 100000 bytes received",
		"java.net.ConnectException: Connection refused",
		"proxy_read_timeout 600s;",
	} {
		if !c.Classify(&ingest.Record{Text: []byte(line)}, &a) {
			fmt.Println("no failed transfer")
			continue
		}
		fmt.Println(a.Stage, a.Phase, a.Kind, a.BytesReceived, a.BytesDeclared, a.Elapsed)
	}
	// Output:
	// total-deadline body  12345 100000 2.01s
	// connect  refused -1 -1 -1ns
	// no failed transfer
}

// A rule of one's own, beside the built-in ones.
func ExampleNew() {
	c, err := stage.New(stage.Options{Rules: []stage.Rule{{
		ID:    "courier-no-route",
		Match: "courier lost sight * after <elapsed>",
		Stage: stage.BodyStalled,
		Rank:  stage.RankCode,
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var a stage.Attribution
	fmt.Println(c.Classify(&ingest.Record{Text: []byte("Courier lost sight of parcel 7 after 3s")}, &a), a.Stage, a.Elapsed, a.Rule)
	// Output:
	// true body-stalled 3s courier-no-route
}

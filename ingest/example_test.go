package ingest_test

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Entries of two pods interleave; each record is whole all the same.
func ExampleAssembler() {
	var table ingest.StreamTable
	a := table.Intern([]ingest.Label{{Name: "pod", Value: "portal-a"}})
	b := table.Intern([]ingest.Label{{Name: "pod", Value: "portal-b"}})

	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, func(r *ingest.Record) error {
		fmt.Printf("%s %v %s: %s\n", r.Stream.Pod, r.Level, r.Category, r.Message)
		return nil
	})
	for i, e := range []struct {
		stream *ingest.Stream
		line   string
	}{
		{a, "fail: Portal.Registry[0]"},
		{b, "info: Portal.Layout[3]"},
		{a, "      The index was not read"},
		{b, "      Rendered in 10 ms"},
	} {
		err := asm.Add(&ingest.Entry{UnixNano: int64(i), Stream: e.stream, Line: []byte(e.line), Arrival: uint64(i), Ordered: true})
		if err != nil {
			fmt.Println(err)
		}
	}
	if err := asm.Flush(); err != nil {
		fmt.Println(err)
	}
	// Output:
	// portal-a error Portal.Registry: The index was not read
	// portal-b info Portal.Layout: Rendered in 10 ms
}

package loki_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestInterruptedWhileCounting interrupts a Read at each of its first requests
// and wants an error from Next, and no end of the lines: the caller of Next may
// be told of the interrupt later, or not at all.
func TestInterruptedWhileCounting(t *testing.T) {
	for range 10 {
		for at := range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			s := lokitest.New(lokitest.Options{Fault: func(n int, _ *http.Request) lokitest.Fault {
				if n < at {
					return lokitest.Fault{}
				}
				cancel()
				return lokitest.Fault{Late: true}
			}})
			s.Push(sample(500, 1)...)
			r, err := client(t, s.Start(t)).Read(ctx, query(t, `{app="portal"}`), window, loki.ReadOptions{})
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("interrupted at request %d: %v", at, err)
				}
				continue
			}
			var e ingest.Entry
			for err == nil {
				err = r.Next(context.Background(), &e)
			}
			if errors.Is(err, io.EOF) || !errors.Is(err, context.Canceled) {
				t.Errorf("interrupted at request %d: after %d lines %v", at, r.Stats().Entries, err)
			}
			r.Close()
		}
	}
}

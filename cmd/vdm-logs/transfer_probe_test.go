package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestProbeInterrupted says what is known when it is interrupted.
func TestProbeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 3 {
			cancel()
			<-r.Context().Done()
		}
	}))
	defer server.Close()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"transfer", "probe", "--count", "0", "--every", "1ms", server.URL}, stdio{out: &out, err: &errs})
	if code != exitInterrupted || !strings.Contains(out.String(), "3 probes: 2 complete, 1 cancelled;") || !strings.Contains(errs.String(), "interrupted after 3 probes") {
		t.Errorf("exit code %d\n%s%s", code, out.String(), errs.String())
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/transfer"
)

// TestOwnLinesAreRead has the transfer client write its lines and the stage
// command read them: what the client knew must come out, whole.
func TestOwnLinesAreRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(misbehave))
	defer server.Close()
	const budget = 100 * time.Millisecond
	tests := []struct {
		path  string
		max   int64
		outer time.Duration
		want  map[string]any // nil: no failed transfer
	}{
		{path: "/silent", want: map[string]any{"stage": "no-response", "phase": "headers", "role": "cause", "bytesReceived": 0.0, "budgetNs": float64(budget)}},
		{path: "/stalled", want: map[string]any{"stage": "body-stalled", "phase": "body", "role": "cause", "bytesReceived": 4.0, "bytesDeclared": 9.0, "budgetNs": float64(budget)}},
		{path: "/hello", max: 4, want: map[string]any{"stage": "size-exceeded", "phase": "headers", "role": "cause", "bytesReceived": 0.0, "bytesDeclared": 5.0}},
		{path: "/cut", want: map[string]any{"stage": "truncated", "phase": "body", "role": "cause", "bytesReceived": 100000.0, "bytesDeclared": 320000.0}},
		{path: "/silent", outer: 50 * time.Millisecond, want: map[string]any{"stage": "outer-cancelled", "phase": "headers", "role": "outer", "bytesReceived": 0.0, "budgetNs": 50e6}},
		{path: "/hello"},
	}
	handlers := map[string]func(io.Writer) slog.Handler{
		"json": func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, nil) },
		"text": func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) },
	}
	for _, tt := range tests {
		for name, handler := range handlers {
			t.Run(fmt.Sprintf("%s %v %s", tt.path, tt.outer, name), func(t *testing.T) {
				var log, out, errs bytes.Buffer
				c := &transfer.Client{Budget: transfer.Budget{Name: "TransferStallBudget", Duration: budget}, MaxSize: tt.max, Logger: slog.New(handler(&log))}
				defer c.CloseIdleConnections()
				ctx := context.Background()
				if tt.outer > 0 {
					var cancel context.CancelFunc
					ctx, cancel = transfer.Budget{Name: "PerPackageAdoptBudget", Duration: tt.outer}.Context(ctx)
					defer cancel()
				}
				res, _ := c.Receive(ctx, transfer.Request{URL: server.URL + tt.path, Name: "bundle"}, io.Discard)
				line, _ := json.Marshal(map[string]any{"id": "1", "lines": strings.Split(strings.TrimSpace(log.String()), "\n")})
				if code := run(context.Background(), []string{"stage", "-o", "jsonl", "-"}, stdio{in: bytes.NewReader(line), out: &out, err: &errs}); code != 0 {
					t.Fatalf("stage exits with %d: %s", code, errs.String())
				}
				var got map[string]any
				if err := json.Unmarshal(out.Bytes(), &got); err != nil {
					t.Fatalf("%v in %q", err, out.String())
				}
				if tt.want == nil {
					if got["stage"] != "not-a-timeout" {
						t.Errorf("a complete transfer is read as %v", got)
					}
					return
				}
				tt.want["elapsedNs"] = float64(res.Elapsed)
				picked := map[string]any{}
				for k := range tt.want {
					picked[k] = got[k]
				}
				if diff := cmp.Diff(tt.want, picked); diff != "" {
					t.Errorf("stage of %s (-want +got):\n%s\nall: %v", log.String(), diff, got)
				}
			})
		}
	}
}

package peek_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/transfer/limiter/peek"
)

// TestAlone checks what even this limiter does right: a single caller gets
// the rate after the burst, and leaves when its context ends.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := peek.New(1<<10, 1<<10)
		start := time.Now()
		for range 4 {
			if err := l.Wait(t.Context(), 1<<10); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start).Round(time.Microsecond); took != 3*time.Second {
			t.Errorf("4 KiB at 1 KiB/s took %v, want 3s: the first is the burst", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := l.Wait(ctx, 1<<10); err != context.DeadlineExceeded {
			t.Errorf("Wait = %v, want %v", err, context.DeadlineExceeded)
		}
	})
}

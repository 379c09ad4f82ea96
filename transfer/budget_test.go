package transfer

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOuter(t *testing.T) {
	stall := Budget{Name: "TransferStallBudget", Duration: 120 * time.Second}
	if got := Outer(stall, 0); got.Duration != 180*time.Second || got.Contains[0] != stall.Name || !strings.Contains(got.Guarantee, "fires 1m0s after") {
		t.Errorf("Outer(T, 0) = %+v", got)
	}
	stall.Attempts = 3
	if got := Outer(stall, time.Second).Named("X"); got.Duration != 361*time.Second || got.Name != "X" {
		t.Errorf("Outer of three attempts = %+v", got)
	}
	if got := Outer(Budget{Duration: math.MaxInt64}, 0); got.Duration != math.MaxInt64 {
		t.Errorf("Outer of the largest duration = %v, want no wrap", got.Duration)
	}
	for _, headroom := range []time.Duration{0, time.Nanosecond, time.Hour} {
		if flaws := Check([]Budget{stall, Outer(stall, headroom)}); len(flaws) != 0 {
			t.Errorf("Check of a derived budget, headroom %v: %v", headroom, flaws)
		}
	}
}

func TestSequence(t *testing.T) {
	T := Budget{Name: "T", Duration: 120 * time.Second}
	got := Sequence(T, T)
	if got.Duration != 240*time.Second || got.Name != "T then T" {
		t.Errorf("Sequence(T, T) = %+v", got)
	}
	if got := Sequence(Budget{Duration: math.MaxInt64}, T); got.Duration != math.MaxInt64 {
		t.Errorf("Sequence wraps: %v", got.Duration)
	}
}

func TestBudgetContextNamesItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := Budget{Name: "PerPackageAdoptBudget", Duration: 3 * time.Minute}.Context(context.Background())
		defer cancel()
		start := time.Now()
		<-ctx.Done()
		if got := time.Since(start); got != 3*time.Minute {
			t.Errorf("ended after %v", got)
		}
		var be *BudgetError
		cause := context.Cause(ctx)
		if !errors.As(cause, &be) || be.Name != "PerPackageAdoptBudget" || !be.Timeout() || !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("cause = %#v", cause)
		}
	})
}

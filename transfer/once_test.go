package transfer

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestOnceReadsOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		o := NewOnce(func(context.Context) (int, error) {
			reads++
			time.Sleep(time.Second)
			return 42, nil
		})
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if v, err := o.Get(context.Background()); v != 42 || err != nil {
					t.Errorf("Get = %v, %v", v, err)
				}
			})
		}
		wg.Wait()
		if v, err := o.Get(context.Background()); v != 42 || err != nil || reads != 1 {
			t.Errorf("Get afterwards = %v, %v; %d reads, want 1", v, err, reads)
		}
	})
}

func TestOnceForgetsFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boom := errors.New("boom")
		reads := 0
		o := NewOnce(func(context.Context) (int, error) {
			reads++
			time.Sleep(time.Second)
			if reads == 1 {
				return 0, boom
			}
			return 42, nil
		})
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if _, err := o.Get(context.Background()); err != boom {
					t.Errorf("Get = %v, want the fault", err)
				}
			})
		}
		wg.Wait()
		if v, err := o.Get(context.Background()); v != 42 || err != nil || reads != 2 {
			t.Errorf("Get after a fault = %v, %v; %d reads, want 2", v, err, reads)
		}
	})
}

func TestOnceOutlivesItsFirstCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type key struct{}
		o := NewOnce(func(ctx context.Context) (int, error) {
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(time.Minute):
				return ctx.Value(key{}).(int), nil
			}
		})
		ctx, cancel := Budget{Name: "PerPackageAdoptBudget", Duration: time.Second}.Context(context.WithValue(context.Background(), key{}, 7))
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := o.Get(ctx)
			var outer *BudgetError
			if !errors.As(err, &outer) {
				t.Errorf("the first caller got %v", err)
			}
		})
		synctest.Wait()
		if v, err := o.Get(context.Background()); v != 7 || err != nil {
			t.Errorf("the second caller got %v, %v", v, err)
		}
		wg.Wait()
		if _, err := o.Get(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller whose time is over got %v", err)
		}
	})
}

package limiter_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/transfer/limiter"
)

// TestSlotsOrder lets three holders want slots one after the other and frees
// one at a time: the holder with the fewest is served, then who came first.
func TestSlotsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := limiter.NewSlots(0)
		a, b, c := s.NewHolder(), s.NewHolder(), s.NewHolder()
		names := map[*limiter.Holder]string{a: "a", b: "b", c: "c"}
		var got []string
		var wg sync.WaitGroup
		for _, h := range []*limiter.Holder{a, a, a, a, b, b, c} {
			wg.Go(func() {
				if err := h.Acquire(t.Context()); err != nil {
					t.Error(err)
				}
				got = append(got, names[h])
			})
			synctest.Wait()
		}
		for n := range 7 {
			if got := s.Waiting(); got != 7-n {
				t.Errorf("%d wait for a slot, want %d", got, 7-n)
			}
			s.Resize(n + 1)
			synctest.Wait()
		}
		wg.Wait()
		if diff := cmp.Diff([]string{"a", "b", "c", "a", "b", "a", "a"}, got); diff != "" {
			t.Errorf("order of slots (-want +got):\n%s", diff)
		}
		s.Resize(0)
		for _, h := range []*limiter.Holder{a, a, a, a, b, b, c} {
			h.Release()
		}
	})
}

// TestSlotsBound uses slots at random, with cancellations and resizes: never
// more are held than there are, and in the end everybody was served.
func TestSlotsBound(t *testing.T) {
	for seed := range uint64(10) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 17))
			s := limiter.NewSlots(5)
			holders := make([]*limiter.Holder, 6)
			for i := range holders {
				holders[i] = s.NewHolder()
			}
			var mu sync.Mutex
			held, most, served, left := 0, 0, 0, 0
			var wg sync.WaitGroup
			for i := range 500 {
				hold := time.Duration(rng.IntN(int(time.Second)))
				ctx, cancel := context.WithCancel(t.Context())
				if i%3 == 0 {
					cancel()
					ctx, cancel = context.WithTimeout(t.Context(), hold)
				}
				wg.Go(func() {
					defer cancel()
					h := holders[i%len(holders)]
					if err := h.Acquire(ctx); err != nil {
						mu.Lock()
						left++
						mu.Unlock()
						return
					}
					mu.Lock()
					held++
					served++
					most = max(most, held)
					mu.Unlock()
					time.Sleep(hold)
					mu.Lock()
					held--
					mu.Unlock()
					h.Release()
				})
				if rng.IntN(4) == 0 {
					time.Sleep(time.Duration(rng.IntN(int(time.Second))))
				}
			}
			wg.Wait()
			if most != 5 {
				t.Errorf("seed %d: at most %d slots were held at once, want 5", seed, most)
			}
			if served+left != 500 || served < 333 {
				t.Errorf("seed %d: %d served, %d left, want 500 together", seed, served, left)
			}
		})
	}
}

func TestSlotsReleaseWithoutAcquire(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Release without Acquire did not panic")
		}
	}()
	limiter.NewSlots(1).NewHolder().Release()
}

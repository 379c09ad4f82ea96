package loki_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

var (
	schedules = flag.Int("schedules", 150, "how many fault schedules are tried; 10000 is the bulk run")
	firstSeed = flag.Uint64("schedule-seed", 1, "the seed of the first schedule")
)

// TestFaultSchedules reads generated lines from servers with generated limits
// and faults: what comes is exactly what was pushed, in the total order, or
// the missing ranges are named.
func TestFaultSchedules(t *testing.T) {
	var current atomic.Pointer[lokitest.Server]
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) }))
	defer func() {
		h.CloseClientConnections()
		h.Close()
	}()
	whole, partial, ended := 0, 0, 0
	for i := range *schedules {
		seed := *firstSeed + uint64(i)
		rng := rand.New(rand.NewPCG(seed, 4))
		server, entries, faults := scheduled(rng)
		current.Store(server)
		c, err := loki.New(loki.Config{
			Addr: h.URL, MinBackoff: time.Microsecond, MaxBackoff: 10 * time.Microsecond,
			Retries: 1 + rng.IntN(3), Timeout: 2 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		opts := loki.ReadOptions{
			PageSize: []int{0, 1, 2, 7, 50}[rng.IntN(5)], Parallel: 1 + rng.IntN(4), Unverified: rng.IntN(3) == 0,
			MaxRange: []time.Duration{0, time.Minute, 7 * time.Minute, time.Hour}[rng.IntN(4)],
		}
		got, r, err := read(t, c, `{app="portal"}`, window, opts)
		c.Close()
		name := fmt.Sprintf("seed %d (run with -schedule-seed %d -schedules 1): %s %+v", seed, seed, faults, opts)
		switch {
		case err != nil:
			ended++
			if r != nil {
				checkPart(t, name, got, entries, nil)
			}
		case r.Stats().Partial:
			partial++
			if len(r.Gaps()) == 0 {
				t.Errorf("%s: partial, and no gap is named", name)
			}
			checkPart(t, name, got, entries, r.Gaps())
		default:
			whole++
			if diff := cmp.Diff(expected(entries, window), got); diff != "" {
				t.Errorf("%s: lines (-want +got):\n%s", name, diff)
			}
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d schedules: %d whole, %d partial, %d ended with an error", *schedules, whole, partial, ended)
	if whole == 0 || whole == *schedules && *schedules > 50 {
		t.Errorf("the schedules are too hard or too easy to show anything")
	}
}

// checkPart checks lines of which some may be missing: they are in order, none
// is doubled or made up, and with gaps named all others are there.
func checkPart(t *testing.T, name string, got []told, entries []lokitest.Entry, gaps []loki.Gap) {
	t.Helper()
	missing := map[told]bool{}
	for _, e := range expected(entries, window) {
		missing[e] = true
	}
	for i, g := range got {
		if !missing[g] {
			t.Errorf("%s: %v is doubled or was never pushed", name, g)
		}
		delete(missing, g)
		if i > 0 && (got[i-1].At > g.At || got[i-1].At == g.At && got[i-1].Stream > g.Stream) {
			t.Errorf("%s: %v comes after %v", name, g, got[i-1])
		}
	}
	if gaps == nil {
		return
	}
	for m := range missing {
		named := false
		for _, g := range gaps {
			named = named || g.Window.Contains(m.At)
		}
		if !named {
			t.Errorf("%s: %v is missing outside the gaps %v", name, m, gaps)
		}
	}
}

// scheduled makes a server with lines and faults.
func scheduled(rng *rand.Rand) (*lokitest.Server, []lokitest.Entry, string) {
	n := 1 + rng.IntN(120)
	entries := sample(n, rng.Uint64())
	if rng.IntN(4) == 0 {
		// Everything within a second.
		for i := range entries {
			entries[i].UnixNano = window.Start + (entries[i].UnixNano-window.Start)%int64(time.Second)
		}
	}
	rate := []int{0, 0, 5, 20, 50}[rng.IntN(5)]
	until := 5 + rng.IntN(60)
	seed := rng.Uint64()
	opts := lokitest.Options{
		MaxEntries: []int{0, 5000, 100, 20, 5}[rng.IntN(5)], Shuffle: rng.Uint64(),
		NoLimits: rng.IntN(3) == 0, NoCount: rng.IntN(6) == 0,
		MaxLength: []time.Duration{0, 0, 30 * time.Minute}[rng.IntN(3)],
		Fault: func(i int, _ *http.Request) lokitest.Fault {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			if i > until || rng.IntN(100) >= rate {
				return lokitest.Fault{}
			}
			switch rng.IntN(8) {
			case 0:
				return lokitest.Fault{Status: 429}
			case 1:
				return lokitest.Fault{Status: 500}
			case 2:
				return lokitest.Fault{Status: 503}
			case 3:
				return lokitest.Fault{Status: 504}
			case 4:
				return lokitest.Fault{Drop: true}
			case 5:
				return lokitest.Fault{Truncate: 1 + rng.IntN(400)}
			default:
				return lokitest.Fault{CutAt: 1 + rng.IntN(300)}
			}
		},
	}
	s := lokitest.New(opts)
	s.Push(entries...)
	return s, entries, fmt.Sprintf("%d lines, %d%% faults in the first %d requests, limit %d", n, rate, until, opts.MaxEntries)
}

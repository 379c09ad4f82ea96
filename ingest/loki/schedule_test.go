package loki_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
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
	var next atomic.Int64
	var whole, partial, ended atomic.Int64
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var current atomic.Pointer[lokitest.Server]
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { current.Load().ServeHTTP(w, r) }))
			defer func() {
				h.CloseClientConnections()
				h.Close()
			}()
			for i := next.Add(1); i <= int64(*schedules) && !t.Failed(); i = next.Add(1) {
				switch runSchedule(t, *firstSeed+uint64(i)-1, h.URL, &current) {
				case endedWhole:
					whole.Add(1)
				case endedPartial:
					partial.Add(1)
				default:
					ended.Add(1)
				}
			}
		})
	}
	wait.Wait()
	t.Logf("%d schedules: %d whole, %d partial, %d ended with an error", *schedules, whole.Load(), partial.Load(), ended.Load())
	if n := whole.Load(); !t.Failed() && (n == 0 || n == int64(*schedules)) && *schedules > 50 {
		t.Errorf("the schedules are too hard or too easy to show anything")
	}
}

// How a reading may end.
const (
	endedWhole = iota
	endedPartial
	endedInError
)

// runSchedule reads what one schedule's server holds and checks it.
func runSchedule(t *testing.T, seed uint64, addr string, current *atomic.Pointer[lokitest.Server]) int {
	rng := rand.New(rand.NewPCG(seed, 4))
	s := newSchedule(rng)
	current.Store(s.server)
	c, err := loki.New(loki.Config{
		Addr: addr, MinBackoff: time.Microsecond, MaxBackoff: 10 * time.Microsecond,
		Retries: 1 + rng.IntN(3), Timeout: 2 * time.Second, NoCompression: rng.IntN(4) > 0,
	})
	if err != nil {
		t.Error(err)
		return endedInError
	}
	defer c.Close()
	opts := loki.ReadOptions{
		PageSize: []int{0, 1, 2, 7, 50}[rng.IntN(5)], Parallel: 1 + rng.IntN(4), Lanes: rng.IntN(4), Unverified: !s.gaps && rng.IntN(3) == 0,
		MaxRange: []time.Duration{0, time.Minute, 7 * time.Minute, time.Hour}[rng.IntN(4)],
	}
	name := fmt.Sprintf("seed %d (run with -schedule-seed %d -schedules 1): %s %+v", seed, seed, s.name, opts)
	got, r, err := read(t, c, `{app="portal"}`, window, opts)
	switch {
	case err != nil:
		if r != nil {
			checkPart(t, name, got, s.entries, nil)
		}
		return endedInError
	case r.Stats().Partial:
		if len(r.Gaps()) == 0 {
			t.Errorf("%s: partial, and no gap is named", name)
		}
		checkPart(t, name, got, s.entries, r.Gaps(), s.late...)
		return endedPartial
	case len(s.late) > 0:
		// What came while it was read may be there or not.
		checkPart(t, name, got, s.entries, nil)
		checkHas(t, name, got, s.onTime)
	default:
		if diff := cmp.Diff(expected(s.entries, window), got); diff != "" {
			t.Errorf("%s: lines (-want +got):\n%s", name, diff)
		}
	}
	return endedWhole
}

// checkPart checks lines of which some may be missing: they are in order, none
// is doubled or made up, and with gaps named all others are there.
func checkPart(t *testing.T, name string, got []told, entries []lokitest.Entry, gaps []loki.Gap, late ...lokitest.Entry) {
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
	for _, e := range expected(late, window) {
		delete(missing, e)
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

// checkHas checks that lines are there.
func checkHas(t *testing.T, name string, got []told, entries []lokitest.Entry) {
	t.Helper()
	have := map[told]bool{}
	for _, g := range got {
		have[g] = true
	}
	for _, e := range expected(entries, window) {
		if !have[e] {
			t.Errorf("%s: %v is missing", name, e)
		}
	}
}

// schedule is a server with lines and faults.
type schedule struct {
	server       *lokitest.Server
	entries      []lokitest.Entry
	onTime, late []lokitest.Entry // those that are there from the first request on, and the others
	gaps         bool             // full pages have gaps, which only counting finds
	name         string
}

func newSchedule(rng *rand.Rand) *schedule {
	n := 1 + rng.IntN(120)
	s := &schedule{entries: sample(n, rng.Uint64())}
	if rng.IntN(4) == 0 {
		// Everything within a second.
		for i := range s.entries {
			e := &s.entries[i]
			e.UnixNano = window.Start + (e.UnixNano-window.Start)%int64(time.Second)
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
			return drawFault(rng)
		},
	}
	special := ""
	switch rng.IntN(5) {
	case 0:
		if !opts.NoCount {
			s.gaps, special = true, ", gaps in full pages"
			opts.DropInside = func(i, limit int) bool { return i > limit/3 && (uint64(i)*seed)%4 == 0 }
		}
	case 1:
		special = ", lines that come late"
		opts.Hidden = func(e lokitest.Entry) int {
			if uint64(e.UnixNano)*seed>>33%3 == 0 {
				return int(uint64(e.UnixNano) * seed >> 40 % 40)
			}
			return 0
		}
	case 2:
		special = ", counts from a cache"
		opts.StaleCount = func(e lokitest.Entry) bool { return uint64(e.UnixNano)*seed>>33%2 == 0 }
	}
	for _, e := range s.entries {
		if opts.Hidden != nil && opts.Hidden(e) > 0 {
			s.late = append(s.late, e)
		} else {
			s.onTime = append(s.onTime, e)
		}
	}
	s.server = lokitest.New(opts)
	s.server.Push(s.entries...)
	s.name = fmt.Sprintf("%d lines, %d%% faults in the first %d requests, limit %d%s", n, rate, until, opts.MaxEntries, special)
	return s
}

// drawFault draws what goes wrong with a request.
func drawFault(rng *rand.Rand) lokitest.Fault {
	switch rng.IntN(40) {
	case 0, 1, 2, 3, 4:
		return lokitest.Fault{Status: 429}
	case 5, 6, 7, 8, 9:
		return lokitest.Fault{Status: 500}
	case 10, 11, 12, 13, 14:
		return lokitest.Fault{Status: 503}
	case 15, 16, 17, 18, 19:
		return lokitest.Fault{Status: 504}
	case 20, 21, 22, 23, 24:
		return lokitest.Fault{Drop: true}
	case 25, 26, 27, 28, 29:
		return lokitest.Fault{Truncate: 1 + rng.IntN(400)}
	case 30:
		return lokitest.Fault{HTML: true} // which ends the reading
	case 31, 32:
		return lokitest.Fault{ContentType: "text/plain"}
	}
	return lokitest.Fault{CutAt: 1 + rng.IntN(300)}
}

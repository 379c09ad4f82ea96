package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// pushedRecords is what is known of a server's log by counting it.
func pushedRecords(t *testing.T, addr string, w ingest.Window, retries int) (records []string, partial bool, err error) {
	t.Helper()
	client, err := loki.New(loki.Config{Addr: addr, MinBackoff: time.Microsecond, MaxBackoff: 10 * time.Microsecond, Retries: retries, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	query, err := parseQuery(`{namespace=~".+"}`)
	if err != nil {
		t.Fatal(err)
	}
	filter, err := analyze.Config{}.LineFilter()
	if err != nil {
		t.Fatal(err)
	}
	in := &lokiInput{client: client, query: query, window: w}
	reason, err := in.pushdown(t.Context(), loki.ReadOptions{Parallel: 2}, analyze.Config{}, filter)
	if err == nil && reason != "" {
		err = fmt.Errorf("not pushed down: %s", reason)
	}
	for _, r := range in.counted.Records {
		records = append(records, fmt.Sprintf("%d %s like %v: %s", r.UnixNano, r.Stream.Key, r.Like, r.Text))
	}
	return records, in.counted.Stats.Partial || len(in.gaps) > 0, err
}

// TestPushdownFaults injects faults into servers with generated logs and
// limits: the answer is that of a server without any, or marked as partial, or
// there is none.
func TestPushdownFaults(t *testing.T) {
	whole, partial, failed := 0, 0, 0
	for seed := range uint64(max(*sweep, 10)) {
		w, _ := drawMasked(seed + 3000)
		args, logs := w.files(t)
		file, _ := analyzed(t, append(args, logs)...)
		window := ingest.Window{Start: file.Window.Start.UnixNano(), End: file.Window.End.UnixNano()}
		rng := rand.New(rand.NewPCG(seed, 9))
		options := lokitest.Options{ServiceName: true, Shuffle: seed, MaxEntries: []int{0, 50}[rng.IntN(2)], Shards: rng.IntN(3)}
		clean, _ := serve(t, logs, options)
		var mu sync.Mutex // of rng, which requests at one time share
		share := 0.2 * rng.Float64()
		options.Fault = func(int, *http.Request) lokitest.Fault {
			mu.Lock()
			defer mu.Unlock()
			if rng.Float64() >= share {
				return lokitest.Fault{}
			}
			return []lokitest.Fault{{Status: 429}, {Status: 500}, {Status: 503}, {Status: 504}, {Drop: true}, {CutAt: 1 + rng.IntN(2000)}, {Truncate: 1 + rng.IntN(2000)}}[rng.IntN(7)]
		}
		if options.Shards != 1 && rng.IntN(2) == 0 {
			options.DropInside = func(i, limit int) bool { return i == limit/2 }
		}
		faulty, _ := serve(t, logs, options)
		want, _, err := pushedRecords(t, clean, window, 0)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, missing, err := pushedRecords(t, faulty, window, 1+rng.IntN(3))
		switch {
		case err != nil:
			failed++
		case missing:
			partial++
		default:
			whole++
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("seed %d: records (-without faults +with):\n%s", seed, diff)
			}
		}
	}
	t.Logf("%d were answered whole, %d in part, %d not at all", whole, partial, failed)
	if whole == 0 || *sweep >= 50 && failed+partial == 0 {
		t.Error("the faults are too hard or too easy to show anything")
	}
}

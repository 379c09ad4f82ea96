package loki_test

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestLengthLimitOfLanes has two groups of streams told of a limit at the same
// time: for both it is a shorter range to ask for, and no server that counts
// nothing.
func TestLengthLimitOfLanes(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	var counts atomic.Int64
	s := lokitest.New(lokitest.Options{
		NoLimits: true, MaxLength: 30 * time.Minute,
		Fault: func(_ int, r *http.Request) lokitest.Fault {
			if strings.Contains(r.FormValue("query"), "count_over_time") && counts.Add(1) <= 2 {
				both.Done()
				both.Wait()
			}
			return lokitest.Fault{}
		},
	})
	entries := sample(100, 7)
	s.Push(entries...)
	c := client(t, s.Start(t))
	got, r, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{Parallel: 2, Lanes: 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected(entries, window), got); diff != "" || r.Stats().Partial {
		t.Errorf("partial %v, lines (-want +got):\n%s", r.Stats().Partial, diff)
	}
	if !r.Progress().Verified {
		t.Errorf("lines are not counted: %v", r.Stats().Problems)
	}
}

// TestLengthLimitOfProbes has an hour counted at once, which the server refuses
// for its length.
func TestLengthLimitOfProbes(t *testing.T) {
	s := lokitest.New(lokitest.Options{NoLimits: true, MaxLength: 30 * time.Minute})
	entries := sample(100, 8)
	s.Push(entries...)
	got, r, _ := readAround(t, client(t, s.Start(t)), window, loki.Around{Probes: []loki.Probe{{Stages: `|= "."`}}, Before: time.Minute, After: time.Minute, Always: true}, loki.ReadOptions{})
	if diff := cmp.Diff(expected(entries, window), got); diff != "" || r.Stats().Partial || !r.Progress().Verified {
		t.Errorf("partial %v, verified %v, lines (-want +got):\n%s", r.Stats().Partial, r.Progress().Verified, diff)
	}
	for _, p := range r.Stats().Problems {
		t.Errorf("a problem: %v", p)
	}
}

package loki_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// at puts lines one step apart on a stream, from a minute after the window's
// start on.
func at(stream []ingest.Label, lines int, step time.Duration) []lokitest.Entry {
	all := make([]lokitest.Entry, lines)
	for i := range all {
		all[i] = lokitest.Entry{Labels: stream, UnixNano: window.Start + int64(time.Minute) + int64(i)*int64(step), Line: fmt.Sprintf("line %s %d", stream[len(stream)-1].Value, i)}
	}
	return all
}

// TestReadNearSmallAnswers reads from a server that gives fewer lines at once
// than is asked for, and says so only then.
func TestReadNearSmallAnswers(t *testing.T) {
	s := lokitest.New(lokitest.Options{Shards: 1, NoLimits: true, MaxEntries: 50})
	entries := at(labels("app", "portal"), 120, time.Millisecond)
	s.Push(entries...)
	place := loki.Place{Stream: ingest.NewStream(labels("app", "portal")), UnixNano: entries[0].UnixNano}
	r, err := client(t, s.Start(t)).ReadNear(context.Background(), query(t, `{app="portal"}`), window, []loki.Place{place}, 4*time.Second, loki.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := readWhole(t, r); len(got) != 120 || r.Stats().Partial {
		t.Errorf("%d lines of 120, partial %v", len(got), r.Stats().Partial)
	}
}

// TestReadNearLongRange reads places that make one range longer than the server
// takes: it is still counted, in parts.
func TestReadNearLongRange(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		s := lokitest.New(lokitest.Options{MaxLength: 30 * time.Minute, Shards: 4, NoLimits: hidden})
		entries := at(labels("app", "portal"), 60, time.Minute)
		s.Push(entries...)
		var places []loki.Place
		for _, e := range entries {
			places = append(places, loki.Place{Stream: ingest.NewStream(labels("app", "portal")), UnixNano: e.UnixNano})
		}
		r, err := client(t, s.Start(t)).ReadNear(context.Background(), query(t, `{app="portal"}`), window, places, time.Minute, loki.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := readWhole(t, r); len(got) != 60 || r.Stats().Partial || !r.Progress().Verified {
			t.Errorf("limits hidden %v: %d lines of 60, partial %v, verified %v: %v", hidden, len(got), r.Stats().Partial, r.Progress().Verified, r.Stats().Problems)
		}
	}
}

// TestReadCountedOfOthers reads lines that were counted on other streams than
// are said to have them.
func TestReadCountedOfOthers(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	entries := at(labels("app", "portal", "pod", "a"), 5, time.Millisecond)
	s.Push(entries...)
	minute := ingest.Window{Start: entries[0].UnixNano - 1, End: entries[0].UnixNano + int64(time.Minute)}
	counted := []loki.Bucket{{Window: minute, Lines: 5, Streams: []*ingest.Stream{ingest.NewStream(labels("app", "portal", "pod", "b"))}}}
	r, err := client(t, s.Start(t)).ReadCounted(context.Background(), query(t, `{app="portal"}`), window, counted, loki.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := readWhole(t, r); len(got) != 5 && !r.Stats().Partial {
		t.Errorf("%d lines of 5, and no gap is named", len(got))
	}
}

// TestFullNanosecond has more lines in a nanosecond than the server gives at
// once, on streams of which one has fewer labels and that are in shards: read
// in groups or not, each line comes once and in the same order.
func TestFullNanosecond(t *testing.T) {
	s := lokitest.New(lokitest.Options{MaxEntries: 10})
	var entries []lokitest.Entry
	add := func(stream ...string) {
		for shard := range 3 {
			entries = append(entries, at(labels(append(stream, "__stream_shard__", fmt.Sprint(shard))...), 2, 0)...)
		}
	}
	add("app", "portal")
	for pod := range 6 {
		add("app", "portal", "pod", fmt.Sprint("p", pod))
	}
	for i := range entries {
		entries[i].Line += fmt.Sprint(" ", i%2)
	}
	s.Push(entries...)
	for i := range entries { // what is expected of them: Loki's label is none of theirs
		entries[i].Labels = slices.DeleteFunc(slices.Clone(entries[i].Labels), func(l ingest.Label) bool { return l.Name == "__stream_shard__" })
	}
	want := expected(entries, window)
	for _, opts := range []loki.ReadOptions{{Lanes: 1}, {Lanes: 2}, {Lanes: 4}, {Lanes: 4, Unverified: true}} {
		got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" || r.Stats().Partial {
			t.Errorf("%+v: partial %v, lines (-want +got):\n%s", opts, r.Stats().Partial, diff)
		}
	}
}

// TestLanesGiveUp has an hour that the server cannot give: however many groups
// of streams meet it, the rest is read, and each says of which it is missing.
func TestLanesGiveUp(t *testing.T) {
	bad := window.Start + int64(10*time.Minute)
	s := lokitest.New(lokitest.Options{Fault: func(_ int, r *http.Request) lokitest.Fault {
		var start, end int64
		fmt.Sscan(r.FormValue("start"), &start)
		fmt.Sscan(r.FormValue("end"), &end)
		if strings.HasPrefix(r.FormValue("query"), "{") && strings.HasSuffix(r.URL.Path, "query_range") && start <= bad && bad < end {
			return lokitest.Fault{Status: 503}
		}
		return lokitest.Fault{}
	}})
	for pod := range 8 {
		s.Push(at(labels("app", "portal", "pod", fmt.Sprint("p", pod)), 110, time.Minute)...)
	}
	lines := map[int]int{}
	for _, lanes := range []int{1, 4} {
		got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{Lanes: lanes})
		if err != nil || !r.Stats().Partial || len(r.Gaps()) != lanes {
			t.Errorf("%d lanes: %v, %d gaps", lanes, err, len(r.Gaps()))
		}
		if lanes > 1 && !strings.Contains(fmt.Sprint(r.Stats().Problems), "of the streams {") {
			t.Errorf("%d lanes: it is not said of which streams lines are missing: %v", lanes, r.Stats().Problems)
		}
		lines[lanes] = len(got)
	}
	if lines[1] < 400 || lines[4] != lines[1] {
		t.Errorf("lines read by lanes: %v", lines)
	}
}

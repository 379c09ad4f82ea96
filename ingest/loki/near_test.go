package loki_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

func readWhole(t *testing.T, r *loki.Reader) []told {
	t.Helper()
	defer r.Close()
	var all []told
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told{e.UnixNano, e.Stream.Key, string(e.Line)})
	}
}

// TestReadNear wants what stands around places counted unless one shard
// answers with less than a page.
func TestReadNear(t *testing.T) {
	entries := sample(200, 3)
	all := expected(entries, window)
	for _, c := range []struct {
		shards, page int
		counted      bool
	}{{0, 0, true}, {1, 0, false}, {4, 0, true}, {1, 1, true}} {
		s := lokitest.New(lokitest.Options{Shards: c.shards})
		s.Push(entries...)
		var places []loki.Place
		var want []told
		for _, at := range []told{all[20], all[90], all[150]} {
			for _, e := range entries {
				if st := ingest.NewStream(append([]ingest.Label{}, e.Labels...)); st.Key == at.Stream {
					places = append(places, loki.Place{Stream: st, UnixNano: at.At})
					break
				}
			}
		}
		for _, e := range all {
			for _, p := range places {
				if p.Stream.Key == e.Stream && max(p.UnixNano-e.At, e.At-p.UnixNano) <= int64(time.Minute) {
					want = append(want, e)
					break
				}
			}
		}
		r, err := client(t, s.Start(t)).ReadNear(context.Background(), query(t, `{app="portal"}`), window, places, time.Minute, loki.ReadOptions{PageSize: c.page})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, readWhole(t, r)); diff != "" || len(want) < 3 {
			t.Errorf("%+v: lines (-want +got):\n%s", c, diff)
		}
		counts := strings.Contains(strings.Join(s.Queries(), "\n"), "count_over_time")
		if counts != c.counted || r.Stats().Partial {
			t.Errorf("%+v: counted %v, statistics %+v", c, counts, r.Stats())
		}
	}
}

// TestReadCounted wants the lines of buckets, asked of the streams that have
// them only.
func TestReadCounted(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	a, b := labels("app", "portal", "pod", "a"), labels("app", "portal", "pod", "b")
	for i := range 120 {
		pod := a
		if i%2 == 1 {
			pod = b
		}
		s.Push(lokitest.Entry{Labels: pod, UnixNano: window.Start + int64(i)*int64(time.Minute) + 5, Line: fmt.Sprint("line ", i)})
	}
	bucket := func(minute, lines int64, streams ...*ingest.Stream) loki.Bucket {
		start := window.Start + minute*int64(time.Minute) + 1
		return loki.Bucket{Window: ingest.Window{Start: start, End: start + int64(time.Minute)}, Lines: lines, Streams: streams}
	}
	sa, sb := ingest.NewStream(append([]ingest.Label{}, a...)), ingest.NewStream(append([]ingest.Label{}, b...))
	counted := []loki.Bucket{bucket(2, 1, sa), bucket(4, 1, sa), bucket(61, 1, sb), bucket(63, 1, sb)}
	r, err := client(t, s.Start(t)).ReadCounted(context.Background(), query(t, `{app="portal"}`), window, counted, loki.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	at := func(i int64, pod *ingest.Stream) told {
		return told{window.Start + i*int64(time.Minute) + 5, pod.Key, fmt.Sprint("line ", i)}
	}
	// Minute 3 lies between two that were counted, on a stream that was not.
	if diff := cmp.Diff([]told{at(2, sa), at(4, sa), at(61, sb), at(63, sb)}, readWhole(t, r)); diff != "" || r.Stats().Partial {
		t.Errorf("lines (-want +got), partial %v:\n%s", r.Stats().Partial, diff)
	}
	for _, q := range s.Queries() {
		if strings.HasPrefix(q, "{") && !strings.Contains(q, `pod=~"a"`) && !strings.Contains(q, `pod=~"b"`) {
			t.Errorf("lines were asked of more streams than have any: %s", q)
		}
	}
}

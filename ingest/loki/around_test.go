package loki_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// around is what ReadAround should yield, told without its means: the lines
// that have a hit of their own stream nearby.
func around(entries []lokitest.Entry, w ingest.Window, a loki.Around) []told {
	hit := regexp.MustCompile(strings.Join(a.Patterns, "|"))
	all := expected(entries, w)
	return slices.DeleteFunc(slices.Clone(all), func(x told) bool {
		return !slices.ContainsFunc(all, func(h told) bool {
			return h.Stream == x.Stream && hit.MatchString(h.Line) &&
				x.At >= h.At-int64(a.Before) && x.At <= h.At+int64(a.After)
		})
	})
}

func readAround(t *testing.T, c *loki.Client, w ingest.Window, a loki.Around, opts loki.ReadOptions) ([]told, *loki.Reader, loki.Hits) {
	t.Helper()
	r, hits, err := c.ReadAround(context.Background(), query(t, `{app="portal"}`), w, a, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var all []told
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if err == io.EOF {
			return all, r, hits
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, told{e.UnixNano, e.Stream.Key, string(e.Line)})
	}
}

func TestReadAround(t *testing.T) {
	narrowed := 0
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 6))
		entries := sample(50+rng.IntN(300), seed)
		a := loki.Around{
			Patterns: [][]string{{`^1\d\.`, `7\.3 `}, {"error"}, {"nowhere"}, {`^(2|3)\.`, "zzz"}}[rng.IntN(4)],
			Before:   time.Duration(rng.IntN(300)) * time.Second,
			After:    time.Duration(rng.IntN(300)) * time.Second,
			Worth:    []int{1, 5, 50}[rng.IntN(3)],
		}
		s := lokitest.New(lokitest.Options{MaxEntries: []int{0, 20}[rng.IntN(2)], NoCount: rng.IntN(5) == 0, Shuffle: seed})
		s.Push(entries...)
		got, r, hits := readAround(t, client(t, s.Start(t)), window, a, loki.ReadOptions{PageSize: rng.IntN(30)})
		want := around(entries, window, a)
		if hits.Whole {
			want = expected(entries, window)
		} else {
			narrowed++
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("seed %d, %+v, %+v: lines (-want +got):\n%s", seed, a, hits, diff)
		}
		if r.Stats().Partial {
			t.Errorf("seed %d: partial: %+v", seed, r.Stats())
		}
	}
	if narrowed < 10 {
		t.Errorf("only %d of the cases read neighbourhoods", narrowed)
	}
}

// TestReadAroundCost reads a long window with few hits: far less than
// everything is asked for, and of the pods with hits only.
func TestReadAroundCost(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	for i := range 3000 {
		line := "ordinary"
		if i%1000 == 500 {
			line = "OnTimeout"
		}
		s.Push(lokitest.Entry{Labels: labels("app", "portal", "pod", fmt.Sprint("p", i%10)), UnixNano: window.Start + int64(i)*3e9, Line: fmt.Sprint(line, " ", i)})
	}
	a := loki.Around{Patterns: []string{"OnTimeout"}, Before: time.Minute, After: time.Minute, Worth: 100}
	got, r, hits := readAround(t, client(t, s.Start(t)), window, a, loki.ReadOptions{})
	if hits.Lines != 3 || hits.Ranges != 3 || len(hits.Streams) != 1 || hits.Whole {
		t.Errorf("hits %+v", hits)
	}
	if len(got) < 9 || len(got) > 30 {
		t.Errorf("%d lines read around three hits", len(got))
	}
	if r.Progress().Requests > 12 {
		t.Errorf("%d requests", r.Progress().Requests)
	}
	narrow := slices.ContainsFunc(s.Queries(), func(q string) bool { return strings.Contains(q, `pod=~"p0"`) })
	if !narrow {
		t.Errorf("the pod of the hits is in no query: %q", s.Queries())
	}
}

func TestReadAroundGaps(t *testing.T) {
	now := func() time.Time { return noon.Add(4 * time.Hour) }
	s := lokitest.New(lokitest.Options{MaxLookback: 2 * time.Hour, Now: now})
	s.Push(sample(200, 1)...)
	c, err := loki.New(loki.Config{Addr: s.Start(t), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, pattern := range []string{"error", ""} {
		_, r, hits := readAround(t, c, window, loki.Around{Patterns: []string{pattern}, After: time.Minute, Worth: 10}, loki.ReadOptions{})
		if len(r.Gaps()) != 1 || !r.Stats().Partial {
			t.Errorf("pattern %q, %+v: gaps %v", pattern, hits, r.Gaps())
		}
	}
}

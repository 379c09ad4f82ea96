package loki_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

var (
	noon   = time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)
	window = ingest.Window{Start: noon.UnixNano(), End: noon.Add(3 * time.Hour).UnixNano()}
)

func labels(pairs ...string) []ingest.Label {
	var l []ingest.Label
	for i := 0; i < len(pairs); i += 2 {
		l = append(l, ingest.Label{Name: pairs[i], Value: pairs[i+1]})
	}
	return l
}

// sample makes n lines on a few pods over the window, bursts of ties and of
// one stream's ties among them.
func sample(n int, seed uint64) []lokitest.Entry {
	rng := rand.New(rand.NewPCG(seed, 9))
	var all []lokitest.Entry
	for i := 0; len(all) < n; i++ {
		at := window.Start + rng.Int64N(window.End-window.Start)
		if rng.IntN(3) == 0 {
			at -= at % int64(time.Minute)
		}
		at = max(at, window.Start)
		for j := range 1 + rng.IntN(3)*rng.IntN(12) {
			all = append(all, lokitest.Entry{
				Labels:   labels("app", "portal", "pod", fmt.Sprintf("p%d", rng.IntN(3))),
				UnixNano: at,
				Line:     fmt.Sprintf("%d.%d %s %s", i, j, []string{"error", "info", "x"}[rng.IntN(3)], strings.Repeat("y", rng.IntN(50))),
			})
		}
	}
	return all[:n]
}

// told is an entry as the tests compare it.
type told struct {
	At           int64
	Stream, Line string
}

// expected is the window's part of what was pushed, in the total order, with
// ties by text.
func expected(entries []lokitest.Entry, w ingest.Window) []told {
	var all []told
	for _, e := range entries {
		if w.Contains(e.UnixNano) {
			all = append(all, told{e.UnixNano, ingest.NewStream(slices.Clone(e.Labels)).Key, e.Line})
		}
	}
	sortTold(all)
	return slices.Compact(all)
}

func sortTold(all []told) {
	slices.SortFunc(all, func(a, b told) int {
		switch {
		case a.At != b.At:
			if a.At < b.At {
				return -1
			}
			return 1
		case a.Stream != b.Stream:
			return strings.Compare(a.Stream, b.Stream)
		}
		return strings.Compare(a.Line, b.Line)
	})
}

func client(t testing.TB, addr string) *loki.Client {
	t.Helper()
	c, err := loki.New(loki.Config{Addr: addr, MinBackoff: time.Microsecond, MaxBackoff: time.Millisecond, Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func query(t testing.TB, text string) selector.Query {
	t.Helper()
	q, err := selector.ParseQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// read reads everything there is; err is what ended it, nil for its end.
func read(t testing.TB, c *loki.Client, text string, w ingest.Window, opts loki.ReadOptions) (all []told, r *loki.Reader, err error) {
	t.Helper()
	r, err = c.Read(context.Background(), query(t, text), w, opts)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	var e ingest.Entry
	for {
		err := r.Next(context.Background(), &e)
		if err == io.EOF {
			return all, r, nil
		}
		if err != nil {
			return all, r, err
		}
		if e.Ordered {
			t.Errorf("an entry of Loki is Ordered")
		}
		all = append(all, told{e.UnixNano, e.Stream.Key, string(e.Line)})
	}
}

func TestPageSizes(t *testing.T) {
	entries := sample(600, 1)
	want := expected(entries, window)
	s := lokitest.New(lokitest.Options{})
	s.Push(entries...)
	c := client(t, s.Start(t))
	for _, unverified := range []bool{false, true} {
		for _, size := range []int{1, 7, 100, 5000, 0} {
			t.Run(fmt.Sprintf("%d unverified=%v", size, unverified), func(t *testing.T) {
				got, r, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{PageSize: size, Unverified: unverified})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("lines (-want +got):\n%s", diff)
				}
				if s := r.Stats(); s.Partial || len(s.Problems) != 0 || s.Entries != int64(len(want)) {
					t.Errorf("Stats = %+v", s)
				}
			})
		}
	}
}

func TestWindowEdges(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	var entries []lokitest.Entry
	for _, at := range []int64{window.Start - 1, window.Start, window.Start + 1, window.End - 1, window.End} {
		entries = append(entries, lokitest.Entry{Labels: labels("app", "a"), UnixNano: at, Line: fmt.Sprint(at - window.Start)})
	}
	s.Push(entries...)
	c := client(t, s.Start(t))
	for _, w := range []ingest.Window{
		window,
		{Start: window.Start + 1, End: window.End - 1},
		{Start: window.Start, End: window.Start + 1},
		{Start: window.Start - 1, End: window.Start + 1},
		{Start: window.End, End: window.End},
	} {
		got, _, err := read(t, c, `{app="a"}`, w, loki.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected(entries, w), got); diff != "" {
			t.Errorf("window %v (-want +got):\n%s", w, diff)
		}
	}
}

// TestDense reads more lines in a second, and in a nanosecond, than a page
// holds.
func TestDense(t *testing.T) {
	const limit = 50
	var entries []lokitest.Entry
	for i := range 500 {
		entries = append(entries, lokitest.Entry{Labels: labels("app", "a", "pod", fmt.Sprint(i%7)), UnixNano: window.Start + int64(i/3), Line: fmt.Sprint("dense ", i)})
	}
	for i := range 120 {
		entries = append(entries, lokitest.Entry{Labels: labels("app", "a", "pod", fmt.Sprint(i%7)), UnixNano: window.Start + 1e9, Line: fmt.Sprint("tied ", i)})
	}
	for _, unverified := range []bool{false, true} {
		s := lokitest.New(lokitest.Options{MaxEntries: limit})
		s.Push(entries...)
		got, r, err := read(t, client(t, s.Start(t)), `{app="a"}`, window, loki.ReadOptions{Unverified: unverified})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(expected(entries, window), got); diff != "" {
			t.Errorf("unverified=%v: lines (-want +got):\n%s", unverified, diff)
		}
		if r.Stats().Partial {
			t.Errorf("unverified=%v: partial: %+v", unverified, r.Stats())
		}
	}
	// One stream with more lines in a nanosecond than fit: loudly partial.
	s := lokitest.New(lokitest.Options{MaxEntries: 10})
	for i := range 25 {
		s.Push(lokitest.Entry{Labels: labels("app", "a"), UnixNano: window.Start + 5, Line: fmt.Sprint(i)})
	}
	got, r, err := read(t, client(t, s.Start(t)), `{app="a"}`, window, loki.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	gaps := r.Gaps()
	if len(got) != 10 || len(gaps) != 1 || gaps[0].Counted != 25 || gaps[0].Received != 10 || !r.Stats().Partial {
		t.Errorf("%d lines, gaps %+v, partial %v; want 10 of 25, partial", len(got), gaps, r.Stats().Partial)
	}
	if w := (ingest.Window{Start: window.Start + 1, End: window.Start + 1e6 + 1}); len(gaps) > 0 && gaps[0].Window != w {
		t.Errorf("the gap is said to be %v, want its millisecond %v", gaps[0].Window, w)
	}
	if _, r, err = read(t, client(t, s.Start(t)), `{app="a"}`, window, loki.ReadOptions{Unverified: true}); err != nil || !r.Stats().Partial {
		t.Errorf("unverified: partial %v, %v", r.Stats().Partial, err)
	}
}

func TestServerLimits(t *testing.T) {
	entries := sample(400, 3)
	want := expected(entries, window)
	for name, opts := range map[string]lokitest.Options{
		"few entries, told":     {MaxEntries: 23},
		"few entries, not told": {MaxEntries: 23, NoLimits: true},
		"short ranges":          {MaxLength: 10 * time.Minute},
		"short, not told":       {MaxLength: 10 * time.Minute, NoLimits: true},
		"small answers":         {AnswerBytes: 9000},
		"does not count":        {NoCount: true},
		"path prefix":           {Prefix: "/gateway/a"},
		"service name":          {Shuffle: 77},
	} {
		t.Run(name, func(t *testing.T) {
			s := lokitest.New(opts)
			s.Push(entries...)
			got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if r.Stats().Partial {
				t.Errorf("Stats = %+v", r.Stats())
			}
			if r.Progress().Verified == opts.NoCount {
				t.Errorf("Verified = %v", r.Progress().Verified)
			}
		})
	}
	t.Run("lookback", func(t *testing.T) {
		now := func() time.Time { return noon.Add(4 * time.Hour) }
		s := lokitest.New(lokitest.Options{MaxLookback: 2 * time.Hour, Now: now})
		s.Push(entries...)
		c, err := loki.New(loki.Config{Addr: s.Start(t), Now: now})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		got, r, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		horizon := noon.Add(2 * time.Hour).UnixNano()
		if diff := cmp.Diff(expected(entries, ingest.Window{Start: horizon, End: window.End}), got); diff != "" {
			t.Errorf("lines (-want +got):\n%s", diff)
		}
		if g := r.Gaps(); len(g) != 1 || g[0].Window != (ingest.Window{Start: window.Start, End: horizon}) || !r.Stats().Partial {
			t.Errorf("gaps %+v, want the part before %v", g, horizon)
		}
	})
}

// TestGapsAreFound reads from a server that drops lines inside full pages, as
// sharded queries did.
func TestGapsAreFound(t *testing.T) {
	entries := sample(2000, 5)
	want := expected(entries, window)
	drop := func(i, limit int) bool { return limit < 5000 && i > limit/2 && i%3 == 0 }
	s := lokitest.New(lokitest.Options{DropInside: drop})
	s.Push(entries...)
	c := client(t, s.Start(t))
	got, r, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{PageSize: 40, Unverified: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) == len(want) || r.Stats().Partial {
		t.Fatalf("the fake drops nothing, or an unverified reading sees it")
	}
	got, r, err = read(t, c, `{app="portal"}`, window, loki.ReadOptions{PageSize: 40})
	if err != nil {
		t.Fatal(err)
	}
	missing := int64(0)
	for _, g := range r.Gaps() {
		missing += g.Counted - g.Received
	}
	if int64(len(got))+missing != int64(len(want)) {
		t.Errorf("%d lines and gaps of %d, want %d together", len(got), missing, len(want))
	}
	if (missing > 0) != r.Stats().Partial {
		t.Errorf("missing %d, partial %v", missing, r.Stats().Partial)
	}
}

func TestErrors(t *testing.T) {
	ctx := context.Background()
	t.Run("unreachable", func(t *testing.T) {
		_, _, err := read(t, client(t, "http://127.0.0.1:1"), `{a="b"}`, window, loki.ReadOptions{})
		var u *loki.UnreachableError
		if !errors.As(err, &u) || u.Addr != "http://127.0.0.1:1" {
			t.Errorf("error %v (%T), want *UnreachableError with the address", err, err)
		}
	})
	t.Run("refused", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{Token: "sesame"})
		s.Push(sample(5, 1)...)
		addr := s.Start(t)
		_, _, err := read(t, client(t, addr), `{app="portal"}`, window, loki.ReadOptions{})
		var status *loki.StatusError
		if !errors.As(err, &status) || !status.Refused() {
			t.Errorf("error %v, want a refusal", err)
		}
		c, err := loki.New(loki.Config{Addr: addr, BearerToken: "sesame"})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, _, err := read(t, c, `{app="portal"}`, window, loki.ReadOptions{}); err != nil {
			t.Errorf("with the token: %v", err)
		}
	})
	t.Run("no tenant", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{NeedTenant: true})
		_, _, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "no org id") {
			t.Errorf("error %v, want the server's words", err)
		}
	})
	t.Run("a bad query ends at once", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{})
		_, _, err := read(t, client(t, s.Start(t)), `{app="portal"} | nonsense`, window, loki.ReadOptions{})
		var status *loki.StatusError
		if !errors.As(err, &status) || status.Code != 400 {
			t.Errorf("error %v, want status 400", err)
		}
		if n := s.Requests(); n > 12 {
			t.Errorf("%d requests for a query that is refused", n)
		}
	})
	t.Run("HTML", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{Fault: func(int, *http.Request) lokitest.Fault { return lokitest.Fault{HTML: true} }})
		_, _, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{})
		var n *loki.NotLokiError
		if !errors.As(err, &n) {
			t.Errorf("error %v, want *NotLokiError", err)
		}
	})
	t.Run("goes down half way", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{Fault: func(n int, _ *http.Request) lokitest.Fault { return lokitest.Fault{Drop: n > 8} }})
		entries := sample(2000, 1)
		s.Push(entries...)
		got, r, err := read(t, client(t, s.Start(t)), `{app="portal"}`, window, loki.ReadOptions{PageSize: 100, Parallel: 1})
		if err == nil && !r.Stats().Partial {
			t.Errorf("%d of %d lines, and neither error nor partial", len(got), len(entries))
		}
		if err != nil && !strings.Contains(err.Error(), "reading Loki ended") {
			t.Errorf("error %v does not say how far it got", err)
		}
	})
	t.Run("secrets", func(t *testing.T) {
		for _, cfg := range []loki.Config{
			{Addr: "http://user:hunter2@127.0.0.1:1/p?token=hunter2"},
			{Addr: "http://127.0.0.1:1", BearerToken: "hunter2"},
			{Addr: "http://127.0.0.1:1", ProxyURL: "http://u:hunter2@127.0.0.1:1"},
			{Addr: "http://user:hunter2@[::1"},
			{Addr: "ftp://user:hunter2@host"},
		} {
			cfg.Retries = -1
			c, err := loki.New(cfg)
			if err == nil {
				_, err = c.Labels(ctx, window)
			}
			if err == nil || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("error %v", err)
			}
		}
	})
	t.Run("interrupt", func(t *testing.T) {
		s := lokitest.New(lokitest.Options{Fault: func(n int, _ *http.Request) lokitest.Fault { return lokitest.Fault{Late: n > 3} }})
		s.Push(sample(200, 1)...)
		ctx, cancel := context.WithCancel(context.Background())
		r, err := client(t, s.Start(t)).Read(ctx, query(t, `{app="portal"}`), window, loki.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		var e ingest.Entry
		for err == nil {
			err = r.Next(ctx, &e)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		r.Close()
		r.Close()
	})
}

func TestMeta(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	s.Push(sample(100, 1)...)
	c := client(t, s.Start(t))
	ctx := context.Background()
	names, err := c.Labels(ctx, window)
	if err != nil || !slices.Equal(names, []string{"app", "pod"}) {
		t.Errorf("Labels = %v, %v", names, err)
	}
	values, err := c.LabelValues(ctx, "pod", window)
	if err != nil || !slices.Equal(values, []string{"p0", "p1", "p2"}) {
		t.Errorf("LabelValues = %v, %v", values, err)
	}
	before := ingest.Window{Start: 0, End: 1}
	if names, err = c.Labels(ctx, before); err != nil || len(names) != 0 {
		t.Errorf("Labels of an empty range = %v, %v", names, err)
	}
	stats, err := c.IndexStats(ctx, `{app="portal"}`, window)
	if err != nil || stats.Entries != 100 || stats.Streams != 3 {
		t.Errorf("IndexStats = %+v, %v", stats, err)
	}
	if n, err := c.Count(ctx, `{app="portal"}`, window); err != nil || n != 100 {
		t.Errorf("Count = %d, %v", n, err)
	}
	if n, err := c.Count(ctx, `{app="portal"} |= "nowhere"`, window); err != nil || n != 0 {
		t.Errorf("Count of nothing = %d, %v", n, err)
	}
}

package loki_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

func TestCountBy(t *testing.T) {
	s := lokitest.New(lokitest.Options{})
	minute := int64(time.Minute)
	push := func(pod string, at int64, line string) {
		s.Push(lokitest.Entry{Labels: labels("app", "portal", "pod", pod), UnixNano: window.Start + at, Line: line})
	}
	push("a", 1, "Source: 'x'")
	push("a", minute, "Source: 'x' again")
	push("a", minute+1, "Source: 'x' later")
	push("b", 2, "Source: 'y'")
	push("b", 3, "none")
	for i := range 3 {
		push("b", 2500*minute/20+int64(i), fmt.Sprint("Source: 'y' ", i))
	}
	c := client(t, s.Start(t))
	got, err := c.CountBy(context.Background(), query(t, `{app="portal"}`), "| regexp `Source: '(?P<source>[^']*)'`", []string{"pod", "source"}, window, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	bucket := func(i int64, lines int64) loki.Bucket {
		return loki.Bucket{Window: ingest.Window{Start: window.Start + i*minute + 1, End: window.Start + (i+1)*minute + 1}, Lines: lines}
	}
	want := []loki.Counted{
		{Labels: labels("pod", "a", "source", "x"), Buckets: []loki.Bucket{bucket(0, 2), bucket(1, 1)}},
		{Labels: labels("pod", "b", "source", ""), Buckets: []loki.Bucket{bucket(0, 1)}},
		{Labels: labels("pod", "b", "source", "y"), Buckets: []loki.Bucket{bucket(0, 1), bucket(124, 1), bucket(125, 2)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if _, err := c.CountBy(context.Background(), query(t, `{app="portal"}`), "", []string{"pod"}, window, 1500*time.Microsecond); err == nil {
		t.Error("a bucket of 1.5 ms is taken")
	}
	var total int64
	all, err := c.CountBy(context.Background(), query(t, `{app="portal"}`), "", []string{"pod"}, window, 5*time.Second)
	for _, g := range all {
		for _, b := range g.Buckets {
			total += b.Lines
		}
	}
	if err != nil || total != 8 {
		t.Errorf("%d lines in buckets of 5 s, %v; want 8", total, err)
	}
}

func TestTooManyGroups(t *testing.T) {
	refusal := &loki.StatusError{Code: 400, Message: "maximum number of series (500) reached for a single query; consider reducing query cardinality"}
	for _, c := range []struct {
		err  error
		want bool
	}{
		{fmt.Errorf("counting: %w", refusal), true},
		{&loki.StatusError{Code: 400, Message: "parse error"}, false},
		{&loki.StatusError{Code: 500, Message: refusal.Message}, false},
		{nil, false},
	} {
		if got := loki.TooManyGroups(c.err); got != c.want {
			t.Errorf("TooManyGroups(%v) = %v", c.err, got)
		}
	}
}

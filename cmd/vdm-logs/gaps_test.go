package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

func TestGapsOf(t *testing.T) {
	got := gapsOf([]loki.Gap{
		{Window: ingest.Window{Start: 1e9, End: 2e9}, Counted: -1, Received: 3, Err: errors.New("GET http://u:hunter2@loki/x: status 502")},
		{Window: ingest.Window{Start: 2e9, End: 3e9}, Counted: 9, Received: 4},
	})
	if len(got) != 2 || got[0].Counted != nil || got[1].Counted == nil || *got[1].Counted != 9 || got[1].Received != 4 {
		t.Fatalf("an unknown count is not 0, a known one is kept: %+v", got)
	}
	if !strings.Contains(got[0].Reason, "status 502") || strings.Contains(got[0].Reason, "hunter2") {
		t.Errorf("the reason is %q; it must tell what happened and no secret", got[0].Reason)
	}
	if got[1].Reason == "" || !got[1].Start.Before(got[1].End.Time) {
		t.Errorf("a gap without an error has a reason all the same: %+v", got[1])
	}
}

// stops is a Reader of entries a second apart that ends in an error.
type stops struct {
	ingest.Reader
	entries int64
	err     error
}

func (s *stops) Next(_ context.Context, e *ingest.Entry) error {
	if s.entries == 0 {
		return s.err
	}
	s.entries--
	*e = ingest.Entry{UnixNano: e.UnixNano + 1e9}
	return nil
}

func TestReachedTellsWhatWasNotRead(t *testing.T) {
	window := ingest.Window{Start: 0, End: 10e9}
	known := []analyze.Gap{{Start: analyze.At(1e9), End: analyze.At(2e9)}, {Start: analyze.At(7e9), End: analyze.At(8e9)}}
	for _, c := range []struct {
		name    string
		entries int64
		err     error
		gaps    []analyze.Gap
		want    string
	}{
		{"all was read", 3, nil, known, "1-2 7-8"},
		{"interrupted", 3, fmt.Errorf("reading: %w", context.Canceled), known, "1-2 3-10 interrupted 7-8"},
		{"before the first entry", 0, errors.New("status 502"), nil, "0-10 status 502"},
		{"known already", 3, errors.New("status 502"), []analyze.Gap{{Start: analyze.At(3e9), End: analyze.At(10e9), Reason: "told"}}, "3-10 told"},
		{"at the end", 10, errors.New("status 502"), nil, ""},
	} {
		r := &reached{Reader: &stops{entries: c.entries, err: cmp.Or(c.err, io.EOF)}}
		var e ingest.Entry
		for r.Next(t.Context(), &e) == nil {
		}
		var parts []string
		for _, g := range r.unread(c.gaps, window, c.err) {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d-%d %s", g.Start.Unix(), g.End.Unix(), g.Reason)))
		}
		if got := strings.Join(parts, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

package main

import (
	"context"
	"errors"
	"slices"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

// gapsOf tells the ranges of time that the server did not give out whole.
func gapsOf(gaps []loki.Gap) []analyze.Gap {
	out := make([]analyze.Gap, 0, len(gaps))
	for _, g := range gaps {
		gap := analyze.Gap{
			Start: analyze.At(g.Window.Start), End: analyze.At(g.Window.End),
			Received: g.Received, Reason: "the server gave out less than it counts",
		}
		if g.Counted >= 0 {
			counted := g.Counted
			gap.Counted = &counted
		}
		if g.Err != nil {
			gap.Reason = redacted(g.Err.Error())
		}
		out = append(out, gap)
	}
	return out
}

// reached remembers how far a read got. Entries come in order of time, so that
// what lies beyond the last one was not read.
type reached struct {
	ingest.Reader
	last int64
	any  bool
}

// Next implements ingest.Reader.
func (r *reached) Next(ctx context.Context, e *ingest.Entry) error {
	err := r.Reader.Next(ctx, e)
	if err == nil {
		r.last, r.any = e.UnixNano, true
	}
	return err
}

// unread adds the rest of the window to the gaps of a read that ended in an
// error, unless they reach to its end already.
func (r *reached) unread(gaps []analyze.Gap, w ingest.Window, err error) []analyze.Gap {
	start := w.Start
	if r.any {
		start = max(start, r.last)
	}
	if err == nil || start >= w.End {
		return gaps
	}
	for _, g := range gaps {
		if g.Start.UnixNano() <= start && g.End.UnixNano() >= w.End {
			return gaps
		}
	}
	reason := redacted(err.Error())
	if errors.Is(err, context.Canceled) {
		reason = "interrupted"
	}
	gaps = append(slices.Clone(gaps), analyze.Gap{Start: analyze.At(start), End: analyze.At(w.End), Reason: reason})
	slices.SortStableFunc(gaps, func(x, y analyze.Gap) int { return x.Start.Compare(y.Start.Time) })
	return gaps
}

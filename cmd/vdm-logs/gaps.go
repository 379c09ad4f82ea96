package main

import (
	"github.com/vdm-logs/vdm-logs/analyze"
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

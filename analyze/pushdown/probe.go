package pushdown

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// What the server's own level of a line is worth is seen in so many slices of
// the window, each this share of it long, and a minute at least.
const (
	probes     = 3
	probeShare = 1440
	// maxProbed is how many lines of a slice are read to be judged here.
	maxProbed = 5000
)

// probeSlices returns the slices of a window that are probed.
func probeSlices(w ingest.Window) []ingest.Window {
	length := max((w.End-w.Start)/probeShare, int64(time.Minute))
	if (w.End-w.Start)/probes <= length {
		return []ingest.Window{w}
	}
	out := make([]ingest.Window, probes)
	for i := range out {
		start := w.Start + (w.End-w.Start)/(2*probes)*int64(2*i+1) - length/2
		out[i] = ingest.Window{Start: start, End: start + length}
	}
	return out
}

// probe looks at slices of the window. The server's level is trusted unless it
// is info for a line that holds an alarm and does not state a harmless level
// itself; levels says that a line has a red one, and no alarm.
func (r *run) probe(ctx context.Context) (trusted, levels bool, err error) {
	trusted = true
	// Nothing is taken from a line that no text has found: that would cost the
	// server more than all the rest.
	keep := Lines{Label: levelLabel, Value: calmLevel, Any: alarms}
	windows := probeSlices(r.o.Window)
	red, calm := make([][]Count, len(windows)), make([][]Count, len(windows))
	g, both := errgroup.WithContext(ctx)
	for i, w := range windows {
		g.Go(func() (err error) {
			red[i], err = r.server.CountBy(both, Lines{Label: levelLabel, Value: redLevels, None: alarms}, nil, nil, w)
			return err
		})
		g.Go(func() (err error) {
			calm[i], err = r.server.CountBy(both, keep, nil, nil, w)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return false, false, err
	}
	for i, w := range windows {
		levels = levels || len(red[i]) > 0
		if trusted {
			trusted, err = r.harmless(ctx, keep, calm[i], w)
		}
		if err != nil {
			return false, false, err
		}
	}
	return trusted, levels, nil
}

// harmless reports whether the lines of a slice, which were counted, are below
// the level of a warning by what they state themselves.
func (r *run) harmless(ctx context.Context, keep Lines, calm []Count, w ingest.Window) (bool, error) {
	minutes, lines := minutesOf(calm, func(*Count) *ingest.Stream { return nil }), int64(0)
	for _, m := range minutes {
		lines += m.Lines
	}
	switch {
	case lines == 0:
		return true, nil
	case lines > maxProbed:
		// The server judges them by expressions, which know less.
		keep.None = append(slices.Clone(r.o.Filter.Except), r.o.Filter.Indented)
		left, err := r.server.CountBy(ctx, keep, nil, nil, w)
		return len(left) == 0, err
	}
	reader, err := r.server.ReadCounted(ctx, keep, minutes)
	if err != nil {
		return false, err
	}
	return allHarmless(ctx, reader)
}

// allHarmless reports whether all lines are, by what they state themselves,
// below the level of a warning, or belong to a header that is found by itself.
func allHarmless(ctx context.Context, reader Reader) (bool, error) {
	defer reader.Close()
	harmless := true
	asm := ingest.NewAssembler(ingest.AssemblerOptions{Lines: true}, func(rec *ingest.Record) error {
		stated := rec.Level > ingest.LevelUnknown && rec.Level < ingest.LevelWarn
		harmless = harmless && (stated || indented(string(rec.Text)))
		return nil
	})
	_, err := feed(ctx, reader, asm)
	return harmless, err
}

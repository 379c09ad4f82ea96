package pushdown

import (
	"context"
	"slices"
	"time"

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
	for _, w := range probeSlices(r.o.Window) {
		// Nothing is taken from a line that no text has found: that would cost
		// the server more than all the rest.
		red, err := r.server.CountBy(ctx, Lines{Label: levelLabel, Value: redLevels, None: alarms}, nil, nil, w)
		if err != nil {
			return false, false, err
		}
		levels = levels || len(red) > 0
		if !trusted {
			continue
		}
		keep := Lines{Label: levelLabel, Value: calmLevel, Any: alarms}
		calm, err := r.server.CountBy(ctx, keep, nil, nil, w)
		if err != nil {
			return false, false, err
		}
		minutes, lines := minutesOf(calm, func(*Count) *ingest.Stream { return nil }), int64(0)
		for _, m := range minutes {
			lines += m.Lines
		}
		switch {
		case lines == 0:
			continue
		case lines > maxProbed:
			// The server judges them by expressions, which know less.
			keep.None = append(slices.Clone(r.o.Filter.Except), r.o.Filter.Indented)
			left, err := r.server.CountBy(ctx, keep, nil, nil, w)
			if err != nil {
				return false, false, err
			}
			trusted = len(left) == 0
			continue
		}
		reader, err := r.server.ReadCounted(ctx, keep, minutes)
		if err != nil {
			return false, false, err
		}
		if trusted, err = allHarmless(ctx, reader); err != nil {
			return false, false, err
		}
	}
	return trusted, levels, nil
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

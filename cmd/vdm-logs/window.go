package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// windowFlags are the flags that choose a range of time.
type windowFlags struct {
	since, from, to string
	around, width   string
}

func (w *windowFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.since, "since", "", "how far back to read, such as 90m, 24h, 1d or 2w: from now in Loki (1h without it), from the newest entry in files (everything without it)")
	f.StringVar(&w.from, "from", "", "start of the window, inclusive: 2026-09-19T08:00:00Z, now-90m, or with --tz a date or a local time; 'vdm-logs docs time' has every form")
	f.StringVar(&w.to, "to", "", "end of the window, exclusive, written like --from, such as 2026-09-19T20:00:00+02:00 or now")
	f.StringVar(&w.around, "around", "", "read the neighbourhood of this `time`, written like --from; --window says how much")
	f.StringVar(&w.width, "window", "", "`length` of what --around reads, half before the time and half after it; 10m without it")
}

// window is the parsed form; zero where nothing was said.
type window struct {
	since    time.Duration
	from, to time.Time
}

// defaultAround is the --window of --around: a service's retries and the pass around them fit.
const defaultAround = 10 * time.Minute

// parse reads the flags. Times without a zone are in loc; nil refuses them.
// Now is what "now" means, for files as for Loki.
func (w *windowFlags) parse(loc *time.Location, now time.Time) (window, error) {
	if w.around != "" || w.width != "" {
		return w.parseAround(loc, now)
	}
	var out window
	var err error
	if w.since != "" {
		if w.from != "" {
			return out, usageError{err: errors.New("--since and --from both say where the window starts"), hint: "Give one of them."}
		}
		if out.since, err = parseLength("--since", w.since); err != nil {
			return out, err
		}
	}
	if out.from, err = parseInstant("--from", w.from, loc, now); err != nil {
		return out, err
	}
	if out.to, err = parseInstant("--to", w.to, loc, now); err != nil {
		return out, err
	}
	if out.from.IsZero() || out.to.IsZero() || out.from.Before(out.to) {
		return out, nil
	}
	hint := "The end is exclusive: it must be later than the start."
	if out.to.Before(out.from) {
		hint = fmt.Sprintf("Were they swapped? --from %s --to %s is a window of %s.", w.to, w.from, out.from.Sub(out.to))
	}
	return out, usageError{err: fmt.Errorf("the window is empty: --from %s is not before --to %s", w.from, w.to), hint: hint}
}

func (w *windowFlags) parseAround(loc *time.Location, now time.Time) (window, error) {
	switch {
	case w.around == "":
		return window{}, usageError{err: errors.New("--window says how much to read, but --around does not say of when"), hint: "Add --around TIME, or use --since " + w.width + " to read back from the end."}
	case w.since != "" || w.from != "" || w.to != "":
		return window{}, usageError{err: errors.New("--around chooses both ends of the window, and so do --since, --from and --to"), hint: "Give --around with --window, or the others."}
	}
	middle, err := parseInstant("--around", w.around, loc, now)
	if err != nil {
		return window{}, err
	}
	width := defaultAround
	if w.width != "" {
		if width, err = parseLength("--window", w.width); err != nil {
			return window{}, err
		}
	}
	return window{from: middle.Add(-width / 2), to: middle.Add(width - width/2)}, nil
}

// defaultSince is how far back Loki is read where nothing is said.
const defaultSince = time.Hour

// resolveWindow fixes Loki's window once, so that every request speaks of the
// same. Since is how far back it reaches where the flags do not say it; empty
// is defaultSince.
func resolveWindow(w window, since string, now time.Time) ingest.Window {
	end := w.to
	if end.IsZero() {
		end = now
	}
	start := w.from
	if start.IsZero() {
		configured, _ := duration(since)
		start = end.Add(-cmp.Or(w.since, configured, defaultSince))
	}
	return ingest.Window{Start: start.UnixNano(), End: end.UnixNano()}
}

// checkBegun refuses a window of Loki's that begins only after its end, which
// is now where nothing else was said.
func checkBegun(w ingest.Window, now time.Time) error {
	if w.Start < w.End {
		return nil
	}
	return usageError{
		err:  fmt.Errorf("the window is empty: it starts at %s, and now is %s", time.Unix(0, w.Start).UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339)),
		hint: "Give a --from that lies in the past, or a --to after it.",
	}
}

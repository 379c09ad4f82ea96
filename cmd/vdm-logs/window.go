package main

import (
	"fmt"
	"time"

	"github.com/prometheus/common/model"
	"github.com/spf13/pflag"
)

// windowFlags are the flags that choose a range of time.
type windowFlags struct {
	since, from, to string
}

func (w *windowFlags) register(f *pflag.FlagSet) {
	f.StringVar(&w.since, "since", "", "how far back to read, such as 90m, 24h, 1d or 2w: from now in Loki (1h without it), from the newest entry in files (everything without it)")
	f.StringVar(&w.from, "from", "", "start of the window, inclusive, such as 2026-09-19T08:00:00Z")
	f.StringVar(&w.to, "to", "", "end of the window, exclusive, such as 2026-09-19T20:00:00+02:00")
}

// window is the parsed form; zero where nothing was said.
type window struct {
	since    time.Duration
	from, to time.Time
}

func (w *windowFlags) parse() (window, error) {
	var out window
	var err error
	if w.since != "" {
		if out.since, err = parseSince(w.since); err != nil {
			return out, err
		}
		if w.from != "" {
			return out, usageError{err: fmt.Errorf("--since and --from both say where the window starts"), hint: "Give one of them."}
		}
	}
	if out.from, err = parseInstant("--from", w.from); err != nil {
		return out, err
	}
	if out.to, err = parseInstant("--to", w.to); err != nil {
		return out, err
	}
	if !out.from.IsZero() && !out.to.IsZero() && !out.from.Before(out.to) {
		return out, usageError{err: fmt.Errorf("the window is empty: --from %s is not before --to %s", w.from, w.to)}
	}
	return out, nil
}

// parseSince reads a Prometheus duration (1d, 2w, 1h30m) or one of Go's
// (1.5h).
func parseSince(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		var pd model.Duration
		pd, err = model.ParseDuration(s)
		d = time.Duration(pd)
	}
	switch {
	case err != nil:
		return 0, usageError{err: fmt.Errorf("--since %q is no duration", s), hint: "Write a number and a unit: 90m, 24h, 1d, 2w, 1h30m."}
	case d <= 0:
		return 0, usageError{err: fmt.Errorf("--since %s is not positive", s)}
	}
	return d, nil
}

func parseInstant(flag, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC(), nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return time.Time{}, usageError{
				err:  fmt.Errorf("%s %q names no time zone", flag, s),
				hint: fmt.Sprintf("Write %s for UTC, or another offset.", t.Format(time.RFC3339)),
			}
		}
	}
	return time.Time{}, usageError{err: fmt.Errorf("%s %q is no time", flag, s), hint: "Write it in RFC 3339, such as 2026-09-19T08:00:00Z or 2026-09-19T10:00:00+02:00."}
}

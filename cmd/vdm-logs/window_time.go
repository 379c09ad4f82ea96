package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// The years whose times can be told in nanoseconds since 1970.
const minInstantYear, maxInstantYear = 1678, 2261

// parseLength reads a Prometheus duration (1d, 2w, 1h30m) or one of Go's
// (1.5h), which must be positive.
func parseLength(flag, s string) (time.Duration, error) {
	d, err := duration(s)
	switch {
	case err != nil:
		hint := "Write a number and a unit: 90m, 24h, 1d, 2w, 1h30m."
		if _, err := strconv.ParseFloat(s, 64); err == nil {
			hint = fmt.Sprintf("A unit is missing: %ss, %sm, %sh or %sd?", s, s, s, s)
		}
		return 0, usageError{err: fmt.Errorf("%s %q is no duration", flag, s), hint: hint}
	case d <= 0:
		return 0, usageError{err: fmt.Errorf("%s %s is not positive", flag, s), hint: "Write how long, such as 90m or 24h."}
	}
	return d, nil
}

func duration(s string) (time.Duration, error) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, nil
	}
	d, err := model.ParseDuration(s)
	return time.Duration(d), err
}

// zonedLayouts name their zone; localLayouts do not. In both, a fraction of
// the second may follow, as everywhere in package time.
var (
	zonedLayouts = []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02 15:04 Z07:00"}
	localLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly}
)

// parseInstant reads a point in time:
//
//	2026-09-19T08:00:00Z          RFC 3339; seconds may be left out, T may be a space
//	now, now-90m, now+1h          by the clock of this machine
//	1789804800                    Unix time in s, ms, us or ns, by its number of digits
//	2026-09-19T08:00, 2026-09-19  a local time or a midnight, of zone loc
//
// A time without a zone where loc is nil is a mistake, as is a local time that
// a change of the clock leaves out or has twice. An empty text is no time.
func parseInstant(flag, s string, loc *time.Location, now time.Time) (time.Time, error) {
	text := strings.TrimSpace(s)
	if s == "" {
		return time.Time{}, nil
	}
	t, err := readInstant(text, loc, now)
	var ue usageError
	switch {
	case errors.As(err, &ue):
		return time.Time{}, usageError{err: fmt.Errorf("%s %q %w", flag, s, ue.err), hint: ue.hint}
	case err != nil:
		return time.Time{}, err
	case t.Year() < minInstantYear || t.Year() > maxInstantYear:
		return time.Time{}, usageError{err: fmt.Errorf("%s %q lies outside of the years %d to %d", flag, s, minInstantYear, maxInstantYear), hint: "Is the year right?"}
	}
	return t.UTC(), nil
}

// readInstant is parseInstant without the words around; its usage errors say what
// the text does, for instance "names no time zone".
func readInstant(s string, loc *time.Location, now time.Time) (time.Time, error) {
	if rest, ok := strings.CutPrefix(s, "now"); ok {
		return nowPlus(rest, now)
	}
	if t, ok := unixTime(s); ok {
		return t, nil
	}
	upper := strings.ToUpper(s)
	for _, layout := range zonedLayouts {
		if t, err := time.Parse(layout, upper); err == nil {
			return t, nil
		}
	}
	for _, layout := range localLayouts {
		t, err := time.Parse(layout, upper)
		if err != nil {
			continue
		}
		if loc == nil {
			return time.Time{}, usageError{
				err:  errors.New("names no time zone"),
				hint: fmt.Sprintf("Write %s for UTC, or another offset; or say with --tz which zone it is in, such as --tz Europe/Berlin.", t.Format(time.RFC3339Nano)),
			}
		}
		return inZone(t, loc)
	}
	return time.Time{}, usageError{
		err:  errors.New("is no time"),
		hint: "Write it in RFC 3339, such as 2026-09-19T08:00:00Z or 2026-09-19T10:00:00+02:00, or as now-90m.",
	}
}

func nowPlus(rest string, now time.Time) (time.Time, error) {
	if rest == "" {
		return now, nil
	}
	d, err := duration(strings.TrimSpace(rest[1:]))
	if rest[0] != '-' && rest[0] != '+' || err != nil || d < 0 {
		return time.Time{}, usageError{err: errors.New("is no time"), hint: "Write now, or now and a duration: now-90m, now-1d, now+5m."}
	}
	if rest[0] == '-' {
		d = -d
	}
	return now.Add(d), nil
}

// unixTime reads seconds, milliseconds, microseconds or nanoseconds since
// 1970, told apart by how many digits today's times have in each.
func unixTime(s string) (time.Time, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil {
		return time.Time{}, false
	}
	switch len(s) {
	case 10:
		return time.Unix(int64(n), 0), true
	case 13:
		return time.UnixMilli(int64(n)), true
	case 16:
		return time.UnixMicro(int64(n)), true
	case 19:
		return time.Unix(0, int64(n)), true
	}
	return time.Time{}, false
}

// inZone reads the wall clock of t in loc. The clock shows some times twice
// and others never, when it is set.
func inZone(t time.Time, loc *time.Location) (time.Time, error) {
	// The offsets in use around it: a clock is set by less than a day.
	wall := t.Unix()
	var found []time.Time
	for _, around := range []time.Duration{-24 * time.Hour, 24 * time.Hour} {
		_, offset := t.Add(around).In(loc).Zone()
		at := time.Unix(wall-int64(offset), int64(t.Nanosecond())).In(loc)
		if _, got := at.Zone(); got == offset && (len(found) == 0 || !found[0].Equal(at)) {
			found = append(found, at)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return time.Time{}, usageError{
			err:  fmt.Errorf("does not exist in %s: the clock was set forward over it", loc),
			hint: "Write the time with its offset, such as " + time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, loc).Format(time.RFC3339) + ".",
		}
	}
	return time.Time{}, usageError{
		err:  fmt.Errorf("happened twice in %s: the clock was set back over it", loc),
		hint: fmt.Sprintf("Write %s for the first or %s for the second.", found[0].Format(time.RFC3339Nano), found[1].Format(time.RFC3339Nano)),
	}
}

// parseZone reads the value of --tz: a name of the tz database, UTC, Local for
// this machine's, or an offset such as +02:00. An empty text is no zone: nil.
func parseZone(s string) (*time.Location, error) {
	switch {
	case s == "":
		return nil, nil
	case strings.EqualFold(s, "local"):
		return time.Local, nil
	case strings.EqualFold(s, "utc") || s == "Z":
		return time.UTC, nil
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s); err == nil {
			_, offset := t.Zone()
			return time.FixedZone(t.Format("-07:00"), offset), nil
		}
	}
	loc, err := time.LoadLocation(s)
	if err != nil {
		return nil, usageError{err: fmt.Errorf("--tz %q is no time zone", s), hint: "Write a name of the tz database, such as Europe/Berlin; or UTC, Local, or an offset such as +02:00."}
	}
	return loc, nil
}

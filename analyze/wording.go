package analyze

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// moment is how a finding's sentence tells a time: to the second. The fields
// of the Analysis have all digits.
func moment(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339) }

// span prints a duration without its empty units: 48m, 3h, 1m30s.
func span(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// measured prints a duration that was estimated, with no digit that the
// uncertainty does not allow: 180.000 s, 48.0 min would claim too much where
// the spread is seconds. Below an hour it speaks in seconds, so that 180.000 s
// and 179.2 s are compared at a glance.
func measured(d, uncertainty time.Duration) string {
	switch {
	case d < 0:
		return "-" + measured(-d, uncertainty)
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d)
	}
	unit, name := time.Second, "s"
	switch {
	case d < time.Millisecond:
		unit, name = time.Microsecond, "µs"
	case d < time.Second:
		unit, name = time.Millisecond, "ms"
	case d >= time.Hour:
		step := time.Second
		if uncertainty >= time.Minute {
			step = time.Minute
		}
		return span(d.Round(step))
	}
	digits := 3
	if uncertainty > 0 {
		digits = int(math.Ceil(-math.Log10(float64(uncertainty) / float64(unit))))
	}
	return strconv.FormatFloat(float64(d)/float64(unit), 'f', min(max(digits, 0), 3), 64) + " " + name
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

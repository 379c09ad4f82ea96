package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// short prints a span in its two largest units.
func short(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
	case d >= time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.String()
}

// about prints a span to the minute from ten minutes on and to the second
// below, without empty units.
func about(d time.Duration) string {
	step := time.Minute
	switch {
	case d < 10*time.Second:
		step = 100 * time.Millisecond
	case d < 10*time.Minute:
		step = time.Second
	}
	s := short(d.Round(step))
	for _, empty := range []string{"m00s", "h00m", "d0h"} {
		if strings.HasSuffix(s, empty) {
			return s[:len(s)-len(empty)+1]
		}
	}
	return s
}

// rate prints how many events of n come in a unit of time, where d lies
// between the first and the last of them: in the smallest of the units second,
// minute, hour and day in which it is at least one. Two events have no rate.
func rate(n int64, d time.Duration) string {
	if n < 3 || d <= 0 {
		return ""
	}
	perSecond := float64(n-1) / d.Seconds()
	for _, u := range []struct {
		name    string
		seconds float64
	}{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}} {
		x := perSecond * u.seconds
		if x < 1 && u.name != "d" {
			continue
		}
		if x >= 10 {
			return thousands(int64(x+0.5)) + "/" + u.name
		}
		return strconv.FormatFloat(x, 'f', 1, 64) + "/" + u.name
	}
	return ""
}

// count prints a number with its noun.
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands prints a number with a comma every three digits.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

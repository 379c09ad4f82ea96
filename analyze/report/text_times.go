package report

import (
	"regexp"
	"time"
)

// A clockFace prints instants in one zone, always with their offset. Dates are
// left out of those on the day of the window, where it lies within one day.
type clockFace struct {
	zone *time.Location
	day  string // the date of the window, empty where it has several
	year int
}

func newClockFace(s Screen, start, end time.Time) clockFace {
	c := clockFace{zone: s.Zone}
	if c.zone == nil {
		c.zone = time.UTC
	}
	first, last := start.In(c.zone), end.In(c.zone)
	c.year = last.Year()
	if first.Format(time.DateOnly) == last.Format(time.DateOnly) {
		c.day = last.Format(time.DateOnly)
	}
	return c
}

// at prints an instant, layout being that of the time of day without offset.
func (c clockFace) at(t time.Time, layout string) string {
	t = t.In(c.zone)
	layout += "Z07:00"
	switch {
	case t.Format(time.DateOnly) == c.day:
		return t.Format(layout)
	case t.Year() == c.year:
		return t.Format("01-02 " + layout)
	}
	return t.Format("2006-01-02 " + layout)
}

// span prints the window, the date of its end only where it is another one.
func (c clockFace) span(start, end time.Time, arrow string) string {
	start, end = start.In(c.zone), end.In(c.zone)
	const day, clock = "2006-01-02 ", "15:04:05Z07:00"
	s := start.Format(day+clock) + " " + arrow + " "
	if start.Format(time.DateOnly) == end.Format(time.DateOnly) {
		return s + end.Format(clock)
	}
	return s + end.Format(day+clock)
}

// utcTime finds the times that findings tell, in RFC 3339 and UTC.
var utcTime = regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)

// retell prints the times in a finding's sentence as the rest of the report
// prints them.
func (c clockFace) retell(text string) string {
	return utcTime.ReplaceAllStringFunc(text, func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return s
		}
		layout := "15:04:05"
		if i := len("2006-01-02T15:04:05"); s[i] == '.' {
			layout += "." + s[i+1:len(s)-1]
			digits := []byte(layout)
			for j := len("15:04:05."); j < len(digits); j++ {
				digits[j] = '0'
			}
			layout = string(digits)
		}
		return c.at(t, layout)
	})
}

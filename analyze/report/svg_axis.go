package report

import (
	"strconv"
	"strings"
	"time"
)

// A svgTick is one labelled place of a time axis, in per cent of its length.
type svgTick struct {
	X     string
	Label string
	// Wide says that narrow screens leave the label out.
	Wide bool
	date bool
}

// The steps that a time axis may take, up to a day; whole days after that.
var svgSteps = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
	24 * time.Hour, 2 * 24 * time.Hour, 7 * 24 * time.Hour, 14 * 24 * time.Hour, 28 * 24 * time.Hour, 91 * 24 * time.Hour, 364 * 24 * time.Hour,
}

const (
	svgTicksMost = 9    // labels on a wide screen
	svgTicksEdge = 0.03 // of the length at each end, where a label would be cut off
)

// svgTimeAxis labels round moments of the range, in the range's own zone. A tick
// at midnight is labelled with its date.
func svgTimeAxis(start, end time.Time) []svgTick {
	span := end.Sub(start)
	if span <= 0 {
		return nil
	}
	step := time.Duration(0)
	for _, s := range svgSteps {
		if step = s; span/s <= svgTicksMost {
			break
		}
	}
	for span/step > svgTicksMost {
		step *= 2
	}
	layout := "15:04"
	switch {
	case step < time.Second:
		layout = "15:04:05.000"
	case step < time.Minute:
		layout = "15:04:05"
	}
	// Steps are counted from midnight of the first day, as its clock shows it.
	y, m, d := start.Date()
	var out []svgTick
	for i := int64(0); ; i++ {
		var t time.Time
		if step >= 24*time.Hour {
			t = time.Date(y, m, d+int(i)*int(step/(24*time.Hour)), 0, 0, 0, 0, start.Location())
		} else {
			if i == 0 {
				midnight := time.Date(y, m, d, 0, 0, 0, 0, start.Location())
				i = int64(start.Sub(midnight) / step)
			}
			t = time.Date(y, m, d, 0, 0, 0, 0, start.Location()).Add(time.Duration(i) * step)
		}
		if !t.Before(end) {
			break
		}
		x := float64(t.Sub(start)) / float64(span)
		if x < svgTicksEdge || x > 1-svgTicksEdge {
			continue
		}
		k := svgTick{X: svgPercent(x), Label: t.Format(layout)}
		if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 && t.Nanosecond() == 0 {
			k.Label, k.date = t.Format("01-02"), true
		}
		out = append(out, k)
	}
	if len(out) > 5 {
		kept := 0 // dates are kept on narrow screens, where there are any
		for i := range out {
			if out[i].date {
				kept = i % 2
				break
			}
		}
		for i := range out {
			out[i].Wide = i%2 != kept
		}
	}
	return out
}

// svgSpanAxis labels the quarters of a length of time.
func svgSpanAxis(length time.Duration) []svgTick {
	out := make([]svgTick, 0, 3)
	for i := 1; i <= 3; i++ {
		out = append(out, svgTick{X: svgPercent(float64(i) / 4), Label: htmlSpan(length * time.Duration(i) / 4), Wide: i != 2})
	}
	return out
}

// svgPercent prints a share of a length as an attribute's value.
func svgPercent(x float64) string { return svgNumber(100*x) + "%" }

// svgNumber prints a number for an attribute, to two digits and no longer
// than it must be.
func svgNumber(x float64) string {
	s := strconv.FormatFloat(x, 'f', 2, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if s == "-0" {
		return "0"
	}
	if whole, rest, ok := strings.Cut(s, "0."); ok && (whole == "" || whole == "-") {
		return whole + "." + rest
	}
	return s
}

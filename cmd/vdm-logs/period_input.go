package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
)

// A periodCase is the events that one search looks at.
type periodCase struct {
	id     string
	series []period.Series
}

// maxPeriodLine bounds one line of input; what is longer ends the run.
const maxPeriodLine = 64 << 20

// readPeriodCases reads cases as JSON lines, or all lines of times as one case,
// and hands each to yield. It returns what was skipped, and the error that
// ended the input or yield's.
func readPeriodCases(r io.Reader, name string, yield func(periodCase) error) (skippedLines, error) {
	var skipped skippedLines
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 64<<10), maxPeriodLine)
	var times timeLines
	cases, any := false, false
	for n := 1; sc.Scan(); n++ {
		line := bytes.TrimSpace(sc.Bytes())
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if !any {
			any, cases = true, line[0] == '{'
		}
		if !cases {
			if err := times.add(string(line)); err != nil {
				skipped.add(n, err)
			}
			continue
		}
		c, err := decodePeriodCase(line)
		if err != nil {
			skipped.add(n, err)
			continue
		}
		if err := yield(c); err != nil {
			return skipped, err
		}
	}
	if err := sc.Err(); err != nil {
		return skipped, err
	}
	if cases {
		return skipped, nil
	}
	return skipped, yield(periodCase{id: name, series: times.series()})
}

// decodePeriodCase reads one case, and puts its events in order.
func decodePeriodCase(line []byte) (periodCase, error) {
	var v struct {
		ID         string   `json:"id"`
		Resolution int64    `json:"resolution_ns"`
		Streams    []string `json:"streams"`
		Stream     []int    `json:"stream"`
		Times      []int64  `json:"timestamps_ns"`
	}
	if err := json.Unmarshal(line, &v); err != nil {
		return periodCase{}, err
	}
	if v.Stream != nil && len(v.Stream) != len(v.Times) {
		return periodCase{}, fmt.Errorf("case %q: %d entries in stream for %d in timestamps_ns", v.ID, len(v.Stream), len(v.Times))
	}
	if v.Resolution < 0 {
		return periodCase{}, fmt.Errorf("case %q: resolution_ns is negative", v.ID)
	}
	if len(v.Streams) == 0 {
		v.Streams = []string{""}
	}
	c := periodCase{id: v.ID, series: make([]period.Series, len(v.Streams))}
	for i, name := range v.Streams {
		c.series[i] = period.Series{Stream: name, Resolution: time.Duration(v.Resolution)}
	}
	for i, t := range v.Times {
		s := 0
		if v.Stream != nil {
			s = v.Stream[i]
		}
		if s < 0 || s >= len(c.series) {
			return periodCase{}, fmt.Errorf("case %q: event %d is of stream %d, and there are %d", v.ID, i, s, len(c.series))
		}
		c.series[s].Times = append(c.series[s].Times, t)
	}
	for _, s := range c.series {
		slices.Sort(s.Times)
	}
	return c, nil
}

// timeLines collects lines of times; streams are in the order of first mention.
type timeLines struct {
	byName map[string]int
	list   []period.Series
	step   time.Duration // the finest that a time's digits show
}

// add reads a line: a time, or a time and a stream's name in either order.
func (l *timeLines) add(line string) error {
	t, step, name, err := splitTimeLine(line)
	if err != nil {
		return err
	}
	if l.step == 0 || step < l.step {
		l.step = step
	}
	i, ok := l.byName[name]
	if !ok {
		if l.byName == nil {
			l.byName = map[string]int{}
		}
		i = len(l.list)
		l.byName[name] = i
		l.list = append(l.list, period.Series{Stream: name})
	}
	l.list[i].Times = append(l.list[i].Times, t)
	return nil
}

func (l *timeLines) series() []period.Series {
	for i := range l.list {
		l.list[i].Resolution = l.step
		slices.Sort(l.list[i].Times)
	}
	return l.list
}

// splitTimeLine finds the time at the start or the end of a line; the rest is
// the stream's name.
func splitTimeLine(line string) (t int64, step time.Duration, name string, err error) {
	words := strings.Fields(line)
	for take := min(2, len(words)); take > 0; take-- {
		if t, step, err = parseEventTime(strings.Join(words[:take], " ")); err == nil {
			return t, step, strings.Join(words[take:], " "), nil
		}
		end := len(words) - take
		if t, step, err = parseEventTime(strings.Join(words[end:], " ")); err == nil {
			return t, step, strings.Join(words[:end], " "), nil
		}
	}
	return 0, 0, "", fmt.Errorf("no time in %s", strconv.Quote(clip(line, 60)))
}

// clip shortens s to about n bytes, at a character's border.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}

// parseEventTime reads one time and how fine its notation is.
func parseEventTime(s string) (ns int64, step time.Duration, err error) {
	if ns, step, ok := parseUnix(s); ok {
		return ns, step, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if t.Year() < 1678 || t.Year() > 2261 {
			return 0, 0, fmt.Errorf("%s is outside the years that nanoseconds can count", strconv.Quote(s))
		}
		return t.UnixNano(), fractionStep(s), nil
	}
	return 0, 0, fmt.Errorf("%s is not a time", strconv.Quote(clip(s, 60)))
}

// fractionStep returns the step that the digits after a time's seconds show.
func fractionStep(s string) time.Duration {
	_, after, ok := strings.Cut(s, ".")
	if !ok {
		_, after, _ = strings.Cut(s, ",")
	}
	step := time.Second
	for _, c := range []byte(after) {
		if c < '0' || c > '9' || step == 1 {
			break
		}
		step /= 10
	}
	return step
}

// unixUnits are the units of a Unix time by its size: below 1e11 it is in
// seconds (until the year 5138), below 1e14 in milliseconds, and so on.
var unixUnits = []struct {
	below int64
	unit  time.Duration
}{
	{1e11, time.Second},
	{1e14, time.Millisecond},
	{1e17, time.Microsecond},
	{1<<63 - 1, time.Nanosecond},
}

// parseUnix reads a Unix time with or without a decimal fraction.
func parseUnix(s string) (ns int64, step time.Duration, ok bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	v, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || v < 0 || whole[0] == '+' {
		return 0, 0, false
	}
	for _, u := range unixUnits {
		if v >= u.below {
			continue
		}
		if v >= (1<<63-1)/int64(u.unit) {
			return 0, 0, false
		}
		ns, step = v*int64(u.unit), u.unit
		for _, c := range []byte(fraction) {
			if c < '0' || c > '9' {
				return 0, 0, false
			}
			if step > 1 {
				step /= 10
				ns += int64(c-'0') * int64(step)
			}
		}
		return ns, step, true
	}
	return 0, 0, false
}

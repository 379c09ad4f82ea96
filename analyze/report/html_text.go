package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// The longest texts of each kind that the page shows, in bytes.
const (
	htmlName    = 400  // a Source, an event, a pod, a stream
	htmlSaying  = 2000 // a template, a finding's sentence, a reason
	htmlNothing = "–"  // stands for what is not known
)

// htmlFew is how many are shown of what there are only a few of in an analysis:
// clocks of an incident, things of one length, links.
const htmlFew = 8

// atMost returns the first n of a list.
func atMost[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// htmlCut makes text harmless and one line of at most max bytes; a cut leaves out
// the middle and says how much that was.
func htmlCut(text string, max int) string {
	if len(text) > 4*max {
		// Most of it would be thrown away after being looked at.
		text = text[:htmlBorder(text, 2*max)] + text[htmlBorder(text, len(text)-2*max):]
	}
	text = visible(text)
	if len(text) <= max {
		return text
	}
	head, tail := htmlBorder(text, max*2/3), htmlBorder(text, len(text)-max/3)
	return text[:head] + " … " + text[tail:]
}

// htmlCutLines makes text harmless and keeps its lines; of more than max bytes the
// first are kept, and note says what was left out.
func htmlCutLines(text string, max int) (shown, note string) {
	if len(text) > max {
		whole := len(text)
		text = text[:htmlBorder(text, max)]
		note = fmt.Sprintf("the first %s of %s bytes are shown", thousands(int64(len(text))), thousands(int64(whole)))
	}
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	for i, l := range lines {
		lines[i] = visible(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n"), note
}

// htmlBorder returns the last place at or before i where a character starts.
func htmlBorder(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// at prints a time to the second, with its date and offset.
func (p *page) at(t time.Time) string { return t.In(p.zone).Format("2006-01-02 15:04:05Z07:00") }

// clock prints a time to the second with its offset, without the date where
// the whole window lies in one day.
func (p *page) clock(t time.Time) string { return p.face.at(t, "15:04:05") }

// instant prints a time to the millisecond.
func (p *page) instant(t time.Time) string { return p.face.at(t, "15:04:05.000") }

// offsetName names the zone that labels without an offset are in.
func (p *page) offsetName() string {
	from, to := p.start.Format("Z07:00"), p.end.Format("Z07:00")
	name := func(o string) string {
		if o == "Z" {
			return "UTC"
		}
		return "UTC" + o
	}
	if from != to {
		return name(from) + ", later " + name(to)
	}
	return name(from)
}

// htmlSpan prints a length of time for an axis or a sentence: 45 s, 3 min, 2 h.
func htmlSpan(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d >= 48*time.Hour && d%(24*time.Hour) == 0:
		return fmt.Sprintf("%d d", d/(24*time.Hour))
	case d >= time.Hour:
		d = d.Round(time.Minute)
		if d%time.Hour == 0 {
			return fmt.Sprintf("%d h", d/time.Hour)
		}
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= 2*time.Minute:
		d = d.Round(time.Second)
		if d%time.Minute == 0 {
			return fmt.Sprintf("%d min", d/time.Minute)
		}
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	case d >= 10*time.Second:
		return fmt.Sprintf("%d s", d.Round(time.Second)/time.Second)
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Millisecond:
		return fmt.Sprintf("%.3g ms", float64(d)/float64(time.Millisecond))
	}
	return d.String()
}

// htmlShare prints part of all in per cent, never rounding something to nothing
// or less than all to all.
func htmlShare(part, all int64) string {
	switch {
	case all <= 0:
		return htmlNothing
	case part == all:
		return "100 %"
	case part == 0:
		return "0 %"
	}
	f := 100 * float64(part) / float64(all)
	switch {
	case f < 1:
		return "< 1 %"
	case f > 99:
		return "> 99 %"
	}
	return fmt.Sprintf("%.0f %%", f)
}

// htmlSureness prints a confidence in per cent; only 1 is certain.
func htmlSureness(c float64) string {
	switch {
	case c >= 0.9995:
		return "> 99.9 %"
	case c >= 0.995:
		return fmt.Sprintf("%.1f %%", 100*c)
	}
	return fmt.Sprintf("%.0f %%", 100*c)
}

// htmlNameOf is what an incident is called: its Source, or what it says where
// nothing tells what emitted it.
func htmlNameOf(inc *analyze.Incident) string {
	if inc.Source != "" {
		return htmlCut(inc.Source, htmlName)
	}
	return htmlCut("(no Source) "+inc.Template, htmlName)
}

// htmlBetween prints the ends of an interval to two digits of its width: in
// seconds, and in hours, minutes and seconds from an hour on.
func htmlBetween(lowNs, highNs int64) string {
	digits := 9
	if width := float64(highNs-lowNs) / 1e9; width > 0 {
		digits = min(max(1-int(math.Floor(math.Log10(width))), 0), 9)
	}
	print := func(ns int64, unit string) string {
		seconds := strconv.FormatFloat(float64(ns)/1e9, 'f', digits, 64)
		if highNs < int64(time.Hour) {
			return seconds + unit
		}
		// Rounding may have made a full minute of the seconds.
		step := int64(math.Pow10(9 - digits))
		ns = (ns + step/2) / step * step
		seconds = strconv.FormatFloat(float64(ns%int64(time.Minute))/1e9, 'f', digits, 64)
		if ns%int64(time.Minute) < 10e9 {
			seconds = "0" + seconds
		}
		return fmt.Sprintf("%dh%02dm%ss", ns/int64(time.Hour), ns%int64(time.Hour)/int64(time.Minute), seconds)
	}
	return print(lowNs, "") + " – " + print(highNs, " s")
}

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/period"
	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// A periodPrinter writes the answer to one case after the other.
type periodPrinter struct {
	out    io.Writer
	format string
	named  []period.Named
	screen report.Screen
	cases  int
}

// print writes one case whole, so that an interruption leaves no half answer.
func (p *periodPrinter) print(c periodCase, found []period.Recurrence) error {
	w := bufio.NewWriter(p.out)
	if p.format == "jsonl" {
		if err := json.NewEncoder(report.PlainJSON(w)).Encode(p.answer(c, found)); err != nil {
			return err
		}
		return w.Flush()
	}
	if p.cases++; p.cases > 1 {
		fmt.Fprintln(w)
	}
	p.text(w, c, found)
	return w.Flush()
}

// The JSON of one case. Lengths and times are in nanoseconds.
type periodAnswer struct {
	SchemaVersion int          `json:"schemaVersion"`
	ID            string       `json:"id"`
	Events        int          `json:"events"`
	Periodic      bool         `json:"periodic"`
	Periods       []periodJSON `json:"periods"`
}

type periodJSON struct {
	PeriodNs       int64         `json:"periodNs"`
	Period         string        `json:"period"`
	LowNs          int64         `json:"lowNs"`
	HighNs         int64         `json:"highNs"`
	JitterNs       int64         `json:"jitterNs"`
	Kind           period.Kind   `json:"kind"`
	KindConfidence float64       `json:"kindConfidence"`
	FalseAlarm     float64       `json:"falseAlarm"`
	EvidenceNats   float64       `json:"evidenceNats"`
	Events         int           `json:"events"`
	Slots          int           `json:"slots"`
	Missed         int           `json:"missed"`
	Explained      float64       `json:"explained"`
	Streams        []string      `json:"streams"`
	Phases         []phaseJSON   `json:"phases"`
	Segments       []segmentJSON `json:"segments"`
	Pass           *passJSON     `json:"pass,omitempty"`
	Matches        []matchJSON   `json:"matches"`
}

type phaseJSON struct {
	Stream     string  `json:"stream"`
	OffsetNs   int64   `json:"offsetNs"`
	Events     int     `json:"events"`
	Slots      int     `json:"slots"`
	Missed     int     `json:"missed"`
	MissedAtNs []int64 `json:"missedAtNs"`
	NextDue    string  `json:"nextDue"`
	Overdue    int     `json:"overdue"`
}

type segmentJSON struct {
	Stream string `json:"stream"`
	First  string `json:"first"`
	Last   string `json:"last"`
	Events int    `json:"events"`
	Slots  int    `json:"slots"`
}

type passJSON struct {
	CycleNs   int64 `json:"cycleNs"`
	RunLength int   `json:"runLength"`
	Runs      int   `json:"runs"`
}

type matchJSON struct {
	Text     string   `json:"text"`
	Names    []string `json:"names"`
	LengthNs int64    `json:"lengthNs"`
	ErrorNs  int64    `json:"errorNs"`
	Chance   float64  `json:"chance"`
}

func (p *periodPrinter) answer(c periodCase, found []period.Recurrence) periodAnswer {
	a := periodAnswer{SchemaVersion: 1, ID: c.id, Periodic: len(found) > 0, Periods: []periodJSON{}}
	for _, s := range c.series {
		a.Events += len(s.Times)
	}
	for _, r := range found {
		j := periodJSON{
			PeriodNs: int64(r.Period), Period: r.Period.String(), LowNs: int64(r.Low), HighNs: int64(r.High), JitterNs: int64(r.Jitter),
			Kind: r.Kind, KindConfidence: r.KindConfidence, FalseAlarm: r.FalseAlarm, EvidenceNats: r.Evidence,
			Events: r.Events, Slots: r.Slots, Missed: r.Missed, Explained: r.Explained,
			Streams: streamsOf(r), Phases: []phaseJSON{}, Segments: []segmentJSON{}, Matches: []matchJSON{},
		}
		for _, ph := range r.Phases {
			j.Phases = append(j.Phases, phaseJSON{
				Stream: ph.Stream, OffsetNs: int64(ph.Offset), Events: ph.Events, Slots: ph.Slots, Missed: ph.Missed,
				MissedAtNs: append([]int64{}, ph.MissedAt...), NextDue: instant(ph.NextDue), Overdue: ph.Overdue,
			})
		}
		for _, s := range r.Segments {
			j.Segments = append(j.Segments, segmentJSON{Stream: s.Stream, First: instant(s.First), Last: instant(s.Last), Events: s.Events, Slots: s.Slots})
		}
		if r.Pass != nil {
			j.Pass = &passJSON{CycleNs: int64(r.Pass.Cycle), RunLength: r.Pass.RunLength, Runs: r.Pass.Runs}
		}
		for _, m := range period.Matches(r.Period, r.Low, r.High, p.named) {
			j.Matches = append(j.Matches, matchJSON{Text: m.Text, Names: m.Names, LengthNs: int64(m.Length), ErrorNs: int64(m.Error), Chance: m.Chance})
		}
		a.Periods = append(a.Periods, j)
	}
	return a
}

// streamsOf returns the names of the streams of r, each once.
func streamsOf(r period.Recurrence) []string {
	out := []string{}
	last := -1
	for _, ph := range r.Phases {
		if ph.Series != last {
			out = append(out, ph.Stream)
		}
		last = ph.Series
	}
	return out
}

// instant formats a time in nanoseconds as RFC 3339 with all its digits.
func instant(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

// maxShownPhases bounds the streams and phases that text lists.
const maxShownPhases = 20

func (p *periodPrinter) text(w io.Writer, c periodCase, found []period.Recurrence) {
	events, first, last := 0, int64(math.MaxInt64), int64(math.MinInt64)
	for _, s := range c.series {
		if n := len(s.Times); n > 0 {
			events += n
			first, last = min(first, s.Times[0]), max(last, s.Times[n-1])
		}
	}
	head := fmt.Sprintf("%s: %s on %s", c.id, count(events, "event"), count(len(c.series), "stream"))
	if events > 0 {
		head += fmt.Sprintf(", %s to %s", instant(first), instant(last))
	}
	p.say(w, "", "", head)
	if len(found) == 0 {
		p.say(w, "", "", "nothing recurs with a fixed period")
	}
	for _, r := range found {
		fmt.Fprintln(w)
		p.recurrence(w, c, r)
	}
}

// say writes a sentence behind an indent, wrapped to the screen.
func (p *periodPrinter) say(w io.Writer, indent, style, text string) {
	p.screen.Paragraph(w, indent, len(indent), style, text)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") {
		what += "e"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

var kindWords = map[period.Kind]string{
	period.FixedRate:   "fixed rate: late events do not move the next",
	period.FixedDelay:  "fixed delay: each waits for the one before",
	period.Cron:        "fixed rate on the wall clock, like cron",
	period.UnknownKind: "fixed rate or fixed delay: not decidable yet",
}

func (p *periodPrinter) recurrence(w io.Writer, c periodCase, r period.Recurrence) {
	plus := p.screen.Sign("±", "+-")
	p.say(w, "", report.Bold, fmt.Sprintf("every %s %s %s, %s (%.0f %%)", exactly(r.Period, r.High-r.Low), plus, exactly(r.Jitter, r.Jitter/10), kindWords[r.Kind], 100*r.KindConfidence))
	p.say(w, "  ", "", fmt.Sprintf("period within %s and %s (95 %%); by chance: %s", exactly(r.Low, r.High-r.Low), exactly(r.High, r.High-r.Low), chanceText(r)))
	p.say(w, "  ", "", fmt.Sprintf("%s, %.0f %% of all on these streams; %d of %s missed", count(r.Events, "event"), 100*r.Explained, r.Missed, count(r.Slots, "slot")))
	if r.Pass != nil {
		in := fmt.Sprintf("in %s of %d", count(r.Pass.Runs, "pass"), r.Pass.RunLength)
		if r.Pass.Cycle > 0 {
			in += fmt.Sprintf(", again every %s", r.Pass.Cycle.Round(time.Millisecond))
		}
		p.say(w, "  ", "", in)
	}
	for _, m := range period.Matches(r.Period, r.Low, r.High, p.named) {
		p.say(w, "  ", report.Cyan, fmt.Sprintf("= %s (%s, off by %s; by chance %s)", m.Text, m.Length, exactly(m.Error, r.High-r.Low), chancePercent(m.Chance)))
	}
	p.strips(w, c, r)
}

// exactly formats d with the digits that a width of uncertainty leaves: seconds
// below ten minutes, hours and minutes above.
func exactly(d, width time.Duration) string {
	digits, step := 9, time.Nanosecond
	for digits > 0 && step*20 <= width {
		step *= 10
		digits--
	}
	switch abs := d.Abs(); {
	case abs < time.Second:
		return d.Round(step).String()
	case abs < 10*time.Minute:
		return fmt.Sprintf("%.*f s", digits, d.Seconds())
	}
	return d.Round(step).String()
}

func chanceText(r period.Recurrence) string {
	if r.Evidence > 25 {
		return "less than 1 in 10^" + fmt.Sprint(int(r.Evidence/math.Ln10))
	}
	odds := math.Exp(r.Evidence)
	digit := math.Pow(10, math.Max(0, math.Floor(math.Log10(odds))-1)) // two digits are known at most
	return fmt.Sprintf("1 in %.0f", math.Round(odds/digit)*digit)
}

func chancePercent(x float64) string {
	if x < 0.0001 {
		return "below 0.01 %"
	}
	return fmt.Sprintf("%.2g %%", 100*x)
}

// The columns that a strip may take.
const stripLeast, stripMost = 8, 60

// strips draws, for every phase, where in the period the stream's events lie.
func (p *periodPrinter) strips(w io.Writer, c periodCase, r period.Recurrence) {
	shown := r.Phases[:min(len(r.Phases), maxShownPhases)]
	name, late := len("stream"), false
	for _, ph := range shown {
		name = max(name, report.Columns(p.screen.Safe(ph.Stream)))
		late = late || ph.Overdue > 0
	}
	const others = len("  ") + len("  ||") + len("  events  missed  2026-09-19 08:10:03.500Z")
	strip := max(stripLeast, min(stripMost, p.screen.Width-others-min(name, 40)))
	if late {
		strip = max(stripLeast, strip-len("  overdue"))
	}
	axis := "0 phase"
	if r.Kind == period.FixedDelay {
		axis = "-P/2 .. P/2 of when it was due"
	}
	cols := []report.Column{{Head: "stream", Give: report.LoseMiddle}, {Head: p.screen.Fit(axis, strip+2)}, {Head: "events", Right: true}, {Head: "missed", Right: true}}
	if late {
		cols = append(cols, report.Column{Head: "overdue", Right: true})
	}
	cols = append(cols, report.Column{Head: "next due"})
	rows := make([][]string, len(shown))
	for i, ph := range shown {
		rows[i] = []string{ph.Stream, "|" + p.strip(c.series[ph.Series].Times, r, ph, strip) + "|", strconv.Itoa(ph.Events), strconv.Itoa(ph.Missed)}
		if late {
			rows[i] = append(rows[i], strconv.Itoa(ph.Overdue))
		}
		rows[i] = append(rows[i], time.Unix(0, ph.NextDue).UTC().Format("2006-01-02 15:04:05.000Z"))
	}
	p.screen.Table(w, 2, cols, rows)
	if more := len(r.Phases) - len(shown); more > 0 {
		p.say(w, "  ", "", fmt.Sprintf("and %d more", more))
	}
}

// strip is a histogram of the events of one stream folded by the period. A
// recurrence of fixed delay has no grid, so each of its events is folded by the
// event before it.
func (p *periodPrinter) strip(times []int64, r period.Recurrence, ph period.Phase, width int) string {
	counts := make([]int, width)
	most := 0
	base := ph.NextDue - int64(ph.Offset)
	for i, t := range times {
		if r.Kind == period.FixedDelay {
			if i == 0 {
				continue
			}
			base = times[i-1] - int64(r.Period)/2
		}
		x := math.Mod(float64(t-base)/float64(r.Period), 1)
		if x < 0 {
			x++
		}
		b := min(int(x*float64(width)), width-1)
		counts[b]++
		most = max(most, counts[b])
	}
	levels := []rune("▁▂▃▄▅▆▇█")
	if p.screen.ASCII {
		levels = []rune(".:-=+*#@")
	}
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(levels[(n*len(levels)-1)/most])
	}
	return b.String()
}

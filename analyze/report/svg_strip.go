package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// A svgStrip shows the events of one stream folded by a recurrence: along it lies
// the time within the period, or within the cycle of a pass, and every slot or
// cycle is a row, the oldest on top. What keeps a clock stands upright.
type svgStrip struct {
	Whole   string // the stream's name
	Head    string // of what of it is shown, left out on narrow screens
	Tail    string
	Box     string
	Height  int
	Members string // path
	Others  string
	Missed  string
	Pauses  string
	Caught  int64 // slots with an event
	Slots   int64
	Next    string
	About   string
}

// folded is how the strips of one recurrence are folded.
type svgStrips struct {
	ID     string
	Strips []svgStrip
	More   int // streams that are not drawn
	Ticks  []svgTick
	Row    string // what one row is
	Length string // of a row
	Base   string // when the first row begins
	Drifts bool   // the recurrence keeps no phase
	Cut    bool   // not every event or missed slot is drawn
	Pauses bool
	Missed bool
	Others bool
}

const (
	svgStripWidth  = 1000 // units
	svgStripLow    = 14   // pixels
	svgStripHigh   = 72
	svgStripRow    = 6 // pixels of a row where there are few
	svgTickLow     = 3 // pixels of a tick, at the least
	svgStripMargin = 0.1
	svgName        = 24 // letters of a stream's name
	svgNameTail    = 10 // and of its end, on narrow screens
)

// foldStrips draws the streams of a recurrence, at most atMost of them: those
// with the most events, in the recurrence's own order.
func (p *page) foldStrips(r *analyze.Recurrence, atMost int) svgStrips {
	length := r.PeriodNs
	out := svgStrips{Row: "one period, " + r.Period}
	if r.Pass != nil && r.Pass.CycleNs > 0 {
		length = r.Pass.CycleNs
		out.Row = "one cycle, " + r.Pass.Cycle
	}
	phases := svgDrawable(r.Phases, atMost)
	out.More = len(r.Phases) - len(phases)
	out.Drifts = r.Kind == "fixed-delay"
	if length <= 0 || len(phases) == 0 {
		return svgStrips{More: len(r.Phases)}
	}
	base := svgFoldBase(phases, length)
	out.Base = p.instant(time.Unix(0, base))
	out.Ticks, out.Length = svgSpanAxis(time.Duration(length)), htmlSpan(time.Duration(length))
	for _, ph := range phases {
		s := p.stripOf(ph, base, length)
		out.Strips = append(out.Strips, s)
		out.Cut = out.Cut || !ph.Ticks.Complete
		out.Pauses = out.Pauses || s.Pauses != ""
		out.Missed = out.Missed || s.Missed != ""
		out.Others = out.Others || s.Others != ""
	}
	return out
}

// svgDrawable chooses the phases with the most events, in their own order.
func svgDrawable(phases []analyze.Phase, atMost int) []*analyze.Phase {
	var out []*analyze.Phase
	for i := range phases {
		if len(phases[i].Ticks.MembersNs) > 0 {
			out = append(out, &phases[i])
		}
	}
	if len(out) <= atMost {
		return out
	}
	least := slices.Clone(out)
	slices.SortStableFunc(least, func(a, b *analyze.Phase) int { return int(min(max(b.Events-a.Events, -1), 1)) })
	least = least[atMost:]
	return slices.DeleteFunc(out, func(ph *analyze.Phase) bool { return slices.Contains(least, ph) })
}

// svgFoldBase chooses where rows begin: shortly after the widest stretch of the
// period in which no stream has an event, so that no clock stands at the edge,
// and at or before the first event of all.
func svgFoldBase(phases []*analyze.Phase, length int64) int64 {
	var places []int64
	first := int64(math.MaxInt64)
	for _, ph := range phases {
		from := ph.Ticks.From.UnixNano()
		for _, m := range ph.Ticks.MembersNs {
			places = append(places, svgModulo(from+m, length))
			first = min(first, from+m)
		}
		for _, o := range ph.Ticks.OthersNs {
			first = min(first, from+o)
		}
	}
	slices.Sort(places)
	gap, start := length-places[len(places)-1]+places[0], places[0]
	for i := 1; i < len(places); i++ {
		if d := places[i] - places[i-1]; d > gap {
			gap, start = d, places[i]
		}
	}
	start -= min(gap/2, int64(svgStripMargin*float64(length)))
	return first - svgModulo(first-start, length)
}

func svgModulo(a, b int64) int64 { return ((a % b) + b) % b }

// svgStrip draws one stream.
func (p *page) stripOf(ph *analyze.Phase, base, length int64) svgStrip {
	from := ph.Ticks.From.UnixNano() - base
	name := ph.Stream
	if name == "" {
		name = ph.Pod
	}
	s := svgStrip{
		Whole: htmlCut(name, htmlName), Caught: ph.Slots - ph.Missed, Slots: ph.Slots, Next: htmlNothing,
	}
	// Replicas differ at the ends of their names.
	s.Tail = htmlTail(s.Whole, svgNameTail)
	if s.Tail != s.Whole {
		shown := htmlTail(s.Whole, svgName)
		s.Tail = strings.TrimPrefix(s.Tail, "…")
		s.Head = strings.TrimSuffix(shown, s.Tail)
	}
	if ph.NextDue != nil {
		s.Next = p.instant(ph.NextDue.Time)
	}
	// Rows in which nothing was due and nothing happened are left out.
	var rows []int64
	for _, list := range [][]int64{ph.Ticks.MembersNs, ph.Ticks.OthersNs, ph.Ticks.MissedNs} {
		for _, t := range list {
			rows = append(rows, (from+t-svgModulo(from+t, length))/length)
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	s.Height = min(max(len(rows)*svgStripRow, svgStripLow), svgStripHigh)
	s.Box = fmt.Sprintf("0 0 %d %d", svgStripWidth, len(rows))
	draw := func(list []int64, put func(b *strings.Builder, x float64, row int)) string {
		var b strings.Builder
		for _, t := range list {
			within := svgModulo(from+t, length)
			row, _ := slices.BinarySearch(rows, (from+t-within)/length)
			put(&b, float64(within)/float64(length)*svgStripWidth, row)
		}
		return b.String()
	}
	// A tick is a row high, with a gap where rows can be told apart, and never
	// lower than can be seen.
	long := 1.0
	if s.Height >= 3*len(rows) {
		long = 0.8
	}
	full := "v" + svgNumber(max(long, svgTickLow*float64(len(rows))/float64(s.Height)))
	tick := func(b *strings.Builder, x float64, row int) { fmt.Fprintf(b, "M%s %d%s", svgNumber(x), row, full) }
	s.Members, s.Others = draw(ph.Ticks.MembersNs, tick), draw(ph.Ticks.OthersNs, tick)
	s.Missed = draw(ph.Ticks.MissedNs, func(b *strings.Builder, x float64, row int) {
		fmt.Fprintf(b, "M%s %d.4h20", svgNumber(max(x-10, 0)), row)
	})
	var pauses strings.Builder
	for i := 1; i < len(rows); i++ {
		if rows[i] > rows[i-1]+1 {
			fmt.Fprintf(&pauses, "M0 %dh%d", i, svgStripWidth)
		}
	}
	s.Pauses = pauses.String()
	s.About = fmt.Sprintf("%s: %s of %s slots filled", s.Whole, thousands(s.Caught), thousands(s.Slots))
	return s
}

// htmlTail keeps the end of a name, where replicas differ.
func htmlTail(name string, letters int) string {
	rs := []rune(name)
	if len(rs) <= letters {
		return name
	}
	return "…" + string(rs[len(rs)-letters+1:])
}

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// htmlColours is how many incidents have a colour of their own in the
// overview; the others share one.
const htmlColours = 5

// overview draws the records of all incidents over each other.
func (p *page) overview() *svgChart {
	var series [][]int64
	var classes, names []string
	var rest []int64
	for i := range p.an.Incidents {
		inc := &p.an.Incidents[i]
		if i < htmlColours {
			series = append(series, inc.Timeline)
			classes, names = append(classes, htmlClass(i+1)), append(names, fmt.Sprint(i+1))
			continue
		}
		for k, n := range inc.Timeline {
			if k == len(rest) {
				rest = append(rest, 0)
			}
			rest[k] += n
		}
	}
	if rest != nil {
		series = append(series, rest)
		classes, names = append(classes, "s0"), append(names, "others")
		p.Others = count(int64(len(p.an.Incidents)-htmlColours), "further incident", "further incidents")
	}
	var total []int64
	for _, counts := range series {
		for k, n := range counts {
			if k == len(total) {
				total = append(total, 0)
			}
			total[k] += n
		}
	}
	busiest, at := svgHighest(total)
	if busiest == 0 {
		return nil
	}
	p.Bar = p.sliceLength(len(total))
	c := &svgChart{
		ID: "overview-chart", Name: "Records of all incidents over the window",
		About: fmt.Sprintf("%s in %s; the busiest %s, %s, has %s.",
			count(svgSum(total), "record", "records"), count(int64(len(p.an.Incidents)), "incident", "incidents"), p.Bar, p.between(at, len(total)), thousands(busiest)),
		Box: svgUprightBox(len(total), svgOverviewHeight), Ticks: svgTimeAxis(p.start, p.end), Gaps: p.gaps(),
	}
	for k, path := range svgStacked(series, svgOverviewHeight) {
		c.Layers = append(c.Layers, svgLayer{Class: classes[k], Path: path})
	}
	for i, n := range total {
		if n == 0 {
			continue
		}
		var parts []string
		for k, counts := range series {
			if i < len(counts) && counts[i] > 0 {
				parts = append(parts, names[k]+": "+thousands(counts[i]))
			}
		}
		c.Tips = append(c.Tips, svgTip{X: i, Text: p.between(i, len(total)) + " · incident " + strings.Join(parts, ", ")})
	}
	all := make([]int, len(p.Marks))
	for i := range all {
		all[i] = i
	}
	marks, rows := p.marked(all)
	c.Marks = marks
	c.settle(svgOverviewHeight, rows)
	return c
}

// A coverage says what of the window was read.
type coverage struct {
	Chart    *svgChart
	Empty    string // the longest stretch without a record
	Query    string
	Server   string // what the server did of the reading
	Filters  []string
	Filtered bool // only what is near to matching lines was read
	Bytes    string
	Notes    []string
	Gaps     []gapRow
	MoreGaps int // left out
	Sources  []sourceRow
	More     int // sources left out
	Problems []string
	Unsaid   int // problems left out
}

type gapRow struct{ From, To, Length, Received, Counted, Reason string }

type sourceRow struct{ Name, Format, Compression, Entries string }

// How much of each is told of the read.
const (
	htmlProblems = 50
	htmlFilters  = 20 // that the server was given
	htmlGaps     = 50 // ranges that were not read whole
)

// gaps are the ranges that were not read whole, on a chart of the window.
func (p *page) gaps() []svgBand {
	var out []svgBand
	for _, g := range p.an.Read.Gaps[:min(len(p.an.Read.Gaps), htmlGaps)] {
		from, _ := p.place(g.Start.Time)
		to, _ := p.place(g.End.Time)
		from, to = min(max(from, 0), 1), min(max(to, 0), 1)
		if to > from {
			out = append(out, svgBand{
				X: svgPercent(from), W: svgPercent(max(to-from, 0.002)),
				Title: "not read whole: " + p.clock(g.Start.Time) + " – " + p.clock(g.End.Time),
			})
		}
	}
	return out
}

func (p *page) covered() *coverage {
	r := &p.an.Read
	c := &coverage{Query: htmlCut(r.Query, htmlSaying)}
	if r.Bytes > 0 {
		c.Bytes = htmlBytes(r.Bytes)
	}
	if text := server(r.Server); text != "" {
		c.Server, c.Filtered = htmlCut(text, htmlSaying), true
		for i, f := range r.Server.Filters {
			if i == htmlFilters {
				c.Filters = append(c.Filters, fmt.Sprintf("and %d more", len(r.Server.Filters)-i))
				break
			}
			c.Filters = append(c.Filters, htmlCut(f, htmlSaying))
		}
	}
	if r.Repeated > 0 {
		word := "are counted"
		if r.Deduplicated {
			word = "were dropped"
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%s an earlier one in stream, time and line; they %s.", count(r.Repeated, "entry equals", "entries equal"), word))
	}
	if r.OutOfOrder > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s before an earlier one in the file and %s put in order.", count(r.OutOfOrder, "entry stood", "entries stood"), wasWere(r.OutOfOrder)))
	}
	for i, g := range r.Gaps {
		if i == htmlGaps {
			c.MoreGaps = len(r.Gaps) - i
			break
		}
		row := gapRow{
			From: p.clock(g.Start.Time), To: p.clock(g.End.Time), Length: short(g.End.Sub(g.Start.Time)),
			Received: thousands(g.Received), Counted: htmlNothing, Reason: htmlCut(g.Reason, htmlSaying),
		}
		if g.Counted != nil {
			row.Counted = thousands(*g.Counted)
		}
		c.Gaps = append(c.Gaps, row)
	}
	for i, s := range r.Sources {
		if i == htmlSources {
			c.More = len(r.Sources) - i
			break
		}
		c.Sources = append(c.Sources, sourceRow{htmlCut(s.Name, htmlName), s.Format, strings.TrimPrefix(s.Compression, "none"), thousands(s.Entries)})
	}
	for i, text := range r.Problems {
		if i == htmlProblems {
			c.Unsaid = len(r.Problems) - i
			break
		}
		c.Problems = append(c.Problems, htmlCut(text, htmlSaying))
	}
	p.coverageChart(c)
	return c
}

func wasWere(n int64) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// coverageChart draws how many records each slice of the window has.
func (p *page) coverageChart(c *coverage) {
	counts := p.an.Read.Timeline
	busiest, _ := svgHighest(counts)
	if busiest == 0 && len(p.an.Read.Gaps) == 0 {
		return
	}
	longest, run, at, silent := 0, 0, 0, 0
	for i, n := range counts {
		if run++; n > 0 {
			run = 0
		} else {
			silent++
		}
		if run > longest {
			longest, at = run, i-run+1
		}
	}
	slice := p.end.Sub(p.start) / time.Duration(max(len(counts), 1))
	if longest > 0 && longest < len(counts) && slice >= time.Second {
		from := p.start.Add(time.Duration(at) * slice)
		c.Empty = fmt.Sprintf("The longest stretch without a record, in steps of %s, is from %s to %s.",
			htmlSpan(slice), p.clock(from), p.clock(from.Add(time.Duration(longest)*slice)))
	}
	c.Chart = &svgChart{
		ID: "coverage-chart", Name: "Records read over the window",
		About: fmt.Sprintf("%d of %d equal slices have records; %s not read whole.", len(counts)-silent, len(counts), count(int64(len(p.an.Read.Gaps)), "range was", "ranges were")),
		Box:   svgUprightBox(len(counts), svgCoverageHeight), Ticks: svgTimeAxis(p.start, p.end), Gaps: p.gaps(),
		Layers: []svgLayer{{Class: "s0", Path: svgUpright(counts, svgCoverageHeight)}},
	}
	c.Chart.settle(svgCoverageHeight, 0)
}

// timeline draws one incident's records over the window.
func (p *page) timeline(n int, inc *analyze.Incident) *svgChart {
	busiest, at := svgHighest(inc.Timeline)
	if busiest == 0 {
		return nil
	}
	c := &svgChart{
		ID: fmt.Sprintf("t%d", n), Name: fmt.Sprintf("Records of incident %d over the window", n),
		About: fmt.Sprintf("The busiest %s, %s, has %s.", p.sliceLength(len(inc.Timeline)), p.between(at, len(inc.Timeline)), count(busiest, "record", "records")),
		Box:   svgUprightBox(len(inc.Timeline), svgTimelineHeight), Ticks: svgTimeAxis(p.start, p.end), Gaps: p.gaps(),
		Layers: []svgLayer{{Class: htmlClass(n), Path: svgUpright(inc.Timeline, svgTimelineHeight)}},
	}
	marks, rows := p.marked(inc.Marks)
	c.Marks = marks
	c.settle(svgTimelineHeight, rows)
	return c
}

// htmlClass is the class of the n-th incident's colour.
func htmlClass(n int) string {
	if n > htmlColours {
		return "s0"
	}
	return fmt.Sprintf("s%d", n)
}

// htmlBytes prints a number of bytes, exactly where it is small.
func htmlBytes(n int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB"}
	if n < 10_000 {
		return thousands(n) + " B"
	}
	f, i := float64(n)/1024, 0
	for f >= 1024 && i < len(units)-1 {
		f, i = f/1024, i+1
	}
	return fmt.Sprintf("%.3g %s", f, units[i])
}

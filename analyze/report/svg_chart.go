package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A svgChart is a picture over a range of time. Its width is that of the page:
// what lies along it is given in per cent, or drawn in a box of its own units
// that is stretched; letters are never stretched.
type svgChart struct {
	ID          string // of the page's elements; empty for a chart without a description
	Name, About string // what it is, and what it shows, for those who do not see it
	Top         int    // pixels above the plot, for the letters of marks
	Height      int    // pixels of the plot
	Total       int    // pixels of everything
	Box         string // the plot's own units, as a viewBox
	Layers      []svgLayer
	Ticks       []svgTick
	Marks       []svgMark
	Gaps        []svgBand
	Tips        []svgTip
}

// A svgLayer is one path of a chart.
type svgLayer struct{ Class, Path string }

// A svgMark is a dated event on a chart.
type svgMark struct {
	X      string
	Letter string
	Y      int // of the letter
	Title  string
}

// A svgBand is a stretch of a chart.
type svgBand struct{ X, W, Title string }

// A svgTip is what a slice of a chart says under the pointer.
type svgTip struct {
	X    int
	Text string
}

// The heights of charts in pixels.
const (
	svgSparkHeight    = 20
	svgTimelineHeight = 56
	svgOverviewHeight = 150
	svgCoverageHeight = 32
	svgAxisHeight     = 18
	svgMarkRow        = 13 // for one row of letters of marks
)

// svgCells sums counts to at most n cells.
func svgCells(counts []int64, n int) []int64 {
	if len(counts) <= n {
		return counts
	}
	cells := make([]int64, n)
	for i, c := range counts {
		cells[i*n/len(counts)] += c
	}
	return cells
}

func svgHighest(counts []int64) (n int64, at int) {
	for i, c := range counts {
		if c > n {
			n, at = c, i
		}
	}
	return n, at
}

func svgSum(counts []int64) int64 {
	n := int64(0)
	for _, c := range counts {
		n += c
	}
	return n
}

// svgUpright draws counts as upright strokes, one unit of width each, as high as
// their share of the highest. What is not zero is at least one unit high.
func svgUpright(counts []int64, height int) string {
	highest, _ := svgHighest(counts)
	var path strings.Builder
	for i, n := range counts {
		if n <= 0 {
			continue
		}
		h := max(int(float64(height)*float64(n)/float64(highest)+0.5), 1)
		fmt.Fprintf(&path, "M%d %dv-%d", i, height, h)
	}
	return path.String()
}

// svgOutline draws counts as one filled shape, as high in each slice as its
// share of the highest: less to write than strokes.
func svgOutline(counts []int64, height int) string {
	highest, _ := svgHighest(counts)
	var path strings.Builder
	fmt.Fprintf(&path, "M0 %d", height)
	last := 0
	for i, n := range counts {
		h := 0
		if n > 0 {
			h = max(int(float64(height)*float64(n)/float64(highest)+0.5), 1)
		}
		if h == last {
			continue
		}
		if i > 0 {
			fmt.Fprintf(&path, "H%d", i)
		}
		fmt.Fprintf(&path, "V%d", height-h)
		last = h
	}
	fmt.Fprintf(&path, "H%dV%dZ", len(counts), height)
	return path.String()
}

// svgUprightBox is the viewBox of what upright draws.
func svgUprightBox(slices, height int) string {
	return "-.5 0 " + strconv.Itoa(max(slices, 1)) + " " + strconv.Itoa(height)
}

// svgStacked draws several counts over each other, one path each.
func svgStacked(series [][]int64, height int) []string {
	paths := make([]strings.Builder, len(series))
	total := []int64{}
	for _, counts := range series {
		for i, n := range counts {
			if i == len(total) {
				total = append(total, 0)
			}
			total[i] += n
		}
	}
	highest, _ := svgHighest(total)
	room := float64(height - len(series)) // each may be rounded up to one unit
	for i := range total {
		y := height
		for k, counts := range series {
			if i >= len(counts) || counts[i] <= 0 {
				continue
			}
			h := max(int(room*float64(counts[i])/float64(highest)+0.5), 1)
			fmt.Fprintf(&paths[k], "M%d %dv-%d", i, y, h)
			y -= h
		}
	}
	out := make([]string, len(series))
	for k := range paths {
		out[k] = paths[k].String()
	}
	return out
}

// place returns where in the window a time lies, as a share of its length,
// and whether it lies in it at all.
func (p *page) place(t time.Time) (float64, bool) {
	span := p.end.Sub(p.start)
	if span <= 0 {
		return 0, false
	}
	x := float64(t.Sub(p.start)) / float64(span)
	return x, x >= 0 && x <= 1
}

// between names a slice of the window by its ends.
func (p *page) between(slice, slices int) string {
	at := func(i int) time.Time {
		return p.start.Add(time.Duration(float64(p.end.Sub(p.start)) * float64(i) / float64(slices)))
	}
	return p.clock(at(slice)) + " – " + p.clock(at(slice+1))
}

// sliceLength says how long one of n slices of the window is.
func (p *page) sliceLength(n int) string {
	return htmlSpan(p.end.Sub(p.start) / time.Duration(max(n, 1)))
}

// marked places those marks of the window that chosen names. Letters that
// would touch stand in two rows; it returns how many rows there are.
func (p *page) marked(chosen []int) (marks []svgMark, rows int) {
	const touching = 0.035
	last := [2]float64{-1, -1} // places of the newest letter in each row
	for _, i := range chosen {
		if i < 0 || i >= len(p.Marks) || !p.Marks[i].inside {
			continue
		}
		if len(marks) == htmlMarks {
			break
		}
		m := &p.Marks[i]
		row := 0
		if m.x-last[0] < touching && m.x-last[1] > m.x-last[0] {
			row = 1
		}
		last[row] = m.x
		rows = max(rows, row+1)
		marks = append(marks, svgMark{X: svgPercent(m.x), Letter: m.Letter, Y: row, Title: m.What + " " + m.When})
	}
	for i := range marks {
		marks[i].Y = (rows-1-marks[i].Y)*svgMarkRow + 10
	}
	return marks, rows
}

// htmlLetter names the i-th mark: A to Z, then AA.
func htmlLetter(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return htmlLetter(i/26-1) + htmlLetter(i%26)
}

// Bottom is where the plot ends.
func (c *svgChart) Bottom() int { return c.Top + c.Height }

// settle adds up a chart's heights.
func (c *svgChart) settle(height, rows int) {
	c.Height, c.Top = height, rows*svgMarkRow
	c.Total = c.Top + height
	if len(c.Ticks) > 0 {
		c.Total += svgAxisHeight
	}
}

package report

import (
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// The levels of a timeline's bars, the first for no record at all: an empty
// slice is drawn, so that silence is seen.
var (
	blocks      = []rune("·▁▂▃▄▅▆▇█")
	blocksASCII = []rune("_.:-=+*#@")
)

// buckets sums a timeline's equal slices into as many equal buckets as room
// has columns for, the last of which may cover fewer. Unequal buckets would
// show beats where there are none.
func buckets(timeline []int64, room int) (sums []int64, slicesEach int) {
	if len(timeline) == 0 || room < 1 {
		return nil, 0
	}
	slicesEach = (len(timeline) + room - 1) / room
	sums = make([]int64, (len(timeline)+slicesEach-1)/slicesEach)
	for i, n := range timeline {
		sums[i/slicesEach] += n
	}
	return sums, slicesEach
}

// level is how high a count is drawn where most is the greatest: 0 for none,
// a quarter a record where there are no more than four, and in proportion
// otherwise, so that a lone record does not tower.
func level(n, most int64) int64 {
	if n <= 0 {
		return 0
	}
	most = max(most, 4)
	return max(1, (n*8+most/2)/most)
}

func (s Screen) levels() []rune {
	if s.ASCII {
		return blocksASCII
	}
	return blocks
}

// unreadSign stands where nothing is known to have happened because not all of
// the time was read.
const unreadSign = '?'

// bars draws counts as a level each; holes, if there are any, are the places
// that were not read whole.
func (s Screen) bars(counts []int64, holes []bool) string {
	scale := s.levels()
	most := slices.Max(counts)
	style := func(i int) string {
		switch {
		case counts[i] > 0:
			return cyan
		case holes != nil && holes[i]:
			return yellow
		}
		return dim
	}
	var b strings.Builder
	for i := 0; i < len(counts); {
		var run strings.Builder
		first := style(i)
		for ; i < len(counts) && style(i) == first; i++ {
			if first == yellow {
				run.WriteRune(unreadSign)
				continue
			}
			run.WriteRune(scale[level(counts[i], most)])
		}
		b.WriteString(s.paint(first, run.String()))
	}
	return b.String()
}

// timeline draws an incident's records over the window: the bars with what the
// highest stands for, an axis of times, and the marks that concern it.
func (t *text) timeline(inc *analyze.Incident) {
	start, end := t.an.Window.Start.Time, t.an.Window.End.Time
	room := t.s.Width - len(margin)
	sums, each := buckets(inc.Timeline, room-2)
	if len(sums) < 8 || slices.Max(sums) <= 0 || !start.Before(end) {
		return
	}
	left, right := t.s.sign("▏", "|"), t.s.sign("▕", "|")
	row := t.s.paint(dim, left) + t.s.bars(sums, t.holes(len(sums))) + t.s.paint(dim, right)
	length := end.Sub(start) / time.Duration(len(inc.Timeline)) * time.Duration(each)
	most := slices.Max(sums)
	scale := string(t.s.levels()[level(most, most)]) + " " + thousands(most) + " in " + about(length)
	if free := room - len(sums) - 2; columns(scale)+1 <= free {
		row += " " + t.s.paint(dim, scale)
		scale = ""
	}
	t.row(row)
	ax := axis{start: start, end: end, buckets: len(sums), room: room, face: t.face}
	t.row(t.s.paint(dim, ax.line(t.s)))
	for _, l := range ax.marks(t.s, t.an.Marks, inc.Marks) {
		t.row(l)
	}
	if scale != "" {
		t.row(t.s.paint(dim, scale))
	}
}

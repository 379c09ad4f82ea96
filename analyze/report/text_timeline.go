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

// bars draws counts as a level each.
func (s Screen) bars(counts []int64) string {
	scale := s.levels()
	most := slices.Max(counts)
	var b strings.Builder
	for i := 0; i < len(counts); {
		empty := counts[i] == 0
		var run strings.Builder
		for ; i < len(counts) && (counts[i] == 0) == empty; i++ {
			run.WriteRune(scale[level(counts[i], most)])
		}
		style := cyan
		if empty {
			style = dim
		}
		b.WriteString(s.paint(style, run.String()))
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
	row := t.s.paint(dim, left) + t.s.bars(sums) + t.s.paint(dim, right)
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

package ingest

import (
	"bytes"
	"cmp"
	"slices"
)

// pairing gives the parts of a tie group to its heads.
type pairing struct {
	t        *tieGroup
	heads    []int
	messages [][]int // by head
	stacks   [][]int
}

// tieRecord is one record of a settled group.
type tieRecord struct {
	head   int
	own    []int
	stack  []int
	shared bool // header and stack belong to another record already
}

// maxPairs bounds the comparisons of one group; above it headers and parts are
// paired in canonical order. maxCompared bounds the bytes of a part that are
// looked at.
const (
	maxPairs    = 1 << 12
	maxCompared = 4 << 10
)

// pair distributes parts and returns those no head can take. With waiting, a
// header of an earlier time is open and still needs a message: it gets one if
// there are more messages than headers here.
func (p *pairing) pair(parts []int, waiting bool) (rest []int) {
	p.messages = make([][]int, len(p.heads))
	p.stacks = make([][]int, len(p.heads))
	var messages, stack []int
	for _, i := range parts {
		if p.t.units[i].kind == kindMessage {
			messages = append(messages, i)
		} else {
			stack = append(stack, i)
		}
	}
	takers := p.takers()
	if len(takers) == 0 {
		return parts
	}
	left := p.first(messages)
	if waiting && len(left) > 0 {
		rest, left = left[:1], left[1:]
	}
	scored := len(takers)
	if scored*len(left) > maxPairs {
		scored = 0
	}
	for _, m := range left {
		best, most := takers[0], -1
		for _, h := range takers[:scored] {
			if n := p.fit(h, m); n > most {
				best, most = h, n
			}
		}
		p.messages[best] = append(p.messages[best], m)
	}
	p.giveStack(stack, takers)
	return rest
}

// takers are the heads that can have parts.
func (p *pairing) takers() (takers []int) {
	for h, i := range p.heads {
		if !p.t.units[i].head.format.selfContained() {
			takers = append(takers, h)
		}
	}
	return takers
}

// first gives each .NET header its one message, best fits first, and returns
// the messages that are left.
func (p *pairing) first(messages []int) (left []int) {
	type fit struct{ score, head, message int }
	var fits []fit
	var wanting []int
	for h, i := range p.heads {
		if u := &p.t.units[i]; u.head.format == FormatDotnetConsole && u.head.message.start == u.head.message.end {
			wanting = append(wanting, h)
		}
	}
	if len(wanting) == 0 {
		return messages
	}
	scored := len(wanting)*len(messages) <= maxPairs
	for x, h := range wanting {
		if !scored {
			if x < len(messages) {
				fits = append(fits, fit{0, h, x})
			}
			continue
		}
		for m, i := range messages {
			fits = append(fits, fit{p.fit(h, i), h, m})
		}
	}
	slices.SortStableFunc(fits, func(x, y fit) int { return cmp.Compare(y.score, x.score) })
	taken := make([]bool, len(messages))
	for _, f := range fits {
		if len(p.messages[f.head]) == 0 && !taken[f.message] {
			p.messages[f.head] = append(p.messages[f.head], messages[f.message])
			taken[f.message] = true
		}
	}
	for m, i := range messages {
		if !taken[m] {
			left = append(left, i)
		}
	}
	return left
}

// fit says how well a message goes with a head.
func (p *pairing) fit(h, message int) int {
	u := &p.t.units[p.heads[h]]
	line := p.t.line(p.heads[h])
	m := p.compared(message)
	n := affinity(u.head.category.of(line), u.head.event.of(line), u.head.level, m[indentOf(m):])
	switch {
	case u.head.format == FormatDotnetConsole && p.t.units[message].indent >= dotnetPadding:
		n += 2000
	case u.head.format != FormatPlain || u.head.timed:
		n += 1000
	}
	return max(n, 0)
}

// giveStack gives exceptions, inner links, frames and the like to heads.
func (p *pairing) giveStack(stack, takers []int) {
	if len(stack) == 0 {
		return
	}
	outer := 0
	for _, i := range stack {
		if p.t.units[i].kind == kindException {
			outer++
		}
	}
	// Only the most severe heads compete for the parts.
	worst := LevelUnknown
	for _, h := range takers {
		worst = max(worst, p.t.units[p.heads[h]].head.level)
	}
	takers = slices.DeleteFunc(takers, func(h int) bool { return outer < 2 && p.t.units[p.heads[h]].head.level < worst })
	scores := make(map[int]int, len(takers))
	if len(takers)*len(stack) <= maxPairs {
		for _, h := range takers {
			for _, i := range stack {
				scores[h] = max(scores[h], mentions(p.category(h), p.compared(i)))
			}
		}
	}
	slices.SortStableFunc(takers, func(x, y int) int {
		a, b := &p.t.units[p.heads[x]], &p.t.units[p.heads[y]]
		return cmp.Or(cmp.Compare(b.head.level, a.head.level), cmp.Compare(scores[y], scores[x]))
	})
	if outer < 2 || len(takers) < 2 || len(takers)*len(stack) > maxPairs {
		p.stacks[takers[0]] = stack
		return
	}
	// Several chains: as many heads, each part with the one it mentions.
	takers = takers[:min(outer, len(takers))]
	used := make([]int, len(takers))
	for _, i := range stack {
		best, most := 0, -1
		for x, h := range takers {
			n := 2 * mentions(p.category(h), p.compared(i))
			if p.t.units[i].kind == kindException && used[x] == 0 {
				n++
			}
			if n > most {
				best, most = x, n
			}
		}
		if p.t.units[i].kind == kindException {
			used[best]++
		}
		p.stacks[takers[best]] = append(p.stacks[takers[best]], i)
	}
}

// category is what a head names as its logger.
func (p *pairing) category(h int) []byte {
	return p.t.units[p.heads[h]].head.category.of(p.t.line(p.heads[h]))
}

// compared is the part of a unit's line that is looked at.
func (p *pairing) compared(i int) []byte {
	line := p.t.line(i)
	return line[:min(len(line), maxCompared)]
}

// records returns the group's records in canonical order; one that still
// waits for its message comes last, to stay open.
func (p *pairing) records() (out []tieRecord) {
	for h, i := range p.heads {
		messages := p.messages[h]
		if u := &p.t.units[i]; u.head.format != FormatDotnetConsole || !p.sameShape(messages) {
			out = append(out, tieRecord{head: i, own: messages, stack: p.stacks[h]})
			continue
		}
		for n, m := range messages {
			out = append(out, tieRecord{head: i, own: []int{m}, stack: p.stacks[h], shared: n > 0})
		}
	}
	slices.SortStableFunc(out, func(x, y tieRecord) int {
		return cmp.Compare(p.waits(x), p.waits(y))
	})
	return out
}

func (p *pairing) waits(r tieRecord) int {
	h := &p.t.units[r.head].head
	if h.format == FormatDotnetConsole && len(r.own)+len(r.stack) == 0 && h.message.start == h.message.end {
		return 1
	}
	return 0
}

// sameShape reports whether there are several messages and all are of one
// statement: equal but for words that hold more than letters.
func (p *pairing) sameShape(messages []int) bool {
	if len(messages) < 2 {
		return false
	}
	first := bytes.TrimSpace(p.t.line(messages[0]))
	for _, m := range messages[1:] {
		if !sameShape(first, bytes.TrimSpace(p.t.line(m))) {
			return false
		}
	}
	return true
}

func sameShape(a, b []byte) bool {
	plain := false
	for len(a) > 0 || len(b) > 0 {
		var x, y []byte
		x, a, _ = bytes.Cut(a, []byte(" "))
		y, b, _ = bytes.Cut(b, []byte(" "))
		if isWord(x) || isWord(y) {
			if !bytes.Equal(x, y) {
				return false
			}
			plain = true
		}
	}
	return plain
}

// isWord reports whether a token is a word of a sentence and no value.
func isWord(b []byte) bool {
	b = bytes.TrimRight(b, ".,:;")
	for _, c := range b {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return len(b) > 0
}

package ingest

import (
	"bytes"
	"cmp"
	"slices"
)

// at maps a position in the record's canonical order to a line.
func (b *builder) at(i int) int {
	if len(b.order) == 0 {
		return i
	}
	return b.order[i]
}

// orderTied puts stack lines that came as entries of one time of their own
// into canonical order: exceptions, then inner links, then frames, each by
// text. Where the entries of one time came from is not known to everyone (a
// Loki server gives them back in any order), so the order of arrival is given
// up even where there is one: the same record is then the same everywhere.
// It sets Record.TiedFrames and Record.Text accordingly.
//
// Entries without a time of their own, and lines inside one entry, keep
// their order.
func (b *builder) orderTied(s *openStream, r *Record) {
	lines := s.lines
	for i := 0; i < len(lines); {
		j, stack := i, 0
		for j < len(lines) && lines[j].ns == lines[i].ns {
			if l := &lines[j]; l.entry && !l.inherited && l.kind >= kindException && l.kind < kindBlank {
				stack++
			}
			j++
		}
		if stack > 1 {
			if len(b.order) == 0 {
				for k := range lines {
					b.order = append(b.order, k)
				}
			}
			b.orderRun(s, i, j)
			r.TiedFrames = true
		}
		i = j
	}
	if len(b.order) == 0 || slices.IsSorted(b.order) {
		return
	}
	b.text = b.text[:0]
	for i, k := range b.order {
		if i > 0 {
			b.text = append(b.text, '\n')
		}
		b.text = append(b.text, s.text[lines[k].start:lines[k].end]...)
	}
	r.Text = b.text
}

// orderRun orders the lines [i, j), which share one time.
func (b *builder) orderRun(s *openStream, i, j int) {
	python := false
	for k := i; k < j; k++ {
		if l := &s.lines[k]; l.kind == kindTrace && isTraceback(s.cleanLine(l)) {
			python = true
		}
	}
	// A line that is bound to the one before it sorts with that.
	lead := make([]int, j-i)
	for k := i; k < j; k++ {
		lead[k-i] = k
		if l := &s.lines[k]; k > i && (!l.entry || l.inherited) {
			lead[k-i] = lead[k-i-1]
		}
	}
	slices.SortStableFunc(b.order[i:j], func(x, y int) int {
		lx, ly := lead[x-i], lead[y-i]
		if lx == ly {
			return cmp.Compare(x, y)
		}
		a, c := &s.lines[lx], &s.lines[ly]
		ra, rc := stackRank(a, s.cleanLine(a), python), stackRank(c, s.cleanLine(c), python)
		if ra != rc {
			return cmp.Compare(ra, rc)
		}
		if ra == 0 {
			return cmp.Compare(lx, ly)
		}
		return cmp.Or(bytes.Compare(s.cleanLine(a), s.cleanLine(c)), cmp.Compare(lx, ly))
	})
}

// stackRank is a line's place in the canonical order of a record's parts.
func stackRank(l *openLine, line []byte, python bool) int {
	switch l.kind {
	case kindException:
		if python {
			return 5 // a traceback ends with it
		}
		return 1
	case kindCause:
		return 2
	case kindTrace:
		if python {
			return 3
		}
		return 6
	case kindFrame:
		return 4
	case kindMessage:
		if python && indentOf(line) >= 4 {
			return 4 // a source line
		}
	}
	return 0
}

func isTraceback(line []byte) bool {
	return bytes.HasPrefix(line[indentOf(line):], []byte("Traceback"))
}

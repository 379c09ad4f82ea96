package logfile

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// tieLimit bounds the bytes of one nanosecond's entries that are held to be
// put in order, tieCost what each costs beside its text.
const (
	tieLimit = 16 << 20
	tieCost  = 96
)

// ties gathers the entries of one nanosecond and puts them in order: by
// stream, then input, then place in the input.
//
// A nanosecond of more than limit bytes (a file whose lines have no time of
// their own has one) is yielded in several parts. Entries of one stream are
// in order all the same; streams may follow one another more than once.
type ties struct {
	from   *merger
	inputs []*input
	limit  int

	group []item
	text  []byte // the lines of group
	at    int    // next of group to yield
}

// next yields the next entry in the total order.
func (t *ties) next() (*item, error) {
	if t.at == len(t.group) {
		if err := t.fill(); err != nil {
			return nil, err
		}
	}
	t.at++
	return &t.group[t.at-1], nil
}

// fill gathers the next nanosecond.
func (t *ties) fill() error {
	t.group, t.text, t.at = t.group[:0], t.text[:0], 0
	it, err := t.from.peek()
	if err != nil {
		return err
	}
	nano := it.nano
	for err == nil && it.nano == nano && len(t.text)+tieCost*len(t.group) <= t.limit {
		t.group = append(t.group, *it)
		t.text = append(t.text, it.line...)
		if err := t.from.advance(); err != nil {
			return err
		}
		it, err = t.from.peek()
	}
	if err != nil && err != io.EOF {
		return err
	}
	// The text may have moved while it grew.
	off := 0
	for i := range t.group {
		one := &t.group[i]
		n := len(one.line)
		one.line = t.text[off : off+n : off+n]
		off += n
	}
	if len(t.group) > 1 {
		slices.SortFunc(t.group, t.compare)
	}
	t.markOrder()
	return nil
}

// compare orders entries of one nanosecond.
func (t *ties) compare(a, b item) int {
	if a.stream != b.stream {
		return strings.Compare(a.stream.Key, b.stream.Key)
	}
	if a.source != b.source {
		return t.inputs[a.source].rank - t.inputs[b.source].rank
	}
	c := 0
	switch {
	case a.seq < b.seq:
		c = -1
	case a.seq > b.seq:
		c = 1
	}
	if t.inputs[a.source].descending {
		c = -c
	}
	return c
}

// markOrder notes for each entry whether the order among those of its stream
// is the one in which they were written.
func (t *ties) markOrder() {
	for i := 0; i < len(t.group); {
		known, end := true, i+1
		for ; end < len(t.group) && t.group[end].stream == t.group[i].stream; end++ {
			known = known && t.samePart(&t.group[i], &t.group[end])
		}
		for ; i < end; i++ {
			t.group[i].ordered = known
		}
	}
}

// samePart reports whether the order of two entries of one stream and
// nanosecond is known: not between inputs, and not between the result streams
// into which Loki splits a stream by its structured metadata.
func (t *ties) samePart(a, b *item) bool {
	if a.source != b.source {
		return false
	}
	return !t.inputs[a.source].format.fromLoki || slices.Equal(a.metadata, b.metadata)
}

// describe is how a place in the total order is told in an error.
func describe(nano int64, seen bool) string {
	if !seen {
		return "before the first entry"
	}
	return fmt.Sprintf("after the entry of %s", timeText(nano))
}

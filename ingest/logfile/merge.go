package logfile

import "io"

// source yields entries in order of time.
type source interface {
	// firstTime is a time no entry lies before; it may be asked before the
	// source has opened anything.
	firstTime() int64
	// next fills it, or returns io.EOF at the end, or the error that ends
	// the whole reading. The bytes in it are valid until the call after.
	next(it *item) error
	close()
}

// merger merges sources by time. A source is opened when its time comes, so
// that many files of one day after the other are not open at once.
type merger struct {
	heap []*headed
}

// headed is a source with its next entry, once that has been read.
type headed struct {
	source source
	nano   int64
	loaded bool
	it     item
}

func newMerger(sources []source) *merger {
	m := &merger{}
	for _, s := range sources {
		m.heap = append(m.heap, &headed{source: s, nano: s.firstTime()})
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m
}

// peek returns the earliest entry, which stays valid until advance; io.EOF
// after the last one.
func (m *merger) peek() (*item, error) {
	for len(m.heap) > 0 {
		top := m.heap[0]
		if top.loaded {
			return &top.it, nil
		}
		if err := m.load(top); err != nil {
			return nil, err
		}
	}
	return nil, io.EOF
}

// advance steps over the entry that peek returned.
func (m *merger) advance() error {
	return m.load(m.heap[0])
}

// load reads the next entry of the source at the top and puts it in its place.
func (m *merger) load(top *headed) error {
	switch err := top.source.next(&top.it); err {
	case nil:
		top.nano, top.loaded = top.it.nano, true
	case io.EOF:
		top.source.close()
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap[last] = nil
		m.heap = m.heap[:last]
	default:
		return err
	}
	m.down(0)
	return nil
}

func (m *merger) down(i int) {
	h := m.heap
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if right := child + 1; right < len(h) && h[right].nano < h[child].nano {
			child = right
		}
		if h[i].nano <= h[child].nano {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}

func (m *merger) close() {
	for _, h := range m.heap {
		h.source.close()
	}
	m.heap = nil
}

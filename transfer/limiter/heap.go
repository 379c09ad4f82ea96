package limiter

// absent is the position of an element that is in no heap.
const absent = -1

// heap is a binary min-heap of elements that know their own position, so that
// any of them can be moved or taken out in logarithmic time.
type heap[E any] struct {
	items []E
	less  func(a, b E) bool
	pos   func(E) *int // where the element keeps its position
}

// top returns the smallest element and whether there is one.
func (h *heap[E]) top() (e E, ok bool) {
	if len(h.items) == 0 {
		return e, false
	}
	return h.items[0], true
}

// put inserts e, or restores the order after e's key has changed.
func (h *heap[E]) put(e E) {
	i := *h.pos(e)
	if i == absent {
		i = len(h.items)
		h.items = append(h.items, e)
		*h.pos(e) = i
	}
	if !h.down(i) {
		h.up(i)
	}
}

// drop takes e out; it does nothing if e is not in the heap.
func (h *heap[E]) drop(e E) {
	i := *h.pos(e)
	if i == absent {
		return
	}
	last := len(h.items) - 1
	h.swap(i, last)
	var zero E
	h.items[last] = zero
	h.items = h.items[:last]
	*h.pos(e) = absent
	if i < last && !h.down(i) {
		h.up(i)
	}
}

func (h *heap[E]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.less(h.items[i], h.items[parent]) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

// down reports whether the element moved.
func (h *heap[E]) down(i int) bool {
	start := i
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			break
		}
		if r := child + 1; r < len(h.items) && h.less(h.items[r], h.items[child]) {
			child = r
		}
		if !h.less(h.items[child], h.items[i]) {
			break
		}
		h.swap(i, child)
		i = child
	}
	return i > start
}

func (h *heap[E]) swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	*h.pos(h.items[i]) = i
	*h.pos(h.items[j]) = j
}

package rules

import (
	"github.com/axiomhq/hyperloglog"
	"github.com/cespare/xxhash/v2"
)

// maxExact is up to how many values a distinct counts exactly.
const maxExact = 1000

// distinct counts different values: exactly as long as they are few, then by
// a sketch of fixed size, which is off by about one in a hundred.
type distinct struct {
	exact  map[uint64]struct{} // by hash; nil once there are too many
	sketch *hyperloglog.Sketch
}

func newDistinct() *distinct { return &distinct{exact: map[uint64]struct{}{}} }

func (d *distinct) add(value []byte) {
	h := xxhash.Sum64(value)
	if d.sketch != nil {
		d.sketch.InsertHash(h)
		return
	}
	d.exact[h] = struct{}{}
	if len(d.exact) > maxExact {
		d.sketch = hyperloglog.New14()
		for h := range d.exact {
			d.sketch.InsertHash(h)
		}
		d.exact = nil
	}
}

// count returns how many values there were, and whether that is exact.
func (d *distinct) count() (n int64, exact bool) {
	if d.sketch != nil {
		return int64(d.sketch.Estimate()), false
	}
	return int64(len(d.exact)), true
}

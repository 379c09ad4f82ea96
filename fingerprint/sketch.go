package fingerprint

import (
	"math"
	"math/bits"
	"slices"
)

// sketch counts distinct hashes: exactly up to sketchExact, then by
// HyperLogLog with 2^sketchBits registers, whose standard error is about 3 %.
// Its state depends on the set of hashes only.
type sketch struct {
	exact     []uint64 // sorted, while there are few; the lowest bit marks
	registers []uint8
}

const (
	sketchExact = 256
	sketchBits  = 10
)

// add counts a hash; marked hashes are counted apart, too, while there are few.
func (s *sketch) add(h uint64, marked bool) {
	if h &^= 1; marked {
		h |= 1
	}
	if s.registers != nil {
		s.register(h)
		return
	}
	i, ok := slices.BinarySearch(s.exact, h)
	if ok {
		return
	}
	s.exact = slices.Insert(s.exact, i, h)
	if len(s.exact) > sketchExact {
		s.spill()
	}
}

// spill goes over to registers.
func (s *sketch) spill() {
	s.registers = make([]uint8, 1<<sketchBits)
	for _, h := range s.exact {
		s.register(h)
	}
	s.exact = nil
}

func (s *sketch) register(h uint64) {
	rank := uint8(bits.LeadingZeros64(h<<sketchBits|1<<(sketchBits-1))) + 1
	i := h >> (64 - sketchBits)
	s.registers[i] = max(s.registers[i], rank)
}

func (s *sketch) merge(o *sketch) {
	if s.registers == nil && o.registers == nil {
		s.exact = append(s.exact, o.exact...)
		slices.Sort(s.exact)
		s.exact = slices.Compact(s.exact)
		if len(s.exact) > sketchExact {
			s.spill()
		}
		return
	}
	if s.registers == nil {
		s.spill()
	}
	for _, h := range o.exact {
		s.register(h)
	}
	for i, r := range o.registers {
		s.registers[i] = max(s.registers[i], r)
	}
}

// marked counts the hashes that were marked; it is 0 once there are many.
func (s *sketch) marked() int {
	n := 0
	for _, h := range s.exact {
		n += int(h & 1)
	}
	return n
}

// count estimates the distinct hashes.
func (s *sketch) count() int64 {
	if s.registers == nil {
		return int64(len(s.exact))
	}
	m := float64(len(s.registers))
	sum, zeros := 0.0, 0
	for _, r := range s.registers {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			zeros++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate < 2.5*m && zeros > 0 {
		estimate = m * math.Log(m/float64(zeros))
	}
	return int64(math.Round(estimate))
}

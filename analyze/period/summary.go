package period

import "slices"

// A Summary keeps the times of one stream in bounded memory. The zero value
// is not ready: use NewSummary. It is not safe for concurrent use.
//
// While no more than its bound have been added it keeps every time, and
// nothing is lost. Beyond, it keeps the newest half of the bound complete, and
// of what is older whole blocks of consecutive times, every second, then every
// fourth block, and so on. Within a block intervals and phases are as they
// were, so what recurs is still seen; lost are single recurrences shorter than
// a dropped block, and counts of events must come from Count.
type Summary struct {
	bound  int
	recent []int64 // ring-free: compacted when it reaches 2*half
	old    []int64 // whole blocks
	stride int     // of this many blocks one is kept
	block  int     // running number of the block being filled
	count  int
}

const summaryBlock = 64

// NewSummary returns a Summary that keeps at most bound times, at least 256.
func NewSummary(bound int) *Summary {
	return &Summary{bound: max(bound, 4*summaryBlock), stride: 1}
}

// Add adds one event time in nanoseconds. Times come in ascending order or
// nearly so.
func (s *Summary) Add(t int64) {
	s.count++
	s.recent = append(s.recent, t)
	half := s.bound / 2
	if len(s.recent) < half+summaryBlock {
		return
	}
	moved := s.recent[:summaryBlock]
	if s.block%s.stride == 0 {
		s.old = append(s.old, moved...)
	}
	s.block++
	s.recent = append(s.recent[:0], s.recent[summaryBlock:]...)
	if len(s.old)+len(s.recent)+summaryBlock > s.bound {
		kept := s.old[:0]
		for b := 0; b*summaryBlock < len(s.old); b += 2 {
			kept = append(kept, s.old[b*summaryBlock:(b+1)*summaryBlock]...)
		}
		s.old = kept
		s.stride *= 2
	}
}

// Count returns how many times were added.
func (s *Summary) Count() int { return s.count }

// Thinned reports whether times were dropped.
func (s *Summary) Thinned() bool { return len(s.old)+len(s.recent) < s.count }

// Times returns the times kept, ascending, in a new slice.
func (s *Summary) Times() []int64 {
	out := make([]int64, 0, len(s.old)+len(s.recent))
	out = append(out, s.old...)
	out = append(out, s.recent...)
	slices.Sort(out)
	return out
}

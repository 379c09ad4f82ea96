package analyze

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// sampler keeps an even spread, over time, of an unknown number of records in
// one pass: the earliest record of each slot of time. Slots are aligned to
// 1970; when more than twice the wanted number are occupied, their width
// doubles and neighbours merge. The last record is kept beside them.
//
// Width and slots are functions of the set of records, so that the samples do
// not depend on the order in which records arrive.
type sampler struct {
	want     int
	maxBytes int
	width    int64 // of a slot in nanoseconds
	kept     []kept
	last     kept
}

// kept is a record that may become a sample.
type kept struct {
	slot   int64
	t      int64
	stream *ingest.Stream
	text   []byte
}

// firstWidth is the width of slots before any merging.
const firstWidth = int64(1) << 20 // about a millisecond

func newSampler(want, maxBytes int) sampler {
	return sampler{want: want, maxBytes: maxBytes, width: firstWidth}
}

// before orders records by time, stream and text.
func (k *kept) before(t int64, stream *ingest.Stream, text []byte) int {
	if c := cmp.Compare(k.t, t); c != 0 {
		return c
	}
	if k.stream != stream {
		if c := strings.Compare(k.stream.Key, stream.Key); c != 0 {
			return c
		}
	}
	return bytes.Compare(k.text, text)
}

func (k *kept) set(slot int64, r *ingest.Record, text []byte) {
	k.slot, k.t, k.stream = slot, r.UnixNano, r.Stream
	k.text = append(k.text[:0], text...)
}

func (s *sampler) add(r *ingest.Record) {
	text := r.Text
	if len(text) > s.maxBytes+redactMargin {
		text = text[:s.maxBytes+redactMargin]
	}
	if s.last.stream == nil || s.last.before(r.UnixNano, r.Stream, text) < 0 {
		s.last.set(0, r, text)
	}
	slot := floorDiv(r.UnixNano, s.width)
	i, found := slices.BinarySearchFunc(s.kept, slot, func(k kept, slot int64) int { return cmp.Compare(k.slot, slot) })
	if found {
		if k := &s.kept[i]; k.before(r.UnixNano, r.Stream, text) > 0 {
			k.set(slot, r, text)
		}
		return
	}
	s.kept = slices.Insert(s.kept, i, kept{})
	s.kept[i].set(slot, r, text)
	for len(s.kept) > 2*s.want {
		s.widen()
	}
}

// widen doubles the slots and keeps the earlier record of each two that meet.
func (s *sampler) widen() {
	s.width *= 2
	n := 0
	for i := range s.kept {
		k := s.kept[i]
		k.slot = floorDiv(k.t, s.width)
		if n > 0 && s.kept[n-1].slot == k.slot {
			continue // later than the one kept: slots are in order of time
		}
		s.kept[n] = k
		n++
	}
	clear(s.kept[n:])
	s.kept = s.kept[:n]
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// redactMargin is how far beyond the bound of a sample secrets are looked for,
// so that one which spans the bound is recognised whole.
const redactMargin = 4 << 10

// render makes a record's text fit to be shown: secrets redacted, then cut to
// the bound on a character's border.
func (s *sampler) render(k *kept) Sample {
	line := redact.Append(nil, k.text)
	if len(line) > s.maxBytes {
		n := s.maxBytes
		for n > 0 && !utf8.RuneStart(line[n]) {
			n--
		}
		line = append(line[:n], " … (cut)"...)
	}
	return Sample{Time: At(k.t), Pod: k.stream.Pod, Line: string(line)}
}

// samples returns the first, the last and an even spread between them.
func (s *sampler) samples() []Sample {
	out := []Sample{}
	if s.last.stream == nil {
		return out
	}
	all := s.kept
	if end := &all[len(all)-1]; end.before(s.last.t, s.last.stream, s.last.text) != 0 {
		all = append(slices.Clone(all), s.last)
	}
	if s.want == 1 {
		return append(out, s.render(&all[len(all)-1]))
	}
	n := min(s.want, len(all))
	for i := range n {
		out = append(out, s.render(&all[i*(len(all)-1)/max(n-1, 1)]))
	}
	return out
}

package analyze

import (
	"slices"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// sampler keeps an even spread of an unknown number of records in one pass:
// every stride-th record is kept, and whenever twice the wanted number are
// held, every second one is dropped and the stride doubled. The first is
// always among them; the last is kept beside them. Which records are kept
// depends on their number and order only.
type sampler struct {
	want     int
	maxBytes int
	stride   int64
	seen     int64
	kept     []Sample
	last     Sample
	buf      []byte
}

func newSampler(want, maxBytes int) sampler {
	return sampler{want: want, maxBytes: maxBytes, stride: 1}
}

func (s *sampler) add(r *ingest.Record) {
	if s.seen%s.stride == 0 {
		if len(s.kept) == 2*s.want {
			n := 0
			for i := 0; i < len(s.kept); i += 2 {
				s.kept[n] = s.kept[i]
				n++
			}
			s.kept = s.kept[:n]
			s.stride *= 2
		}
		if s.seen%s.stride == 0 {
			s.kept = append(s.kept, s.sample(r))
		}
	}
	s.seen++
	s.setLast(r)
}

// setLast remembers the newest record without rendering it: most records are
// the last one only until the next arrives.
func (s *sampler) setLast(r *ingest.Record) {
	s.last.Time = At(r.UnixNano)
	s.last.Pod = r.Stream.Pod
	text := r.Text
	if len(text) > s.maxBytes+redactMargin {
		text = text[:s.maxBytes+redactMargin]
	}
	s.buf = append(s.buf[:0], text...)
}

func (s *sampler) sample(r *ingest.Record) Sample {
	return Sample{Time: At(r.UnixNano), Pod: r.Stream.Pod, Line: s.render(r.Text)}
}

// redactMargin is how far beyond the bound of a sample secrets are looked for,
// so that one which spans the bound is recognised whole.
const redactMargin = 4 << 10

// render makes a record's text fit to be shown: secrets redacted, then cut to
// the bound on a character's border.
func (s *sampler) render(text []byte) string {
	if len(text) > s.maxBytes+redactMargin {
		text = text[:s.maxBytes+redactMargin]
	}
	line := redact.Append(nil, text)
	if len(line) <= s.maxBytes {
		return string(line)
	}
	n := s.maxBytes
	for n > 0 && !utf8.RuneStart(line[n]) {
		n--
	}
	return string(append(line[:n], " … (cut)"...))
}

// samples returns the first, the last and an even spread between them.
func (s *sampler) samples() []Sample {
	if s.seen == 0 {
		return nil
	}
	s.last.Line = s.render(s.buf)
	all := slices.Clone(s.kept)
	if (s.seen-1)%s.stride != 0 {
		all = append(all, s.last)
	}
	if len(all) <= s.want {
		return all
	}
	out := make([]Sample, 0, s.want)
	if s.want == 1 {
		return append(out, all[len(all)-1])
	}
	for i := range s.want {
		out = append(out, all[i*(len(all)-1)/(s.want-1)])
	}
	return out
}

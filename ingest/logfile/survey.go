package logfile

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// markEvery is the distance in bytes between two marks of a survey.
const markEvery = 1 << 20

// mark is a place in a file in order of time at which decoding may begin.
type mark struct {
	nano   int64
	offset int64
	lines  int64 // lines before it
}

// order watches the times of entries as they come.
type order struct {
	in   *input
	last int64
}

// see notes the time of the next entry.
func (o *order) see(ns int64) {
	in := o.in
	if in.count == 0 {
		in.first, in.last = ns, ns
	} else {
		switch {
		case ns > o.last:
			in.ascents++
		case ns < o.last:
			in.descents++
		}
		in.first, in.last = min(in.first, ns), max(in.last, ns)
	}
	o.last = ns
	in.count++
}

// surveyed is what a survey found beside the times that it notes in the input.
type surveyed struct {
	marks []mark
	lines int64
	cut   bool // a line is longer than the bound
}

// survey reads the times of a file of lines and notes in in whether they are
// in order, the first and the last; the marks let a later reading begin near
// any time. Only what has no quick time is decoded.
func survey(ctx context.Context, in *input, lines *lineReader, format lineFormat) (surveyed, error) {
	var found surveyed
	watch := order{in: in}
	next := int64(0)
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return found, ctx.Err()
		}
		offset, before := lines.offset, lines.number
		line, err := lines.next()
		if err == io.EOF {
			found.lines = lines.number
			return found, nil
		}
		if err != nil {
			return found, err
		}
		found.cut = found.cut || lines.cut
		ns, ok := format.quickTime(line)
		if !ok {
			var it item
			if format.parse(line, &it) != nil || it.inherited {
				continue
			}
			ns = it.nano
		}
		watch.see(ns)
		if offset >= next {
			found.marks = append(found.marks, mark{nano: ns, offset: offset, lines: before})
			next = offset + markEvery
		}
	}
}

// errChanged says that a file was rewritten while it was read.
var errChanged = errors.New("the file changed while it was read: an entry is out of order that was in order before")

// fileSource decodes a file in order of time while it is read; one that was
// written newest first is read backwards.
type fileSource struct {
	in       *input
	env      *environment
	surveyed surveyed
	backward bool
	window   windowBounds

	file    *os.File
	decoder *lineDecoder
	last    int64
}

// firstTime is a time no entry of the source lies before.
func (s *fileSource) firstTime() int64 { return max(s.in.first, s.window.start) }

func (s *fileSource) open() error {
	f, err := os.Open(s.in.path)
	if err != nil {
		return err
	}
	s.file = f
	s.last = s.window.start
	if s.backward {
		s.decoder = s.in.format.decoderOf(s.backwards(f), s.env)
		return nil
	}
	from := mark{}
	for _, m := range s.surveyed.marks {
		if m.nano >= s.window.start {
			break
		}
		from = m
	}
	lines := newLineReader(io.NewSectionReader(f, from.offset, s.in.size-from.offset), s.in.format.lineBound(s.env))
	lines.number, lines.offset = from.lines, from.offset
	s.decoder = s.in.format.decoderOf(lines, s.env)
	return nil
}

// backwards begins behind the last line that may lie in the window.
func (s *fileSource) backwards(f *os.File) *backwardReader {
	lines := &backwardReader{r: f, offset: s.in.size, number: s.surveyed.lines + 1, limit: s.in.format.lineBound(s.env)}
	for _, m := range s.surveyed.marks {
		if m.nano < s.window.start {
			lines.offset, lines.number = m.offset, m.lines+1
			break
		}
	}
	return lines
}

// next yields the next entry inside the window.
func (s *fileSource) next(it *item) error {
	if s.decoder == nil {
		if err := s.open(); err != nil {
			s.in.fail(err)
			return io.EOF
		}
	}
	for {
		switch err := s.decoder.next(it).(type) {
		case nil:
		case *pieceError:
			s.in.skip(err)
			if !err.kept {
				continue
			}
		default:
			if err != io.EOF {
				s.in.fail(err)
			}
			return s.end()
		}
		if it.nano < s.last {
			if it.nano < s.window.start {
				continue
			}
			s.in.fail(errChanged)
			return s.end()
		}
		if it.nano >= s.window.end {
			return s.end()
		}
		s.last = it.nano
		it.source = s.in.index
		return nil
	}
}

func (s *fileSource) end() error {
	s.close()
	return io.EOF
}

func (s *fileSource) close() {
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
}

// contentDigest reads a file again for the hash of its content, which ranks
// files that cover the same time.
func contentDigest(path string, size int64) uint64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	h := xxhash.New()
	if _, err := io.Copy(h, io.LimitReader(f, size)); err != nil {
		return 0
	}
	return h.Sum64()
}

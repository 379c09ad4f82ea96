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

// survey reads the times of a file of lines and notes in in whether they are
// in order, the first and the last; the marks let a later reading begin near
// any time. Only what has no quick time is decoded. It reads the first
// in.size bytes, which is all there was when the file was opened.
func survey(ctx context.Context, in *input, d *lineDecoder) ([]mark, error) {
	var marks []mark
	watch := order{in: in}
	next := int64(0)
	lines, format := d.lines, d.format
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		offset, before := lines.offset, lines.number
		line, err := lines.next()
		if err == io.EOF {
			return marks, nil
		}
		if err != nil {
			return nil, err
		}
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
			marks = append(marks, mark{nano: ns, offset: offset, lines: before})
			next = offset + markEvery
		}
	}
}

// errChanged says that a file was rewritten while it was read.
var errChanged = errors.New("the file changed while it was read: an entry is out of order that was in order before")

// fileSource decodes a file in order of time while it is read.
type fileSource struct {
	in     *input
	env    *environment
	marks  []mark
	window windowBounds

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
	from := mark{}
	for _, m := range s.marks {
		if m.nano >= s.window.start {
			break
		}
		from = m
	}
	d := s.in.format.lineDecoder(io.NewSectionReader(f, from.offset, s.in.size-from.offset), s.env)
	d.lines.number, d.lines.offset = from.lines, from.offset
	s.decoder, s.last = d, s.window.start
	return nil
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

package logfile

import (
	"bytes"
	"io"
)

const lineBufferSize = 128 << 10

// lineInput yields the lines of an input, forwards or backwards.
type lineInput interface {
	// next returns the next line without its break ("\n" or "\r\n"), valid
	// until the call after; io.EOF after the last one, or what the input
	// failed with. The caller may change the bytes of the line.
	next() ([]byte, error)
	// place tells of the line yielded last its number, from 1, whether it
	// was longer than the bound and cut, and whether it ended with the input
	// and not with a break.
	place() linePlace
	// bound is how long a line may be.
	bound() int
}

// linePlace is what a lineInput knows of a line.
type linePlace struct {
	number    int64
	cut, open bool
}

// lineReader yields the lines of an input in place.
type lineReader struct {
	r          io.Reader
	buf        []byte
	start, end int
	searched   int // buf[start:searched] holds no line break
	limit      int
	err        error
	offset     int64 // of buf[start] in the input
	number     int64 // of the line yielded last, from 1
	padding    int64 // NUL bytes dropped at the beginnings of lines
	cut        bool  // the line yielded last was longer than limit
	open       bool  // the line yielded last was ended by the input, not by a break
}

// newLineReader reads lines of at most limit bytes from r.
func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{r: r, limit: limit, buf: make([]byte, lineBufferSize)}
}

func (l *lineReader) place() linePlace {
	return linePlace{number: l.number, cut: l.cut, open: l.open}
}

func (l *lineReader) bound() int { return l.limit }

func (l *lineReader) next() ([]byte, error) {
	l.cut, l.open = false, false
	l.unpad()
	for {
		if i := bytes.IndexByte(l.buf[l.searched:l.end], '\n'); i >= 0 {
			return l.take(l.searched+i, 1), nil
		}
		l.searched = l.end
		if l.end-l.start > l.limit {
			return l.takeCut()
		}
		if l.err != nil {
			if l.start == l.end {
				return nil, l.err
			}
			l.open = true
			return l.take(l.end, 0), nil
		}
		l.fill()
	}
}

// unpad steps over NUL bytes where a line begins: a file that was emptied while
// its writer went on behind the old end has a hole there.
func (l *lineReader) unpad() {
	for {
		at := l.start
		for at < l.end && l.buf[at] == 0 {
			at++
		}
		n := at - l.start
		l.padding += int64(n)
		l.offset += int64(n)
		l.start, l.searched = at, max(l.searched, at)
		if at < l.end || l.err != nil || n == 0 && at > 0 {
			return
		}
		l.fill()
	}
}

// take yields buf[start:end] and steps over the break after it.
func (l *lineReader) take(end, breakLen int) []byte {
	line := l.buf[l.start:end]
	l.offset += int64(end + breakLen - l.start)
	l.start = end + breakLen
	l.searched = l.start
	if len(line) > 0 && line[0] == bom[0] {
		line = bytes.TrimPrefix(line, bom) // at the start of a file, or of one put behind another
	}
	l.number++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if len(line) > l.limit {
		l.cut, line = true, line[:l.limit]
	}
	return line
}

// takeCut yields the head of a line longer than the limit and drops its rest.
func (l *lineReader) takeCut() ([]byte, error) {
	head := append([]byte(nil), l.buf[l.start:l.start+l.limit]...)
	l.number++
	for {
		i := bytes.IndexByte(l.buf[l.searched:l.end], '\n')
		if i >= 0 {
			next := l.searched + i + 1
			l.offset += int64(next - l.start)
			l.start, l.searched = next, next
			break
		}
		l.offset += int64(l.end - l.start)
		l.start, l.searched, l.end = 0, 0, 0
		if l.err != nil {
			l.open = true
			break
		}
		l.fill()
	}
	l.cut = true
	return head, nil
}

// fill moves the unread rest to the front and reads more, growing the buffer
// only for a line that does not fit.
func (l *lineReader) fill() {
	if l.start > 0 {
		copy(l.buf, l.buf[l.start:l.end])
		l.end -= l.start
		l.searched -= l.start
		l.start = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for tries := 0; tries < 100; tries++ {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

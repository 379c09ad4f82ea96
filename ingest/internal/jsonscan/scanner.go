package jsonscan

import (
	"bytes"
	"fmt"
	"io"
)

// bufferSize is the size of a Scanner's buffer: one read of a file or a body.
const bufferSize = 64 << 10

// Scanner reads a JSON document from an io.Reader piece by piece. Its buffer
// never grows; what a caller wants to keep it has appended to a slice of its
// own, bounded by a limit of its own. The zero value needs Reset.
type Scanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // offset of buf[0] in the input
	err      error // what the reader said last
}

// Error is a failure at a place of the input.
type Error struct {
	Offset int64 // bytes before the place
	Err    error // ErrSyntax, ErrShort, ErrDepth, or what the reader said
}

// Error tells the cause and the byte offset.
func (e *Error) Error() string { return fmt.Sprintf("byte %d: %v", e.Offset, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reset makes the Scanner read r from its beginning.
func (s *Scanner) Reset(r io.Reader) {
	if s.buf == nil {
		s.buf = make([]byte, bufferSize)
	}
	*s = Scanner{r: r, buf: s.buf}
}

// Offset returns how many bytes of the input have been consumed.
func (s *Scanner) Offset() int64 { return s.base + int64(s.pos) }

func (s *Scanner) fail(err error) error { return &Error{Offset: s.Offset(), Err: err} }

// fill reads more once the buffer has been consumed. It reports whether there
// is more; s.err then tells why not.
func (s *Scanner) fill() bool {
	if s.pos < s.end {
		return true
	}
	if s.err != nil {
		return false
	}
	s.base += int64(s.end)
	s.pos, s.end = 0, 0
	for tries := 0; s.end == 0 && s.err == nil; tries++ {
		if tries == 100 {
			s.err = io.ErrNoProgress
			break
		}
		s.end, s.err = s.r.Read(s.buf)
	}
	return s.end > 0
}

// short is the error for a document that ends inside a value.
func (s *Scanner) short() error {
	if s.err != nil && s.err != io.EOF {
		return s.fail(s.err)
	}
	return s.fail(ErrShort)
}

// Peek skips white space and returns the next byte without consuming it;
// io.EOF, unwrapped, at the end of the input.
func (s *Scanner) Peek() (byte, error) {
	for s.fill() {
		for s.pos < s.end {
			if c := s.buf[s.pos]; !isSpace(c) {
				return c, nil
			}
			s.pos++
		}
	}
	if s.err == io.EOF {
		return 0, io.EOF
	}
	return 0, s.fail(s.err)
}

// Expect consumes white space and the byte c.
func (s *Scanner) Expect(c byte) error {
	got, err := s.Peek()
	switch {
	case err == io.EOF:
		return s.short()
	case err != nil:
		return err
	case got != c:
		return s.fail(ErrSyntax)
	}
	s.pos++
	return nil
}

// More is called before each member of an object or element of an array whose
// opening bracket has been consumed. It consumes the comma between members,
// or the closing bracket, and reports whether a member follows.
func (s *Scanner) More(first bool, closing byte) (bool, error) {
	c, err := s.Peek()
	switch {
	case err == io.EOF:
		return false, s.short()
	case err != nil:
		return false, err
	case c == closing:
		s.pos++
		return false, nil
	case first:
		return true, nil
	case c != ',':
		return false, s.fail(ErrSyntax)
	}
	s.pos++
	return true, nil
}

// Key reads a member's key and colon and appends the decoded key to dst. Keys
// longer than 4 KiB are cut.
func (s *Scanner) Key(dst []byte) ([]byte, error) {
	dst, _, err := s.String(dst, 4<<10)
	if err != nil {
		return dst, err
	}
	return dst, s.Expect(':')
}

// String reads a string and appends its decoded text to dst, at most limit
// bytes of it; cut says that there was more.
func (s *Scanner) String(dst []byte, limit int) (text []byte, cut bool, err error) {
	if err := s.Expect('"'); err != nil {
		return dst, false, err
	}
	limit += len(dst)
	for s.fill() {
		chunk := s.buf[s.pos:s.end]
		n, done := len(chunk), false
		if q := bytes.IndexByte(chunk, '"'); q >= 0 {
			n, done = q, true
		}
		if k := bytes.IndexByte(chunk[:n], '\\'); k >= 0 {
			n, done = k, false
		}
		if room := limit - len(dst); room < n {
			dst, cut = append(dst, chunk[:max(room, 0)]...), true
		} else {
			dst = append(dst, chunk[:n]...)
		}
		s.pos += n
		if done {
			s.pos++
			return dst, cut, nil
		}
		if s.pos == s.end {
			continue
		}
		before := len(dst)
		if dst, err = s.escape(dst); err != nil {
			return dst, cut, err
		}
		if len(dst) > limit {
			dst, cut = dst[:max(min(before, limit), 0)], true
		}
	}
	return dst, cut, s.short()
}

// escape decodes the escape at the buffer's position, which may run into the
// next buffer.
func (s *Scanner) escape(dst []byte) ([]byte, error) {
	out, n := appendEscape(dst, s.buf[s.pos:s.end])
	if n == 2 || n == 12 || n == 6 && s.end-s.pos >= 12 {
		s.pos += n
		return out, nil
	}
	// The escape, or the second half of a surrogate pair, may lie beyond the
	// buffer: gather up to twelve bytes.
	var pair [12]byte
	got := copy(pair[:], s.buf[s.pos:s.end])
	if got < len(pair) {
		got = s.gather(pair[:])
	}
	out, n = appendEscape(dst, pair[:got])
	switch {
	case n == 0:
		return dst, s.fail(ErrSyntax)
	case n < 0:
		s.pos = s.end
		return dst, s.short()
	}
	s.pos += n
	return out, nil
}

// gather moves the unread rest to the front of the buffer and reads until
// there is enough to fill pair; it returns how much of pair is filled.
func (s *Scanner) gather(pair []byte) int {
	for s.end-s.pos < len(pair) && s.Fill() {
	}
	return copy(pair, s.buf[s.pos:s.end])
}

// Scalar reads a number or a literal and appends its text to dst; longer ones
// than 64 bytes are an error.
func (s *Scanner) Scalar(dst []byte) ([]byte, error) {
	if _, err := s.Peek(); err != nil {
		return dst, s.short()
	}
	start := len(dst)
	for s.fill() {
		for s.pos < s.end {
			c := s.buf[s.pos]
			if !isScalar(c) {
				if len(dst) == start {
					return dst, s.fail(ErrSyntax)
				}
				return dst, nil
			}
			if len(dst)-start == 64 {
				return dst, s.fail(ErrSyntax)
			}
			dst = append(dst, c)
			s.pos++
		}
	}
	if s.err != io.EOF || len(dst) == start {
		return dst, s.short()
	}
	return dst, nil
}

// Skip consumes one value of any kind.
func (s *Scanner) Skip() error {
	c, err := s.Peek()
	switch {
	case err == io.EOF:
		return s.short()
	case err != nil:
		return err
	case c == '"':
		return s.skipString()
	case c != '{' && c != '[':
		var scratch [64]byte
		_, err := s.Scalar(scratch[:0])
		return err
	}
	var stack nesting
	for {
		c, err := s.Peek()
		if err == io.EOF {
			return s.short()
		}
		if err != nil {
			return err
		}
		switch c {
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
			continue
		case '{', '[':
			if !stack.push(c == '{') {
				return s.fail(ErrDepth)
			}
		case '}', ']':
			if !stack.pop(c == '}') {
				return s.fail(ErrSyntax)
			}
		}
		s.pos++
		if stack.depth == 0 {
			return nil
		}
	}
}

func (s *Scanner) skipString() error {
	var scratch [8]byte
	_, _, err := s.String(scratch[:0], 0)
	return err
}

// Buffered returns the bytes that have been read and not consumed. They
// belong to the Scanner, but the caller may change those it then consumes
// with Advance.
func (s *Scanner) Buffered() []byte { return s.buf[s.pos:s.end] }

// Advance consumes n of the buffered bytes.
func (s *Scanner) Advance(n int) { s.pos += n }

// Fill reads more bytes behind those that are buffered, moving them to the
// front. It reports whether there are more than before: not when the buffer
// is full of them, nor at the end of the input.
func (s *Scanner) Fill() bool {
	if s.err != nil || s.pos == 0 && s.end == len(s.buf) {
		return false
	}
	before := s.end - s.pos
	s.base += int64(s.pos)
	copy(s.buf, s.buf[s.pos:s.end])
	s.pos, s.end = 0, before
	for tries := 0; s.end == before && s.err == nil; tries++ {
		if tries == 100 {
			s.err = io.ErrNoProgress
			break
		}
		var n int
		n, s.err = s.r.Read(s.buf[s.end:])
		s.end += n
	}
	return s.end > before
}

package logfile

import (
	"bytes"
	"io"
)

// backwardBlock is how much of a file is read at once from its end.
const backwardBlock = 128 << 10

// backwardReader yields the lines of a file from the last to the first. No
// line may be longer than limit.
type backwardReader struct {
	r      io.ReaderAt
	offset int64  // of buf in the file
	number int64  // of the line yielded last
	buf    []byte // what has been read and not yielded
	spare  []byte
	limit  int
	open   bool
	begun  bool
}

func (b *backwardReader) place() linePlace { return linePlace{number: b.number, open: b.open} }

func (b *backwardReader) bound() int { return b.limit }

func (b *backwardReader) next() ([]byte, error) {
	for {
		if len(b.buf) == 0 && b.offset == 0 {
			return nil, io.EOF
		}
		text, broken := bytes.CutSuffix(b.buf, []byte("\n"))
		i := bytes.LastIndexByte(text, '\n')
		if i < 0 && b.offset > 0 {
			if err := b.fill(); err != nil {
				return nil, err
			}
			continue
		}
		line := text[i+1:]
		b.buf = b.buf[:i+1]
		b.number--
		b.open = !b.begun && !broken
		b.begun = true
		line = bytes.TrimPrefix(line, bom)
		return bytes.TrimSuffix(line, []byte("\r")), nil
	}
}

// fill reads the block before what is held.
func (b *backwardReader) fill() error {
	n := int(min(b.offset, backwardBlock))
	need := n + len(b.buf)
	if cap(b.spare) < need {
		b.spare = make([]byte, need+backwardBlock)
	}
	next := b.spare[:need]
	copy(next[n:], b.buf)
	if _, err := b.r.ReadAt(next[:n], b.offset-int64(n)); err != nil {
		return err
	}
	b.offset -= int64(n)
	b.spare, b.buf = b.buf[:cap(b.buf)], next
	return nil
}

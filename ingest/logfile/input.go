package logfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"time"
)

// sniffSize is how much of an input the detection of its format may look at.
const sniffSize = 64 << 10

// input is one path as it was given.
type input struct {
	index   int
	path    string // "-" for the standard input
	stream  string // the name of its stream, where its lines tell none
	meter   *Meter
	found   bool // in a directory, and not given by name
	changed time.Time
	size    int64 // of a regular file; -1 otherwise

	compression string
	utf16       bool  // text in UTF-16, which is read as UTF-8
	padding     int64 // NUL bytes at its beginning, which are passed over
	returns     bool  // its lines end with a carriage return alone
	format      *Format
	lead        []byte   // the first line with a time of its own, where lines may lack one
	above       [][]byte // the lines above that one
	closers     []io.Closer

	first, last       int64 // times of the earliest and the newest entry
	count             int64 // entries in the input, in the window or not
	ascents, descents int64 // how successive entries compare
	digest            uint64
	partial           bool
	skipped           int64
	problems          []problem
	yielded           int64
	rank              int
	manyStreams       bool // the bound on streams was reached
	descending        bool // written newest first
	nodes             []Node
}

// place names a position in the input.
func (in *input) place(at string) string {
	if at == "" {
		return in.name()
	}
	return in.name() + ":" + at
}

func (in *input) name() string {
	if in.path == "-" {
		return "stdin"
	}
	return in.path
}

// open opens the input and undoes its compression. The reader yields the
// plain bytes from the first on.
func (in *input) open(stdin io.Reader) (*bufio.Reader, error) {
	raw := stdin
	in.size = -1
	if in.path != "-" {
		f, err := os.Open(in.path)
		if err != nil {
			return nil, err
		}
		in.closers = append(in.closers, f)
		st, err := f.Stat()
		if err != nil {
			return nil, err
		}
		if st.IsDir() {
			return nil, &os.PathError{Op: "read", Path: in.path, Err: errors.New("is a directory")}
		}
		if st.Mode().IsRegular() {
			in.size, in.changed = st.Size(), st.ModTime()
		}
		raw = f
	} else if raw == nil {
		raw = bytes.NewReader(nil)
	}
	return in.plain(in.meter.count(raw))
}

// plain undoes compression and UTF-16, passes over NUL bytes at the beginning,
// and makes line breaks of carriage returns where there are no others.
func (in *input) plain(raw io.Reader) (*bufio.Reader, error) {
	r, err := in.decompress(raw)
	if err != nil {
		return nil, err
	}
	begin, _ := r.Peek(4)
	order, ok := utf16Order(begin)
	if in.utf16 = ok; ok {
		r = bufio.NewReaderSize(&utf16Reader{r: r, order: order}, sniffSize)
	}
	in.padding = 0
	for len(begin) > 0 && begin[0] == 0 && !ok {
		// Such a hole may be longer than what the detection looks at.
		begin, _ = r.Peek(sniffSize)
		n := len(begin) - len(bytes.TrimLeft(begin, "\x00"))
		r.Discard(n)
		in.padding += int64(n)
		begin, _ = r.Peek(1)
	}
	head, _ := r.Peek(sniffSize)
	if in.returns = bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0; in.returns {
		r = bufio.NewReaderSize(&returnReader{r: r}, sniffSize)
	}
	return r, nil
}

// returnReader reads text whose lines end with a carriage return alone.
type returnReader struct {
	r io.Reader
}

func (r *returnReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	for i, c := range p[:n] {
		if c == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// close closes what open opened.
func (in *input) close() {
	for i := len(in.closers) - 1; i >= 0; i-- {
		in.closers[i].Close()
	}
	in.closers = nil
}

// streamable reports whether the input can be read a second time from any
// offset at no cost.
func (in *input) streamable() bool {
	return in.size >= 0 && in.compression == compressionNone && !in.utf16 && in.padding == 0 && !in.returns
}

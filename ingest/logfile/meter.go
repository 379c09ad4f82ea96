package logfile

import (
	"io"
	"sync/atomic"
)

// Meter counts the bytes that are read from the inputs while [Open] looks at
// them and while a Reader reads on. It may be looked at by any goroutine.
// Compressed bytes are counted as they are on disk; what is read twice is
// counted twice.
type Meter struct {
	read, total atomic.Int64
}

// Read is how many bytes have been read; 0 for a nil Meter.
func (m *Meter) Read() int64 {
	if m == nil {
		return 0
	}
	return m.read.Load()
}

// Total is how many bytes there are to look at, as far as that is known
// before they are read: those of regular files.
func (m *Meter) Total() int64 {
	if m == nil {
		return 0
	}
	return m.total.Load()
}

// count makes r count what passes; a nil Meter counts nothing.
func (m *Meter) count(r io.Reader) io.Reader {
	if m == nil {
		return r
	}
	return &meteredReader{r: r, meter: m}
}

// expect adds to what there is to read.
func (m *Meter) expect(bytes int64) {
	if m != nil {
		m.total.Add(bytes)
	}
}

type meteredReader struct {
	r     io.Reader
	meter *Meter
}

func (m *meteredReader) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.meter.read.Add(int64(n))
	return n, err
}

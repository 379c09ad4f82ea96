package logfile

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/vdm-logs/vdm-logs/ingest"
)

const chunkSize = 1 << 20

// spool takes entries in any order and yields them in order of time. It holds
// up to limit bytes of them in memory; beyond that, sorted runs go to one
// temporary file. Entries of one time come in no particular order.
type spool struct {
	limit int64
	dir   string

	chunks  [][]byte
	free    [][]byte // emptied chunks
	refs    []ref
	held    int64
	streams []*ingest.Stream
	ids     map[*ingest.Stream]uint64

	file    *os.File
	path    string // to be removed on close; empty when it is gone already
	written int64
	runs    []run
	scratch []byte
}

// ref finds an encoded entry in the chunks.
type ref struct {
	nano  int64
	chunk uint32
	off   uint32
}

// run is a sorted part of the temporary file.
type run struct {
	offset, length int64
	first          int64
}

func newSpool(limit int64, dir string) *spool {
	return &spool{limit: limit, dir: dir, ids: map[*ingest.Stream]uint64{}}
}

// add takes a copy of an entry.
func (s *spool) add(it *item) error {
	b := s.encode(s.scratch[:0], it)
	s.scratch = b
	if s.held > 0 && s.held+int64(len(b)) > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last])+len(b) > cap(s.chunks[last]) {
		s.chunks = append(s.chunks, s.chunk(len(b)))
		last++
	}
	s.refs = append(s.refs, ref{nano: it.nano, chunk: uint32(last), off: uint32(len(s.chunks[last]))})
	s.chunks[last] = append(s.chunks[last], b...)
	s.held += int64(len(b))
	return nil
}

// encode appends an entry: its length, then its parts.
func (s *spool) encode(b []byte, it *item) []byte {
	id, ok := s.ids[it.stream]
	if !ok {
		id = uint64(len(s.streams))
		s.streams = append(s.streams, it.stream)
		s.ids[it.stream] = id
	}
	b = append(b, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(it.nano))
	b = binary.AppendUvarint(b, id)
	b = binary.AppendUvarint(b, it.seq)
	b = binary.AppendUvarint(b, uint64(it.source))
	flags := byte(0)
	if it.inherited {
		flags = 1
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(len(it.metadata)))
	for _, l := range it.metadata {
		b = appendString(b, l.Name)
		b = appendString(b, l.Value)
	}
	b = append(b, it.line...)
	binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// decode reads what encode wrote, after the length. The line stays where it
// lies.
func (s *spool) decode(b []byte, it *item) {
	it.nano = int64(binary.LittleEndian.Uint64(b))
	b = b[8:]
	var id, source, labels uint64
	id, b = uvarint(b)
	it.stream = s.streams[id]
	it.seq, b = uvarint(b)
	source, b = uvarint(b)
	it.source = int(source)
	it.inherited = b[0] == 1
	labels, b = uvarint(b[1:])
	it.metadata = nil
	for range labels {
		var l ingest.Label
		l.Name, b = cutString(b)
		l.Value, b = cutString(b)
		it.metadata = append(it.metadata, l)
	}
	it.line = b
}

func uvarint(b []byte) (uint64, []byte) {
	v, n := binary.Uvarint(b)
	return v, b[n:]
}

func cutString(b []byte) (string, []byte) {
	n, b := uvarint(b)
	return string(b[:n]), b[n:]
}

func (s *spool) encoded(r ref) []byte {
	b := s.chunks[r.chunk][r.off:]
	n := binary.LittleEndian.Uint32(b)
	return b[4 : 4+n]
}

func (s *spool) sort() {
	slices.SortFunc(s.refs, func(a, b ref) int {
		switch {
		case a.nano < b.nano:
			return -1
		case a.nano > b.nano:
			return 1
		}
		return 0
	})
}

// spill sorts what is held and writes it to the temporary file.
func (s *spool) spill() error {
	if len(s.refs) == 0 {
		return nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, "vdm-logs-sort-*")
		if err != nil {
			return fmt.Errorf("sorting input that does not fit memory: %w", err)
		}
		s.file = f
		// Where a file can be removed while it is open, nothing is left
		// behind even by a crash.
		if os.Remove(f.Name()) != nil {
			s.path = f.Name()
		}
	}
	s.sort()
	w := bufio.NewWriterSize(s.file, 256<<10)
	start := s.written
	for _, r := range s.refs {
		b := s.chunks[r.chunk][r.off:]
		n := 4 + int(binary.LittleEndian.Uint32(b))
		if _, err := w.Write(b[:n]); err != nil {
			return fmt.Errorf("sorting input that does not fit memory: %w", err)
		}
		s.written += int64(n)
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("sorting input that does not fit memory: %w", err)
	}
	s.runs = append(s.runs, run{offset: start, length: s.written - start, first: s.refs[0].nano})
	s.refs, s.held = s.refs[:0], 0
	for _, c := range s.chunks {
		// A chunk made for a long line is not kept.
		if cap(c) == chunkSize {
			s.free = append(s.free, c[:0])
		}
	}
	s.chunks = s.chunks[:0]
	return nil
}

// chunk returns an empty chunk with room for n bytes.
func (s *spool) chunk(n int) []byte {
	if last := len(s.free) - 1; last >= 0 && n <= chunkSize {
		c := s.free[last]
		s.free = s.free[:last]
		return c
	}
	return make([]byte, 0, max(chunkSize, n))
}

// sources returns the sorted runs. After it nothing may be added.
func (s *spool) sources() []source {
	s.sort()
	s.free = nil
	var all []source
	for _, r := range s.runs {
		all = append(all, &runSource{spool: s, run: r})
	}
	if len(s.refs) > 0 {
		all = append(all, &memorySource{spool: s})
	}
	return all
}

// close releases memory and the temporary file.
func (s *spool) close() {
	s.chunks, s.free, s.refs = nil, nil, nil
	if s.file != nil {
		s.file.Close()
		s.file = nil
	}
	if s.path != "" {
		os.Remove(s.path)
		s.path = ""
	}
}

// memorySource yields what a spool holds in memory.
type memorySource struct {
	spool *spool
	at    int
}

func (m *memorySource) firstTime() int64 { return m.spool.refs[0].nano }

func (m *memorySource) next(it *item) error {
	if m.at == len(m.spool.refs) {
		return io.EOF
	}
	m.spool.decode(m.spool.encoded(m.spool.refs[m.at]), it)
	m.at++
	return nil
}

func (m *memorySource) close() {}

// runSource yields a run of a spool's temporary file.
type runSource struct {
	spool *spool
	run   run
	r     *bufio.Reader
	buf   []byte
}

func (r *runSource) firstTime() int64 { return r.run.first }

func (r *runSource) next(it *item) error {
	if r.r == nil {
		r.r = bufio.NewReaderSize(io.NewSectionReader(r.spool.file, r.run.offset, r.run.length), 64<<10)
	}
	var size [4]byte
	if _, err := io.ReadFull(r.r, size[:]); err != nil {
		r.r = nil
		if err == io.EOF {
			return io.EOF
		}
		return fmt.Errorf("reading sorted input back: %w", err)
	}
	n := int(binary.LittleEndian.Uint32(size[:]))
	r.buf = slices.Grow(r.buf[:0], n)[:n]
	if _, err := io.ReadFull(r.r, r.buf); err != nil {
		return fmt.Errorf("reading sorted input back: %w", err)
	}
	r.spool.decode(r.buf, it)
	return nil
}

func (r *runSource) close() {}

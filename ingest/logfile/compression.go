package logfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// compressionNone is Source.Compression of plain input; the names of
// compressions are joined by "+" where one lies in another.
const compressionNone = "none"

// maxLayers bounds how many compressions may lie in one another.
const maxLayers = 4

// maxZstdWindow bounds the memory a zstd frame may ask for.
const maxZstdWindow = 64 << 20

// packedSuffixes are the endings of the names of compressed files.
var packedSuffixes = []string{".gz", ".zst", ".zstd", ".bz2", ".sz"}

// compression is a way of packing that is undone.
type compression struct {
	name string
	is   func(begin []byte) bool
	open func(in *input, r *bufio.Reader) (io.Reader, error)
}

// compressions are known by how their data begins.
func compressions() []compression {
	return []compression{
		{"gzip", beginsWith("\x1f\x8b"), func(_ *input, r *bufio.Reader) (io.Reader, error) { return kgzip.NewReader(r) }},
		{"zstd", beginsWith("\x28\xb5\x2f\xfd"), openZstd},
		{"zstd", isZstdFrames, func(in *input, r *bufio.Reader) (io.Reader, error) {
			z, err := openZstd(in, bufio.NewReader(bytes.NewReader(nil)))
			if err != nil {
				return nil, err
			}
			return &zstdFrames{r: r, z: z.(*zstd.Decoder)}, nil
		}},
		{"bzip2", func(b []byte) bool {
			return len(b) >= 10 && string(b[:3]) == "BZh" && '1' <= b[3] && b[3] <= '9' && string(b[4:10]) == "1AY&SY"
		}, func(_ *input, r *bufio.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }},
		{"snappy", beginsWith("\xff\x06\x00\x00sNaPpY"), func(_ *input, r *bufio.Reader) (io.Reader, error) { return s2.NewReader(r), nil }},
	}
}

func beginsWith(magic string) func([]byte) bool {
	return func(b []byte) bool { return bytes.HasPrefix(b, []byte(magic)) }
}

func openZstd(in *input, r *bufio.Reader) (io.Reader, error) {
	z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
	if err != nil {
		return nil, err
	}
	in.closers = append(in.closers, z.IOReadCloser())
	return z, nil
}

// decompress undoes compressions until what is left is none.
func (in *input) decompress(raw io.Reader) (*bufio.Reader, error) {
	source := &rawReader{r: raw}
	r := bufio.NewReaderSize(source, sniffSize)
	var names []string
	for {
		begin, _ := r.Peek(sniffArchive)
		c := compressionOf(begin)
		if c == nil {
			in.compression = compressionNone
			if len(names) > 0 {
				in.compression = strings.Join(names, "+")
			}
			return r, archiveError(in.name(), begin)
		}
		if len(names) == maxLayers {
			return nil, &PackedError{Path: in.name(), Kind: fmt.Sprintf("compressed more than %d times", maxLayers), Hint: "Decompress it first."}
		}
		plain, err := c.open(in, r)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", c.name, &brokenError{err})
		}
		names = append(names, c.name)
		r = bufio.NewReaderSize(&unpacked{r: plain, raw: source}, sniffSize)
	}
}

func compressionOf(begin []byte) *compression {
	for _, c := range compressions() {
		if c.is(begin) {
			return &c
		}
	}
	return nil
}

// zstdFrames reads what the OpenTelemetry collector's file exporter writes
// with compression: each message is a zstd frame behind its length in four
// bytes, big end first. A line break is put between messages.
type zstdFrames struct {
	r    *bufio.Reader
	z    *zstd.Decoder
	open bool
	gap  bool // a line break is due
}

func isZstdFrames(b []byte) bool {
	return len(b) >= 8 && b[0] == 0 && binary.BigEndian.Uint32(b) > 8 && string(b[4:8]) == "\x28\xb5\x2f\xfd"
}

func (f *zstdFrames) Read(p []byte) (int, error) {
	for {
		if f.gap && len(p) > 0 {
			f.gap = false
			p[0] = '\n'
			return 1, nil
		}
		if !f.open {
			var size [4]byte
			if _, err := io.ReadFull(f.r, size[:]); err != nil {
				return 0, err
			}
			if err := f.z.Reset(io.LimitReader(f.r, int64(binary.BigEndian.Uint32(size[:])))); err != nil {
				return 0, err
			}
			f.open = true
		}
		n, err := f.z.Read(p)
		if err == io.EOF {
			f.open, f.gap, err = false, true, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// sniffArchive is how far into an input a tar archive shows that it is one.
const sniffArchive = 262

// archives are packings that are not undone, by how they begin, with what to
// do.
var archives = []struct {
	at                int
	magic, kind, hint string
}{
	{0, "\xfd7zXZ\x00", "compressed with xz", "Decompress it: xz -dc FILE | vdm-logs analyze -"},
	{0, "\x04\x22\x4d\x18", "compressed with lz4", "Decompress it: lz4 -dc FILE | vdm-logs analyze -"},
	{0, "PK\x03\x04", "a zip archive", "Unpack it, and name the folder."},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "Unpack it, and name the folder."},
	{257, "ustar", "a tar archive", "Unpack it, and name the folder; of a single file: tar -xOf FILE NAME | vdm-logs analyze -"},
	{0, "LPKSHHRH", "a binary file of the systemd journal", "Export it: journalctl --file FILE -o json | vdm-logs analyze -"},
	{0, "PAR1", "a Parquet file", "Export it as CSV or JSON lines."},
}

// PackedError says that an input is packed in a way that is not undone.
type PackedError struct {
	Path, Kind string
	Hint       string // what to do
}

// Error names the input and its packing.
func (e *PackedError) Error() string { return fmt.Sprintf("%s: %s, which is not read", e.Path, e.Kind) }

// archiveError is the error for an input that begins as an archive does.
func archiveError(path string, begin []byte) error {
	for _, a := range archives {
		if len(begin) >= a.at && bytes.HasPrefix(begin[a.at:], []byte(a.magic)) {
			return &PackedError{Path: path, Kind: a.kind, Hint: a.hint}
		}
	}
	return nil
}

// brokenError is what a decompressor said of its data, and not of reading it.
type brokenError struct{ err error }

func (e *brokenError) Error() string { return e.err.Error() }
func (e *brokenError) Unwrap() error { return e.err }

// unpacked tells the failures of a decompressor from those of its input.
type unpacked struct {
	r   io.Reader
	raw *rawReader
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF && u.raw.err == nil {
		err = &brokenError{err}
	}
	return n, err
}

// rawReader remembers what reading failed with.
type rawReader struct {
	r   io.Reader
	err error
}

func (r *rawReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// isCutOff reports whether err says that a compressed input ends too early or
// was damaged, so that what was read before it holds good.
func isCutOff(err error) bool {
	var broken *brokenError
	return errors.As(err, &broken) || errors.Is(err, io.ErrUnexpectedEOF)
}

package logfile

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/s2"
)

const twoLines = "2026-09-19 12:00:00 a\n2026-09-19 12:00:01 b\n"

// bzipped is twoLines, packed by bzip2.
const bzipped = "QlpoOTFBWSZTWSrP6pAAAA1ZAAAQQAJxMDAAIAAxANNNAVUZTTHqSdf76tcIi8RSLcaZVimdPC7kinChIFWf1SA="

func snappied(s string) string {
	var b bytes.Buffer
	w := s2.NewWriter(&b, s2.WriterSnappyCompat())
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// zstdFramed packs messages as the OpenTelemetry collector's file exporter
// does.
func zstdFramed(messages ...string) string {
	var b []byte
	for _, m := range messages {
		packed := zstded(m)
		b = binary.BigEndian.AppendUint32(b, uint32(len(packed)))
		b = append(b, packed...)
	}
	return string(b)
}

func TestCompressions(t *testing.T) {
	bz, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	otlp := func(line string) string {
		return `{"resourceLogs":[{"resource":{},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1789819200000000000","body":{"stringValue":"` + line + `"}}]}]}]}`
	}
	text := []string{"2026-09-19 12:00:00 a", "2026-09-19 12:00:01 b"}
	for _, c := range []struct {
		name, content string
		want          []string
	}{
		{"none", twoLines, text},
		{"gzip", gzipped(twoLines), text},
		{"gzip", gzipped(twoLines[:22]) + gzipped(twoLines[22:]), text},
		{"zstd", zstded(twoLines), text},
		{"bzip2", string(bz), text},
		{"snappy", snappied(twoLines), text},
		{"gzip+gzip", gzipped(gzipped(twoLines)), text},
		{"gzip+zstd+bzip2", gzipped(zstded(string(bz))), text},
		{"zstd", zstdFramed(otlp("a"), otlp("b")), []string{"a", "b"}},
	} {
		have, r := readAll(t, []string{write(t, "app.log", c.content)}, Options{})
		if d := cmp.Diff(c.want, lines(have)); d != "" || r.Stats().Partial {
			t.Errorf("%s (-want +got), partial %v:\n%s", c.name, r.Stats().Partial, d)
		}
		if got := r.Sources()[0].Compression; got != c.name {
			t.Errorf("compression %q, want %q", got, c.name)
		}
		// Cut anywhere behind the head, what came before holds good, and it
		// is told, unless the cut is one between two parts.
		for n := 20; n < len(c.content); n += 7 {
			r, err := Open(context.Background(), []string{"-"}, Options{Format: r.Sources()[0].Format, Stdin: strings.NewReader(c.content[:n])})
			if err != nil {
				continue // inside a header
			}
			all := lines(drainReader(t, r))
			for i, line := range all {
				if i >= len(c.want) || i < len(all)-1 && line != c.want[i] || !strings.HasPrefix(c.want[i], line) {
					t.Errorf("%s cut at %d: %q", c.name, n, all)
				}
			}
			if c.name != "none" && len(all) == 0 && !r.Stats().Partial {
				t.Errorf("%s cut at %d: nothing, and nothing told", c.name, n)
			}
			r.Close()
		}
	}
}

func TestPackedInputsAreRefused(t *testing.T) {
	five := twoLines
	for range maxLayers + 1 {
		five = gzipped(five)
	}
	tar := make([]byte, 1024)
	copy(tar[257:], "ustar")
	for want, content := range map[string]string{
		"xz":                 "\xfd7zXZ\x00\x00\x04",
		"lz4":                "\x04\x22\x4d\x18....",
		"zip":                "PK\x03\x04....",
		"tar":                string(tar),
		"more than 4 times":  five,
		"journalctl --file":  "LPKSHHRH....",
		"compressed with xz": gzipped("\xfd7zXZ\x00\x00\x04"),
	} {
		path := write(t, "app.log", content)
		_, err := Open(context.Background(), []string{path}, Options{})
		var packed *PackedError
		if !errors.As(err, &packed) || !strings.Contains(packed.Error()+packed.Hint, want) || !IsRefused(err) {
			t.Errorf("%s: %v", want, err)
		}
		// In a directory the other files are read.
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "b.log"), []byte(twoLines), 0o600); err != nil {
			t.Fatal(err)
		}
		have, r := readAll(t, []string{filepath.Dir(path)}, Options{})
		if st := r.Stats(); len(have) != 2 || !st.Partial || len(st.Problems) != 1 {
			t.Errorf("%s in a directory: %d entries, %+v", want, len(have), st)
		}
	}
}

// TestUnreadableFilesOfADirectory leaves out what cannot be opened or is
// broken, reads the others, and tells.
func TestUnreadableFilesOfADirectory(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.log": twoLines, "b.log.gz": "\x1f\x8b\x08", "c.log": twoLines} {
		if err := writeFile(filepath.Join(dir, name), content); err != nil {
			t.Fatal(err)
		}
	}
	want, problems := 4, 1
	if os.Geteuid() != 0 {
		if err := os.Chmod(filepath.Join(dir, "c.log"), 0); err != nil {
			t.Fatal(err)
		}
		want, problems = 2, 2
	}
	have, r := readAll(t, []string{dir}, Options{})
	if st := r.Stats(); len(have) != want || !st.Partial || len(st.Problems) != problems {
		t.Errorf("%d entries, want %d; %+v", len(have), want, st)
	}
}

// FuzzDecompress undoes whatever comes: it ends, says how, and never fails on
// what it says is not compressed.
func FuzzDecompress(f *testing.F) {
	bz, _ := base64.StdEncoding.DecodeString(bzipped)
	for _, s := range []string{twoLines, gzipped(twoLines), zstded(twoLines), string(bz), snappied(twoLines), gzipped(gzipped(twoLines)), zstdFramed(twoLines, twoLines), zstdFramed("")} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		in := &input{path: "-"}
		defer in.close()
		r, err := in.decompress(bytes.NewReader(content))
		if err != nil {
			return
		}
		plain, err := io.ReadAll(io.LimitReader(r, 1<<20))
		if in.compression == compressionNone && (err != nil || !bytes.Equal(plain, content[:min(len(content), 1<<20)])) {
			t.Fatalf("%d of %d bytes, %v", len(plain), len(content), err)
		}
		if err != nil && !isCutOff(err) {
			t.Fatalf("%s: %v is no sign of broken data", in.compression, err)
		}
	})
}

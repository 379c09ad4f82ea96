package logfile

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMeter wants what is read to be counted as it is on disk, once for each
// time that it is read.
func TestMeter(t *testing.T) {
	text := strings.Repeat("2026-09-19T08:26:00Z ERROR something broke\n", 5000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	dir := t.TempDir()
	plain, gz := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.log.gz")
	for path, data := range map[string][]byte{plain: []byte(text), gz: packed.Bytes()} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, size := range map[string]int64{plain: int64(len(text)), gz: int64(packed.Len())} {
		var m Meter
		r, err := Open(t.Context(), []string{path}, Options{Meter: &m})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if m.Total() != size || m.Read() < size {
			t.Errorf("%s of %d bytes: %d of %d", filepath.Base(path), size, m.Read(), m.Total())
		}
	}
	var none *Meter
	if none.Read() != 0 || none.Total() != 0 {
		t.Error("no meter has counted something")
	}
}

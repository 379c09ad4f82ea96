package logfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// inUTF16 encodes text.
func inUTF16(text string, order binary.ByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		var two [2]byte
		order.PutUint16(two[:], u)
		b = append(b, two[:]...)
	}
	return string(b)
}

// TestUTF16 reads what PowerShell's redirection writes like any other file.
func TestUTF16(t *testing.T) {
	const text = "2026-09-19 12:00:00 ERROR größer 𝄞\r\n2026-09-19 12:00:02 ERROR zwei\r\n"
	const file = `{filename="app.log"}`
	want := []got{{"2026-09-19T12:00:00Z", file, "2026-09-19 12:00:00 ERROR größer 𝄞", true, false},
		{"2026-09-19T12:00:02Z", file, "2026-09-19 12:00:02 ERROR zwei", true, false}}
	for name, content := range map[string]string{
		"little, marked": inUTF16("\ufeff"+text, binary.LittleEndian),
		"big, marked":    inUTF16("\ufeff"+text, binary.BigEndian),
		"little":         inUTF16(text, binary.LittleEndian),
		"big":            inUTF16(text, binary.BigEndian),
	} {
		for _, path := range []string{write(t, "app.log", content), write(t, "app.log.gz", gzipped(content))} {
			have, _ := readAll(t, []string{path}, Options{})
			if diff := cmp.Diff(want, have); diff != "" {
				t.Errorf("%s: entries (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestUTF16Damaged(t *testing.T) {
	for units, want := range map[string]string{
		"a\x00\x00\xd8b\x00":    "a\ufffdb", // half a pair
		"a\x00\x34\xd8":         "a\ufffd",
		"a\x00b":                "a\ufffd", // half a unit
		"a\x00\x34\xd8\x1e\xdd": "a𝄞",
		"\x00\xdc\x00\xdca\x00": "\ufffd\ufffda",
		"a\x00\x00\xd8\x00\xd8": "a\ufffd\ufffd",
	} {
		b, err := io.ReadAll(&utf16Reader{r: bufio.NewReader(strings.NewReader(units)), order: binary.LittleEndian})
		if err != nil || !bytes.Equal(b, []byte(want)) {
			t.Errorf("%q: %q, %v, want %q", units, b, err, want)
		}
	}
}

func FuzzUTF16(f *testing.F) {
	f.Add([]byte("a\x00\x34\xd8\x1e\xdd\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := io.ReadAll(&utf16Reader{r: bufio.NewReader(bytes.NewReader(b)), order: binary.LittleEndian})
		if err != nil {
			t.Fatal(err)
		}
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(b[2*i:])
		}
		want := string(utf16.Decode(units))
		if len(b)%2 == 1 {
			want += "\ufffd"
		}
		if string(got) != want {
			t.Errorf("%q: %q, want %q", b, got, want)
		}
	})
}

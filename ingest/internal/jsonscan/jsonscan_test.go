package jsonscan

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSkip(t *testing.T) {
	cases := []struct {
		in   string
		rest string
		err  error
	}{
		{`"a\"b" x`, " x", nil},
		{` {"a":[1,{"b":"]}"}]} x`, " x", nil},
		{`-1.5e3,`, ",", nil},
		{`true]`, "]", nil},
		{`"a\`, "", ErrShort},
		{`"a\"`, "", ErrShort},
		{`{"a":[1}`, "}", ErrSyntax},
		{`[[`, "", ErrShort},
		{``, "", ErrShort},
		{`,`, ",", ErrSyntax},
		{strings.Repeat("[", maxDepth+1), "[", ErrDepth},
	}
	for _, c := range cases {
		end, err := Skip([]byte(c.in), 0)
		if err != c.err || c.in[end:] != c.rest {
			t.Errorf("Skip(%.40q) leaves %.40q, %v; want %q, %v", c.in, c.in[end:], err, c.rest, c.err)
		}
		var s Scanner
		s.Reset(iotest.OneByteReader(strings.NewReader(c.in)))
		if err := s.Skip(); !errors.Is(err, c.err) {
			t.Errorf("Scanner.Skip(%.40q): %v, want %v", c.in, err, c.err)
		}
	}
}

// FuzzUnescape compares strings with encoding/json, in memory and from a
// reader that gives a byte at a time.
func FuzzUnescape(f *testing.F) {
	for _, s := range []string{`a`, `\n\t\"\\\/\b\f\r`, `é\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ud83d\u0041`, `\x`, `\u12`, "\x00\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, inside []byte) {
		quoted := append(append([]byte{'"'}, inside...), '"')
		raw, _, next, err := String(quoted, 0)
		var got []byte
		if err == nil && next == len(quoted) {
			got, err = Unescape(nil, bytes.Clone(raw))
		} else if err == nil {
			return // a quote inside
		}
		var s Scanner
		s.Reset(iotest.OneByteReader(bytes.NewReader(quoted)))
		streamed, cut, streamErr := s.String(nil, 1<<20)
		if (err == nil) != (streamErr == nil) || err == nil && !bytes.Equal(got, streamed) || cut {
			t.Fatalf("%q: %q, %v; streamed %q, %v", quoted, got, err, streamed, streamErr)
		}
		var want string
		if json.Unmarshal(quoted, &want) == nil {
			if err != nil || strings.ToValidUTF8(string(got), "\uFFFD") != want && !bytes.ContainsFunc(inside, func(r rune) bool { return r == '\uFFFD' }) {
				t.Fatalf("%q: %q, %v; encoding/json: %q", quoted, got, err, want)
			}
		}
	})
}

// FuzzRaw compares values read from a reader that gives a byte at a time with
// what Skip passes over in memory.
func FuzzRaw(f *testing.F) {
	for _, s := range []string{`"a\"b" x`, ` {"a":[1,{"b":"]}"}]} x`, `-1.5e3,`, `true]`, `"a\`, `{"a":[1}`, `[[`, ``, `{"a\\":"\\\""}`} {
		f.Add([]byte(s), uint8(200))
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, limit uint8) {
		start := Space(b, 0)
		end, wantErr := Skip(b, 0)
		if wantErr == nil && b[start] != '"' && b[start] != '{' && b[start] != '[' && end-start > 64 {
			return
		}
		var s Scanner
		s.Reset(iotest.OneByteReader(bytes.NewReader(b)))
		raw, cut, err := s.Raw(nil, int(limit))
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("Raw(%q): %v, Skip: %v", b, err, wantErr)
		}
		if err != nil {
			return
		}
		want := b[start:end]
		if want[0] == '"' || want[0] == '{' || want[0] == '[' {
			if (len(want) > int(limit)) != cut {
				t.Fatalf("Raw(%q, %d): cut %v", b, limit, cut)
			}
			want = want[:min(len(want), int(limit))]
		}
		if !bytes.Equal(raw, want) || s.Offset() != int64(end) {
			t.Fatalf("Raw(%q, %d) = %q at %d, want %q at %d", b, limit, raw, s.Offset(), want, end)
		}
	})
}

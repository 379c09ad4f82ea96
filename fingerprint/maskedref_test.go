package fingerprint

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// The old formula once more, slowly, with expressions: what the fast passes
// must agree with on any input.

const (
	refWord    = `\p{L}\p{Mn}\p{Nd}\p{Pc}\x{200c}\x{200d}`
	refSegment = `[` + refWord + `.{}\-]`
)

var (
	refGUID = regexp.MustCompile(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
	refTime = regexp.MustCompile(`\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}[T ]\p{Nd}{2}:\p{Nd}{2}:\p{Nd}{2}(?:\.\p{Nd}+)?(?:Z|[+\-]\p{Nd}{2}:?\p{Nd}{2})?`)
	refPath = regexp.MustCompile(refSegment + `+(?:[/\\]` + refSegment + `+)+`)
	refHex  = regexp.MustCompile(`(?:0x)?[0-9a-fA-F]{16,}`)
	refNum  = regexp.MustCompile(`\p{Nd}+(?:\.\p{Nd}+)?`)
)

// refReplace replaces the leftmost matches that ok accepts; after one that it
// does not accept the search goes on one character later.
func refReplace(s string, re *regexp.Regexp, with string, ok func(s string, i, j int) bool) string {
	var out strings.Builder
	at, done := 0, 0
	for at <= len(s) {
		m := re.FindStringIndex(s[at:])
		if m == nil {
			break
		}
		i, j := at+m[0], at+m[1]
		if !ok(s, i, j) {
			_, size := utf8.DecodeRuneInString(s[i:])
			at = i + size
			continue
		}
		out.WriteString(s[done:i] + with)
		at, done = j, j
	}
	return out.String() + s[done:]
}

func refIsWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.In(r, unicode.Mn, unicode.Nd, unicode.Pc) || r == 0x200c || r == 0x200d
}

func refBefore(s string, i int) rune {
	if i == 0 {
		return ' '
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

func refAfter(s string, j int) rune {
	if j == len(s) {
		return ' '
	}
	r, _ := utf8.DecodeRuneInString(s[j:])
	return r
}

func refQuotes(s string) string {
	rs := []rune(s)
	var out strings.Builder
	for i := 0; i < len(rs); i++ {
		if rs[i] == '\'' || rs[i] == '"' {
			j := i + 1
			for j < len(rs) && rs[j] != rs[i] {
				j++
			}
			if units := len(utf16.Encode(rs[i+1 : j])); j < len(rs) && units >= 1 && units <= 120 {
				out.WriteString("'{value}'")
				i = j
				continue
			}
		}
		out.WriteRune(rs[i])
	}
	return out.String()
}

func refMask(s string) string {
	bounded := func(s string, i, j int) bool { return !refIsWord(refBefore(s, i)) && !refIsWord(refAfter(s, j)) }
	s = refReplace(s, refGUID, "{guid}", bounded)
	s = refReplace(s, refTime, "{time}", func(s string, i, _ int) bool { return !refIsWord(refBefore(s, i)) })
	s = refReplace(s, refPath, "{path}", func(string, int, int) bool { return true })
	s = refQuotes(s)
	s = refReplace(s, refHex, "{hex}", bounded)
	s = refReplace(s, refNum, "{n}", func(s string, i, _ int) bool {
		b := refBefore(s, i)
		return b != '_' && (b >= utf8.RuneSelf || !unicode.IsLetter(b))
	})
	var out strings.Builder
	rs := []rune(s)
	for i := 0; i < len(rs); {
		j := i
		for j < len(rs) && unicode.IsSpace(rs[j]) {
			j++
		}
		switch {
		case j-i > 1:
			out.WriteByte(' ')
			i = j
		default:
			out.WriteRune(rs[i])
			i++
		}
	}
	return strings.TrimSpace(out.String())
}

func refID(category, message string) string {
	u := utf16.Encode([]rune(refMask(message)))
	head := string(utf16.Decode(u[:min(len(u), 300)]))
	sum := sha256.Sum256([]byte(category + "\n\n" + head + "\n"))
	return fmt.Sprintf("%x", sum[:8])
}

func FuzzMasked(f *testing.F) {
	for _, v := range maskedVectors(f) {
		f.Add(v.Message)
	}
	for _, s := range []string{
		"x 0xDEADBEEFDEADBEEF00 00xDEADBEEFDEADBEEF z0123456789abcdef0", "a/b//c/d\\e {guid}/x", "1.2.3 _1 é1 ٣.٤ a1.5", "'' \"a'b\" 'é😀'",
		"7a2f1c4e-9b3d-4a21-8f65-0c1d2e3f4a5b7a2f1c4e-9b3d-4a21-8f65-0c1d2e3f4a5b", "2026-09-19T19:00:52.047+0200x 2026-09-19 19:00:5", "a\u00a0\u2003b\u0085c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		message = strings.TrimSpace(strings.ToValidUTF8(message, ""))
		if message == "" || strings.ContainsAny(message, "\n\r") || strings.HasPrefix(message, "at ") || exceptionName([]byte(message)) > 0 {
			return
		}
		var m Masked
		got, ok := m.Lines([][]byte{[]byte("fail: C[0]"), []byte(message)})
		if want := refID("C", message); !ok || got != want {
			t.Errorf("message %q\n got %q\nwant %q", message, m.a, refMask(message))
		}
	})
}

package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want, ascii string }{
		{"plain ~ text", "plain ~ text", ""},
		{"é漢字👍", "é漢字👍", `\u00e9\u6f22\u5b57\U0001f44d`},
		{"\x1b[31mred", `\x1b[31mred`, ""},
		{"a\nb\rc\td\x00e\x7f", `a\nb\rc\td\x00e\x7f`, ""},
		{"\u009b31m", `\u009b31m`, ""},
		{"\xff\xc3(", `\xff\xc3(`, ""},
		{"\u202egpj.exe\u202c", `\u202egpj.exe\u202c`, ""},
		{"soft\u00adhyphen, zero\u200bwidth, \ufeffmark", `soft\u00adhyphen, zero\u200bwidth, \ufeffmark`, ""},
		{"line\u2028break", `line\u2028break`, ""},
		{"filler\u3164 tag\U000e0041 private\ue000 none\U0003ffff", `filler\u3164 tag\U000e0041 private\ue000 none\U0003ffff`, ""},
		{"❤\ufe0f", `❤\ufe0f`, `\u2764\ufe0f`},
		{"e\u0301\u0301\u0301\u0301\u0301\u0301x", "e\u0301\u0301\u0301\u0301" + `\u0301\u0301x`, `e\u0301\u0301\u0301\u0301\u0301\u0301x`},
		{"no\u00a0break", "no\u00a0break", `no\u00a0break`},
	} {
		if got := visible(c.in); got != c.want {
			t.Errorf("visible(%q) = %q, want %q", c.in, got, c.want)
		}
		if c.ascii == "" {
			c.ascii = c.want
		}
		if got := (Screen{Escape: true}).safe(c.in); got != c.ascii {
			t.Errorf("safe(%q) = %q, want %q", c.in, got, c.ascii)
		}
	}
}

func TestEssence(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"fail: Shop[0]\n      It   failed\n   at once", "It failed at once"},
		{"2026-09-19T08:00:00.123+02:00  ERROR it failed", "ERROR it failed"},
		{"[2026/09/19 08:00:00] it failed at 2026-09-19 09:00:00", "it failed at 2026-09-19 09:00:00"},
		{"2026-09-19 08:00:00 ", "2026-09-19 08:00:00"},
		{"only a header\n \n", "only a header"},
		{strings.Repeat("long header ", 10) + "\nrest", strings.TrimSpace(strings.Repeat("long header ", 10)) + " rest"},
		{"", ""},
		{strings.Repeat("é", longestShown), strings.Repeat("é", longestShown/2)},
	} {
		if got := essence(c.in); got != c.want {
			t.Errorf("essence(%.40q) = %.40q, want %.40q", c.in, got, c.want)
		}
	}
}

// FuzzVisible wants of any text something that is one line of what a terminal
// shows, and the same again when it is made visible once more.
func FuzzVisible(f *testing.F) {
	for _, h := range hostile {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, escape := range []bool{false, true} {
			s := Screen{Escape: escape}
			got := s.safe(text)
			if !utf8.ValidString(got) {
				t.Fatalf("safe(%q) = %q is not UTF-8", text, got)
			}
			for _, r := range got {
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 || escape && r >= 0x80 {
					t.Fatalf("safe(%q) = %q holds %U", text, got, r)
				}
			}
			if again := s.safe(got); again != got {
				t.Fatalf("safe(%q) = %q, and again %q", text, got, again)
			}
		}
	})
}

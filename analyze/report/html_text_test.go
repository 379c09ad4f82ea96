package report

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestHTMLCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		max  int
		want string
	}{
		{"short", 10, "short"},
		{"0123456789", 9, "012345 … 789"},
		{"", 5, ""},
		{"äöüäöüäöü", 9, "äöü … öü"},
	} {
		if got := htmlCut(c.in, c.max); got != c.want {
			t.Errorf("htmlCut(%q, %d) = %q, want %q", c.in, c.max, got, c.want)
		}
	}
	long := strings.Repeat("\u202eä", 1<<20)
	if got := htmlCut(long, 100); len(got) > 110 || !utf8.ValidString(got) || strings.ContainsRune(got, 0x202e) {
		t.Errorf("htmlCut of a long text: %d bytes, %q", len(got), got)
	}
}

func TestHTMLCutLines(t *testing.T) {
	for _, c := range []struct {
		in         string
		max        int
		want, note string
	}{
		{"one\r\n\ttwo\x1b[31m\n\n", 100, "one\n    two\\x1b[31m", ""},
		{"0123456789", 4, "0123", "the first 4 of 10 bytes are shown"},
		{"aä", 2, "a", "the first 1 of 3 bytes are shown"},
		{"a\rb\u2028c", 100, `a\rb\u2028c`, ""},
	} {
		got, note := htmlCutLines(c.in, c.max)
		if got != c.want || note != c.note {
			t.Errorf("htmlCutLines(%q, %d) = %q, %q; want %q, %q", c.in, c.max, got, note, c.want, c.note)
		}
	}
}

func TestHTMLNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{htmlShare(0, 10), "0 %"}, {htmlShare(10, 10), "100 %"}, {htmlShare(1, 1000), "< 1 %"}, {htmlShare(999, 1000), "> 99 %"}, {htmlShare(1, 0), htmlNothing}, {htmlShare(1, 3), "33 %"},
		{htmlSureness(1), "> 99.9 %"}, {htmlSureness(0.9987), "99.9 %"}, {htmlSureness(0.5), "50 %"},
		{htmlBetween(179_999_837_544, 180_000_053_218), "179.99984 – 180.00005 s"}, {htmlBetween(59e9, 61e9), "59.0 – 61.0 s"}, {htmlBetween(10_799_999_500_000, 10_800_000_800_000), "2h59m59.9995s – 3h00m00.0008s"},
		{htmlBetween(int64(4*time.Hour)-40e9, int64(4*time.Hour)+600e6), "3h59m20s – 4h00m01s"}, {htmlBetween(5, 5), "0.000000005 – 0.000000005 s"},
		{htmlSpan(0), "0"}, {htmlSpan(45 * time.Second), "45 s"}, {htmlSpan(3 * time.Minute), "3 min"}, {htmlSpan(328 * time.Second), "5 min 28 s"},
		{htmlSpan(90 * time.Minute), "1 h 30 min"}, {htmlSpan(72 * time.Hour), "3 d"}, {htmlSpan(1500 * time.Millisecond), "1.5 s"}, {htmlSpan(2500 * time.Microsecond), "2.5 ms"},
		{htmlBytes(9999), "9,999 B"}, {htmlBytes(1 << 20), "1 MiB"}, {htmlBytes(1<<63 - 1), "8.19e+03 PiB"},
		{htmlLetter(0), "A"}, {htmlLetter(25), "Z"}, {htmlLetter(26), "AA"}, {htmlLetter(27), "AB"}, {htmlLetter(26 + 26*26), "AAA"},
		{htmlTail("memex-portal-6f9c7d5b8-2kcwk", 8), "…8-2kcwk"}, {htmlTail("short", 8), "short"},
		{htmlAddress("https://x.example/a?b"), "https://x.example/a?b"}, {htmlAddress("javascript:alert(1)"), ""}, {htmlAddress("//x.example"), ""}, {htmlAddress("https:"), ""}, {htmlAddress("data:text/html,x"), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

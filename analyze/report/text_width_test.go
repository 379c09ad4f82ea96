package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "漢字": 4, "한국": 4, "ｆｕｌｌ": 8, "e\u0301": 1, "👍": 2, "👍🏽": 2, "🇩🇪": 2, "▁█▏╵▲◂…·": 8,
	} {
		if got := columns(text); got != want {
			t.Errorf("columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"漢字漢字", 6, "漢字…"},
		{"漢字漢字", 7, "漢字漢…"},
		{"took 12345 ms", 8, "took …"},       // not "took 12…"
		{"took 12345 ms", 11, "took 12345…"}, // whole
		{"at 12:30:05.123 it", 9, "at …"},    // a time is a number too
		{"sum 1,234,567 of", 8, "sum …"},     // and so is this
		{"v1.2.3-rc and on", 4, "v…"},        // and a version
		{"12345678901234567890", 5, "1234…"}, // nothing else is there
		{"x", 0, ""},
		{"xyz", 1, "…"},
	} {
		if got := (Screen{}).fit(c.text, c.width); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if got := (Screen{ASCII: true}).fit("longer text", 8); got != "longe..." {
		t.Errorf("in ASCII: %q", got)
	}
}

func TestFitMiddle(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"plugin-registry//Standard-AttemptTimeout", 20, "plugin-reg…ptTimeout"},
		{"exactly", 7, "exactly"},
		{"漢字漢字漢字漢字", 9, "漢字…漢字"},
		{"abcdefghij", 7, "abcdef…"},
	} {
		if got := (Screen{}).fitMiddle(c.text, c.width); got != c.want {
			t.Errorf("fitMiddle(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 9, []string{"one two", "three"}},
		{"every 180.000 s ± 1.4 ms here", 20, []string{"every", "180.000 s ± 1.4 ms", "here"}},
		{"last 09-28 07:00:00Z", 10, []string{"last", "09-28 07:0", "0:00Z"}},
		{"last 09-28 07:00:00Z", 18, []string{"last", "09-28 07:00:00Z"}},
		{"a 5 % loss", 8, []string{"a 5 %", "loss"}},
		{"abcdefghijklmnop", 8, []string{"abcdefgh", "ijklmnop"}},
		{"漢字漢字漢 字", 8, []string{"漢字漢字", "漢 字"}},
	} {
		if d := cmp.Diff(c.want, wrap(c.text, c.width)); d != "" {
			t.Errorf("wrap(%q, %d) (-want +got):\n%s", c.text, c.width, d)
		}
	}
}

// FuzzWrap wants every row of any text within the width, and nothing lost.
func FuzzWrap(f *testing.F) {
	for i, h := range hostile {
		f.Add(h+" 12 ms "+h, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, w uint8) {
		text, width := visible(text), 8+int(w)
		lines := wrap(text, width)
		for _, l := range lines {
			if columns(l) > width {
				t.Fatalf("wrap(%q, %d): %q takes %d columns", text, width, l, columns(l))
			}
		}
		strip := func(s string) string { return strings.NewReplacer(" ", "", unbroken, "").Replace(s) }
		if got, want := strip(strings.Join(lines, "")), strip(text); got != want {
			t.Fatalf("wrap(%q, %d) = %q has lost something", text, width, lines)
		}
		for _, cut := range []string{(Screen{}).fit(text, width), (Screen{}).fitMiddle(text, width), (Screen{ASCII: true}).fitLeft(text, width)} {
			if columns(cut) > width {
				t.Fatalf("%q cut to %d takes %d columns: %q", text, width, columns(cut), cut)
			}
		}
	})
}

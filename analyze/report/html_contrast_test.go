package report

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The contrast that text and that pictures must have (WCAG 2.2, 1.4.3 and
// 1.4.11).
const (
	textContrast    = 4.5
	pictureContrast = 3
)

// luminance is the relative luminance of #rrggbb, as WCAG defines it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("colour %q", colour)
	}
	channel := func(shift int) float64 {
		c := float64(n>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestHTMLContrast(t *testing.T) {
	if got := contrast(t, "#000000", "#ffffff"); math.Abs(got-21) > 1e-9 {
		t.Fatalf("black on white has a contrast of %v", got)
	}
	css := string(htmlStyle)
	light, rest, ok := strings.Cut(css, "@media screen and (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("there is no dark scheme")
	}
	dark := rest[:strings.Index(rest, "}\n}")]
	variable := regexp.MustCompile(`--([a-z0-9]+): (#[0-9a-f]{6});`)
	palette := func(css string) map[string]string {
		out := map[string]string{}
		for _, m := range variable.FindAllStringSubmatch(css, -1) {
			out[m[1]] = m[2]
		}
		return out
	}
	texts := [][2]string{
		{"ink", "paper"}, {"ink", "card"}, {"ink", "track"}, {"soft", "paper"}, {"soft", "card"}, {"link", "paper"}, {"link", "card"},
		{"bad", "paper"}, {"bad", "card"}, {"warn", "paper"}, {"warn", "card"}, {"good", "paper"}, {"good", "card"},
		{"chip", "s1"}, {"chip", "s2"}, {"chip", "s3"}, {"chip", "s4"}, {"chip", "s5"},
	}
	pictures := [][2]string{
		{"s0", "paper"}, {"s1", "paper"}, {"s2", "paper"}, {"s3", "paper"}, {"s4", "paper"}, {"s5", "paper"},
		{"s1", "card"}, {"bad", "card"}, {"soft", "card"}, {"hatch", "hole"}, {"s0", "hole"}, {"s1", "hole"}, {"soft", "paper"}, {"s1", "track"},
	}
	for _, scheme := range []struct {
		name   string
		colour map[string]string
	}{{"light", palette(light)}, {"dark", palette(dark)}} {
		if len(scheme.colour) != len(palette(light)) {
			t.Errorf("%s: %d colours, the light scheme has %d", scheme.name, len(scheme.colour), len(palette(light)))
		}
		for least, pairs := range map[float64][][2]string{textContrast: texts, pictureContrast: pictures} {
			for _, pair := range pairs {
				if got := contrast(t, scheme.colour[pair[0]], scheme.colour[pair[1]]); got < least {
					t.Errorf("%s: %s on %s has a contrast of %.2f, want %v", scheme.name, pair[0], pair[1], got, least)
				}
			}
		}
	}
	// Colours are named, and every one that text has is among the pairs.
	for _, m := range regexp.MustCompile(`[^-](?:color|fill): ([^;]+);`).FindAllStringSubmatch(css, -1) {
		name, named := strings.CutPrefix(strings.TrimSuffix(m[1], ")"), "var(--")
		switch {
		case m[1] == "inherit" || m[1] == "none" || m[1] == "transparent":
		case !named:
			t.Errorf("the colour %s has no name", m[1])
		case !slices.ContainsFunc(append(slices.Clone(texts), pictures...), func(p [2]string) bool { return p[0] == name || p[1] == name }):
			t.Errorf("nothing is known of the contrast of %s", name)
		}
	}
}

package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// defaultWidth is how wide text is made for what is no terminal: what fits the
// narrowest place that it is likely to be read in.
const defaultWidth = 80

// screenOf says what text written to w is for. Colour needs a terminal, no
// NO_COLOR and a TERM other than dumb; --color decides over all of them.
func screenOf(w io.Writer, color string) report.Screen {
	s := report.Screen{Width: defaultWidth}
	terminal := false
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		terminal = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			s.Width = width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 && !terminal {
		s.Width = width
	}
	s.Color = terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	switch color {
	case "always":
		s.Color = true
	case "never":
		s.Color = false
	}
	s.ASCII = !utf8Locale()
	return s
}

// utf8Locale reports whether the locale's character set is UTF-8, by POSIX's
// order of variables; without any, UTF-8 is assumed.
func utf8Locale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

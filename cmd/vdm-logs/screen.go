package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// defaultWidth is how wide text is made for what is no terminal: what fits the
// narrowest place that it is likely to be read in.
const defaultWidth = 80

// look is what the flags say of how text looks.
type look struct {
	color string         // auto, which is empty too, always or never
	zone  *time.Location // of the times that are shown; nil is UTC
}

func (l *look) register(f *pflag.FlagSet) {
	f.StringVar(&l.color, "color", "auto", "colour the text: auto (on a terminal, unless NO_COLOR is set or TERM is dumb), always, never")
}

// parse checks the flags; zone is the value of --tz.
func (l *look) parse(zone string) (err error) {
	if !slices.Contains([]string{"", "auto", "always", "never"}, l.color) {
		return usageError{err: fmt.Errorf("--color %q is none of auto, always, never", l.color)}
	}
	l.zone, err = parseZone(zone)
	return err
}

// screen says what text written to w is for.
func (l look) screen(w io.Writer) report.Screen {
	s := screenOf(w, l.color)
	s.Zone = l.zone
	return s
}

// screenOf says what text written to w is for. Colour needs a terminal, no
// NO_COLOR and a TERM other than dumb; --color decides over all of them. The
// same rows are written to a terminal and to a pipe of the same width, which
// COLUMNS says for what is no terminal.
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
	dumb := os.Getenv("TERM") == "dumb"
	s.Color = terminal && os.Getenv("NO_COLOR") == "" && !dumb
	switch color {
	case "always":
		s.Color = true
	case "never":
		s.Color = false
	}
	// The console of Linux shows what it should hide of a hyperlink.
	s.Hyperlinks = s.Color && terminal && !dumb && os.Getenv("TERM") != "linux"
	s.Escape = !utf8Locale()
	s.ASCII = s.Escape || dumb
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

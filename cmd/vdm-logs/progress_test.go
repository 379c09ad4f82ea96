package main

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// slowInput yields an entry of ten bytes every pause, entry by entry a second
// of its window.
type slowInput struct {
	input
	window ingest.Window
	pause  time.Duration
	at     int64
}

func (s *slowInput) Window() ingest.Window { return s.window }
func (s *slowInput) Close() error          { return nil }
func (s *slowInput) Next(_ context.Context, e *ingest.Entry) error {
	time.Sleep(s.pause)
	if s.at += int64(time.Second); !s.window.Contains(s.at) {
		return io.EOF
	}
	*e = ingest.Entry{UnixNano: s.at, Line: []byte("0123456789")}
	return nil
}

var _ input = (*slowInput)(nil)

// runSlow reads seconds entries with a pause each and returns what standard
// error holds.
func runSlow(t *testing.T, std stdio, seconds int64, pause time.Duration) string {
	t.Helper()
	in, err := watching(std, func() (input, error) {
		return &slowInput{window: ingest.Window{Start: 0, End: (seconds + 1) * int64(time.Second)}, pause: pause}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var e ingest.Entry
	for err == nil {
		err = in.Next(t.Context(), &e)
	}
	if err != io.EOF || in.Close() != nil {
		t.Errorf("reading ended with %v", err)
	}
	return std.err.(*bytes.Buffer).String()
}

func TestProgressOnPipe(t *testing.T) {
	for _, c := range []struct {
		name    string
		globals globalFlags
		seconds int64
		pause   time.Duration
		lines   int
		want    string
	}{
		{name: "nothing for a short run", seconds: 900, pause: 10 * time.Millisecond},
		{name: "a line every ten seconds", seconds: 3600, pause: 10 * time.Millisecond, lines: 3,
			want: `^vdm-logs: 961 lines, 9\.4 KiB, 96 lines/s, at 1970-01-01T00:16:01Z, 26 %, about 27s left\n`},
		{name: "quiet", globals: globalFlags{quiet: true}, seconds: 3600, pause: 10 * time.Millisecond},
		{name: "in the log", globals: globalFlags{verbose: true, logFormat: "json"}, seconds: 1500, pause: 10 * time.Millisecond, lines: 1,
			want: `"msg":"progress","entries":9\d\d,"bytes":9\d\d\d,"reached":"1970-`},
		{name: "waiting", seconds: 2, pause: 6 * time.Second, lines: 1, want: `1 line, 10 B`},
		{name: "waiting for the first", seconds: 1, pause: 25 * time.Second, lines: 5, want: `waiting for the first lines for 10s\n`},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var errs bytes.Buffer
				std := stdio{err: &errs, session: &session{globals: c.globals}}
				if c.globals.verbose {
					std.log = newLogger(&errs, "json")
				}
				got := runSlow(t, std, c.seconds, c.pause)
				if n := strings.Count(got, "\n"); n != c.lines {
					t.Errorf("%d lines, want %d:\n%s", n, c.lines, got)
				}
				if !regexp.MustCompile(c.want).MatchString(got) {
					t.Errorf("no match for %s:\n%s", c.want, got)
				}
			})
		})
	}
}

// TestProgressOnTerminal wants at most ten redraws a second, no line wider
// than the terminal, notes that are not drawn over, and nothing left.
func TestProgressOnTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var errs bytes.Buffer
		std := stdio{err: &errs, session: &session{}}
		p := &progress{std: std, terminal: true, width: 40, begun: time.Now(), quit: make(chan struct{}), done: make(chan struct{})}
		p.last.at = p.begun
		p.window.Store(&ingest.Window{End: int64(time.Hour)})
		std.showing.Store(p)
		go p.run(redrawEvery)
		for i := range 50 {
			p.entries.Store(int64(i) * 1000)
			p.bytes.Store(int64(i) * 100_000)
			p.reached.Store(int64(i) * int64(time.Minute))
			time.Sleep(40 * time.Millisecond)
		}
		std.note("a note")
		p.stop()
		p.stop()
		got := errs.String()
		if n := strings.Count(got, "\rvdm-logs"); n < 15 || n > 20 {
			t.Errorf("%d redraws in 2 s, want at most 20", n)
		}
		for _, line := range strings.Split(got, "\r") {
			if text, _, _ := strings.Cut(line, "\x1b[K"); len(text) >= 40 {
				t.Errorf("%q is wider than the terminal", text)
			}
		}
		if !strings.Contains(got, "\r\x1b[Kvdm-logs: a note\n") {
			t.Errorf("the note is drawn over: %q", got)
		}
		if screen := rendered(got); screen != "vdm-logs: a note\n" {
			t.Errorf("left on the screen: %q", screen)
		}
	})
}

// rendered is what a terminal shows of \r, newlines and erasing to the end of
// the line.
func rendered(s string) string {
	var done strings.Builder
	var line []byte
	at := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\r':
			at = 0
		case s[i] == '\n':
			done.Write(line)
			done.WriteByte('\n')
			line, at = line[:0], 0
		case strings.HasPrefix(s[i:], "\x1b[K"):
			line = line[:at]
			i += 2
		default:
			line = append(line[:at], append([]byte{s[i]}, line[min(at+1, len(line)):]...)...)
			at++
		}
	}
	return done.String() + string(line)
}

func TestShareOf(t *testing.T) {
	w := ingest.Window{Start: 100, End: 200}
	for at, want := range map[int64]float64{0: 0, 100: 0, 150: 0.5, 200: 1, 300: 1} {
		if got := shareOf(w, at); got != want {
			t.Errorf("shareOf(%d) = %v, want %v", at, got, want)
		}
	}
	if got := shareOf(ingest.Window{}, 5); got != 0 {
		t.Errorf("an empty window: %v", got)
	}
}

package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/cmd/vdm-logs/internal/config"
)

// session is what the commands of one run share besides the streams: the
// global flags and what follows from them. A nil session has the defaults.
type session struct {
	globals globalFlags
	clock   func() time.Time
	log     *slog.Logger

	showing  atomic.Pointer[progress] // nil while nothing is drawn
	resolved *config.Settings         // nil until a command asks for them
}

// now is the time of this run's clock.
func (s stdio) now() time.Time {
	if s.session == nil || s.clock == nil {
		return time.Now()
	}
	return s.clock()
}

// quiet reports whether only results and errors are wanted.
func (s stdio) quiet() bool { return s.session != nil && s.globals.quiet }

// note tells on standard error what is being done, unless --quiet is given.
// What went wrong is no note: it is always told.
func (s stdio) note(format string, args ...any) {
	if s.quiet() {
		return
	}
	text := fmt.Sprintf("vdm-logs: "+format+"\n", args...)
	if s.session != nil {
		if p := s.showing.Load(); p != nil {
			p.note(text)
			return
		}
	}
	io.WriteString(s.err, text)
}

// logger is where the steps of the work are told: nowhere without --verbose.
func (s stdio) logger() *slog.Logger {
	if s.session == nil || s.log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return s.log
}

// prepare checks the global flags and puts what they ask for into effect,
// before a command runs.
func (s *session) prepare(cmd *cobra.Command, errs io.Writer) error {
	if err := s.configure(cmd); err != nil {
		return err
	}
	if err := s.globals.check(); err != nil {
		return err
	}
	if s.globals.verbose {
		s.log = newLogger(errs, s.globals.logFormat)
		if s.resolved != nil {
			s.log.Info("settings", "file", s.resolved.File.Path, "profile", s.resolved.Profile)
		}
	}
	return nil
}

// locked makes w fit for several goroutines, which write to standard error:
// requests that are logged, progress, notes. Files are as they stand.
func locked(w io.Writer) io.Writer {
	if _, ok := w.(*os.File); ok {
		return w
	}
	return &lockedWriter{w: w}
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

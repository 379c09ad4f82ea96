package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/logfile"
)

const (
	redrawEvery = 100 * time.Millisecond // on a terminal
	lineEvery   = 10 * time.Second       // elsewhere, and in the log
	// publishEvery is how many entries pass before the counters are told: a
	// power of two.
	publishEvery = 64
)

// progress tells on standard error how far reading is: on a terminal in one
// line that is drawn again and again and gone at the end, elsewhere by a line
// every ten seconds, with --verbose in the log, with --quiet not at all.
//
// It is drawn here and not by mpb, which draws transfers: this is a line of
// text on a pipe, too, its clock is the tests' where tests want it so, and
// errors that are printed meanwhile must not be drawn over.
type progress struct {
	std      stdio
	terminal bool
	width    int
	begun    time.Time

	entries, bytes, reached atomic.Int64
	window                  atomic.Pointer[ingest.Window]
	meter                   logfile.Meter // of files, while they are looked at

	mu    sync.Mutex // the screen
	drawn bool
	last  sample

	stopOnce   sync.Once
	quit, done chan struct{}
}

// sample is a moment of the past from which the rate is taken.
type sample struct {
	at      time.Time
	entries int64
	rate    float64
}

// startProgress begins to tell. It returns nil, which is silent, where nothing
// is to be told.
func startProgress(std stdio) *progress {
	if std.quiet() || std.session == nil {
		return nil
	}
	p := &progress{std: std, begun: time.Now(), quit: make(chan struct{}), done: make(chan struct{})}
	p.last.at = p.begun
	every := lineEvery
	if f, ok := std.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" && !std.globals.verbose {
		p.terminal, every = true, redrawEvery
		if p.width, _, _ = term.GetSize(int(f.Fd())); p.width <= 0 {
			p.width = defaultWidth
		}
	}
	std.session.showing.Store(p)
	go p.run(every)
	return p
}

func (p *progress) run(every time.Duration) {
	defer close(p.done)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-p.quit:
			return
		case now := <-ticker.C:
			p.tell(now)
		}
	}
}

// meter counts the bytes of files for the progress that is shown, if any.
func (s stdio) meter() *logfile.Meter {
	if s.session == nil {
		return nil
	}
	if p := s.showing.Load(); p != nil {
		return &p.meter
	}
	return nil
}

// stop ends telling and cleans the line. It may be called more than once, and
// of nil.
func (p *progress) stop() {
	if p == nil {
		return
	}
	p.stopOnce.Do(func() {
		close(p.quit)
		<-p.done
		p.std.session.showing.Store(nil)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.clear()
	})
}

// note writes other text in place of the line, which is drawn below it when it
// is next told.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	io.WriteString(p.std.err, text)
}

// clear takes the line off the screen. The caller holds mu.
func (p *progress) clear() {
	if p.drawn {
		io.WriteString(p.std.err, "\r\x1b[K")
		p.drawn = false
	}
}

func (p *progress) tell(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.text(now)
	switch {
	case p.terminal:
		fmt.Fprintf(p.std.err, "\r%s\x1b[K", fit("vdm-logs: "+text, p.width-1))
		p.drawn = true
	case p.std.globals.verbose:
		p.std.logger().Info("progress", "entries", p.entries.Load(), "bytes", p.bytes.Load(), "reached", reachedText(p.reached.Load()), "done", text)
	default:
		fmt.Fprintf(p.std.err, "vdm-logs: %s\n", text)
	}
}

// fit cuts an ASCII text to a width.
func fit(s string, width int) string {
	if len(s) > width && width > 0 {
		return s[:width]
	}
	return s
}

func reachedText(ns int64) string {
	if ns == 0 {
		return ""
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05Z")
}

// text says how far reading is. How long it will still take is told from the
// share of the window that has passed, which is wrong where logs come in
// waves: therefore "about".
func (p *progress) text(now time.Time) string {
	entries, reached, w := p.entries.Load(), p.reached.Load(), p.window.Load()
	took := now.Sub(p.begun)
	if w == nil || entries == 0 {
		return p.opening(took)
	}
	lines := grouped(entries) + " lines"
	if entries == 1 {
		lines = "1 line"
	}
	parts := []string{lines + ", " + formatBytes(p.bytes.Load())}
	if rate := p.rate(now, entries); rate >= 1 {
		parts = append(parts, grouped(int64(rate))+" lines/s")
	}
	parts = append(parts, "at "+reachedText(reached))
	if share := shareOf(*w, reached); share > 0 {
		parts = append(parts, fmt.Sprintf("%d %%", int(share*100)))
		if left := time.Duration(float64(took) * (1 - share) / share); share > 0.02 && left >= time.Second {
			parts = append(parts, "about "+left.Round(time.Second).String()+" left")
		}
	}
	return strings.Join(parts, ", ")
}

// opening says what is done before the first entry: files are looked at, or
// sorted; Loki is asked.
func (p *progress) opening(took time.Duration) string {
	if read, total := p.meter.Read(), p.meter.Total(); read > 0 {
		if total >= read {
			return fmt.Sprintf("looking at the files: %s of %s", formatBytes(read), formatBytes(total))
		}
		return fmt.Sprintf("looking at the files: %s", formatBytes(read))
	}
	return fmt.Sprintf("waiting for the first lines for %s", took.Round(time.Second))
}

// shareOf is how much of a window has passed, from 0 to 1.
func shareOf(w ingest.Window, at int64) float64 {
	if w.End <= w.Start || at <= w.Start {
		return 0
	}
	return min(float64(at-w.Start)/float64(w.End-w.Start), 1)
}

// rate is how many lines a second there were lately; of the whole run while
// that is short.
func (p *progress) rate(now time.Time, entries int64) float64 {
	if since := now.Sub(p.last.at); since >= time.Second {
		p.last = sample{at: now, entries: entries, rate: float64(entries-p.last.entries) / since.Seconds()}
	}
	return p.last.rate
}

// grouped writes a number with a comma at every thousand.
func grouped(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// watchedInput tells of its progress.
type watchedInput struct {
	input
	progress *progress

	entries, bytes int64
}

// watching opens an input, telling of that and of its progress from then on.
func watching(std stdio, open func() (input, error)) (input, error) {
	p := startProgress(std)
	in, err := open()
	if err != nil || p == nil {
		p.stop()
		return in, err
	}
	w := in.Window()
	p.window.Store(&w)
	return &watchedInput{input: in, progress: p}, nil
}

// Next fills e with the next entry; see [ingest.Reader].
func (w *watchedInput) Next(ctx context.Context, e *ingest.Entry) error {
	err := w.input.Next(ctx, e)
	if err != nil {
		w.progress.stop()
		return err
	}
	w.entries++
	w.bytes += int64(len(e.Line))
	if w.entries%publishEvery == 1 {
		w.progress.entries.Store(w.entries)
		w.progress.bytes.Store(w.bytes)
		w.progress.reached.Store(e.UnixNano)
	}
	return nil
}

// Close closes the input and ends telling.
func (w *watchedInput) Close() error {
	w.progress.stop()
	return w.input.Close()
}

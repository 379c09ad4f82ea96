package pushdown

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// maxLines is how many lines that matter are read for their times; with more,
// reading what stands around them costs no more.
const maxLines = 300_000

// Options say what is asked of a log.
type Options struct {
	Window ingest.Window
	Filter analyze.LineFilter
	// Rules identify records, as in analyze.Config.
	Rules []fingerprint.Rule
	// Streams are those that the log has in the window, or more.
	Streams []*ingest.Stream
}

// Result is what is known of a log without reading it.
type Result struct {
	// Reason, if not empty, says why nothing can be known this way; nothing
	// else is set then.
	Reason string
	// Records are in order of time, then stream.
	Records []Record
	// Streams are those with lines that matter.
	Streams []*ingest.Stream
	// Counts, HitLines, HitBytes, Ranges and Notes are those of
	// analyze.ServerRead.
	Counts             []analyze.ServerCount
	HitLines, HitBytes int64
	Ranges             int
	Notes              []string
	// Kept are the filters that were asked for.
	Kept []Lines
	// Expressions took the Sources from the lines.
	Expressions []string
	// Stats are of what was read around samples; problems are those of all
	// that was read.
	Stats ingest.ReadStats
}

// Record is a record that was read or, with Like, a copy of one at the time
// and on the stream of another.
type Record struct {
	*ingest.Record
	Like bool
}

// Run asks a server. When it is interrupted, or the server fails while samples
// are read, the result holds what is known so far beside the error.
func Run(ctx context.Context, server Server, o Options) (Result, error) {
	r := &run{server: server, o: o, sources: newSources(o.Rules, o.Streams), streams: map[string]*ingest.Stream{}, own: map[string]int64{}}
	err := r.run(ctx)
	if r.Reason != "" {
		return Result{Reason: r.Reason}, nil
	}
	r.compareSources()
	r.Notes = append(r.Notes, r.sources.notes...)
	slices.SortStableFunc(r.Records, func(x, y Record) int {
		return cmp.Or(cmp.Compare(x.UnixNano, y.UnixNano), strings.Compare(x.Stream.Key, y.Stream.Key))
	})
	return r.Result, err
}

// run is one Run.
type run struct {
	server  Server
	o       Options
	sources *sources
	counted int64 // lines that matter
	streams map[string]*ingest.Stream
	own     map[string]int64 // lines that were read, by the Source that they tell
	Result
}

func (r *run) run(ctx context.Context) error {
	trusted, levels, err := r.probe(ctx)
	if err != nil {
		return r.refused(ctx, err)
	}
	if trusted {
		r.note("lines to which the server gives the level info were not looked for: in samples of the window none of them fails")
	}
	if !levels {
		r.note("records that a level beside their lines alone makes failures were not looked for: samples of the window have none")
	}
	filters := LinesOf(r.o.Filter, trusted, levels)
	var lines []line
	for _, f := range filters {
		found, err := r.countAndRead(ctx, f)
		lines = append(lines, found...)
		if err != nil || r.Reason != "" {
			r.unread(lines)
			return err
		}
	}
	if len(filters) > 1 {
		slices.SortStableFunc(lines, func(a, b line) int {
			return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.stream.Key, b.stream.Key), strings.Compare(a.text, b.text))
		})
	}
	return r.sample(ctx, lines)
}

// compareSources says how many of the lines that were read tell another Source
// than the server counted them by.
func (r *run) compareSources() {
	other, all := int64(0), int64(0)
	for source, n := range r.own {
		i := slices.IndexFunc(r.Counts, func(c analyze.ServerCount) bool { return c.Source == source })
		if i >= 0 {
			other += max(n-r.Counts[i].Lines, 0)
		} else {
			other += n
		}
		all += n
	}
	if other > 0 {
		r.note("%d of %d lines tell another Source than the server counted them by", other, all)
	}
}

func (r *run) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// refused notes that the server does not count, which makes no error.
func (r *run) refused(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.Reason = "the server does not count by Source: " + err.Error()
	return nil
}

// countAndRead counts the lines that a filter keeps, and reads them.
func (r *run) countAndRead(ctx context.Context, f Lines) ([]line, error) {
	counts, err := r.count(ctx, f)
	if err != nil {
		return nil, r.refused(ctx, err)
	}
	minutes := minutesOf(counts, r.sources.stream)
	for _, m := range minutes {
		r.counted += m.Lines
	}
	if r.counted > maxLines {
		r.Reason = fmt.Sprintf("%d lines matter, too many to be told by samples", r.counted)
		return nil, nil
	}
	r.Kept = append(r.Kept, f)
	if len(minutes) == 0 {
		return nil, nil
	}
	reader, err := r.server.ReadCounted(ctx, f.only(seen(f.Any, counts)), minutes)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	lines, err := r.readLines(ctx, reader)
	s := reader.Stats()
	r.took(s)
	r.HitLines, r.HitBytes = r.HitLines+s.Entries, r.HitBytes+s.Bytes
	return lines, err
}

// try is a way to count.
type try struct {
	expressions, labels []string
	note                string // what is lost
}

// count counts by Source and stream or, where that makes too many groups, by
// Source; where that does, by service, or not at all by what emitted a line.
func (r *run) count(ctx context.Context, f Lines) ([]Count, error) {
	var found, word []string
	if len(f.Any) > 0 {
		found, word = []string{wordExpression(f.Any)}, []string{wordLabel}
	}
	tries := []try{
		{append(slices.Clone(r.sources.expressions), found...), slices.Concat(r.sources.labels, r.sources.apart, word), ""},
		{append(slices.Clone(r.sources.expressions), found...), slices.Concat(r.sources.labels, word), ""},
		{found, slices.Concat(r.sources.service, word), "the server does not count by so many Sources: lines were counted by service"},
		{nil, nil, "the server does not count by so many services: lines were counted all together"},
	}
	if len(r.sources.apart) == 0 {
		tries = tries[1:]
	}
	for _, t := range tries {
		counts, err := r.server.CountBy(ctx, f, t.expressions, compact(t.labels), r.o.Window)
		if errors.Is(err, ErrTooManyGroups) {
			continue
		}
		if err == nil {
			if t.note != "" {
				r.note("%s", t.note)
				r.own = nil // there is nothing to compare
			}
			r.Expressions = t.expressions
			r.Counts = r.sources.add(r.Counts, counts)
		}
		return counts, err
	}
	return nil, ErrTooManyGroups
}

// wordLabel names the expression of a filter that a line was found by.
const wordLabel = "vdm_word"

// wordExpression takes from a line the one of expressions that matches first.
func wordExpression(any []string) string {
	return "(?P<" + wordLabel + ">" + strings.Join(any, "|") + ")"
}

// minutesOf adds up the minutes of groups, in order of time. Of returns the
// stream of a group; nil where no streams are known.
func minutesOf(counts []Count, of func(*Count) *ingest.Stream) []Minute {
	byWindow, unknown := map[ingest.Window]*Minute{}, false
	for i := range counts {
		c := &counts[i]
		stream := of(c)
		unknown = unknown || stream == nil
		for _, m := range c.Minutes {
			sum := byWindow[m.Window]
			if sum == nil {
				sum = &Minute{Window: m.Window}
				byWindow[m.Window] = sum
			}
			sum.Lines += m.Lines
			if !unknown && !slices.Contains(sum.Streams, stream) {
				sum.Streams = append(sum.Streams, stream)
			}
		}
	}
	minutes := make([]Minute, 0, len(byWindow))
	for _, m := range byWindow {
		if unknown {
			m.Streams = nil
		}
		minutes = append(minutes, *m)
	}
	slices.SortFunc(minutes, func(a, b Minute) int { return cmp.Compare(a.Window.Start, b.Window.Start) })
	return minutes
}

// seen returns those of a filter's expressions by which lines were found first:
// together they find the same lines.
func seen(any []string, counts []Count) []string {
	var out []string
	for _, e := range any {
		re, err := regexp.Compile("^(?:" + e + ")$")
		if err != nil {
			return any
		}
		if slices.ContainsFunc(counts, func(c Count) bool { return re.MatchString(c.value(wordLabel)) }) {
			out = append(out, e)
		}
	}
	for i := range counts {
		if word := counts[i].value(wordLabel); len(any) > 0 && !slices.ContainsFunc(out, func(e string) bool {
			return regexp.MustCompile("^(?:" + e + ")$").MatchString(word)
		}) {
			return any // a word that the server writes in another way
		}
	}
	return out
}

// took adds what a reader could not give to the statistics.
func (r *run) took(s ingest.ReadStats) {
	r.Stats.Partial = r.Stats.Partial || s.Partial
	r.Stats.Problems = append(r.Stats.Problems, s.Problems...)
	r.Stats.Skipped += s.Skipped
}

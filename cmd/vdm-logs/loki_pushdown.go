package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

// Bounds of reading samples only.
const (
	// sampled is how many of the groups of lines that look alike are read.
	sampled = 5
	// maxLooks is how many looks are sampled; with more, the lines are too
	// diverse to be told by samples.
	maxLooks = 200
	// maxUnlike is how many groups are read one by one where those that look
	// alike are not.
	maxUnlike = 1000
	// oneWrite is how far apart the lines of one record may come.
	oneWrite = int64(250 * time.Millisecond)
)

// sourceStages takes what emitted a line from it, in the server: Polly's
// Source, the category of the .NET console, plain or JSON.
const (
	sourceExpr   = `Source: '(?P<source>[^']*)'|^(?:warn|fail|crit): (?P<category>[^ \[]+)\[|"Category":"(?P<logger>[^"]*)"`
	sourceStages = "| regexp `" + sourceExpr + "`"
)

var sourceOf = regexp.MustCompile(sourceExpr)

// group is the lines of one stream that matter and came at once, as one record
// is written.
type group struct {
	stream *ingest.Stream
	at     int64
	lines  []hit
	look   string
}

type hit struct {
	at   int64
	text string
}

// counted is what is known of a log without reading it.
type counted struct {
	records []countedRecord
	stats   ingest.ReadStats
}

// countedRecord is a record that was read, or a copy of one at the time and on
// the stream of another.
type countedRecord struct {
	*ingest.Record
	like bool
}

// pushdown has the server count the lines that matter by Source and minute,
// fetches those lines for their times, and reads samples of what they belong
// to. It returns why that cannot be done, or nothing.
func (l *lokiInput) pushdown(ctx context.Context, opts loki.ReadOptions, config analyze.Config, filter analyze.LineFilter) (reason string, err error) {
	coarse := filter.Coarse()
	q := l.query
	stages := loki.LinesWith(coarse.Except, coarse.Fold, append(slices.Clone(coarse.Exact), coarse.Rules...))
	q.Rest = strings.TrimSpace(stages + " " + q.Rest)
	by := []string{"source", "category", "logger"}
	counts, err := l.client.CountBy(ctx, q, sourceStages, by, l.window, time.Minute)
	if err != nil {
		return "the server does not count by Source: " + err.Error(), nil
	}
	minutes := map[int64]int64{}
	for _, c := range counts {
		source := analyze.ServerCount{Minutes: len(c.Buckets)}
		for _, label := range c.Labels {
			source.Source = cmp.Or(source.Source, redacted(label.Value))
		}
		for _, b := range c.Buckets {
			source.Lines += b.Lines
			minutes[b.Window.Start] += b.Lines
		}
		l.server.Counts = append(l.server.Counts, source)
	}
	buckets := make([]loki.Bucket, 0, len(minutes))
	for start, lines := range minutes {
		buckets = append(buckets, loki.Bucket{Window: ingest.Window{Start: start, End: start + int64(time.Minute)}, Lines: lines})
	}
	slices.SortFunc(buckets, func(a, b loki.Bucket) int { return cmp.Compare(a.Window.Start, b.Window.Start) })
	hits, err := l.client.ReadCounted(ctx, q, l.window, buckets, opts)
	if err != nil {
		return "", err
	}
	defer hits.Close()
	groups, err := groupLines(ctx, hits)
	l.took(hits, &l.counted.stats)
	l.server.HitLines, l.server.HitBytes = hits.Stats().Entries, hits.Stats().Bytes
	if err != nil {
		return "", err
	}
	looks := map[string][]*group{}
	for _, g := range groups {
		looks[g.look] = append(looks[g.look], g)
	}
	if len(looks) > maxLooks {
		return fmt.Sprintf("the lines that matter look in %d ways, too many to be told by samples", len(looks)), nil
	}
	keeps, err := coarse.Matcher(false)
	if err != nil {
		return "", err
	}
	s := sampling{lokiInput: l, opts: opts, keeps: keeps, owners: ownersOf(groups), identify: fingerprint.NewIdentifier(fingerprint.Options{Rules: config.Rules})}
	if err := s.run(ctx, looks); err != nil {
		return "", err
	}
	l.server.Mode = analyze.ServerPushdown
	l.server.Filters = []string{stages, sourceStages}
	l.server.Notes = append(l.server.Notes,
		"samples were read; what looks like them in its lines was counted as they are, and gives no samples, numbers or trace ids",
		"records that state no level and hold none of the filter's words were not looked for",
		"clock-skew and time-zone are judged by the samples")
	return "", l.logStreams(ctx, opts, config, groups)
}

// took adds what a reader gave and could not give to the statistics.
func (l *lokiInput) took(r *loki.Reader, into *ingest.ReadStats) {
	s := r.Stats()
	into.Partial = into.Partial || s.Partial
	into.Problems = append(into.Problems, s.Problems...)
	into.Skipped += s.Skipped
	l.gaps = append(l.gaps, r.Gaps()...)
}

// groupLines gathers the lines of each stream to groups: a line that is not
// indented begins one, and so does a pause. Lines of one time have no order and
// stay together.
func groupLines(ctx context.Context, r *loki.Reader) ([]*group, error) {
	var all []*group
	open := map[*ingest.Stream]*group{}
	var e ingest.Entry
	for {
		err := r.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		text := string(e.Line)
		g := open[e.Stream]
		pause := int64(1)
		if g != nil {
			pause = e.UnixNano - g.lines[len(g.lines)-1].at
		}
		indented := text != "" && (text[0] == ' ' || text[0] == '\t')
		if g == nil || pause > oneWrite || pause > 0 && !indented {
			g = &group{stream: e.Stream, at: e.UnixNano}
			open[e.Stream] = g
			all = append(all, g)
		}
		g.lines = append(g.lines, hit{e.UnixNano, text})
	}
	var masked []byte
	for _, g := range all {
		masked = masked[:0]
		for _, h := range g.lines {
			masked = append(fingerprint.Mask(masked, []byte(h.text), 0), '\n')
			// What emitted the line is never masked.
			masked = append(masked, sourceOf.FindString(h.text)...)
		}
		g.look = string(masked)
	}
	return all, nil
}

// sampling reads samples of groups and counts the others as them.
type sampling struct {
	*lokiInput
	opts     loki.ReadOptions
	keeps    func(line string, labels []ingest.Label) bool
	owners   map[place][]*group // of every line that matters, sampled or not
	identify *fingerprint.Identifier
}

func (s *sampling) run(ctx context.Context, looks map[string][]*group) error {
	var first []*group
	names := make([]string, 0, len(looks))
	for look := range looks {
		names = append(names, look)
	}
	slices.Sort(names)
	for _, look := range names {
		first = append(first, spread(looks[look])...)
	}
	records, err := s.read(ctx, first)
	if err != nil {
		return err
	}
	var unlike []*group
	for _, look := range names {
		all, some := looks[look], spread(looks[look])
		if len(some) < len(all) && (all[0].several() || !s.alike(records, some)) {
			unlike = append(unlike, all...)
		}
	}
	more := map[*group][]*ingest.Record{}
	if len(unlike) > 0 && len(unlike) <= maxUnlike {
		if more, err = s.read(ctx, unlike); err != nil {
			return err
		}
	} else if len(unlike) > maxUnlike {
		s.server.Notes = append(s.server.Notes, fmt.Sprintf("%d groups of lines look like others that are of several faults; each was counted as the sample before it", len(unlike)))
	}
	for _, look := range names {
		var last []*ingest.Record
		var of *group
		for _, g := range looks[look] {
			own, ok := records[g]
			if !ok {
				own, ok = more[g]
			}
			if ok {
				for _, r := range own {
					s.counted.records = append(s.counted.records, countedRecord{Record: r})
				}
				last, of = own, g
				continue
			}
			for _, r := range last {
				s.counted.records = append(s.counted.records, countedRecord{copyAt(r, g.stream, r.UnixNano-of.at+g.at), true})
			}
		}
	}
	return nil
}

// several reports whether more than one record may have been written at once:
// which line is whose is then not the same each time.
func (g *group) several() bool {
	heads, sources := 0, 0
	for _, h := range g.lines {
		if h.text != "" && h.text[0] != ' ' && h.text[0] != '\t' {
			heads++
		}
		if strings.Contains(h.text, "Source: '") {
			sources++
		}
	}
	return heads > 1 || sources > 1
}

// spread chooses the samples among groups: the first, the last, and some
// between.
func spread(all []*group) []*group {
	if len(all) <= sampled {
		return all
	}
	out := make([]*group, sampled)
	for i := range out {
		out[i] = all[i*(len(all)-1)/(sampled-1)]
	}
	return out
}

// copyAt is a record as it would be on another stream and at another time.
func copyAt(r *ingest.Record, stream *ingest.Stream, at int64) *ingest.Record {
	c := *r
	c.Stream, c.UnixNano = stream, at
	c.TraceID, c.SpanID, c.RequestID = nil, nil, nil
	return &c
}

// alike reports whether the records of samples are of the same faults, at the
// same levels.
func (s *sampling) alike(records map[*group][]*ingest.Record, samples []*group) bool {
	first := ""
	var id fingerprint.Identity
	for i, g := range samples {
		var told strings.Builder
		for _, r := range records[g] {
			fmt.Fprintln(&told, s.identify.Identify(r, &id), r.Level)
		}
		if i == 0 {
			first = told.String()
		} else if told.String() != first {
			return false
		}
	}
	return true
}

// place is a line's text on a stream.
type place struct{ stream, text string }

// ownersOf finds groups by their lines.
func ownersOf(groups []*group) map[place][]*group {
	owners := map[place][]*group{}
	for _, g := range groups {
		for _, h := range g.lines {
			p := place{g.stream.Key, h.text}
			owners[p] = append(owners[p], g)
		}
	}
	return owners
}

// read reads what stands around groups and returns the records that begin with
// each: those whose first line that the filter keeps is one of the group's.
func (s *sampling) read(ctx context.Context, groups []*group) (map[*group][]*ingest.Record, error) {
	var places []loki.Place
	out := make(map[*group][]*ingest.Record, len(groups))
	for _, g := range groups {
		places = append(places, loki.Place{Stream: g.stream, UnixNano: g.at})
		out[g] = nil
	}
	slices.SortFunc(places, func(a, b loki.Place) int { return cmp.Compare(a.UnixNano, b.UnixNano) })
	r, err := s.client.ReadNear(ctx, s.query, s.window, places, around, s.opts)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, func(rec *ingest.Record) error {
		for line := range strings.SplitSeq(string(rec.Text), "\n") {
			if !s.keeps(line, nil) {
				continue
			}
			g := nearest(s.owners[place{rec.Stream.Key, line}], rec.UnixNano, line)
			if _, asked := out[g]; asked {
				own := rec.Clone()
				own.Stream = g.stream // each reader has its own of the same labels
				out[g] = append(out[g], own)
			}
			break
		}
		return nil
	})
	var e ingest.Entry
	for {
		err := r.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := asm.Add(&e); err != nil {
			return nil, err
		}
	}
	s.took(r, &s.counted.stats)
	s.counted.stats.Entries += r.Stats().Entries
	s.counted.stats.Bytes += r.Stats().Bytes
	s.server.Ranges += len(groups)
	return out, asm.Flush()
}

// nearest returns the group in which a record's line came: that of the first
// such line since the record began.
func nearest(groups []*group, since int64, text string) *group {
	var best *group
	at := since + int64(ingest.DefaultMaxGap)
	for _, g := range groups {
		for _, h := range g.lines {
			if h.text == text && h.at >= since && h.at <= at {
				best, at = g, h.at-1
			}
		}
	}
	return best
}

// logStreams tells which streams there are. Their lines are counted only where
// a roll is to be judged by them.
func (l *lokiInput) logStreams(ctx context.Context, opts loki.ReadOptions, config analyze.Config, groups []*group) error {
	var read []*ingest.Stream
	for _, g := range groups {
		if !slices.ContainsFunc(read, func(s *ingest.Stream) bool { return s.Key == g.stream.Key }) {
			read = append(read, g.stream)
		}
	}
	if len(config.Rolls) == 0 {
		l.server.Notes = append(l.server.Notes, "the streams are those of the server's index; their lines were not counted")
	}
	return l.countTraffic(ctx, opts.Parallel, config, read, len(config.Rolls) > 0)
}

// Complete gives the Analyzer what was counted, in order of time.
func (l *lokiInput) Complete(a *analyze.Analyzer) error {
	slices.SortStableFunc(l.counted.records, func(x, y countedRecord) int {
		return cmp.Or(cmp.Compare(x.UnixNano, y.UnixNano), strings.Compare(x.Stream.Key, y.Stream.Key))
	})
	for _, r := range l.counted.records {
		add := a.Add
		if r.like {
			add = a.AddLike
		}
		if err := add(r.Record); err != nil {
			return err
		}
	}
	return nil
}

// Complete does nothing: files are read whole.
func (f *fileInput) Complete(*analyze.Analyzer) error { return nil }

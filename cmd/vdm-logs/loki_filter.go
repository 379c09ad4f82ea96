package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/pushdown"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

// around is how much of what stands around a line that matters is read: a
// record goes on as long as its entries come within the assembler's gap, and
// twice that reaches over one entry that no filter knows.
const around = 2 * ingest.DefaultMaxGap

// Tests, which have few lines, set these; see loki.Around.
var (
	worth  = 0
	always = false
)

// begin starts reading, as little as answers the question: first the lines that
// may matter, filtered by the server, then what stands around them, with the
// rest counted by the server. Where that is not possible, or would read no
// less, everything is read and the reason told.
func (l *lokiInput) begin(ctx context.Context, flags lokiFlags, config analyze.Config) error {
	opts := loki.ReadOptions{PageSize: flags.batch, Parallel: flags.parallel}
	if l.bound > 0 {
		opts.Budget = loki.NewBudget(l.bound)
	}
	l.server.Mode, l.server.Filters, l.server.Notes = analyze.ServerWhole, []string{}, []string{}
	whole := func(reason string) (err error) {
		if err := l.fitsWhole(ctx, reason); err != nil {
			return err
		}
		l.server.Reason, l.traffic = reason, nil
		l.Reader, err = l.client.Read(ctx, l.query, l.window, opts)
		return err
	}
	if flags.noFilters {
		return whole("--no-push-filters")
	}
	filter, err := config.LineFilter()
	if err != nil {
		return err
	}
	switch {
	case filter.Whole != "":
		return whole(filter.Whole)
	case !l.query.OnlyLineFilters():
		return whole("the query does more than filter lines, so that what it gives cannot be filtered beforehand")
	}
	if flags.pushdown {
		reason, err := l.pushdown(ctx, opts, config, filter)
		if err != nil && ctx.Err() == nil {
			return l.matterTooMuch(err)
		}
		if reason == "" {
			l.Reader, err = l.client.ReadNear(ctx, l.query, l.window, nil, 0, opts)
			return err
		}
		l.counted = pushdown.Result{}
		l.server.Notes = append(l.server.Notes, "nothing was pushed down: "+reason)
	}
	probes, searched, texts := probesOf(filter, l.query.Rest == "")
	reader, hits, err := l.client.ReadAround(ctx, l.query, l.window, loki.Around{
		Probes: probes, Texts: texts, Searched: searched, Before: around, After: around, Worth: worth, Always: always,
	}, opts)
	if err != nil {
		return l.matterTooMuch(err)
	}
	l.Reader = reader
	l.server.HitLines, l.server.HitBytes = hits.Lines, hits.Bytes
	for _, p := range probes {
		if p.Stages != "" {
			l.server.Filters = append(l.server.Filters, p.Stages)
		}
	}
	if hits.Whole {
		l.server.Reason = hits.Why
		return l.fitsWhole(ctx, hits.Why)
	}
	if err := l.fits(hits.Bytes+hits.Around, "it reads the lines that may matter and what stands around them"); err != nil {
		return err
	}
	l.server.Mode, l.server.Ranges, l.server.CoveredNs = analyze.ServerTwoPhase, hits.Ranges, int64(hits.Covered)
	l.server.Notes = append(l.server.Notes, "entries, records and timeline of read count what was read; clock-skew and time-zone are judged by it, too")
	if err := l.countTraffic(ctx, flags.parallel, config, hits.Streams, true); err != nil && ctx.Err() == nil {
		reader.Close()
		return whole("the server does not count its streams: " + err.Error())
	}
	return nil
}

// probesOf turns a filter into the queries that find its lines. Where every
// line of a stream is seen, a line that belongs to a header need not be found
// by itself, except where the window begins between the two: its first moments
// are read whole. Searched are the stages that keep the lines in which texts are
// looked for one after the other.
func probesOf(f analyze.LineFilter, all bool) (probes []loki.Probe, searched string, texts int) {
	except := f.Except
	if all {
		except = append([]string{f.Indented}, except...)
		probes = append(probes, loki.Probe{Within: around})
	}
	words := loki.LinesWith(except, f.Fold, f.Exact)
	probes = append(probes,
		loki.Probe{Stages: words},
		loki.Probe{Stages: loki.LinesLabelled(f.Labels)})
	if len(f.Numbers) > 0 {
		// The expression is asked only of lines that hold the digits.
		stages := loki.LinesWith(except, nil, f.Numbers) + " |~ " + strconv.Quote(f.NumberWord())
		probes = append(probes, loki.Probe{Stages: stages})
	}
	if len(f.Rules) > 0 {
		probes = append(probes, loki.Probe{Stages: loki.LinesWith(nil, nil, f.Rules)})
	}
	return probes, loki.LinesWith(except, nil, nil), strings.Count(words, " or ") + 1
}

// countTraffic has the server count each stream, up to each roll and in all,
// and finds the first and last line of those that are read in part. Without
// exact it counts no lines and takes the streams of the server's index.
func (l *lokiInput) countTraffic(ctx context.Context, parallel int, config analyze.Config, read []*ingest.Stream, exact bool) error {
	counts, err := l.countStreams(ctx, config, exact)
	if err != nil {
		return err
	}
	spans, err := l.client.Spans(ctx, l.query, read, l.window, parallel)
	if err != nil {
		return err
	}
	newest, of, found, err := l.client.Edge(ctx, l.query, l.window, true)
	if err != nil {
		return err
	}
	span := map[string]ingest.Window{}
	for i, s := range read {
		span[s.Key] = spans[i]
	}
	for _, c := range counts {
		all := len(c.Until) - 1
		t := analyze.Traffic{Stream: c.Stream, Entries: c.Until[all], Before: c.Until[:all], First: span[c.Stream.Key].Start, Last: span[c.Stream.Key].End}
		if found && of.Key == c.Stream.Key {
			t.Last = max(t.Last, newest)
		}
		l.traffic = append(l.traffic, t)
		l.server.CountedEntries += t.Entries
	}
	l.server.CountedStreams = len(counts)
	return nil
}

// countStreams lists the streams with their lines before each roll and in all.
func (l *lokiInput) countStreams(ctx context.Context, config analyze.Config, exact bool) ([]loki.StreamCounts, error) {
	if !exact {
		streams, err := l.client.Streams(ctx, l.query, l.window)
		counts := make([]loki.StreamCounts, len(streams))
		for i, s := range streams {
			counts[i] = loki.StreamCounts{Stream: s, Until: []int64{0}}
		}
		return counts, err
	}
	until := make([]int64, 0, len(config.Rolls)+1)
	for _, r := range config.Rolls {
		until = append(until, min(r.At.UnixNano(), l.window.End))
	}
	return l.client.CountStreams(ctx, l.query, l.window.Start, append(until, l.window.End))
}

// Traffic is what the server counted instead of it being read.
func (l *lokiInput) Traffic() []analyze.Traffic { return l.traffic }

// Traffic is none: files are read whole.
func (f *fileInput) Traffic() []analyze.Traffic { return nil }

// how says in a few words what the server does of the work.
func (l *lokiInput) how() string {
	s := &l.server
	switch {
	case s.Mode == analyze.ServerPushdown:
		return fmt.Sprintf("the server counted %d lines (%s) that matter of %d Sources by the minute; samples read around %d of their times",
			s.HitLines, formatBytes(s.HitBytes), len(s.Counts), s.Ranges)
	case s.Mode == analyze.ServerTwoPhase:
		return fmt.Sprintf("the server filtered %d lines (%s) that may matter, out of %d it counts; reading %d ranges around them, %v in all",
			s.HitLines, formatBytes(s.HitBytes), s.CountedEntries, s.Ranges, time.Duration(s.CoveredNs).Round(time.Second))
	case s.Reason != "":
		return "reading every line: " + s.Reason
	}
	return "reading every line"
}

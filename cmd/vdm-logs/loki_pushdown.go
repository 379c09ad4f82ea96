package main

import (
	"context"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/pushdown"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// pushdown has the server count the lines that matter, and reads samples of
// what they belong to. It returns why that cannot be done, or nothing. What was
// found before an error stays.
func (l *lokiInput) pushdown(ctx context.Context, opts loki.ReadOptions, config analyze.Config, filter analyze.LineFilter) (reason string, err error) {
	streams, err := l.client.Streams(ctx, l.query, l.window)
	if err != nil {
		return "", err
	}
	server := pushdownServer{l, opts}
	found, err := pushdown.Run(ctx, server, pushdown.Options{Window: l.window, Filter: filter, Rules: config.Rules, Streams: streams})
	if found.Reason != "" {
		return found.Reason, nil
	}
	l.counted, l.server.Mode = found, analyze.ServerPushdown
	l.server.HitLines, l.server.HitBytes, l.server.Ranges = found.HitLines, found.HitBytes, found.Ranges
	for _, k := range found.Kept {
		l.server.Filters = append(l.server.Filters, stagesOf(k))
	}
	l.server.Filters = append(l.server.Filters, loki.Captures(found.Expressions))
	for _, c := range found.Counts {
		c.Source = redacted(c.Source)
		l.server.Counts = append(l.server.Counts, c)
	}
	l.server.Notes = append(l.server.Notes,
		"samples were read; what looks like them in its lines was counted as they are, and gives no samples, numbers or trace ids; records that are one line of JSON were all read",
		"records that state no level and hold none of the filter's words were not looked for",
		"clock-skew and time-zone are judged by the samples")
	l.server.Notes = append(l.server.Notes, found.Notes...)
	if err != nil {
		return "", err
	}
	// The lines of streams are counted only where a roll is to be judged by them.
	if len(config.Rolls) == 0 {
		l.server.Notes = append(l.server.Notes, "the streams are those of the server's index; their lines were not counted")
	}
	return "", l.countTraffic(ctx, opts.Parallel, config, found.Streams, len(config.Rolls) > 0)
}

// pushdownServer asks Loki what a pushdown needs of it.
type pushdownServer struct {
	*lokiInput
	opts loki.ReadOptions
}

// stagesOf is a filter in LogQL.
func stagesOf(k pushdown.Lines) string {
	return loki.LinesMatching(k.Label, k.Value, k.Not, k.Any, k.None)
}

// kept puts a filter behind the selector, before what else the query asks.
func (p pushdownServer) kept(k pushdown.Lines) selector.Query {
	q := p.query
	q.Rest = stagesOf(k)
	if p.query.Rest != "" {
		q.Rest += " " + p.query.Rest
	}
	return q
}

func (p pushdownServer) CountBy(ctx context.Context, keep pushdown.Lines, expressions, labels []string, w ingest.Window) ([]pushdown.Count, error) {
	counted, err := p.client.CountBy(ctx, p.kept(keep), loki.Captures(expressions), labels, w, pushdown.Bucket)
	if loki.TooManyGroups(err) {
		return nil, pushdown.ErrTooManyGroups
	}
	all := make([]pushdown.Count, len(counted))
	for i, c := range counted {
		all[i].Labels = c.Labels
		for _, b := range c.Buckets {
			all[i].Minutes = append(all[i].Minutes, pushdown.Minute(b))
		}
	}
	return all, err
}

func (p pushdownServer) ReadCounted(ctx context.Context, keep pushdown.Lines, minutes []pushdown.Minute) (pushdown.Reader, error) {
	buckets := make([]loki.Bucket, len(minutes))
	for i, m := range minutes {
		buckets[i] = loki.Bucket(m)
	}
	r, err := p.client.ReadCounted(ctx, p.kept(keep), p.window, buckets, p.opts)
	return pushdownReader{r, p.lokiInput}, err
}

func (p pushdownServer) ReadNear(ctx context.Context, places []pushdown.Place) (pushdown.Reader, error) {
	at := make([]loki.Place, len(places))
	for i, one := range places {
		at[i] = loki.Place(one)
	}
	r, err := p.client.ReadNear(ctx, p.query, p.window, at, around, p.opts)
	return pushdownReader{r, p.lokiInput}, err
}

// pushdownReader leaves its gaps with the input when it is closed.
type pushdownReader struct {
	*loki.Reader
	input *lokiInput
}

func (r pushdownReader) Close() error {
	r.input.gaps = append(r.input.gaps, r.Gaps()...)
	return r.Reader.Close()
}

// Complete gives the Analyzer what was counted, in order of time.
func (l *lokiInput) Complete(a *analyze.Analyzer) error {
	for _, r := range l.counted.Records {
		add := a.Add
		if r.Like {
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

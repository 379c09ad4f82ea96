package loki

import (
	"context"
	"math"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// Place is a time on a stream, in nanoseconds.
type Place struct {
	Stream   *ingest.Stream
	UnixNano int64
}

// ReadCounted reads the query's lines of buckets that have been counted by
// [Client.CountBy], which are in order of time. What is received is held
// against the counts. Where buckets tell which streams have their lines, each
// range is asked of not many more streams than those.
func (c *Client) ReadCounted(ctx context.Context, q selector.Query, w ingest.Window, counted []Bucket, opts ReadOptions) (*Reader, error) {
	if ctx.Err() != nil {
		return c.interrupted(opts, ctx.Err()), nil
	}
	r, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, err
	}
	w = r.clipLookback(w)
	var parts []*part
	for len(counted) > 0 {
		n, edge := 1, nextEdge(counted[0].Window.Start, r.maxRange())
		for n < len(counted) && counted[n].Window.Start < edge {
			n++
		}
		span := ingest.Window{Start: max(counted[0].Window.Start, w.Start), End: min(counted[n-1].Window.End, w.End)}
		parts = append(parts, &part{window: span, query: narrowed(q, counted[:n]), counted: counted[:n]})
		counted = counted[n:]
	}
	return r.start(ctx, parts), nil
}

// narrowed is the query for the streams that have the lines of buckets.
func narrowed(q selector.Query, counted []Bucket) selector.Query {
	near := neighbourhoods{}
	all := ingest.Window{Start: counted[0].Window.Start, End: counted[len(counted)-1].Window.End}
	for _, b := range counted {
		if len(b.Streams) == 0 {
			return q
		}
		for _, s := range b.Streams {
			near[s.Key] = &streamRanges{stream: s, ranges: []ingest.Window{all}}
		}
	}
	return near.narrow(q, all)
}

// ReadNear reads what stands around places, each on its own stream. A range is
// counted only where the server answers from several shards, or with all the
// lines that it gives at once: what others leave out of an answer is not seen
// in ones of one shard.
func (c *Client) ReadNear(ctx context.Context, q selector.Query, w ingest.Window, places []Place, around time.Duration, opts ReadOptions) (*Reader, error) {
	if ctx.Err() != nil {
		return c.interrupted(opts, ctx.Err()), nil
	}
	r, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, err
	}
	near := neighbourhoods{}
	for _, p := range places {
		near.add(p.Stream, ingest.Window{Start: max(p.UnixNano-int64(around), w.Start), End: min(p.UnixNano+int64(around)+1, w.End)})
	}
	for _, own := range near {
		own.settle()
	}
	r.near = near
	var parts []*part
	for _, s := range near.union(0) {
		parts = append(parts, &part{window: s, query: near.narrow(q, s), short: true, lean: true})
	}
	return r.start(ctx, parts), nil
}

// atOnce reads a range without counting it, and reports whether that is all of
// it.
func (w *worker) atOnce(win ingest.Window) (done bool, err error) {
	limit := w.pageSize()
	if err := w.page(w.ctx, w.part.query.String(), win, limit, 1, &w.p); err != nil || w.p.summary.Shards != 1 || len(w.p.entries) >= min(limit, int(w.maxEntries.Load())) {
		return false, nil // it is read with all care, and errors come again
	}
	w.succeeded()
	b := w.take()
	b.append(&w.p.batch, math.MaxInt64)
	return true, w.send(b)
}

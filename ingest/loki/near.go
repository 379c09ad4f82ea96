package loki

import (
	"context"
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
// against the counts.
func (c *Client) ReadCounted(ctx context.Context, q selector.Query, w ingest.Window, counted []Bucket, opts ReadOptions) (*Reader, error) {
	r, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, err
	}
	if len(counted) == 0 {
		return r.start(ctx, nil), nil
	}
	return r.start(ctx, []*part{{window: r.clipLookback(w), query: q, counted: counted}}), nil
}

// ReadNear reads what stands around places, each on its own stream.
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
		parts = append(parts, &part{window: s, query: near.narrow(q, s), short: true})
	}
	return r.start(ctx, parts), nil
}

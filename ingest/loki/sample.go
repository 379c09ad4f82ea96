package loki

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

const (
	// sampleSlices is in how many places of a window hits are counted before
	// they are read, each a sampleShare of the window long.
	sampleSlices = 4
	sampleShare  = 720
	// sampleFrom is how many lines make a window worth that look, in lines
	// worth a request.
	sampleFrom = 50
	// hitsInRange is how many hits a neighbourhood is taken to hold: a record
	// of several lines has several that matter.
	hitsInRange = 3
)

// sampleHits estimates how many lines of the window are hits of the probes
// that reach over it, from counts of short slices: a server finds those in a
// small part of what it must search for all. The answer is only good for
// deciding how to read. The slice with the most hits is left out: one wave of
// them says nothing of the rest of the window.
func (c *Client) sampleHits(ctx context.Context, q selector.Query, w ingest.Window, probes []Probe, parallel int) (int64, error) {
	slice := (w.End - w.Start) / sampleShare
	var hits [sampleSlices]atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(firstPositive(parallel, 4))
	for i := range int64(sampleSlices) {
		start := w.Start + (w.End-w.Start)/(2*sampleSlices)*(2*i+1)
		for _, p := range probes {
			if p.Within > 0 {
				continue
			}
			g.Go(func() error {
				n, err := c.Count(ctx, filter(q, p.Stages).String(), ingest.Window{Start: start, End: start + slice})
				hits[i].Add(n)
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return 0, err
	}
	sum, most := int64(0), int64(0)
	for i := range hits {
		n := hits[i].Load()
		sum, most = sum+n, max(most, n)
	}
	return (sum - most) * sampleShare / (sampleSlices - 1), nil
}

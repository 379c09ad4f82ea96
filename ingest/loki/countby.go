package loki

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// Counted is how many lines one group of a CountBy has over time.
type Counted struct {
	// Labels tell the group, in the order in which they were asked for; a
	// label that a line does not have is empty.
	Labels []ingest.Label
	// Buckets are those that have lines, in order of time.
	Buckets []Bucket
}

// Bucket is a range of time with the lines counted in it.
type Bucket struct {
	Window ingest.Window
	Lines  int64
	// Streams are those that have the lines; none where that is not known.
	Streams []*ingest.Stream
}

// CountBy counts lines in the server, by labels of the stream or ones that
// stages (LogQL behind the selector, such as | regexp `...`) take from the
// line, and by buckets of time. The window is widened to whole buckets, whose
// edges lie one nanosecond behind multiples of the bucket: a line exactly on
// a multiple belongs to the bucket that ends there. The bucket is a whole
// number of milliseconds.
//
// Nothing is sent but the counts, so that a day costs the server's time alone.
// Servers refuse more groups than their limit, 500 by default: see
// [TooManyGroups].
func (c *Client) CountBy(ctx context.Context, q selector.Query, stages string, by []string, w ingest.Window, bucket time.Duration) ([]Counted, error) {
	width := int64(bucket)
	if width <= 0 || width%tick != 0 {
		return nil, fmt.Errorf("a bucket of %v is no whole number of milliseconds", bucket)
	}
	sum := "sum"
	if len(by) > 0 {
		sum = "sum by (" + strings.Join(by, ", ") + ") "
	}
	expr := fmt.Sprintf("%s(count_over_time(%s[%s]))", sum, strings.TrimSpace(q.String()+" "+stages), rangeText(width))
	start, end := nextEdge(w.Start, width)-width, nextEdge(w.End-1, width)
	var parts []ingest.Window
	for at := start; at < end; at += maxBuckets * width {
		parts = append(parts, ingest.Window{Start: at, End: min(end, at+maxBuckets*width)})
	}
	answers := make([]matrix, len(parts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(countedAtOnce)
	for i, part := range parts {
		g.Go(func() (err error) {
			answers[i], err = c.countPart(ctx, expr, part, bucket)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	groups := map[string]*Counted{}
	for i, part := range parts {
		if err := addCounts(groups, answers[i], by, part, bucket); err != nil {
			return nil, err
		}
	}
	all := make([]Counted, 0, len(groups))
	for _, g := range groups {
		all = append(all, *g)
	}
	slices.SortFunc(all, func(a, b Counted) int {
		return slices.CompareFunc(a.Labels, b.Labels, func(x, y ingest.Label) int { return cmp.Compare(x.Value, y.Value) })
	})
	return all, nil
}

// TooManyGroups reports whether a server refuses to count by so many values.
func TooManyGroups(err error) bool {
	var s *StatusError
	return errors.As(err, &s) && s.Code == 400 && strings.Contains(s.Message, "number of series")
}

// countedAtOnce is how many parts of a window are counted at one time.
const countedAtOnce = 4

// countPart asks for the counts of a part of the window.
func (c *Client) countPart(ctx context.Context, expr string, w ingest.Window, bucket time.Duration) (matrix, error) {
	return getJSON[matrix](ctx, c, "/query_range", url.Values{
		"query": {expr},
		"start": {strconv.FormatInt(w.Start-1+int64(bucket), 10)},
		"end":   {strconv.FormatInt(w.End-1, 10)},
		"step":  {strconv.FormatFloat(bucket.Seconds(), 'f', -1, 64)},
	})
}

// addCounts adds the counts of a part of the window to the groups.
func addCounts(groups map[string]*Counted, m matrix, by []string, w ingest.Window, bucket time.Duration) error {
	for _, series := range m.Data.Result {
		labels := make([]ingest.Label, len(by))
		for i, name := range by {
			labels[i] = ingest.Label{Name: name, Value: series.Metric[name]}
		}
		key := fmt.Sprintf("%q", labels)
		g := groups[key]
		if g == nil {
			g = &Counted{Labels: labels}
			groups[key] = g
		}
		for _, v := range series.Values {
			at, ok := v[0].(float64)
			if !ok {
				return fmt.Errorf("the server counted at time %v", v[0])
			}
			lines, err := count(v[1])
			if err != nil {
				return err
			}
			last := int64(math.Round(at*1000)) * tick
			if bounds := (ingest.Window{Start: last + 1 - int64(bucket), End: last + 1}); bounds.Start >= w.Start && bounds.End <= w.End {
				g.Buckets = append(g.Buckets, Bucket{Window: bounds, Lines: lines})
			}
		}
	}
	return nil
}

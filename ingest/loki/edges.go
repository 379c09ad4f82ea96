package loki

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// StreamCounts are the lines of streams, counted by the server.
type StreamCounts struct {
	Stream *ingest.Stream
	// Until counts the lines before each instant that was asked for.
	Until []int64
}

// CountStreams counts the lines of each stream of the query from a start on to
// each of the instants (exclusive), all in nanoseconds. The stretches are
// widened at their start to whole milliseconds: LogQL counts no finer.
func (c *Client) CountStreams(ctx context.Context, q selector.Query, start int64, until []int64) ([]StreamCounts, error) {
	names, err := c.labelNames(ctx, q, ingest.Window{Start: start, End: slices.Max(until)})
	if err != nil {
		return nil, err
	}
	byKey := map[string]*StreamCounts{}
	for i, end := range until {
		if end <= start {
			continue
		}
		width := nextMultiple(end-start-1, tick)
		v, err := getJSON[vector](ctx, c, "/query", url.Values{
			"query": {fmt.Sprintf("sum by (%s) (count_over_time(%s[%s]))", strings.Join(names, ", "), q, rangeText(width))},
			"time":  {strconv.FormatInt(end-1, 10)},
		})
		if err != nil {
			return nil, err
		}
		for _, r := range v.Data.Result {
			lines, err := count(r.Value[1])
			if err != nil {
				return nil, err
			}
			var labels []ingest.Label
			for name, value := range r.Metric {
				if value != "" {
					labels = append(labels, ingest.Label{Name: name, Value: value})
				}
			}
			s := ingest.NewStream(labels)
			one := byKey[s.Key]
			if one == nil {
				one = &StreamCounts{Stream: s, Until: make([]int64, len(until))}
				byKey[s.Key] = one
			}
			one.Until[i] += lines
		}
	}
	all := make([]StreamCounts, 0, len(byKey))
	for _, one := range byKey {
		all = append(all, *one)
	}
	slices.SortFunc(all, func(a, b StreamCounts) int { return strings.Compare(a.Stream.Key, b.Stream.Key) })
	return all, nil
}

// Streams lists the streams of the query's selector that the server's index has
// in a window, in the order of their keys. The index knows no lines, so that
// streams may be among them whose lines lie close outside.
func (c *Client) Streams(ctx context.Context, q selector.Query, w ingest.Window) ([]*ingest.Stream, error) {
	series, err := c.Series(ctx, q.Selector, w)
	if err != nil {
		return nil, err
	}
	byKey := map[string]*ingest.Stream{}
	for _, labels := range series {
		s := ingest.NewStream(sortedLabels(labels))
		byKey[s.Key] = s
	}
	all := make([]*ingest.Stream, 0, len(byKey))
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		all = append(all, byKey[key])
	}
	return all, nil
}

// sortedLabels lists the labels of a stream by name, without Loki's own.
func sortedLabels(labels map[string]string) []ingest.Label {
	list := make([]ingest.Label, 0, len(labels))
	for name, value := range labels {
		list = append(list, ingest.Label{Name: name, Value: value})
	}
	slices.SortFunc(list, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
	return lokijson.WithoutShard(list)
}

// labelNames lists the names of the labels of the query's streams, sorted.
func (c *Client) labelNames(ctx context.Context, q selector.Query, w ingest.Window) ([]string, error) {
	series, err := c.Series(ctx, q.Selector, w)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, labels := range series {
		for _, l := range sortedLabels(labels) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Edge returns the time of the first line of the query in the window, or with
// last set of its last one, and the stream it is of; ok is false if there is
// none.
func (c *Client) Edge(ctx context.Context, q selector.Query, w ingest.Window, last bool) (at int64, s *ingest.Stream, ok bool, err error) {
	type answer struct {
		Data struct {
			Result []struct {
				Stream map[string]string `json:"stream"`
				Values [][]any           `json:"values"`
			} `json:"result"`
		} `json:"data"`
	}
	direction := "forward"
	if last {
		direction = "backward"
	}
	a, err := getJSON[answer](ctx, c, "/query_range", window(url.Values{"query": {q.String()}, "limit": {"1"}, "direction": {direction}}, w))
	if err != nil {
		return 0, nil, false, err
	}
	at = math.MinInt64
	for _, r := range a.Data.Result {
		for _, v := range r.Values {
			text, _ := v[0].(string)
			ns, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return 0, nil, false, fmt.Errorf("the server gave a line at time %v", v[0])
			}
			if ok && ns >= at != last {
				continue
			}
			at, s, ok = ns, ingest.NewStream(sortedLabels(r.Stream)), true
		}
	}
	return at, s, ok, nil
}

// Only narrows a query to one stream, given the names of all labels that the
// query's streams have.
func Only(q selector.Query, s *ingest.Stream, names []string) (selector.Query, error) {
	parts := make([]string, 0, len(names))
	for _, l := range s.Labels {
		parts = append(parts, l.Name+"="+strconv.Quote(l.Value))
	}
	for _, n := range names {
		if _, has := s.Get(n); !has && n != "service_name" { // which every stream has
			parts = append(parts, n+`=""`)
		}
	}
	return selector.ParseQuery("{" + strings.Join(parts, ", ") + "} " + q.Rest)
}

// Spans returns the times of the first and last line of each stream of the
// query, in the order of the streams.
func (c *Client) Spans(ctx context.Context, q selector.Query, streams []*ingest.Stream, w ingest.Window, parallel int) ([]ingest.Window, error) {
	names, err := c.labelNames(ctx, q, w)
	if err != nil {
		return nil, err
	}
	spans := make([]ingest.Window, len(streams))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(parallel, 1))
	for i, s := range streams {
		g.Go(func() error {
			one, err := Only(q, s, names)
			if err != nil {
				return err
			}
			first, _, found, err := c.Edge(ctx, one, w, false)
			if err != nil || !found {
				return err
			}
			last, _, _, err := c.Edge(ctx, one, w, true)
			spans[i] = ingest.Window{Start: first, End: last}
			return err
		})
	}
	return spans, g.Wait()
}

package loki

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/common/model"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// getJSON asks an endpoint whose answer is small and decodes it into out,
// which makes a fresh value for each try.
func getJSON[T any](ctx context.Context, c *Client, path string, params url.Values) (T, error) {
	var out T
	err := c.get(ctx, path, params, c.tries(), func(r io.Reader) error {
		var one T
		if err := json.NewDecoder(r).Decode(&one); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return errCutOff
			}
			return fmt.Errorf("the answer to %s is not what it should be: %w", path, err)
		}
		out = one
		return nil
	})
	return out, err
}

// window sets start and end, in integer nanoseconds: fractions of a second
// are rounded by the server.
func window(params url.Values, w ingest.Window) url.Values {
	params.Set("start", strconv.FormatInt(w.Start, 10))
	params.Set("end", strconv.FormatInt(w.End, 10))
	return params
}

// Labels lists the label names in a window, sorted.
func (c *Client) Labels(ctx context.Context, w ingest.Window) ([]string, error) {
	type answer struct {
		Data []string `json:"data"` // absent when there is none
	}
	a, err := getJSON[answer](ctx, c, "/labels", window(url.Values{}, w))
	slices.Sort(a.Data)
	return a.Data, err
}

// LabelValues lists the values of a label in a window, sorted.
func (c *Client) LabelValues(ctx context.Context, name string, w ingest.Window) ([]string, error) {
	type answer struct {
		Data []string `json:"data"`
	}
	a, err := getJSON[answer](ctx, c, "/label/"+url.PathEscape(name)+"/values", window(url.Values{}, w))
	slices.Sort(a.Data)
	return a.Data, err
}

// Series lists the label sets of the streams that a selector matches.
func (c *Client) Series(ctx context.Context, selector string, w ingest.Window) ([]map[string]string, error) {
	type answer struct {
		Data []map[string]string `json:"data"`
	}
	a, err := getJSON[answer](ctx, c, "/series", window(url.Values{"match[]": {selector}}, w))
	return a.Data, err
}

// IndexStats is the server's estimate of what a selector matches, by whole
// chunks: more than the window holds.
type IndexStats struct {
	Streams, Chunks, Bytes, Entries int64
}

// IndexStats asks for the estimate of a selector without filters.
func (c *Client) IndexStats(ctx context.Context, selector string, w ingest.Window) (IndexStats, error) {
	return getJSON[IndexStats](ctx, c, "/index/stats", window(url.Values{"query": {selector}}, w))
}

// Limits are the tenant's limits as far as the server tells them; 0 is
// unknown or unlimited.
type Limits struct {
	MaxEntries   int           // lines of one answer
	MaxLength    time.Duration // of a query's time range
	MaxLookback  time.Duration // how far back anything is found
	QueryTimeout time.Duration
}

// Limits asks for the tenant's limits. Many servers do not tell them; their
// refusal is an error that is safe to ignore.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	type answer struct {
		Limits struct {
			MaxEntries  int    `json:"max_entries_limit_per_query"`
			MaxLength   string `json:"max_query_length"`
			MaxLookback string `json:"max_query_lookback"`
			Timeout     string `json:"query_timeout"`
		} `json:"limits"`
	}
	a, err := getJSON[answer](ctx, c, "/drilldown-limits", url.Values{})
	if err != nil {
		return Limits{}, err
	}
	return Limits{
		MaxEntries:   max(a.Limits.MaxEntries, 0),
		MaxLength:    duration(a.Limits.MaxLength),
		MaxLookback:  duration(a.Limits.MaxLookback),
		QueryTimeout: duration(a.Limits.Timeout),
	}, nil
}

// duration reads a duration as Prometheus writes it (30d1h) or as Go does
// (721h0m0s); 0 for anything else.
func duration(s string) time.Duration {
	if d, err := model.ParseDuration(s); err == nil {
		return time.Duration(d)
	}
	if d, err := time.ParseDuration(s); err == nil {
		return d
	}
	return 0
}

// vector is the answer of an instant metric query.
type vector struct {
	Data struct {
		ResultType string `json:"resultType"`
		Result     []struct {
			Metric map[string]string `json:"metric"`
			Value  [2]any            `json:"value"`
		} `json:"result"`
	} `json:"data"`
}

// tick is the finest width in which lines can be counted: ranges of LogQL are
// whole milliseconds. A metric range is (t-range, t] and a log window [a, b),
// so the windows that can be counted have their edges one nanosecond behind
// whole milliseconds.
const tick = int64(time.Millisecond)

// ticks widens a window to one that can be counted.
func ticks(w ingest.Window) ingest.Window {
	start := nextMultiple(w.Start-1, tick) - tick + 1
	end := nextMultiple(w.End-2, tick) + 1
	return ingest.Window{Start: start, End: max(start, end)}
}

// Count returns how many lines the query has in the window, which is widened
// to whole milliseconds behind the first nanosecond of one: LogQL counts no
// finer.
func (c *Client) Count(ctx context.Context, query string, w ingest.Window) (int64, error) {
	if w.End <= w.Start {
		return 0, nil
	}
	w = ticks(w)
	expr := "sum(count_over_time(" + query + "[" + rangeText(w.End-w.Start) + "]))"
	v, err := getJSON[vector](ctx, c, "/query", url.Values{
		"query": {expr},
		"time":  {strconv.FormatInt(w.End-1, 10)},
	})
	if err != nil {
		return 0, err
	}
	if len(v.Data.Result) == 0 {
		return 0, nil
	}
	return count(v.Data.Result[0].Value[1])
}

// rangeText renders a width of whole milliseconds.
func rangeText(ns int64) string { return strconv.FormatInt(ns/tick, 10) + "ms" }

func count(value any) (int64, error) {
	text, _ := value.(string)
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f < 0 || f > 1<<53 || f != math.Trunc(f) {
		return 0, fmt.Errorf("the server counted %v lines", value)
	}
	return int64(f), nil
}

// matrix is the answer of a ranged metric query.
type matrix struct {
	Data struct {
		Result []struct {
			Metric map[string]string `json:"metric"`
			Values [][2]any          `json:"values"`
		} `json:"result"`
	} `json:"data"`
}

// counts returns how many lines each bucket of the window has. The window is
// a whole number of buckets, and its ends lie one nanosecond behind multiples
// of the bucket. Buckets without lines are absent from the answer, and 0 here.
// (An offset of a nanosecond would move the edges, but servers answer it with
// nothing.)
func (c *Client) counts(ctx context.Context, query string, w ingest.Window, bucket time.Duration) ([]int64, error) {
	n := (w.End - w.Start) / int64(bucket)
	step := strconv.FormatFloat(bucket.Seconds(), 'f', -1, 64)
	expr := "sum(count_over_time(" + query + "[" + rangeText(int64(bucket)) + "]))"
	m, err := getJSON[matrix](ctx, c, "/query_range", url.Values{
		"query": {expr},
		"start": {strconv.FormatInt(w.Start-1+int64(bucket), 10)},
		"end":   {strconv.FormatInt(w.End-1, 10)},
		"step":  {step},
	})
	if err != nil {
		return nil, err
	}
	all := make([]int64, n)
	for _, series := range m.Data.Result {
		for _, v := range series.Values {
			at, ok := v[0].(float64)
			if !ok {
				return nil, fmt.Errorf("the server counted at time %v", v[0])
			}
			lines, err := count(v[1])
			if err != nil {
				return nil, err
			}
			i := (int64(math.Round(at*1000))*tick-(w.Start-1))/int64(bucket) - 1
			if i >= 0 && i < n {
				all[i] += lines
			}
		}
	}
	return all, nil
}

package lokitest

import (
	"cmp"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// found is a line with its stream.
type found struct {
	*line
	stream *stream
}

// find returns the lines of a query in [start, end), unordered between
// streams.
func (s *Server) find(query string, start, end int64) ([]found, error) {
	q, err := selector.ParseQuery(query)
	if err != nil {
		return nil, refuse(400, "parse error : %v", err)
	}
	stages, err := parseStages(q.Rest)
	if err != nil {
		return nil, err
	}
	start = max(start, s.horizon())
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []found
	for _, key := range s.keys {
		st := s.streams[key]
		if !q.Matches(func(name string) string { return value(st.labels, name) }) {
			continue
		}
		i, _ := slices.BinarySearchFunc(st.lines, start, func(l line, t int64) int { return cmp.Compare(l.at, t) })
		for ; i < len(st.lines) && st.lines[i].at < end; i++ {
			if st.lines[i].hidden < s.requests && keep(stages, &st.lines[i], st) {
				all = append(all, found{&st.lines[i], st})
			}
		}
	}
	return all, nil
}

func value(labels []ingest.Label, name string) string {
	for _, l := range labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// queryRange answers query_range.
func (s *Server) queryRange(r *http.Request) ([]byte, error) {
	query := r.Form.Get("query")
	if query == "" {
		return nil, refuse(400, "parse error : syntax error: unexpected $end")
	}
	start, end, err := s.span(r)
	if err != nil {
		return nil, err
	}
	if isMetric(query) {
		return s.matrix(r, query, start, end)
	}
	if length := time.Duration(end - start); length > s.maxLength() {
		return nil, refuse(400, "the query time range exceeds the limit (query length: %v, limit: %v)", length, s.maxLength())
	}
	limit, err := strconv.Atoi(cmp.Or(r.Form.Get("limit"), "100"))
	switch {
	case err != nil:
		return nil, refuse(400, "strconv.ParseUint: parsing %q: invalid syntax", r.Form.Get("limit"))
	case limit <= 0:
		return nil, refuse(400, "limit must be a positive value")
	case limit > s.maxEntries():
		return nil, refuse(400, "max entries limit per query exceeded, limit > max_entries_limit_per_query (%d > %d)", limit, s.maxEntries())
	}
	backward := r.Form.Get("direction") != "forward"
	all, err := s.find(query, start, end)
	if err != nil {
		return nil, err
	}
	page := cutPage(all, limit, backward)
	if s.opts.DropInside != nil && len(page) == limit {
		i := -1
		page = slices.DeleteFunc(page, func(found) bool { i++; return s.opts.DropInside(i, limit) })
	}
	categorized := strings.Contains(r.Header.Get("X-Loki-Response-Encoding-Flags"), "categorize-labels")
	return s.renderStreams(page, limit, categorized)
}

// cutPage orders lines and takes the first limit of them. More than twelve
// lines of one stream and nanosecond are scrambled by the limit.
func cutPage(all []found, limit int, backward bool) []found {
	slices.SortStableFunc(all, func(a, b found) int {
		c := cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(a.stream.key, b.stream.key), cmp.Compare(a.order, b.order))
		if backward {
			return -c
		}
		return c
	})
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].at == all[i].at && all[j].stream == all[i].stream {
			j++
		}
		if j-i > 12 {
			rng := rand.New(rand.NewPCG(uint64(limit), uint64(all[i].at)))
			rng.Shuffle(j-i, func(a, b int) { all[i+a], all[i+b] = all[i+b], all[i+a] })
		}
		i = j
	}
	return all[:min(limit, len(all))]
}

// renderStreams groups a page into result streams, in no order.
func (s *Server) renderStreams(page []found, limit int, categorized bool) ([]byte, error) {
	type result struct {
		Stream map[string]string `json:"stream"`
		Values [][]any           `json:"values"`
		key    string
	}
	results := []*result{}
	byKey := map[string]*result{}
	var bytes int64
	for _, f := range page {
		key := f.stream.key
		metadata := map[string]string{"detected_level": f.level}
		for _, l := range f.metadata {
			metadata[l.Name] = l.Value
		}
		if !categorized {
			for _, l := range f.metadata {
				key += "|" + l.Name + "=" + l.Value
			}
			key += "|" + f.level
		}
		res := byKey[key]
		if res == nil {
			res = &result{Stream: map[string]string{}, key: key}
			for _, l := range f.stream.labels {
				res.Stream[l.Name] = l.Value
			}
			if !categorized {
				for name, v := range metadata {
					res.Stream[name] = v
				}
			}
			byKey[key] = res
			results = append(results, res)
		}
		v := []any{strconv.FormatInt(f.at, 10), f.text}
		if categorized {
			v = append(v, map[string]any{"structuredMetadata": metadata})
		}
		res.Values = append(res.Values, v)
		bytes += int64(len(f.text))
	}
	h := fnv.New64a()
	for _, res := range results {
		h.Write([]byte(res.key))
	}
	slices.SortFunc(results, func(a, b *result) int { return strings.Compare(a.key, b.key) })
	rng := rand.New(rand.NewPCG(s.opts.Shuffle+uint64(limit), h.Sum64()))
	rng.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })

	data := map[string]any{
		"resultType": "streams", "result": results,
		"stats": map[string]any{"summary": map[string]any{"totalBytesProcessed": bytes, "totalLinesProcessed": len(page), "shards": s.opts.Shards}},
	}
	if categorized {
		data["encodingFlags"] = []string{"categorize-labels"}
	}
	return marshal(map[string]any{"status": "success", "data": ordered(data)})
}

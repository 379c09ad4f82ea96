package lokitest

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
	"github.com/vdm-logs/vdm-logs/ingest/loki/wire"
)

// live returns the streams that have lines in [start, end) and match.
func (s *Server) live(start, end int64, match func(*stream) bool) []*stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*stream
	for _, key := range s.keys {
		st := s.streams[key]
		inside := slices.ContainsFunc(st.lines, func(l line) bool { return start <= l.at && l.at < end })
		if inside && match(st) {
			all = append(all, st)
		}
	}
	return all
}

func matching(text string) (func(*stream) bool, error) {
	q, err := selector.ParseQuery(text)
	if err != nil {
		return nil, refuse(400, "parse error : %v", err)
	}
	return func(st *stream) bool {
		return q.Matches(func(name string) string { return value(st.labels, name) })
	}, nil
}

// names answers with a sorted list, or without data when it is empty.
func names(set map[string]bool) ([]byte, error) {
	list := []string{}
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	answer := map[string]any{"status": "success"}
	if len(list) > 0 {
		answer["data"] = list
	}
	return marshal(answer)
}

func (s *Server) labels(r *http.Request) ([]byte, error) {
	start, end, err := s.span(r)
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, st := range s.live(start, end, func(*stream) bool { return true }) {
		for _, l := range st.labels {
			set[l.Name] = true
		}
	}
	return names(set)
}

func (s *Server) labelValues(r *http.Request, name string) ([]byte, error) {
	start, end, err := s.span(r)
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, st := range s.live(start, end, func(*stream) bool { return true }) {
		if v := value(st.labels, name); v != "" {
			set[v] = true
		}
	}
	return names(set)
}

func (s *Server) series(r *http.Request) ([]byte, error) {
	start, end, err := s.span(r)
	if err != nil {
		return nil, err
	}
	match, err := matching(r.Form.Get("match[]"))
	if err != nil {
		return nil, err
	}
	list := []map[string]string{}
	for _, st := range s.live(start, end, match) {
		one := map[string]string{}
		for _, l := range st.labels {
			one[l.Name] = l.Value
		}
		list = append(list, one)
	}
	return marshal(map[string]any{"status": "success", "data": list})
}

func (s *Server) indexStats(r *http.Request) ([]byte, error) {
	start, end, err := s.span(r)
	if err != nil {
		return nil, err
	}
	match, err := matching(r.Form.Get("query"))
	if err != nil {
		return nil, err
	}
	var streams, entries, size int64
	for _, st := range s.live(start, end, match) {
		streams++
		for _, l := range st.lines {
			if start <= l.at && l.at < end {
				entries++
				size += int64(len(l.text))
			}
		}
	}
	return marshal(map[string]int64{"streams": streams, "chunks": streams, "bytes": size, "entries": entries})
}

func (s *Server) limits() ([]byte, error) {
	return marshal(map[string]any{"limits": map[string]any{
		"max_entries_limit_per_query": s.maxEntries(),
		"max_query_length":            s.maxLength().String(),
		"max_query_lookback":          s.opts.MaxLookback.String(),
		"query_timeout":               "1m",
	}})
}

// push takes a push in JSON or, as the server does with any other content
// type, in protobuf.
func (s *Server) push(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil, s.pushProto(r)
	}
	var body struct {
		Streams []struct {
			Stream map[string]string   `json:"stream"`
			Values [][]json.RawMessage `json:"values"`
		} `json:"streams"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return nil, refuse(400, "%v", err)
	}
	var entries []Entry
	for _, st := range body.Streams {
		var labels []ingest.Label
		for name, v := range st.Stream {
			labels = append(labels, ingest.Label{Name: name, Value: v})
		}
		for _, v := range st.Values {
			e, err := pushed(labels, v)
			if err != nil {
				return nil, err
			}
			entries = append(entries, e)
		}
	}
	s.Push(entries...)
	return nil, nil
}

func pushed(labels []ingest.Label, v []json.RawMessage) (Entry, error) {
	e := Entry{Labels: labels}
	var at string
	if len(v) < 2 || json.Unmarshal(v[0], &at) != nil || json.Unmarshal(v[1], &e.Line) != nil {
		return e, refuse(400, "loghttp.PushRequest.Streams: a value is not [\"nanoseconds\",\"line\"]")
	}
	var err error
	if e.UnixNano, err = strconv.ParseInt(at, 10, 64); err != nil {
		return e, refuse(400, "%v", err)
	}
	var metadata map[string]string
	if len(v) > 2 && json.Unmarshal(v[2], &metadata) != nil {
		return e, refuse(400, "structured metadata is no object of strings")
	}
	for name, value := range metadata {
		e.Metadata = append(e.Metadata, ingest.Label{Name: name, Value: value})
	}
	return e, nil
}

func (s *Server) pushProto(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return refuse(400, "%v", err)
	}
	decoded, err := wire.Decode(body)
	if err != nil {
		return refuse(400, "%v", err)
	}
	var entries []Entry
	for _, e := range decoded {
		entries = append(entries, Entry{Labels: e.Labels, UnixNano: e.UnixNano, Line: e.Line, Metadata: e.Metadata})
	}
	s.Push(entries...)
	return nil
}

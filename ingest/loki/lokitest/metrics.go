package lokitest

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// ordered renders an object of data with resultType and encodingFlags before
// result, as the server does.
func ordered(data map[string]any) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, key := range []string{"resultType", "encodingFlags", "result", "stats"} {
		v, ok := data[key]
		if !ok {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		b.WriteString(strconv.Quote(key))
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// isMetric reports whether a query is a metric query.
func isMetric(query string) bool { return !strings.HasPrefix(strings.TrimSpace(query), "{") }

var countExpr = regexp.MustCompile(`^sum(?: by \(([a-zA-Z0-9_, ]*)\) )?\(count_over_time\((.*)\[([0-9a-z]+)\](?: offset ([0-9a-z]+))?\)\)$`)

// counter is a parsed sum by (by) (count_over_time(query | regexp `take` ...
// [width] offset back)).
type counter struct {
	query       string
	by          []string
	take        []*regexp.Regexp
	width, back int64
	cached      bool // the answer may come from the server's cache
	never       bool // an offset finer than a millisecond: the server finds nothing
}

func (s *Server) parseCount(query string) (counter, error) {
	if s.opts.NoCount {
		return counter{}, refuse(400, "pipeline error: 'JSONParserErr' for series: '{}'")
	}
	m := countExpr.FindStringSubmatch(strings.TrimSpace(query))
	if m == nil {
		return counter{}, refuse(400, "parse error: this server counts with sum(count_over_time(...)) only, not %s", query)
	}
	c := counter{query: m[2]}
	if m[1] != "" {
		c.by = strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")
	}
	if err := c.cutCaptures(); err != nil {
		return c, err
	}
	// Ranges are Prometheus durations, offsets any.
	width, err := model.ParseDuration(m[3])
	if err != nil || width <= 0 {
		return c, refuse(400, "parse error at line 0, col %d: unknown unit in duration %q", strings.Index(query, "["), m[3])
	}
	c.width = int64(width)
	if m[4] != "" {
		back, err := time.ParseDuration(m[4])
		if err != nil {
			return c, refuse(400, "parse error: not a valid duration string: %q", m[4])
		}
		c.back, c.never = int64(back), back%time.Millisecond != 0
	}
	return c, nil
}

// cutCaptures takes the stages | regexp off the query's end.
func (c *counter) cutCaptures() error {
	const stage = "| regexp "
	query, rest, found := strings.Cut(c.query, stage)
	for c.query = query; found; rest, found = strings.CutPrefix(strings.TrimSpace(rest), stage) {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return refuse(400, "parse error: syntax error: unexpected IDENTIFIER, expecting STRING")
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return refuse(400, "parse error: %v", err)
		}
		take, err := regexp.Compile(text)
		if err != nil {
			return refuse(400, "parse error: error parsing regexp: %v", err)
		}
		if take.NumSubexp() == 0 {
			return refuse(400, "parse error: at least one named capture must be supplied")
		}
		c.take, rest = append(c.take, take), rest[len(quoted):]
	}
	if strings.TrimSpace(rest) != "" {
		return refuse(400, "parse error: this server knows no stage behind | regexp, such as %s", rest)
	}
	return nil
}

// at counts what lies in (t-back-width, t-back], by the values of the labels
// joined with NUL.
func (c counter) at(s *Server, t int64) (map[string]int, error) {
	if c.never {
		return nil, nil
	}
	t -= c.back
	all, err := s.find(c.query, t-c.width+1, t+1)
	counts := map[string]int{}
	for _, f := range all {
		if !c.cached || !f.stale {
			counts[c.group(f)]++
		}
	}
	return counts, err
}

// group is the key of a line's group.
func (c counter) group(f found) string {
	values := make([]string, len(c.by))
	for i, name := range c.by {
		values[i] = value(f.stream.labels, name)
	}
	for _, take := range c.take {
		taken := take.FindStringSubmatch(f.text)
		for i, name := range c.by {
			if at := take.SubexpIndex(name); at >= 0 && taken != nil {
				values[i] = taken[at]
			}
		}
	}
	return strings.Join(values, "\x00")
}

// metric is the labels of a group: empty ones are left out.
func (c counter) metric(group string) map[string]string {
	labels := map[string]string{}
	for i, v := range strings.Split(group, "\x00") {
		if i < len(c.by) && v != "" {
			labels[c.by[i]] = v
		}
	}
	return labels
}

// query answers an instant query.
func (s *Server) query(r *http.Request) ([]byte, error) {
	query := r.Form.Get("query")
	if !isMetric(query) {
		return nil, refuse(400, "log queries are not supported as an instant query type, please change your query to a range query type")
	}
	c, err := s.parseCount(query)
	if err != nil {
		return nil, err
	}
	c.cached = r.Header.Get("Cache-Control") != "no-cache"
	if length := time.Duration(c.width); length > s.maxLength() {
		return nil, refuse(400, "the query time range exceeds the limit (query length: %v, limit: %v)", length, s.maxLength())
	}
	at, err := nanos(r, "time")
	if err != nil {
		return nil, err
	}
	counts, err := c.at(s, at)
	if err != nil {
		return nil, err
	}
	result := []any{}
	for group, n := range counts {
		result = append(result, map[string]any{"metric": c.metric(group), "value": []any{float64(at) / 1e9, strconv.Itoa(n)}})
	}
	return marshal(map[string]any{"status": "success", "data": ordered(map[string]any{"resultType": "vector", "result": result})})
}

// matrix answers a ranged metric query.
func (s *Server) matrix(r *http.Request, query string, start, end int64) ([]byte, error) {
	c, err := s.parseCount(query)
	if err != nil {
		return nil, err
	}
	c.cached = r.Header.Get("Cache-Control") != "no-cache"
	if length := time.Duration(end - start); length > s.maxLength() {
		return nil, refuse(400, "the query time range exceeds the limit (query length: %v, limit: %v)", length, s.maxLength())
	}
	seconds, err := strconv.ParseFloat(r.Form.Get("step"), 64)
	if err != nil || seconds <= 0 {
		return nil, refuse(400, "zero or negative query resolution step widths are not accepted. Try a positive integer")
	}
	step := int64(math.Round(seconds * 1e9))
	if (end-start)/step > 11000 {
		return nil, refuse(400, "exceeded maximum resolution of 11,000 points per time series. Try decreasing the query resolution (?step=XX)")
	}
	values := map[string][][]any{}
	for t := start - start%step; t <= end; t += step {
		counts, err := c.at(s, t)
		if err != nil {
			return nil, err
		}
		for group, n := range counts {
			values[group] = append(values[group], []any{float64(t) / 1e9, strconv.Itoa(n)})
		}
	}
	result := []any{}
	for group, v := range values {
		result = append(result, map[string]any{"metric": c.metric(group), "values": v})
	}
	return marshal(map[string]any{"status": "success", "data": ordered(map[string]any{"resultType": "matrix", "result": result})})
}

package loki

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

const (
	// lanesFrom is how many lines, by the server's estimate, make it worth
	// reading groups of streams beside each other.
	lanesFrom = 100_000
	// maxLanes bounds the groups: each holds lines in memory.
	maxLanes = 4
	// laneStreams bounds the streams whose labels are looked at: all of them
	// come at once.
	laneStreams = 5000
)

// lane is a group of the streams that a Reader reads, in order of time. The
// server keeps the lines of a stream in blocks that it unpacks whole: a page of
// all streams is a short time of each and wastes most of every block, a page of
// few streams is a long time.
type lane struct {
	tasks   <-chan *task
	failed  *error // of the planner, set before tasks is closed
	current *task
	batch   *batch
	at      int
}

// empty reports whether the lane must advance to have a next entry.
func (l *lane) empty() bool { return l.batch == nil || l.at == len(l.batch.entries) }

// before reports whether the next entry of a lane comes before that of another,
// which has other streams.
func (l *lane) before(o *lane) bool {
	x, y := &l.batch.entries[l.at], &o.batch.entries[o.at]
	if x.nano != y.nano {
		return x.nano < y.nano
	}
	return x.stream.Key < y.stream.Key
}

// lanes divides a query by its streams, so that together the queries match
// what it matches.
func (r *run) lanes(ctx context.Context, q selector.Query, w ingest.Window) []selector.Query {
	whole := []selector.Query{q}
	n := r.opts.Lanes
	if n == 0 {
		n = min(firstPositive(r.opts.Parallel, defaultParallel), maxLanes)
		stats, err := r.client.IndexStats(ctx, q.Selector, w)
		if err != nil || stats.Entries < lanesFrom || stats.Streams < int64(2*n) || stats.Streams > laneStreams {
			return whole
		}
	}
	if n < 2 || w.End <= w.Start {
		return whole
	}
	series, err := r.client.Series(ctx, q.Selector, w)
	if err != nil {
		return whole
	}
	return divide(q, series, n)
}

// divide makes at most n queries of one, by the last character of a label's
// value: of that label which makes the groups most alike in size. The last
// group has what is in no other, streams that came since included.
func divide(q selector.Query, series []map[string]string, n int) []selector.Query {
	names := map[string]bool{}
	for _, labels := range series {
		for name := range labels {
			// A stream's lines may be in several shards, and its label is no part
			// of it for us: groups must have streams whole.
			if !strings.HasPrefix(name, "__") {
				names[name] = true
			}
		}
	}
	var best [][]byte
	by, least := "", len(series)
	for name := range names {
		groups, most := endings(series, name, n)
		if most < least || most == least && by != "" && name < by {
			best, by, least = groups, name, most
		}
	}
	if by == "" {
		return []selector.Query{q}
	}
	slices.SortFunc(best, slices.Compare)
	var all []selector.Query
	var others []byte
	for i, group := range best {
		op, ends := "=~", group
		if i == len(best)-1 {
			op, ends = "!~", others
		}
		others = append(others, group...)
		slices.Sort(ends)
		text := strings.TrimSuffix(q.Selector, "}") + ", " + by + op + strconv.Quote(".*["+string(ends)+"]") + "} " + q.Rest
		one, err := selector.ParseQuery(text)
		if err != nil {
			return []selector.Query{q}
		}
		all = append(all, one)
	}
	return all
}

// endings puts the last characters of a label's values into at most n groups
// with about as many streams each, and returns how many streams the largest
// group has. Values that end in no letter or digit go with the last group.
func endings(series []map[string]string, name string, n int) (groups [][]byte, most int) {
	var streams [256]int
	for _, labels := range series {
		if v := labels[name]; v != "" && isAlnum(v[len(v)-1]) {
			streams[v[len(v)-1]]++
		}
	}
	var ends []byte
	for c := range streams {
		if streams[c] > 0 {
			ends = append(ends, byte(c))
		}
	}
	if len(ends) < 2 {
		return nil, len(series)
	}
	slices.SortStableFunc(ends, func(a, b byte) int { return streams[b] - streams[a] })
	groups = make([][]byte, min(n, len(ends)))
	load := make([]int, len(groups))
	for _, c := range ends {
		i := slices.Index(load, slices.Min(load))
		groups[i] = append(groups[i], c)
		load[i] += streams[c]
	}
	counted := 0
	for _, l := range load {
		counted += l
	}
	return groups, slices.Max(load) + len(series) - counted
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

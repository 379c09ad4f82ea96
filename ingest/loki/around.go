package loki

import (
	"context"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// Around says which lines matter and how much of what stands around them is
// read as well: a filter keeps lines, and a record, its companions and their
// causes are more than the line that told of them.
type Around struct {
	// Patterns are regular expressions (RE2, as Loki's); a line that matches
	// one of them is a hit. Without any, every line is.
	Patterns []string
	// Before and After bound the neighbourhood of a hit in its own stream.
	Before, After time.Duration
	// Worth is how many lines are rather read than one more request made: a
	// pause between neighbourhoods that holds fewer by the server's estimate
	// is read with them, and dropped here. 0 is 1000.
	Worth int
}

// defaultWorth follows from what servers take for a request, tens of
// milliseconds, and for a line, tens of microseconds.
const defaultWorth = 1000

// maxNeighbourhoods bounds how many ranges are remembered; with more of them,
// everything is read.
const maxNeighbourhoods = 200_000

// filter returns the query with a line filter for the patterns.
func (a Around) filter(q selector.Query) selector.Query {
	if len(a.Patterns) == 0 {
		return q
	}
	groups := make([]string, len(a.Patterns))
	for i, p := range a.Patterns {
		groups[i] = "(?:" + p + ")"
	}
	// The filter goes first: what stands behind the selector may change lines.
	q.Rest = strings.TrimSpace("|~ " + strconv.Quote(strings.Join(groups, "|")) + " " + q.Rest)
	return q
}

// Hits says what the first of two phases found.
type Hits struct {
	Lines, Bytes int64 // of hits
	Streams      int   // that have hits
	Ranges       int   // neighbourhoods that are read
	// Covered is how much of the window they cover, with the pauses that are
	// read along.
	Covered time.Duration
	// Whole says that the hits are so dense that everything is read.
	Whole bool
}

// ReadAround reads in two phases: first the hits alone, filtered by the
// server, then everything in their neighbourhoods. The Reader yields the
// second phase. What could not be read in the first is a gap of the second,
// since hits may be missing there.
func (c *Client) ReadAround(ctx context.Context, q selector.Query, w ingest.Window, a Around, opts ReadOptions) (*Reader, Hits, error) {
	worth := int64(firstPositive(a.Worth, defaultWorth))
	stats, statsErr := c.IndexStats(ctx, q.Selector, w)
	if statsErr == nil && stats.Entries <= worth {
		r, err := c.Read(ctx, q, w, opts)
		return r, Hits{Whole: true}, err
	}
	first, err := c.Read(ctx, a.filter(q), w, opts)
	if err != nil {
		return nil, Hits{}, err
	}
	near, hits, err := collect(ctx, first, w, a)
	first.Close()
	if err != nil {
		return nil, hits, err
	}
	second, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, hits, err
	}
	second.inherit(first.run)
	pause := int64(0)
	if statsErr == nil {
		pause = int64(float64(w.End-w.Start) / float64(stats.Entries) * float64(worth))
	}
	segments := near.union(pause)
	for _, s := range segments {
		hits.Covered += time.Duration(s.End - s.Start)
	}
	hits.Ranges = len(segments)
	// Beyond nine tenths of the window the narrow reading asks more often
	// than the wide one and reads the same.
	if hits.Whole = near == nil || int64(hits.Covered) > (w.End-w.Start)/10*9; hits.Whole {
		w.Start = min(max(w.Start, second.horizon()), w.End)
		return second.start(ctx, []*part{{window: w, query: q}}), hits, nil
	}
	second.near = near
	var parts []*part
	for _, s := range segments {
		narrow := near.narrow(q, s)
		parts = append(parts, &part{window: s, query: narrow, short: s.End-s.Start <= int64(time.Hour)})
	}
	return second.start(ctx, parts), hits, nil
}

// neighbourhoods are the ranges to read of each stream, by its key: in order
// and apart from each other.
type neighbourhoods map[string]*streamRanges

type streamRanges struct {
	stream *ingest.Stream
	ranges []ingest.Window
}

// collect reads the hits. It returns nil when there are too many ranges.
func collect(ctx context.Context, r *Reader, w ingest.Window, a Around) (neighbourhoods, Hits, error) {
	near, total := neighbourhoods{}, 0
	var e ingest.Entry
	for {
		err := r.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			s := r.Stats()
			hits := Hits{Lines: s.Entries, Bytes: s.Bytes, Streams: len(near)}
			if total > maxNeighbourhoods {
				near = nil
			}
			return near, hits, nil
		}
		if err != nil {
			return nil, Hits{}, err
		}
		if total <= maxNeighbourhoods {
			total += near.add(e.Stream, ingest.Window{
				Start: max(e.UnixNano-int64(a.Before), w.Start),
				End:   min(e.UnixNano+int64(a.After)+1, w.End),
			})
		}
	}
}

// add adds the neighbourhood of a hit that is later than all before it, and
// returns how many ranges there are more.
func (n neighbourhoods) add(s *ingest.Stream, w ingest.Window) int {
	own := n[s.Key]
	if own == nil {
		own = &streamRanges{stream: s}
		n[s.Key] = own
	}
	if last := len(own.ranges) - 1; last >= 0 && w.Start <= own.ranges[last].End {
		own.ranges[last].End = max(own.ranges[last].End, w.End)
		return 0
	}
	own.ranges = append(own.ranges, w)
	return 1
}

// union returns the ranges of all streams together, in order and more than a
// pause apart.
func (n neighbourhoods) union(pause int64) []ingest.Window {
	var all []ingest.Window
	for _, own := range n {
		all = append(all, own.ranges...)
	}
	slices.SortFunc(all, compareWindows)
	merged := all[:0]
	for _, w := range all {
		if last := len(merged) - 1; last >= 0 && w.Start-merged[last].End <= pause {
			merged[last].End = max(merged[last].End, w.End)
			continue
		}
		merged = append(merged, w)
	}
	return merged
}

// maxNarrowValues bounds the values of a label in a narrowed selector.
const maxNarrowValues = 50

// narrow adds matchers to the query that keep, of all streams, not many more
// than those with a neighbourhood in the segment: each label that all of these
// have may have their values only.
func (n neighbourhoods) narrow(q selector.Query, segment ingest.Window) selector.Query {
	values, having := map[string]map[string]bool{}, map[string]int{}
	streams := 0
	for _, own := range n {
		if !overlaps(own.ranges, segment) {
			continue
		}
		streams++
		for _, l := range own.stream.Labels {
			if values[l.Name] == nil {
				values[l.Name] = map[string]bool{}
			}
			values[l.Name][l.Value] = true
			having[l.Name]++
		}
	}
	for _, m := range q.Matchers {
		if m.Op == "=" {
			delete(values, m.Name) // told already
		}
	}
	text := strings.TrimSuffix(q.Selector, "}")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if having[name] < streams || len(values[name]) > maxNarrowValues {
			continue
		}
		var quoted []string
		for v := range values[name] {
			quoted = append(quoted, regexp.QuoteMeta(v))
		}
		slices.Sort(quoted)
		text += ", " + name + "=~" + strconv.Quote(strings.Join(quoted, "|"))
	}
	narrow, err := selector.ParseQuery(text + "} " + q.Rest)
	if err != nil {
		return q
	}
	return narrow
}

// overlaps reports whether one of the ranges shares time with w.
func overlaps(ranges []ingest.Window, w ingest.Window) bool {
	i, _ := slices.BinarySearchFunc(ranges, w.Start, func(r ingest.Window, at int64) int {
		if r.End <= at {
			return -1
		}
		return 1
	})
	return i < len(ranges) && ranges[i].Start < w.End
}

// keepNear drops from a batch what lies in no neighbourhood: lines of streams
// that the selector could not leave out.
func (w *worker) keepNear(b *batch) {
	if w.near == nil {
		return
	}
	if w.kept == nil {
		w.kept = map[*ingest.Stream][]ingest.Window{}
	}
	b.entries = slices.DeleteFunc(b.entries, func(e entry) bool {
		ranges, seen := w.kept[e.stream]
		if !seen {
			if own := w.near[e.stream.Key]; own != nil {
				ranges = own.ranges
			}
			w.kept[e.stream] = ranges
		}
		return !overlaps(ranges, ingest.Window{Start: e.nano, End: e.nano + 1})
	})
}

// inherit takes over what an earlier run learned of the server and could not
// read.
func (r *run) inherit(from *run) {
	from.mu.Lock()
	defer from.mu.Unlock()
	r.maxEntries.Store(from.maxEntries.Load())
	r.maxLength.Store(from.maxLength.Load())
	r.lineBytes.Store(from.lineBytes.Load())
	r.unverified.Store(from.unverified.Load())
	r.gaps, r.moreGaps, r.notes = slices.Clone(from.gaps), from.moreGaps, slices.Clone(from.notes)
}

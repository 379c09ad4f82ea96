package loki

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// Around says which lines matter and how much of what stands around them is
// read as well: a filter keeps lines, and a record, its companions and their
// causes are more than the line that told of them.
type Around struct {
	// Patterns are regular expressions (RE2, as Loki's); a line that matches
	// one of them is a hit.
	Patterns []string
	// Probes are further ways to be a hit. Without any and without Patterns,
	// every line is.
	Probes []Probe
	// Texts is how many texts the probes look for in each line that the stages
	// Searched keep. Where that costs the server more than reading everything
	// would, everything is read; 0 is never.
	Texts    int
	Searched string
	// Before and After bound the neighbourhood of a hit in its own stream.
	Before, After time.Duration
	// Worth is how many lines are rather read than one more request made: a
	// pause between neighbourhoods that holds fewer by the server's estimate
	// is read with them, and dropped here. 0 is 1000.
	Worth int
	// Always reads around hits even where they are so many that it saves
	// nothing.
	Always bool
}

// Probe is a way to find hits.
type Probe struct {
	// Stages is LogQL behind the selector, line and label filters, that keeps
	// the hits.
	Stages string
	// Within bounds the time in which it is asked; zero is the whole window.
	Within time.Duration // from the window's start
}

// defaultWorth follows from what servers take for a request, tens of
// milliseconds, and for a line, tens of microseconds.
const defaultWorth = 1000

// maxNeighbourhoods bounds how many ranges are remembered; with more of them,
// everything is read.
const maxNeighbourhoods = 200_000

// tooDense is the share of all lines, by the server's estimate, above which
// hits are too many to be read twice: everything is read then.
const tooDense = 0.25

// probes returns all ways to find hits.
func (a Around) probes() []Probe {
	all := slices.Clone(a.Probes)
	if len(a.Patterns) > 0 {
		groups := make([]string, len(a.Patterns))
		for i, p := range a.Patterns {
			groups[i] = "(?:" + p + ")"
		}
		all = append(all, Probe{Stages: "|~ " + strconv.Quote(strings.Join(groups, "|"))})
	}
	if len(all) == 0 {
		all = append(all, Probe{})
	}
	return all
}

// filter puts stages behind the selector, before what else the query asks:
// that may change lines.
func filter(q selector.Query, stages string) selector.Query {
	q.Rest = strings.TrimSpace(stages + " " + q.Rest)
	return q
}

// Hits says what the first of two phases found.
type Hits struct {
	Lines, Bytes int64 // of hits
	Streams      []*ingest.Stream
	Ranges       int // neighbourhoods that are read
	// Covered is how much of the window they cover, with the pauses that are
	// read along.
	Covered time.Duration
	// Around is about how many bytes they hold, by the server's estimate; it
	// is only looked up where there is a Budget.
	Around int64
	// Whole says that everything is read, Why why.
	Whole bool
	Why   string
	// Estimate is what the server thinks it holds in all.
	Estimate IndexStats
}

// ReadAround reads in two phases: first the hits alone, filtered by the
// server, then everything in their neighbourhoods. The Reader yields the
// second phase. What could not be read in the first is a gap of the second,
// since hits may be missing there. Where the hits are too many, or the server
// does not take the filter, everything is read instead.
func (c *Client) ReadAround(ctx context.Context, q selector.Query, w ingest.Window, a Around, opts ReadOptions) (*Reader, Hits, error) {
	worth := int64(firstPositive(a.Worth, defaultWorth))
	stats, statsErr := c.IndexStats(ctx, q.Selector, w)
	hits := Hits{Estimate: stats}
	whole := func(why string) (*Reader, Hits, error) {
		hits.Whole, hits.Why = true, why
		r, err := c.Read(ctx, q, w, opts)
		return r, hits, err
	}
	if statsErr == nil && stats.Entries <= worth && !a.Always {
		return whole("there is little to read")
	}
	dense := int64(math.MaxInt64)
	if statsErr == nil && !a.Always {
		dense = max(int64(float64(stats.Entries)*tooDense), worth)
	}
	// As many requests as it takes to read everything save nothing.
	ranges := maxNeighbourhoods
	if statsErr == nil && !a.Always {
		ranges = min(ranges, int(stats.Entries*2/worth)+1)
	}
	if statsErr == nil && !a.Always && stats.Entries >= sampleFrom*worth {
		if c.costly(ctx, q, w, a, stats.Entries, opts.Parallel) {
			return whole("looking for so many texts in lines that state no level costs the server more, by samples of the window")
		}
		n, err := c.sampleHits(ctx, q, w, a.probes(), opts.Parallel)
		if err == nil && (n >= dense || n/hitsInRange >= int64(ranges)) {
			return whole("too many of the lines matter, by samples of the window")
		}
	}
	near, first, err := c.probe(ctx, q, w, a, opts, dense, ranges, &hits)
	switch {
	case ctx.Err() != nil:
		return c.interrupted(opts, fmt.Errorf("lines that matter were being looked for, and %d found: %w", hits.Lines, ctx.Err())), hits, nil
	case err != nil && refusedQuery(err):
		return whole("the server refuses the filter: " + err.Error())
	case err != nil:
		return nil, hits, err
	case near == nil:
		return whole("too many of the lines matter")
	}
	second, err := c.newRun(ctx, opts)
	if err != nil {
		return nil, hits, err
	}
	for _, r := range first {
		second.inherit(r)
	}
	pause := int64(0)
	if statsErr == nil {
		pause = int64(float64(w.End-w.Start) / float64(stats.Entries) * float64(worth))
	}
	segments := near.union(pause)
	for _, s := range segments {
		hits.Covered += time.Duration(s.End - s.Start)
	}
	hits.Ranges = len(segments)
	// Beyond two thirds of the window the narrow reading asks more often than
	// the wide one, has the rest counted, and reads almost the same.
	if int64(hits.Covered) > (w.End-w.Start)/3*2 && !a.Always {
		hits.Whole, hits.Why = true, "lines that matter stand everywhere in the window"
		w.Start = min(max(w.Start, second.horizon()), w.End)
		return second.start(ctx, []*part{{window: w, query: q}}), hits, nil
	}
	if opts.Budget != nil && statsErr == nil {
		hits.Around = c.bytesAround(ctx, q, w, near, hits)
	}
	second.near = near
	var parts []*part
	for _, s := range segments {
		narrow := near.narrow(q, s)
		parts = append(parts, &part{window: s, query: narrow, short: s.End-s.Start <= int64(time.Hour)})
	}
	return second.start(ctx, parts), hits, nil
}

// bytesAround estimates what the neighbourhoods hold: their share of the window
// in the streams that have any.
func (c *Client) bytesAround(ctx context.Context, q selector.Query, w ingest.Window, near neighbourhoods, hits Hits) int64 {
	if len(near) == 0 {
		return 0
	}
	all := hits.Estimate
	if some, err := c.IndexStats(ctx, near.narrow(q, w).Selector, w); err == nil {
		all = some
	}
	return int64(float64(all.Bytes) * float64(hits.Covered) / float64(w.End-w.Start))
}

// interrupted returns a Reader that ends at once.
func (c *Client) interrupted(opts ReadOptions, err error) *Reader {
	r := &Reader{run: &run{client: c, opts: opts, free: make(chan *batch)}, cancel: func() {}, wait: &sync.WaitGroup{}}
	r.finish(err)
	return r
}

// refusedQuery reports whether the server does not take what is asked.
func refusedQuery(err error) bool {
	var s *StatusError
	return errors.As(err, &s) && !s.temporary() && !s.Refused()
}

// probe reads the hits of all probes. It returns no neighbourhoods when there
// are too many hits.
func (c *Client) probe(ctx context.Context, q selector.Query, w ingest.Window, a Around, opts ReadOptions, dense int64, ranges int, hits *Hits) (neighbourhoods, []*run, error) {
	near, total := neighbourhoods{}, 0
	var runs []*run
	for _, p := range a.probes() {
		within := w
		if p.Within > 0 {
			within.End = min(w.End, w.Start+int64(p.Within))
		}
		run, err := c.newRun(ctx, opts)
		if err != nil {
			return nil, nil, err
		}
		r := run.start(ctx, []*part{{window: run.clipLookback(within), query: filter(q, p.Stages), sparse: p.Stages != ""}})
		n, err := collect(ctx, r, w, a, near, dense-hits.Lines, ranges-total)
		r.Close()
		s := r.Stats()
		hits.Lines, hits.Bytes, total = hits.Lines+s.Entries, hits.Bytes+s.Bytes, total+n
		if err != nil {
			return nil, nil, err
		}
		if hits.Lines >= dense || total >= ranges {
			return nil, nil, nil
		}
		if p.Within == 0 || within.End == w.End {
			runs = append(runs, r.run)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(near)) {
		near[key].settle()
		hits.Streams = append(hits.Streams, near[key].stream)
	}
	return near, runs, nil
}

// neighbourhoods are the ranges to read of each stream, by its key: in order
// and apart from each other.
type neighbourhoods map[string]*streamRanges

type streamRanges struct {
	stream *ingest.Stream
	ranges []ingest.Window
}

// collect reads hits and adds their neighbourhoods, until there are as many
// lines or ranges as are allowed. It returns how many ranges it added.
func collect(ctx context.Context, r *Reader, w ingest.Window, a Around, near neighbourhoods, lines int64, ranges int) (int, error) {
	total := 0
	var e ingest.Entry
	for lines > 0 && total < ranges {
		err := r.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, err
		}
		lines--
		total += near.add(e.Stream, ingest.Window{
			Start: max(e.UnixNano-int64(a.Before), w.Start),
			End:   min(e.UnixNano+int64(a.After)+1, w.End),
		})
	}
	return total, nil
}

// add adds the neighbourhood of a hit and returns how many ranges there are
// more.
func (n neighbourhoods) add(s *ingest.Stream, w ingest.Window) int {
	own := n[s.Key]
	if own == nil {
		own = &streamRanges{stream: s}
		n[s.Key] = own
	}
	if last := len(own.ranges) - 1; last >= 0 && w.Start >= own.ranges[last].Start && w.Start <= own.ranges[last].End {
		own.ranges[last].End = max(own.ranges[last].End, w.End)
		return 0
	}
	own.ranges = append(own.ranges, w)
	return 1
}

// settle puts the ranges in order and joins those that touch.
func (s *streamRanges) settle() {
	slices.SortFunc(s.ranges, compareWindows)
	joined := s.ranges[:0]
	for _, w := range s.ranges {
		if last := len(joined) - 1; last >= 0 && w.Start <= joined[last].End {
			joined[last].End = max(joined[last].End, w.End)
			continue
		}
		joined = append(joined, w)
	}
	s.ranges = joined
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
	for _, g := range from.gaps {
		if !slices.ContainsFunc(r.gaps, func(have Gap) bool { return have.Window == g.Window }) {
			r.gaps = append(r.gaps, g)
		}
	}
	r.moreGaps += from.moreGaps
	for _, n := range from.notes {
		if !slices.ContainsFunc(r.notes, func(have ingest.Problem) bool { return have.Place == n.Place && have.Err.Error() == n.Err.Error() }) {
			r.notes = append(r.notes, n)
		}
	}
}

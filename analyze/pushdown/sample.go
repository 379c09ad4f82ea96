package pushdown

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Bounds of reading samples.
const (
	// fewest and most samples are read of the groups that look alike, and all
	// together about maxSamples.
	fewest, most = 2, 5
	maxSamples   = 250
	// moreSilent is how many times as many are read of groups that are headers
	// alone.
	moreSilent = 3
	// maxLooks is how many looks are sampled; with more, the lines are too
	// diverse to be told by samples.
	maxLooks = 400
	// maxUnlike is how many groups are read one by one where those that look
	// alike are not.
	maxUnlike = 1000
)

// sampling reads samples of groups and counts the others as them.
type sampling struct {
	*run
	owners   map[place][]*group // of every line that matters, sampled or not
	identify *fingerprint.Identifier
	records  map[*group][]*ingest.Record // of groups that were read
	asked    map[*group]bool             // of the read that goes on
	per      int                         // samples of a look
}

// sample reads samples of what the lines belong to.
func (r *run) sample(ctx context.Context, lines []line) error {
	r.takeWhole(lines)
	groups := groupLines(lines)
	looks := map[string][]*group{}
	for _, g := range groups {
		looks[g.look] = append(looks[g.look], g)
	}
	if len(looks) > maxLooks {
		r.Reason = fmt.Sprintf("the lines that matter look in %d ways, too many to be told by samples", len(looks))
		return nil
	}
	s := sampling{
		run: r, owners: ownersOf(groups), identify: r.sources.identify, records: map[*group][]*ingest.Record{},
		per: min(max(maxSamples/max(len(looks), 1), fewest), most),
	}
	names := slices.Sorted(maps.Keys(looks))
	err := s.readAll(ctx, names, looks)
	s.tell(names, looks)
	return err
}

// takeWhole takes the lines that are records by themselves.
func (r *run) takeWhole(lines []line) {
	for i := range lines {
		if rec := lines[i].whole; rec != nil {
			r.Records = append(r.Records, Record{Record: rec})
		}
	}
}

// unread takes of lines, found before the reading ended, those that are
// records by themselves.
func (r *run) unread(lines []line) {
	r.takeWhole(lines)
	if n := len(groupLines(lines)); n > 0 {
		r.missing(n)
	}
}

// missing says that groups were found whose records are not known.
func (r *run) missing(groups int) {
	r.Stats.Partial = true
	r.Stats.Problems = append(r.Stats.Problems, ingest.Problem{Place: "samples", Err: fmt.Errorf("%d records were found by their lines, and not read", groups)})
}

// readAll reads the samples, and all groups of a look whose samples are not
// alike.
func (s *sampling) readAll(ctx context.Context, names []string, looks map[string][]*group) error {
	var first, unlike []*group
	for _, look := range names {
		first = append(first, s.samples(looks[look])...)
	}
	if err := s.read(ctx, first); err != nil {
		return err
	}
	for _, look := range names {
		all, some := looks[look], s.samples(looks[look])
		if len(some) < len(all) && (all[0].several() || !s.alike(some)) {
			unlike = append(unlike, all...)
		}
	}
	switch {
	case len(unlike) > maxUnlike:
		s.note("%d groups of lines look like others that are of several faults; each was counted as the sample before it", len(unlike))
	case len(unlike) > 0:
		return s.read(ctx, unlike)
	}
	return nil
}

// samples chooses what is read of groups that look alike.
func (s *sampling) samples(all []*group) []*group {
	if all[0].silent() {
		return spread(all, s.per*moreSilent)
	}
	return spread(all, s.per)
}

// tell gives every group the records that it has, or those of the sample
// before it at its own time.
func (s *sampling) tell(names []string, looks map[string][]*group) {
	unknown := 0
	for _, look := range names {
		all := looks[look]
		var of *group
		if i := slices.IndexFunc(all, func(g *group) bool { _, ok := s.records[g]; return ok }); i >= 0 {
			of = all[i]
		}
		for _, g := range all {
			own, read := s.records[g]
			switch {
			case read:
				of = g
				for _, r := range own {
					s.Records = append(s.Records, Record{Record: r})
				}
			case of == nil:
				unknown++
			default:
				for _, r := range s.records[of] {
					s.Records = append(s.Records, Record{copyAt(r, g.stream, r.UnixNano-of.at+g.at), true})
				}
			}
		}
	}
	if unknown > 0 {
		s.missing(unknown)
	}
}

// copyAt is a record as it would be on another stream and at another time.
func copyAt(r *ingest.Record, stream *ingest.Stream, at int64) *ingest.Record {
	c := *r
	c.Stream, c.UnixNano = stream, at
	c.TraceID, c.SpanID, c.RequestID = nil, nil, nil
	return &c
}

// alike reports whether the records of samples are of the same faults, at the
// same levels.
func (s *sampling) alike(samples []*group) bool {
	first := ""
	var id fingerprint.Identity
	for i, g := range samples {
		var told strings.Builder
		for _, r := range s.records[g] {
			fmt.Fprintln(&told, s.identify.Identify(r, &id), r.Level)
		}
		if i == 0 {
			first = told.String()
		} else if told.String() != first {
			return false
		}
	}
	return true
}

// place is an entry's first line on a stream.
type place struct{ stream, line string }

// ownersOf finds groups by their lines.
func ownersOf(groups []*group) map[place][]*group {
	owners := map[place][]*group{}
	for _, g := range groups {
		for _, l := range g.lines {
			first, _, _ := strings.Cut(l.text, "\n")
			p := place{g.stream.Key, first}
			owners[p] = append(owners[p], g)
		}
	}
	return owners
}

// read reads what stands around groups that were not read, and notes the
// records that begin with each: those whose first line that matters is one of
// the group's.
func (s *sampling) read(ctx context.Context, groups []*group) error {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { _, read := s.records[g]; return read })
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(a.at, b.at) })
	places := make([]Place, len(groups))
	s.asked = make(map[*group]bool, len(groups))
	for i, g := range groups {
		places[i] = Place{Stream: g.stream, UnixNano: g.at}
		s.records[g], s.asked[g] = nil, true
	}
	reader, err := s.server.ReadNear(ctx, places)
	if err != nil {
		return err
	}
	defer reader.Close()
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, s.own)
	reached, err := feed(ctx, reader, asm)
	stats := reader.Stats()
	s.took(stats)
	s.Stats.Entries, s.Stats.Bytes = s.Stats.Entries+stats.Entries, s.Stats.Bytes+stats.Bytes
	if err != nil {
		// What lies behind was not read.
		maps.DeleteFunc(s.records, func(g *group, _ []*ingest.Record) bool { return s.asked[g] && g.at >= reached })
		return err
	}
	s.Ranges += len(groups)
	return nil
}

// feed passes entries to an assembler, and returns until when records are
// complete.
func feed(ctx context.Context, r Reader, asm *ingest.Assembler) (reached int64, err error) {
	var e ingest.Entry
	for {
		err := r.Next(ctx, &e)
		if errors.Is(err, io.EOF) {
			return e.UnixNano, asm.Flush()
		}
		if err == nil {
			err = asm.Add(&e)
		}
		if err != nil {
			return e.UnixNano - 2*int64(ingest.DefaultMaxGap), errors.Join(err, asm.Flush())
		}
	}
}

// own gives a record to the group in which it began: that of the first of its
// lines that matters. Groups that the reading merely passes by have or will
// have theirs.
func (s *sampling) own(rec *ingest.Record) error {
	text := string(rec.Text)
	for rest := text; ; {
		first, after, more := strings.Cut(rest, "\n")
		if g := nearest(s.owners[place{rec.Stream.Key, first}], rec.UnixNano, rest); g != nil {
			if s.asked[g] {
				c := rec.Clone()
				c.Stream = g.stream
				s.records[g] = append(s.records[g], c)
			}
			return nil
		}
		if !more {
			return nil
		}
		rest = after
	}
}

// nearest returns the group in which a record's line came: that of the first
// such line since the record began. The text goes on from that line.
func nearest(groups []*group, since int64, text string) *group {
	var best *group
	at := since + int64(ingest.DefaultMaxGap)
	for _, g := range groups {
		for _, l := range g.lines {
			if l.at >= since && l.at <= at && strings.HasPrefix(text, l.text) {
				best, at = g, l.at-1
			}
		}
	}
	return best
}

package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Bounds of what is kept of ids that streams share.
const (
	maxSharedIDs     = 1 << 14
	maxSharers       = 8 // streams of one id; one that more share is no request's
	minSharedIDs     = 8
	sharedAgreement  = 0.9
	budgetLikeness   = 50 // one part in so many
	minSharedSpacing = 250 * time.Millisecond
)

// sharedIDs keeps when each trace or request was told of by which streams.
//
// Two streams that tell of one request overlap in time: who asks begins before
// who answers and ends after. Where the stretches of two streams lie apart, by
// the same distance for nearly every request, and no third stream spans both,
// their clocks disagree.
type sharedIDs struct {
	ids  map[uint64][]stretch
	mask uint64 // ids with any of these bits in their hash are left out
}

// stretch is what one stream tells of one id.
type stretch struct {
	facts       *streamFacts
	first, last int64
	records     int
}

func newSharedIDs() sharedIDs { return sharedIDs{ids: map[uint64][]stretch{}} }

// see takes a record.
func (s *sharedIDs) see(facts *streamFacts, r *ingest.Record) {
	id := r.TraceID
	if len(id) == 0 {
		id = r.RequestID
	}
	if len(id) < 8 {
		return // too short to be of one request only
	}
	hash := xxhash.Sum64(id)
	if hash&s.mask != 0 {
		return
	}
	list, known := s.ids[hash]
	for i := range list {
		if st := &list[i]; st.facts == facts {
			st.first, st.last = min(st.first, r.UnixNano), max(st.last, r.UnixNano)
			st.records++
			return
		}
	}
	if len(list) > maxSharers {
		return
	}
	if !known && len(s.ids) >= maxSharedIDs {
		s.thin()
		if hash&s.mask != 0 {
			return
		}
	}
	s.ids[hash] = append(list, stretch{facts: facts, first: r.UnixNano, last: r.UnixNano, records: 1})
}

// thin halves the ids that are kept; which ones does not depend on the order
// of records.
func (s *sharedIDs) thin() {
	s.mask = s.mask<<1 | 1
	for h := range s.ids {
		if h&s.mask != 0 {
			delete(s.ids, h)
		}
	}
}

// sharers is two streams, in the order of their keys.
type sharers struct{ a, b *streamFacts }

// apart is what the ids that a pair shares say.
type apart struct {
	sharers
	ids      int
	ahead    int     // ids of which b tells wholly later than a
	behind   int     // and wholly earlier
	offsets  []int64 // of the middle of b's stretch from that of a's
	distance time.Duration
}

// pairs compares the streams of every id.
func (s *sharedIDs) pairs() []*apart {
	all := map[sharers]*apart{}
	for _, list := range s.ids {
		if len(list) > maxSharers {
			continue
		}
		for i := range list {
			for j := range list[:i] {
				x, y := &list[j], &list[i]
				if x.facts.stream.Key > y.facts.stream.Key {
					x, y = y, x
				}
				if x.records < 2 || y.records < 2 {
					continue // an instant has no place that could be wrong
				}
				p := sharers{x.facts, y.facts}
				ap := all[p]
				if ap == nil {
					ap = &apart{sharers: p}
					all[p] = ap
				}
				ap.ids++
				ap.offsets = append(ap.offsets, (y.first+y.last)/2-(x.first+x.last)/2)
				switch {
				case spanned(list, x, y):
				case y.first > x.last:
					ap.ahead++
				case x.first > y.last:
					ap.behind++
				}
			}
		}
	}
	var out []*apart
	for _, ap := range all {
		slices.Sort(ap.offsets)
		ap.distance = time.Duration(ap.offsets[len(ap.offsets)/2])
		out = append(out, ap)
	}
	slices.SortFunc(out, func(x, y *apart) int {
		return cmp.Or(strings.Compare(x.a.stream.Key, y.a.stream.Key), strings.Compare(x.b.stream.Key, y.b.stream.Key))
	})
	return out
}

// spanned reports whether a third stream tells of the time of both and of that
// between them: then one came after the other.
func spanned(list []stretch, x, y *stretch) bool {
	for i := range list {
		if z := &list[i]; z.facts != x.facts && z.facts != y.facts &&
			z.first <= min(x.last, y.last) && z.last >= max(x.first, y.first) {
			return true
		}
	}
	return false
}

// steady reports whether the two streams lie apart by one distance.
func (ap *apart) steady(lengths []time.Duration) bool {
	size := time.Duration(abs(int64(ap.distance)))
	if ap.ids < minSharedIDs || size < minSkew {
		return false
	}
	if n := max(ap.ahead, ap.behind); float64(n) < sharedAgreement*float64(ap.ids) {
		return false
	}
	low, high := ap.offsets[ap.ids/20], ap.offsets[ap.ids-1-ap.ids/20]
	if time.Duration(high-low) > max(minSharedSpacing, size/10) {
		return false
	}
	for _, l := range lengths {
		if off := size - l; off <= l/budgetLikeness && off >= -l/budgetLikeness {
			return false // one waits that long
		}
	}
	return true
}

// findings tells of the streams that lie apart from those with which they
// share requests, unless told already says so.
func (s *sharedIDs) findings(lengths []time.Duration, told map[*streamFacts]bool) []Finding {
	all := s.pairs()
	var off []*apart
	partners, agree := map[*streamFacts]int{}, map[*streamFacts]int{}
	for _, ap := range all {
		if ap.steady(lengths) {
			off = append(off, ap)
			partners[ap.a]++
			partners[ap.b]++
		} else if ap.ids >= minSharedIDs && ap.ahead+ap.behind <= ap.ids/2 {
			agree[ap.a]++
			agree[ap.b]++
		}
	}
	by := map[*streamFacts]*odd{}
	var order []*odd
	for _, ap := range off {
		if told[ap.a] || told[ap.b] {
			continue
		}
		x, y, distance := ap.a, ap.b, ap.distance
		// The odd one is that which disagrees with more, and agrees with less.
		blame := cmp.Or(cmp.Compare(partners[x], partners[y]), cmp.Compare(agree[y], agree[x]))
		if blame > 0 {
			x, y, distance = y, x, -distance
		}
		o := by[y]
		if o == nil || !alike(o.distance, distance) {
			o = &odd{facts: y, distance: distance, sure: blame != 0}
			by[y] = o
			order = append(order, o)
		}
		o.from = append(o.from, x)
		o.ids += ap.ids
		o.apart += max(ap.ahead, ap.behind)
	}
	var out []Finding
	for _, o := range order {
		out = append(out, o.finding())
	}
	return out
}

// odd is a stream whose clock is off from those of others.
type odd struct {
	facts      *streamFacts
	from       []*streamFacts
	distance   time.Duration
	ids, apart int
	sure       bool // that it is this one's clock and not the other's
}

func alike(a, b time.Duration) bool {
	return (a < 0) == (b < 0) && abs(int64(a-b)) <= max(abs(int64(a))/10, int64(minSharedSpacing))
}

func (o *odd) finding() Finding {
	name := redact.String(o.facts.stream.Name())
	var others []string
	f := Finding{Kind: KindClockSkew, Severity: SeverityWarning, Subject: name, Evidence: []string{redact.String(o.facts.stream.Key)}}
	for _, x := range o.from {
		others = append(others, redact.String(x.stream.Name()))
		f.Evidence = append(f.Evidence, redact.String(x.stream.Key))
	}
	way, distance := "ahead of", o.distance
	if distance < 0 {
		way, distance = "behind", -distance
	}
	size := measured(distance, 10*time.Millisecond)
	if o.sure {
		f.Message = fmt.Sprintf("the clock of %s is %s %s by %s", name, way, strings.Join(others, ", "), size)
	} else {
		f.Message = fmt.Sprintf("the clocks of %s and %s differ: the former is %s the latter by %s", name, strings.Join(others, ", "), way, size)
	}
	f.Message += fmt.Sprintf("; so far apart do they tell of %d of the %d requests they share", o.apart, o.ids)
	f.Action = "set the clock of the host, or name what waits that long; until then the order of their records says nothing"
	if east := distance.Round(zoneStep); east > 0 && east <= maxZone && abs(int64(distance-east)) <= int64(minSkew) {
		f.Message += "; that is the length of a zone's offset: the times of one may be read in the wrong zone"
		f.Action = "name the zone of its times with --tz, or let the logger write it"
	}
	return f
}

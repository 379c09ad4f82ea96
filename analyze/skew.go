package analyze

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// Bounds of what is told of clocks.
const (
	// minSkew is the offset below which clocks are taken to agree: rounding
	// to seconds and ordinary shipping explain it.
	minSkew = 2 * time.Second
	// minSkewRecords is how many records with a time of their own a stream
	// needs.
	minSkewRecords = 8
	// keptOffsets bounds the offsets kept of a stream; beyond it every second
	// is dropped, and half as many are taken from then on.
	keptOffsets = 512
	// maxSkewSpread is how far the offsets of a steady clock lie apart at most.
	maxSkewSpread = 30 * time.Second
	// zoneStep is what every zone's offset is a multiple of, and maxZone the
	// largest.
	zoneStep = 15 * time.Minute
	maxZone  = 14 * time.Hour
	// zoneDelay is how late lines of a stream may come that are read in
	// another zone.
	zoneDelay = 5 * time.Minute
)

// ownTimes compares the times that records of one stream carry in their text
// with the times of their entries.
type ownTimes struct {
	offsets []int64 // entry's time less the record's own, in the order of records
	every   int     // of so many records one is looked at
	turn    int
	step    int64 // of the record's own clock: a power of ten of nanoseconds
	zoned   bool  // every time names its zone
	own     stretchOf
	entries stretchOf
}

// stretchOf is the range of some times.
type stretchOf struct{ first, last int64 }

func (s *stretchOf) add(ns int64, begin bool) {
	if begin {
		s.first, s.last = ns, ns
	}
	s.first, s.last = min(s.first, ns), max(s.last, ns)
}

// see takes a record of the stream.
func (o *ownTimes) see(r *ingest.Record) {
	if o.turn++; o.turn < o.every {
		return
	}
	o.turn = 0
	s, ok := ownTime(r)
	if !ok {
		return
	}
	cal := stamp.Calendar{Zone: time.UTC, Near: r.Time()}
	ns, ok := cal.Nanos(s)
	if !ok {
		return
	}
	if len(o.offsets) == 0 {
		o.step, o.zoned = int64(time.Second), true
	}
	for o.step > 1 && ns%o.step != 0 {
		o.step /= 10
	}
	o.zoned = o.zoned && s.Zoned()
	o.own.add(ns, len(o.offsets) == 0)
	o.entries.add(r.UnixNano, len(o.offsets) == 0)
	o.offsets = append(o.offsets, r.UnixNano-ns)
	if len(o.offsets) < keptOffsets {
		return
	}
	for i := range keptOffsets / 2 {
		o.offsets[i] = o.offsets[2*i+1]
	}
	o.offsets = o.offsets[:keptOffsets/2]
	o.every = max(1, o.every) * 2
}

// ownTime finds the time that a record carries in its text: in the field that
// is named as one, or where its header has it. Access logs carry the time at
// which a request began and are written when it ends, so they have none.
func ownTime(r *ingest.Record) (stamp.Stamp, bool) {
	switch r.Format {
	case ingest.FormatAccess, ingest.FormatEnvoy, ingest.FormatHAProxy:
		return stamp.Stamp{}, false
	}
	for i := range r.Fields {
		if f := &r.Fields[i]; stamp.IsTimeKey(f.Name) && !bytes.HasPrefix(f.Name, []byte("start")) {
			if s, ok := stamp.Value(f.Value); ok {
				return s, true
			}
		}
	}
	line := r.Text
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if s, ok := stamp.AtStart(line); ok || r.Format == ingest.FormatPlain {
		return s, ok
	}
	return stamp.AtToken(line)
}

// offset is what the offsets of a stream say.
type offset struct {
	low, median, high int64 // of nine in ten of them
	steady            bool
}

func (o *ownTimes) offset() offset {
	s := slices.Sorted(slices.Values(o.offsets))
	f := offset{low: s[len(s)/20], median: s[len(s)/2], high: s[len(s)-1-len(s)/20]}
	f.steady = f.high-f.low <= max(int64(time.Second)+o.step, min(abs(f.median)/10, int64(maxSkewSpread)))
	return f
}

// runs reports whether the own times pass as those of the entries do: else they
// are not when the record was written.
func (o *ownTimes) runs() bool {
	return 2*(o.own.last-o.own.first) >= o.entries.last-o.entries.first
}

// exact reports whether the entries have their times from the records: then
// the two can only agree, but for the zone that was chosen in reading.
func (f offset) exact() bool {
	return f.low == f.high && f.low%int64(zoneStep) == 0 && abs(f.low) <= int64(maxZone)
}

// zoneOf returns the zone, in time east of UTC, in which times that were read
// as UTC agree with those of the entries.
func (f offset) zoneOf() (time.Duration, bool) {
	steps := math.Round(-float64(f.low) / float64(zoneStep))
	east := time.Duration(steps) * zoneStep
	late := time.Duration(f.low) + east
	return east, steps != 0 && east >= -maxZone && east <= maxZone && late >= -minSkew && late <= zoneDelay &&
		time.Duration(f.high)+east <= zoneDelay
}

// skews collects what is told of clocks.
type skews struct {
	streams map[*streamFacts]*ownTimes
	shared  sharedIDs
	lengths []time.Duration // that somebody configured: no clock need be off to keep them
	last    *streamFacts
	lastOwn *ownTimes
}

func newSkews(c Config) *skews {
	s := &skews{streams: map[*streamFacts]*ownTimes{}, shared: newSharedIDs()}
	for _, b := range c.Budgets {
		s.lengths = append(s.lengths, b.Duration)
	}
	for _, w := range c.Schedules {
		s.lengths = append(s.lengths, w.Every)
	}
	return s
}

// see takes a record.
func (s *skews) see(facts *streamFacts, r *ingest.Record) {
	if s.last != facts {
		own := s.streams[facts]
		if own == nil {
			own = &ownTimes{}
			s.streams[facts] = own
		}
		s.last, s.lastOwn = facts, own
	}
	s.lastOwn.see(r)
	s.shared.see(facts, r)
}

// clockFacts is what is known of one stream's own times.
type clockFacts struct {
	facts *streamFacts
	own   *ownTimes
	off   offset
}

// findings tells of streams whose clock disagrees with that of their entries,
// or of the streams with which they share requests.
func (s *skews) findings() []Finding {
	var out []Finding
	var all []clockFacts
	for facts, own := range s.streams {
		if len(own.offsets) < minSkewRecords || !own.runs() {
			continue
		}
		if off := own.offset(); !off.exact() {
			all = append(all, clockFacts{facts, own, off})
		}
	}
	slices.SortFunc(all, func(x, y clockFacts) int { return strings.Compare(x.facts.stream.Key, y.facts.stream.Key) })
	told := map[*streamFacts]bool{}
	common := commonLag(all)
	for _, v := range all {
		f, ok := v.finding(common)
		if ok {
			out = append(out, f)
			told[v.facts] = true
		}
	}
	return append(out, s.shared.findings(s.lengths, told)...)
}

// commonLag is the delay with which all of several streams come: that of what
// collects them, and no clock's. 0 if there is none.
func commonLag(all []clockFacts) int64 {
	if len(all) < 3 {
		return 0
	}
	least, most := int64(math.MaxInt64), int64(0)
	for _, v := range all {
		least, most = min(least, v.off.median), max(most, v.off.median)
	}
	if least < int64(minSkew) || most-least > max(int64(time.Second), most/5) {
		return 0
	}
	return most
}

// finding says what the offsets of a stream mean.
//
// A record whose own time is later than that of its entry was written by a
// clock that is ahead: nothing arrives before it happened. One that is earlier
// may only have come late, so the offset must be steady and the stream alone
// with it.
func (v clockFacts) finding(common int64) (Finding, bool) {
	off, name := v.off, redact.String(v.facts.stream.Name())
	f := Finding{Kind: KindClockSkew, Severity: SeverityWarning, Subject: name}
	f.Evidence = []string{fmt.Sprintf("%s: nine in ten of %d own times lie between %s and %s their entries'",
		redact.String(v.facts.stream.Key), len(v.own.offsets), aside(off.high), aside(off.low))}
	if !v.own.zoned {
		if east, ok := off.zoneOf(); ok {
			f.Kind, f.Severity = KindTimeZone, SeverityInfo
			f.Message = fmt.Sprintf("the times inside the lines of %s name no zone and fit UTC%s, not UTC", name, zoneText(east))
			f.Action = fmt.Sprintf("read them so where they count (--tz with a zone that is UTC%s), or let the logger write the zone", zoneText(east))
			return f, true
		}
	}
	slack := max(int64(minSkew), 2*v.own.step)
	switch {
	case -off.high >= slack:
		size := time.Duration(-off.low)
		how := "by"
		if !off.steady {
			how = "by at least"
		}
		f.Message = fmt.Sprintf("the clock of %s is ahead %s %s: its lines are written later than they arrive", name, how, measured(size, spreadOf(off)))
	case off.low >= slack && off.steady && common == 0:
		f.Message = fmt.Sprintf("the clock of %s is behind by %s, or each of its lines arrives that late", name, measured(time.Duration(off.median), spreadOf(off)))
	default:
		return Finding{}, false
	}
	if east, ok := off.zoneOf(); ok && off.steady {
		f.Message += fmt.Sprintf("; that is the length of a zone's offset (UTC%s): its zone may be named wrong", zoneText(east))
	}
	f.Action = "set the clock of the host; until then its times cannot be compared with those of other streams"
	return f, true
}

// spreadOf is how far the offsets lie apart.
func spreadOf(f offset) time.Duration { return max(time.Duration(f.high-f.low), time.Millisecond) }

// aside tells an offset in words: 45 s behind, 2 s ahead of.
func aside(ns int64) string {
	if ns < 0 {
		return measured(time.Duration(-ns), 100*time.Millisecond) + " after"
	}
	return measured(time.Duration(ns), 100*time.Millisecond) + " before"
}

// zoneText prints an offset from UTC: +02:00.
func zoneText(east time.Duration) string {
	sign := '+'
	if east < 0 {
		sign, east = '-', -east
	}
	return fmt.Sprintf("%c%02d:%02d", sign, int(east.Hours()), int(east.Minutes())%60)
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}

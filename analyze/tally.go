package analyze

import (
	"cmp"
	"hash/maphash"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// maxEvidence bounds how many distinct pieces of evidence an incident lists,
// maxEvidenceKept how many it counts to choose them from.
const (
	maxEvidence     = 6
	maxEvidenceKept = 256
)

// stageTally counts the attributions of one incident's records.
type stageTally struct {
	stages   map[stage.Name]*stageCount
	received spread
	declared spread
	elapsed  spread
	rate     spread   // bytes a second of records that state both
	targets  []uint64 // hashes of the hosts the transfers went to
}

// maxTargets bounds the hosts that are kept of one incident.
const maxTargets = 16

// stageCount is what the records of one incident and one stage say.
type stageCount struct {
	records    int64
	confidence float64
	budgets    map[string]int64
	phases     map[string]int64
	candidates []stage.Name
	evidence   map[string]int64
	named      int64
}

// tally adds the attribution of a record to its incident and to the events
// that are joined across layers.
func (a *Analyzer) tally(inc *incident, facts *streamFacts, r *ingest.Record, effect Effect) {
	at := &a.attribution
	strategy := len(inc.identity.Parts.Strategy) > 0
	v := effect.heard(a.budgets.judge(at, a.budgets.ofSource(inc.source), strategy), inc.identity.Rule)

	if inc.stages.stages == nil {
		inc.stages.stages = map[stage.Name]*stageCount{}
	}
	c := inc.stages.stages[v.stage]
	if c == nil {
		c = &stageCount{budgets: map[string]int64{}, phases: map[string]int64{}, evidence: map[string]int64{}}
		inc.stages.stages[v.stage] = c
	}
	c.records++
	c.confidence += v.confidence
	if v.named {
		c.named++
	}
	if v.budget != noBudget {
		c.budgets[a.budgets.budgets[v.budget].Name]++
	}
	if at.Phase != "" {
		c.phases[at.Phase]++
	}
	c.candidates = v.candidates
	c.addEvidence(v.why)
	for _, e := range at.Evidence {
		c.addEvidence(e)
	}
	if a.like { // the numbers are those of another record
		at.BytesReceived, at.BytesDeclared, at.Elapsed, at.Target = stage.Unknown, stage.Unknown, stage.Unknown, ""
	}
	inc.stages.received.add(at.BytesReceived, r.UnixNano)
	inc.stages.declared.add(at.BytesDeclared, r.UnixNano)
	inc.stages.elapsed.add(int64(at.Elapsed), r.UnixNano)
	if at.BytesReceived > 0 && at.Elapsed > 0 {
		moved := stage.Completion{Bytes: at.BytesReceived, Took: at.Elapsed}
		inc.stages.rate.add(moved.Rate(), r.UnixNano)
	}
	if h := hash(hostOf(at.Target)); h != 0 && len(inc.stages.targets) < maxTargets && !slices.Contains(inc.stages.targets, h) {
		inc.stages.targets = append(inc.stages.targets, h)
	}

	if len(a.events) >= a.limits.Events {
		a.lostEvents++
		return
	}
	pipeline := uint64(0)
	if strategy {
		a.scratch = append(append(append(a.scratch[:0], inc.identity.Parts.Pipeline...), 0), inc.identity.Parts.Instance...)
		pipeline = hash(a.scratch)
	}
	a.events = append(a.events, event{
		pipeline: pipeline, timer: strategy && string(inc.identity.Event) == "OnTimeout",
		t: r.UnixNano, stream: facts.index, incident: inc.index, budget: int32(v.budget), stage: v.stage, named: v.named, strategy: strategy,
		elapsed: int64(at.Elapsed), bound: int64(at.Budget), trace: hash(r.TraceID), target: hash([]byte(at.Target)),
	})
}

// addEvidence counts a piece of evidence; what appears for the first time
// after maxEvidenceKept others is left out.
func (c *stageCount) addEvidence(e string) {
	if n, ok := c.evidence[e]; ok || len(c.evidence) < maxEvidenceKept && e != "" {
		c.evidence[e] = n + 1
	}
}

// evidenceList returns the pieces most often seen, in alphabetical order among
// equals, redacted.
func (c *stageCount) evidenceList() []string {
	list := slices.SortedFunc(maps.Keys(c.evidence), func(x, y string) int {
		return cmp.Or(cmp.Compare(c.evidence[y], c.evidence[x]), strings.Compare(x, y))
	})
	list = list[:min(len(list), maxEvidence)]
	for i := range list {
		list[i] = redact.String(list[i])
	}
	if list == nil {
		list = []string{}
	}
	return list
}

// seed is shared by all hashes of one process; they are compared with each
// other only and never leave it.
var seed = maphash.MakeSeed()

// hash returns 0 for nothing and a number other than 0 for anything else.
func hash(b []byte) uint64 {
	if len(b) == 0 {
		return 0
	}
	return maphash.Bytes(seed, b) | 1
}

// leading returns the stage of most records, the alphabetically first of
// equals, or nil where no record tells of one.
func (t *stageTally) leading() (stage.Name, *stageCount) {
	var name stage.Name
	var best *stageCount
	for _, n := range slices.Sorted(maps.Keys(t.stages)) {
		if c := t.stages[n]; best == nil || c.records > best.records {
			name, best = n, c
		}
	}
	return name, best
}

func (t *stageTally) render() *Stage {
	name, c := t.leading()
	if c == nil {
		return nil
	}
	total := int64(0)
	counts := map[string]int64{}
	for n, sc := range t.stages {
		total += sc.records
		counts[string(n)] = sc.records
	}
	s := &Stage{
		Name:          string(name),
		Confidence:    math.Round(c.confidence/float64(total)*1000) / 1000,
		Phase:         most(c.phases),
		Candidates:    []string{},
		Budget:        most(c.budgets),
		BytesReceived: t.received.render(),
		BytesDeclared: t.declared.render(),
		ElapsedNs:     t.elapsed.render(),
		Counts:        counts,
		Evidence:      c.evidenceList(),
	}
	for _, n := range c.candidates {
		s.Candidates = append(s.Candidates, string(n))
	}
	return s
}

// most returns the key with the highest count, the alphabetically first of
// equals.
func most(counts map[string]int64) string {
	best := ""
	for k, n := range counts {
		if m := counts[best]; best == "" || cmp.Or(cmp.Compare(n, m), strings.Compare(best, k)) > 0 {
			best = k
		}
	}
	return best
}

// spread keeps minimum and maximum of a number exactly, and the median of at
// most maxSpread of its values. Beyond that the values kept are chosen by a
// hash of their time, so that they do not depend on the order of arrival.
type spread struct {
	values   []timed
	bits     int // a value is kept if this many low bits of its hash are 0
	known    int64
	unknown  int64
	min, max int64
}

type timed struct {
	value int64
	hash  uint64
}

const maxSpread = 4096

// add takes one value and the time of its record; a negative value is unknown.
func (s *spread) add(v, t int64) {
	if v < 0 {
		s.unknown++
		return
	}
	if s.known == 0 {
		s.min, s.max = v, v
	}
	s.known++
	s.min, s.max = min(s.min, v), max(s.max, v)
	h := mix(uint64(t))
	if bits.TrailingZeros64(h) < s.bits {
		return
	}
	s.values = append(s.values, timed{v, h})
	for len(s.values) > maxSpread && s.bits < 64 {
		s.bits++
		s.values = slices.DeleteFunc(s.values, func(k timed) bool { return bits.TrailingZeros64(k.hash) < s.bits })
	}
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *spread) render() Spread {
	out := Spread{Unknown: s.unknown}
	if s.known == 0 {
		return out
	}
	lo, mid, hi := s.min, s.min, s.max
	if len(s.values) > 0 {
		slices.SortFunc(s.values, func(x, y timed) int { return cmp.Compare(x.value, y.value) })
		mid = s.values[(len(s.values)-1)/2].value
	}
	out.Min, out.Median, out.Max = &lo, &mid, &hi
	return out
}

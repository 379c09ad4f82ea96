package analyze

import (
	"cmp"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// maxEvidence bounds how many distinct pieces of evidence an incident lists.
const maxEvidence = 6

// stageTally counts the attributions of one incident's records.
type stageTally struct {
	stages   map[stage.Name]*stageCount
	received spread
	declared spread
	elapsed  spread
}

// stageCount is what the records of one incident and one stage say.
type stageCount struct {
	records    int64
	confidence float64
	budgets    map[string]int64
	phases     map[string]int64
	candidates []stage.Name
	evidence   []string
	named      int64
}

// tally adds the attribution of a record to its incident and to the events
// that are joined across layers.
func (a *Analyzer) tally(inc *incident, facts *streamFacts, r *ingest.Record) {
	at := &a.attribution
	strategy := len(inc.identity.Parts.Strategy) > 0
	v := a.budgets.judge(at, a.budgets.ofSource(inc.source), strategy)

	if inc.stages.stages == nil {
		inc.stages.stages = map[stage.Name]*stageCount{}
	}
	c := inc.stages.stages[v.stage]
	if c == nil {
		c = &stageCount{budgets: map[string]int64{}, phases: map[string]int64{}}
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
	for _, e := range append([]string{v.why}, at.Evidence...) {
		if e == "" || len(c.evidence) >= maxEvidence {
			continue
		}
		if e = redact.String(e); !slices.Contains(c.evidence, e) {
			c.evidence = append(c.evidence, e)
		}
	}
	inc.stages.received.add(at.BytesReceived)
	inc.stages.declared.add(at.BytesDeclared)
	inc.stages.elapsed.add(int64(at.Elapsed))

	if len(a.events) >= a.limits.Events {
		a.lostEvents++
		return
	}
	a.events = append(a.events, event{
		t: r.UnixNano, stream: facts.index, incident: inc.index, budget: int32(v.budget), stage: v.stage, named: v.named, strategy: strategy,
		elapsed: int64(at.Elapsed), bound: int64(at.Budget), trace: hash(r.TraceID), target: hash([]byte(at.Target)),
	})
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
		Evidence:      slices.Clone(c.evidence),
	}
	if s.Evidence == nil {
		s.Evidence = []string{}
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

// spread keeps minimum and maximum of a number exactly, and the median of an
// even selection of at most maxSpread of its values.
type spread struct {
	values   []int64
	stride   int64
	known    int64
	unknown  int64
	min, max int64
}

const maxSpread = 4096

// add takes one value; a negative one is unknown.
func (s *spread) add(v int64) {
	if v < 0 {
		s.unknown++
		return
	}
	if s.known == 0 {
		s.min, s.max, s.stride = v, v, 1
	}
	s.min, s.max = min(s.min, v), max(s.max, v)
	if s.known%s.stride == 0 {
		if len(s.values) == maxSpread {
			for i := range maxSpread / 2 {
				s.values[i] = s.values[2*i]
			}
			s.values = s.values[:maxSpread/2]
			s.stride *= 2
		}
		s.values = append(s.values, v)
	}
	s.known++
}

func (s *spread) render() Spread {
	out := Spread{Unknown: s.unknown}
	if s.known > 0 {
		sorted := slices.Sorted(slices.Values(s.values))
		lo, mid, hi := s.min, sorted[(len(sorted)-1)/2], s.max
		out.Min, out.Median, out.Max = &lo, &mid, &hi
	}
	return out
}

package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/period"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Analyzer collects records and makes an Analysis of them. It must not be
// used by two goroutines at once.
type Analyzer struct {
	opts   Options
	limits Limits

	identify *fingerprint.Identifier
	masked   fingerprint.Masked
	classify *stage.Classifier
	budgets  *budgetBook
	guard    *fingerprint.SourceGuard
	moments  []int64 // instants since which records are counted exactly
	effects  bool    // some rule has one, so that every record must be identified

	records   int64
	timeline  [timelineSlices]int64
	streams   map[*ingest.Stream]*streamFacts
	lastFacts *streamFacts

	sawEntries bool         // Saw counts the entries, not Add
	lastSeen   *streamFacts // of the entry before
	traffic    []Traffic    // counted elsewhere
	like       bool         // the record is a copy of another

	incidents map[fingerprint.ID]*incident
	order     []*incident // in the order of their first record
	events    []event
	nodes     []Node

	overflow   int64 // records of fingerprints beyond the limit
	lostEvents int64 // failed transfers beyond the limit

	skew  *skews
	rates rates
	gaps  []Gap // what was not read whole

	identity    fingerprint.Identity
	attribution stage.Attribution
	scratch     []byte
}

// streamFacts is what the Analyzer knows of one stream.
type streamFacts struct {
	stream  *ingest.Stream
	index   int32
	skip    bool // narrowed away
	entries int64
	first   int64
	last    int64
	rolls   []rollWork // by the index of the roll
}

// incident is one incident while it is being counted.
type incident struct {
	index    int32
	id       fingerprint.ID
	identity fingerprint.Identity
	source   string // redacted
	level    ingest.Level
	records  int64
	first    int64
	last     int64
	streams  map[*streamFacts]*share
	lastKey  *streamFacts
	lastOf   *share
	masked   []maskedCount
	sampler  sampler
	stages   stageTally
	timeline [timelineSlices]int64

	// Filled by Finish.
	duplicates  int64            // records of others that tell of this one's occurrences
	repeats     int64            // own records that repeat what another incident tells
	attempts    int64            // own records that are later attempts of one operation
	duplicateOf map[int32]int64  // whose occurrences they repeat
	layers      map[string]int64 // Sources of the duplicates
}

// share is an incident's part in one stream.
type share struct {
	records     int64
	first, last int64
	times       *period.Summary
	since       []int64 // records later than each of the Analyzer's moments
	entries     []int64 // of the records: in all, then later than each moment
}

type maskedCount struct {
	id      string
	records int64
}

// New returns an Analyzer for the options. It fails only on stage rules that
// do not compile, which a rule loader has refused before.
func New(o Options) (*Analyzer, error) {
	if o.Samples <= 0 {
		o.Samples = 10
	}
	o.Config, o.Verify = o.Config.renamed(o.Verify)
	classify, err := stage.New(stage.Options{Rules: o.Config.StageRules})
	if err != nil {
		return nil, fmt.Errorf("compiling stage rules: %w", err)
	}
	return &Analyzer{
		opts:      o,
		limits:    o.Limits.withDefaults(),
		identify:  fingerprint.NewIdentifier(fingerprint.Options{Rules: o.Config.Rules}),
		classify:  classify,
		guard:     fingerprint.NewSourceGuard(),
		moments:   moments(o.Config),
		effects:   len(o.Config.Effects) > 0,
		budgets:   newBudgetBook(o.Config.Budgets),
		streams:   map[*ingest.Stream]*streamFacts{},
		incidents: map[fingerprint.ID]*incident{},
		skew:      newSkews(o.Config),
	}, nil
}

// Add takes one record. It keeps none of the record's memory.
func (a *Analyzer) Add(r *ingest.Record) error {
	facts := a.lastFacts
	if facts == nil || facts.stream != r.Stream {
		facts = a.facts(r.Stream)
		a.lastFacts = facts
	}
	if facts.skip {
		return nil
	}
	if !a.sawEntries {
		a.logged(facts, r.UnixNano, int64(max(r.Entries, 1)))
	}
	a.skew.see(facts, r)
	a.records++
	if a.opts.Window.Contains(r.UnixNano) {
		a.timeline[sliceOf(r.UnixNano, a.opts.Window)]++
	}

	if r.Level <= ingest.LevelInfo {
		a.complete(r)
	}
	failed := false
	switch {
	case r.Level >= ingest.LevelError:
		failed = a.failedTransfer(r)
	case r.Level == ingest.LevelWarn || r.Level == ingest.LevelUnknown:
		if failed = a.failedTransfer(r); !failed && !a.effects {
			return nil
		}
	case !a.effects:
		return nil
	}

	id := a.identify.Identify(r, &a.identity)
	level := r.Level
	var effect Effect
	if a.effects {
		effect = a.opts.Config.Effects[a.identity.Rule]
		level, failed = a.ruled(effect, level, failed)
		if level < ingest.LevelError && !(failed && (level == ingest.LevelWarn || level == ingest.LevelUnknown)) {
			return nil
		}
	}
	inc := a.incidents[id]
	if inc == nil {
		a.guard.Add(&a.identity)
		if len(a.order) >= a.limits.Incidents {
			a.overflow++
			return nil
		}
		inc = a.newIncident(id)
	}
	a.count(inc, facts, r, level)
	if failed {
		a.tally(inc, facts, r, effect)
	}
	return nil
}

// failedTransfer classifies the record into a.attribution and reports whether
// it tells of a failed transfer. Of a record whose level nobody stated, a
// guess is not enough.
func (a *Analyzer) failedTransfer(r *ingest.Record) bool {
	if !a.classify.Classify(r, &a.attribution) || a.attribution.Stage == stage.NotATimeout {
		return false
	}
	return r.Level != ingest.LevelUnknown || r.Headless || a.attribution.Confidence >= suggested
}

func (a *Analyzer) facts(s *ingest.Stream) *streamFacts {
	f := a.streams[s]
	if f == nil {
		f = &streamFacts{stream: s, index: int32(len(a.streams))}
		f.skip = a.opts.Namespace != "" && !a.opts.Namespace.Match(s.Namespace) ||
			a.opts.Pod != "" && !a.opts.Pod.Match(s.Pod)
		f.rolls = make([]rollWork, len(a.opts.Config.Rolls))
		a.streams[s] = f
	}
	return f
}

func (a *Analyzer) newIncident(id fingerprint.ID) *incident {
	inc := &incident{
		index:    int32(len(a.order)),
		id:       id,
		identity: *a.identity.Clone(),
		source:   redact.String(string(a.identity.Source)),
		streams:  map[*streamFacts]*share{},
		sampler:  newSampler(a.opts.Samples, a.limits.SampleBytes),
	}
	a.incidents[id] = inc
	a.order = append(a.order, inc)
	return inc
}

// count adds a record to its incident.
func (a *Analyzer) count(inc *incident, facts *streamFacts, r *ingest.Record, level ingest.Level) {
	t := r.UnixNano
	if inc.records == 0 || t < inc.first {
		inc.first = t
	}
	if inc.records == 0 || t > inc.last {
		inc.last = t
	}
	inc.records++
	inc.level = max(inc.level, level)
	if w := a.opts.Window; w.Contains(t) {
		inc.timeline[sliceOf(t, w)]++
	}

	sh := inc.lastOf
	if inc.lastKey != facts {
		sh = inc.streams[facts]
		if sh == nil {
			sh = &share{first: t, last: t, times: period.NewSummary(a.limits.Times), since: make([]int64, len(a.moments)), entries: make([]int64, 1+len(a.moments))}
			inc.streams[facts] = sh
		}
		inc.lastKey, inc.lastOf = facts, sh
	}
	sh.records++
	sh.first, sh.last = min(sh.first, t), max(sh.last, t)
	sh.times.Add(t)
	n := int64(max(r.Entries, 1))
	sh.entries[0] += n
	for i, m := range a.moments {
		if t > m {
			sh.since[i]++
			sh.entries[1+i] += n
		}
	}

	if id, ok := a.masked.ID(r); ok {
		i := slices.IndexFunc(inc.masked, func(m maskedCount) bool { return m.id == id })
		if i < 0 {
			i = len(inc.masked)
			inc.masked = append(inc.masked, maskedCount{id: id})
		}
		inc.masked[i].records++
	}
	if !a.like {
		inc.sampler.add(r)
	}
}

// sliceOf returns which slice of the window's timeline the time t falls in.
func sliceOf(t int64, w ingest.Window) int {
	span := float64(w.End) - float64(w.Start)
	i := int((float64(t) - float64(w.Start)) / span * timelineSlices)
	return min(max(i, 0), timelineSlices-1)
}

// AddNode takes an incident node of the old watcher: its counter is known
// although its records, beyond the samples that were added, are not.
func (a *Analyzer) AddNode(n Node) { a.nodes = append(a.nodes, n) }

// Node is what the old watcher's incident node says beside its samples.
type Node struct {
	MaskedID    string
	Occurrences int64
	Samples     int64
	FirstSeen   int64
	LastSeen    int64
	IssueNumber int
	IssueURL    string
	IssueState  string
	File        string
}

// Finish joins what was collected. The Analyzer must not be used afterwards.
func (a *Analyzer) Finish(read Read) *Analysis {
	a.applyTraffic()
	slices.SortFunc(a.order, func(x, y *incident) int {
		return cmp.Or(cmp.Compare(y.records, x.records), cmp.Compare(x.first, y.first), strings.Compare(x.id.String(), y.id.String()))
	})
	rank := make([]int32, len(a.order))
	for i, inc := range a.order {
		rank[inc.index] = int32(i)
	}
	for i := range a.events {
		a.events[i].incident = rank[a.events[i].incident]
	}
	for i, inc := range a.order {
		inc.index = int32(i)
	}
	a.join()

	read.Records = a.records
	for _, f := range a.streams {
		if !f.skip {
			read.Streams++
		}
	}
	if read.Sources == nil {
		read.Sources = []ReadSource{}
	}
	if read.Gaps == nil {
		read.Gaps = []Gap{}
	}
	read.Timeline = a.timeline[:]
	an := &Analysis{
		SchemaVersion: SchemaVersion,
		Window:        Window{Start: At(a.opts.Window.Start), End: At(a.opts.Window.End)},
		Read:          read,
		Incidents:     make([]Incident, 0, len(a.order)),
		MaskedFolds:   []MaskedFold{},
		Findings:      []Finding{},
	}
	found := a.allRecurrences()
	for i, inc := range a.order {
		an.Incidents = append(an.Incidents, a.render(inc, found[i]))
	}
	a.marks(an)
	an.MaskedFolds = a.folds()
	if len(a.nodes) > 0 {
		an.Read.Partial = true
	}
	a.gaps = read.Gaps
	an.Fixes = a.fixes()
	an.Findings = sortFindings(a.findings(an))
	a.narrow(an)
	return an
}

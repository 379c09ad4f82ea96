package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Change says what becomes of incidents when rules change.
type Change string

// The changes, most serious first.
const (
	Merged    Change = "merged"    // several incidents become one
	Split     Change = "split"     // one incident becomes several
	Reshaped  Change = "reshaped"  // several become several others
	Gone      Change = "gone"      // no record tells of a fault any more
	New       Change = "new"       // no record told of a fault before
	Moved     Change = "moved"     // the same records under another fingerprint
	Unchanged Change = "unchanged" // the same records under the same fingerprint
)

// Changes lists every change in the order of their declaration.
func Changes() []Change { return []Change{Merged, Split, Reshaped, Gone, New, Moved, Unchanged} }

// DiffSide is one incident under one of the two sets of rules.
type DiffSide struct {
	Fingerprint string `json:"fingerprint"`
	Source      string `json:"source"`
	Event       string `json:"event"`
	Template    string `json:"template"`
	Rule        string `json:"rule"`
	// Records are those that the row counts; an incident is in one row only.
	Records int64 `json:"records"`
}

// DiffRow is a group of incidents, before and after, that share records with
// each other and with no other group.
type DiffRow struct {
	Change  Change     `json:"change"`
	Records int64      `json:"records"`
	Old     []DiffSide `json:"old"`
	New     []DiffSide `json:"new"`
	Sample  string     `json:"sample"`
	// Orphaned are the numbers of issues that were about one of the old
	// incidents and are about none of the new ones.
	Orphaned []int `json:"orphaned,omitempty"`
}

// Diff is what a change of rules does to a corpus.
type Diff struct {
	// Records are all records that tell of a fault under either set of rules;
	// the rows' records sum to it. Read are all records that were read.
	Records int64     `json:"records"`
	Read    int64     `json:"read"`
	Rows    []DiffRow `json:"rows"`
}

// Count returns the number of rows and of records with a change.
func (d *Diff) Count(c Change) (rows int, records int64) {
	for i := range d.Rows {
		if d.Rows[i].Change == c {
			rows++
			records += d.Rows[i].Records
		}
	}
	return rows, records
}

// Aliases maps each old fingerprint to the new one that its records have,
// where that is one only and another.
func (d *Diff) Aliases() map[string]string {
	m := map[string]string{}
	for i := range d.Rows {
		if r := &d.Rows[i]; len(r.New) == 1 {
			for _, o := range r.Old {
				if o.Fingerprint != r.New[0].Fingerprint {
					m[o.Fingerprint] = r.New[0].Fingerprint
				}
			}
		}
	}
	return m
}

// Differ compares two sets of rules over records. It is for one goroutine.
type Differ struct {
	sides  [2]side
	pairs  map[[2]string]int64
	sample map[[2]string]string
	read   int64
}

// side is one set of rules with what it has seen.
type side struct {
	set        *Set
	identifier *fingerprint.Identifier
	stages     *stage.Classifier
	effects    map[string]Effect
	incidents  map[string]*DiffSide
}

// NewDiffer compares old and new rules.
func NewDiffer(old, new *Set) (*Differ, error) {
	d := &Differ{pairs: map[[2]string]int64{}, sample: map[[2]string]string{}}
	for i, s := range []*Set{old, new} {
		stages, err := stage.New(stage.Options{Rules: s.Config.StageRules})
		if err != nil {
			return nil, fmt.Errorf("stage rules: %w", err)
		}
		d.sides[i] = side{set: s, stages: stages, identifier: fingerprint.NewIdentifier(fingerprint.Options{Rules: s.Config.Rules}),
			effects: map[string]Effect{}, incidents: map[string]*DiffSide{}}
		for _, r := range s.Rules {
			d.sides[i].effects[r.ID] = r.Effect
		}
	}
	return d, nil
}

// Add takes one record, which it does not keep.
func (d *Differ) Add(r *ingest.Record) error {
	d.read++
	var key [2]string
	for i := range d.sides {
		key[i] = d.sides[i].add(r)
	}
	if key == [2]string{} {
		return nil
	}
	d.pairs[key]++
	if _, ok := d.sample[key]; !ok {
		const most = 300
		text := redact.String(string(r.Text[:min(len(r.Text), most)]))
		d.sample[key] = strings.ToValidUTF8(text, "")
	}
	return nil
}

// add returns the fingerprint, or "" if the record tells of no fault.
func (s *side) add(r *ingest.Record) string {
	var id fingerprint.Identity
	fp := s.identifier.Identify(r, &id).String()
	level := r.Level
	if e := s.effects[id.Rule]; e.Severity != ingest.LevelUnknown {
		level = e.Severity
	}
	if level < ingest.LevelError {
		if level != ingest.LevelWarn && level != ingest.LevelUnknown {
			return ""
		}
		var a stage.Attribution
		if !s.stages.Classify(r, &a) || a.Stage == stage.NotATimeout {
			return ""
		}
	}
	if s.incidents[fp] == nil {
		s.incidents[fp] = &DiffSide{Fingerprint: fp, Source: string(id.Source), Event: redact.String(string(id.Event)),
			Template: redact.String(string(id.Template)), Rule: id.Rule}
	}
	s.incidents[fp].Records++
	return fp
}

// Finish groups what was added. Rows are sorted by change, then by records,
// most first, then by fingerprint.
func (d *Differ) Finish() *Diff {
	out := &Diff{Read: d.read}
	// Incidents that share a record are in one group: union by the pairs.
	parent := map[string]string{}
	var find func(string) string
	find = func(x string) string {
		if p, ok := parent[x]; ok && p != x {
			root := find(p)
			parent[x] = root
			return root
		}
		return x
	}
	for key := range d.pairs {
		a, b := "old "+key[0], "new "+key[1]
		switch {
		case key[0] == "":
			a = b
		case key[1] == "":
			b = a
		}
		parent[find(a)] = find(b)
	}
	groups := map[string]*DiffRow{}
	samples := map[string][2]string{}
	for _, key := range slices.SortedFunc(maps.Keys(d.pairs), func(a, b [2]string) int {
		return cmp.Or(cmp.Compare(d.pairs[b], d.pairs[a]), slices.Compare(a[:], b[:]))
	}) {
		root := find("old " + key[0])
		if key[0] == "" {
			root = find("new " + key[1])
		}
		g := groups[root]
		if g == nil {
			g = &DiffRow{}
			groups[root] = g
			samples[root] = key
		}
		g.Records += d.pairs[key]
		out.Records += d.pairs[key]
	}
	for i, s := range d.sides {
		for _, fp := range slices.Sorted(maps.Keys(s.incidents)) {
			root := find([]string{"old ", "new "}[i] + fp)
			side := *s.incidents[fp]
			if i == 0 {
				groups[root].Old = append(groups[root].Old, side)
			} else {
				groups[root].New = append(groups[root].New, side)
			}
		}
	}
	for root, g := range groups {
		g.Sample = d.sample[samples[root]]
		g.Change = g.kind()
		g.Orphaned = d.orphaned(g)
		out.Rows = append(out.Rows, *g)
	}
	rank := func(c Change) int { return slices.Index(Changes(), c) }
	slices.SortFunc(out.Rows, func(a, b DiffRow) int {
		return cmp.Or(cmp.Compare(rank(a.Change), rank(b.Change)), cmp.Compare(b.Records, a.Records), strings.Compare(a.first(), b.first()))
	})
	return out
}

func (r *DiffRow) first() string {
	for _, list := range [][]DiffSide{r.Old, r.New} {
		if len(list) > 0 {
			return list[0].Fingerprint
		}
	}
	return ""
}

func (r *DiffRow) kind() Change {
	switch o, n := len(r.Old), len(r.New); {
	case o == 0:
		return New
	case n == 0:
		return Gone
	case o == 1 && n == 1 && r.Old[0].Fingerprint == r.New[0].Fingerprint:
		return Unchanged
	case o == 1 && n == 1:
		return Moved
	case o == 1:
		return Split
	case n == 1:
		return Merged
	}
	return Reshaped
}

// orphaned lists the issues, of either set, that were about an old incident
// of the row and are about no new one.
func (d *Differ) orphaned(r *DiffRow) []int {
	if r.Change == Unchanged {
		return nil
	}
	var list []int
	seen := map[int]bool{}
	for _, s := range d.sides {
		for i := range s.set.Config.Issues {
			is := &s.set.Config.Issues[i]
			about := func(list []DiffSide) bool {
				return slices.ContainsFunc(list, func(x DiffSide) bool { return isAbout(is, x) })
			}
			if !seen[is.Number] && about(r.Old) && !about(r.New) {
				seen[is.Number] = true
				list = append(list, is.Number)
			}
		}
	}
	slices.Sort(list)
	return list
}

// isAbout reports whether an issue names an incident by Source or fingerprint.
func isAbout(is *analyze.Issue, x DiffSide) bool {
	return slices.Contains(is.Fingerprints, x.Fingerprint) ||
		slices.ContainsFunc(is.Sources, func(g analyze.Glob) bool { return g.Match(x.Source) })
}

package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// Corpus holds rules against the records of a corpus and finds rules that are
// dead, shadowed or endless there, and issues whose Sources nobody emits. It
// is for one goroutine.
type Corpus struct {
	entries    []ruleEntry
	ordered    []quickRule
	identifier *fingerprint.Identifier
	issues     []issueSource
	query      string
	stats      map[*Rule]*ruleStats
	records    int64
	timed      []*ingest.Record // some of the records, to time rules with
	sparse     int              // of the records every 1<<sparse'th is kept
	unmatched  map[string]*UnmatchedTemplate
}

// ruleStats is what a rule did in a corpus.
type ruleStats struct {
	matched, decided int64
	before           map[*Rule]int64 // rules that decided where this one matched
	sources, ids     *distinct
}

// issueSource is one glob of an issue, and whether a Source fits it.
type issueSource struct {
	file  *file
	node  *yamlnode.Node
	issue int64
	glob  analyze.Glob
	seen  bool
}

// UnmatchedTemplate is a template at error level that no rule decides.
type UnmatchedTemplate struct {
	Source   string `json:"source"`
	Template string `json:"template"`
	Records  int64  `json:"records"`
}

// Bounds on what a corpus makes a Corpus keep.
const (
	maxUnmatched   = 10_000 // templates
	manySources    = 100    // Sources of one rule that are too many
	shownUnmatched = 10
)

// NewCorpus reads rules as Check does. Problems of the files are not its
// business: rules with errors are passed over. The built-in pack stands behind
// the rules, as it does where they are used; nothing is said of its rules.
func NewCorpus(paths []string) *Corpus {
	r := reader{tree: disk{}}
	r.readPaths(paths)
	r.readBuiltin()
	c := compile(r.files, false)
	set := c.set
	x := &Corpus{stats: map[*Rule]*ruleStats{}, unmatched: map[string]*UnmatchedTemplate{}, query: set.Config.Query,
		identifier: fingerprint.NewIdentifier(fingerprint.Options{Rules: set.Config.Rules})}
	for _, e := range c.entries {
		if !e.file.builtin {
			x.entries = append(x.entries, e)
		}
	}
	x.ordered = quick(slices.DeleteFunc(set.Ordered(), func(r *Rule) bool { return r.Builtin }))
	for _, q := range x.ordered {
		x.stats[q.Rule] = &ruleStats{before: map[*Rule]int64{}, sources: newDistinct(), ids: newDistinct()}
	}
	for _, f := range c.files {
		for _, n := range f.root.Elements("issues") {
			number, ok := intOf(n.Get("number"))
			for _, g := range n.Elements("sources") {
				if ok && isText(g) {
					x.issues = append(x.issues, issueSource{file: f, node: g, issue: number, glob: analyze.Glob(g.Value)})
				}
			}
		}
	}
	return x
}

// Query is the query of the files' defaults, empty if they have none.
func (x *Corpus) Query() string { return x.query }

// Add takes one record, which it does not keep.
func (x *Corpus) Add(rec *ingest.Record) error {
	x.records++
	x.keepForTiming(rec)
	var d fingerprint.Identity
	id := x.identifier.Identify(rec, &d)
	source := string(d.Source)
	for i := range x.issues {
		if is := &x.issues[i]; !is.seen && is.glob.Match(source) {
			is.seen = true
		}
	}
	var winner *Rule
	for i := range x.ordered {
		q := &x.ordered[i]
		if !q.matches(rec) {
			continue
		}
		s := x.stats[q.Rule]
		s.matched++
		if winner == nil {
			winner = q.Rule
			s.decided++
			s.sources.add(d.Source)
			s.ids.add(id[:])
			continue
		}
		s.before[winner]++
	}
	if winner == nil && d.Rule == "" && rec.Level >= ingest.LevelError {
		key := source + "\x00" + string(d.Template)
		u := x.unmatched[key]
		if u == nil {
			if len(x.unmatched) >= maxUnmatched {
				return nil
			}
			u = &UnmatchedTemplate{Source: source, Template: redact.String(string(d.Template))}
			x.unmatched[key] = u
		}
		u.Records++
	}
	return nil
}

// Problems returns what the corpus shows about the rules, sorted.
func (x *Corpus) Problems() []Problem {
	var out []Problem
	for i := range x.entries {
		e := &x.entries[i]
		s := x.stats[e.rule]
		report := func(sev Severity, check, hint, format string, args ...any) {
			out = append(out, e.file.problem(e.place(), sev, check, hint, format, args...))
		}
		switch {
		case s.matched == 0:
			report(Warning, "rule/dead", "", "%s matches none of %s", e.rule.ID, count(x.records, "record"))
		case s.decided == 0:
			report(Warning, "rule/shadowed", "give it a higher priority, or drop it", "%s matches %s and decides none: %s", e.rule.ID, count(s.matched, "record"), s.deciders())
		case len(s.before) > 0:
			report(Info, "rule/overlapping", "", "%s matches %s and decides %d of them: %s", e.rule.ID, count(s.matched, "record"), s.decided, s.deciders())
		}
		if n, _ := s.sources.count(); n > manySources {
			report(Warning, "cardinality/unbounded", "bound the Source by the pattern", "%s makes about %d Sources of %s", e.rule.ID, n, count(s.decided, "record"))
		}
	}
	for _, is := range x.issues {
		if !is.seen {
			out = append(out, is.file.problem(is.node.Span, Warning, "issue/unknown-source", "", "issue %d: none of %s has a Source that fits %q", is.issue, count(x.records, "record"), is.glob))
		}
	}
	return sortProblems(out)
}

// deciders names the rules that decided instead, those with most records
// first.
func (s *ruleStats) deciders() string {
	list := slices.SortedFunc(maps.Keys(s.before), func(a, b *Rule) int {
		return cmp.Or(cmp.Compare(s.before[b], s.before[a]), strings.Compare(a.ID, b.ID))
	})
	var parts []string
	for _, r := range list[:min(len(list), 3)] {
		parts = append(parts, fmt.Sprintf("%s decides %d", r.ID, s.before[r]))
	}
	return strings.Join(parts, ", ")
}

// RuleKeys says what a rule made of a corpus.
type RuleKeys struct {
	Rule *Rule
	// Records are those that the rule decided, Sources and Fingerprints the
	// different ones that it gave them.
	Records, Sources, Fingerprints int64
	// Exact says that the two were counted; beyond a thousand they are
	// estimated, to about a hundredth.
	Exact bool
}

// Keys returns what each rule that decided any record made of them, in the
// order in which rules are tried.
func (x *Corpus) Keys() []RuleKeys {
	var out []RuleKeys
	for i := range x.ordered {
		r := x.ordered[i].Rule
		s := x.stats[r]
		if s.decided == 0 {
			continue
		}
		k := RuleKeys{Rule: r, Records: s.decided}
		k.Sources, _ = s.sources.count()
		k.Fingerprints, k.Exact = s.ids.count()
		out = append(out, k)
	}
	return out
}

// Unmatched returns the templates at error level or above that no rule
// decides, those with most records first, ten at most.
func (x *Corpus) Unmatched() []UnmatchedTemplate {
	list := slices.SortedFunc(maps.Values(x.unmatched), func(a, b *UnmatchedTemplate) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Source, b.Source), strings.Compare(a.Template, b.Template))
	})
	var out []UnmatchedTemplate
	for _, u := range list[:min(len(list), shownUnmatched)] {
		out = append(out, *u)
	}
	return out
}

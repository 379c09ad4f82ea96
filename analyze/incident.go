package analyze

import (
	"cmp"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
)

// render makes the public form of an incident.
func (a *Analyzer) render(inc *incident, found []Recurrence) Incident {
	text := func(b []byte) string { return redact.String(string(b)) }
	out := Incident{
		Fingerprint: inc.id.String(),
		MaskedIDs:   []string{},
		Source:      inc.source,
		SourceParts: SourceParts{
			Pipeline: text(inc.identity.Parts.Pipeline),
			Instance: text(inc.identity.Parts.Instance),
			Strategy: text(inc.identity.Parts.Strategy),
		},
		Event:       text(inc.identity.Event),
		Exception:   text(inc.identity.Exception),
		Template:    text(inc.identity.Template),
		TopFrame:    text(inc.identity.Frame),
		Level:       inc.level.String(),
		Rule:        inc.identity.Rule,
		Records:     inc.records,
		Occurrences: inc.records - inc.repeats,
		Attempts:    inc.attempts,
		Duplicates:  inc.duplicates,
		DuplicateOf: a.duplicateOf(inc),
		Pods:        []string{},
		Namespaces:  []string{},
		FirstSeen:   At(inc.first),
		LastSeen:    At(inc.last),
		Stage:       inc.stages.render(),
		Samples:     inc.sampler.samples(),
		Timeline:    inc.timeline[:],
		Links:       []Link{},
	}
	for _, m := range inc.masked {
		out.MaskedIDs = append(out.MaskedIDs, m.id)
	}
	slices.Sort(out.MaskedIDs)
	shares := inc.sortedShares()
	for _, f := range shares {
		sh := inc.streams[f]
		out.Streams = append(out.Streams, IncidentStream{
			Stream: redact.String(f.stream.Key), Pod: f.stream.Pod, Namespace: f.stream.Namespace,
			Records: sh.records, FirstSeen: At(sh.first), LastSeen: At(sh.last),
		})
		if p := f.stream.Pod; p != "" {
			out.Pods = append(out.Pods, p)
		}
		if n := f.stream.Namespace; n != "" {
			out.Namespaces = append(out.Namespaces, n)
		}
	}
	slices.Sort(out.Pods)
	out.Pods = slices.Compact(out.Pods)
	slices.Sort(out.Namespaces)
	out.Namespaces = slices.Compact(out.Namespaces)
	out.Recurrences = found
	out.Issue = a.issueOf(inc)
	return out
}

// sortedShares returns the streams of an incident in the order of their keys.
func (inc *incident) sortedShares() []*streamFacts {
	fs := make([]*streamFacts, 0, len(inc.streams))
	for f := range inc.streams {
		fs = append(fs, f)
	}
	slices.SortFunc(fs, func(x, y *streamFacts) int { return strings.Compare(x.stream.Key, y.stream.Key) })
	return fs
}

// duplicateOf names the incident whose occurrences all of inc's records
// repeat, or nothing.
func (a *Analyzer) duplicateOf(inc *incident) string {
	if inc.repeats < inc.records {
		return ""
	}
	best, most := int32(-1), int64(0)
	for of, n := range inc.duplicateOf {
		if n > most || n == most && of < best {
			best, most = of, n
		}
	}
	if best < 0 {
		return ""
	}
	return a.order[best].id.String()
}

// folds lists the masked ids under which several Sources were counted.
func (a *Analyzer) folds() []MaskedFold {
	type group struct {
		records int64
		members []*incident
	}
	groups := map[string]*group{}
	for _, inc := range a.order {
		for _, m := range inc.masked {
			g := groups[m.id]
			if g == nil {
				g = &group{}
				groups[m.id] = g
			}
			g.records += m.records
			g.members = append(g.members, inc)
		}
	}
	counters := map[string]int64{}
	for _, n := range a.nodes {
		counters[n.MaskedID] = max(counters[n.MaskedID], n.Occurrences)
	}
	out := []MaskedFold{}
	for id, g := range groups {
		f := MaskedFold{MaskedID: id, Records: g.records}
		for _, inc := range g.members {
			f.Sources = append(f.Sources, inc.source)
			f.Fingerprints = append(f.Fingerprints, inc.id.String())
		}
		slices.Sort(f.Sources)
		f.Sources = slices.Compact(f.Sources)
		slices.Sort(f.Fingerprints)
		if len(f.Sources) < 2 {
			continue
		}
		if n, ok := counters[id]; ok {
			f.Counter = &n
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(x, y MaskedFold) int {
		return cmp.Or(cmp.Compare(y.Records, x.Records), strings.Compare(x.MaskedID, y.MaskedID))
	})
	return out
}

// narrow drops the incidents that are not to be shown, and the findings that
// are about no shown incident.
func (a *Analyzer) narrow(an *Analysis) {
	if a.opts.Source == "" && (a.opts.Top <= 0 || a.opts.Top >= len(an.Incidents)) {
		return
	}
	shown := map[string]bool{}
	an.Incidents = slices.DeleteFunc(an.Incidents, func(inc Incident) bool {
		hide := a.opts.Source != "" && !a.opts.Source.Match(inc.Source) || a.opts.Top > 0 && len(shown) >= a.opts.Top
		if !hide {
			shown[inc.Fingerprint] = true
		}
		return hide
	})
	an.MaskedFolds = slices.DeleteFunc(an.MaskedFolds, func(f MaskedFold) bool {
		return !slices.ContainsFunc(f.Fingerprints, func(id string) bool { return shown[id] })
	})
	an.Fixes = slices.DeleteFunc(an.Fixes, func(f Fix) bool { return !shown[f.Fingerprint] })
	folds := map[string]bool{}
	for _, f := range an.MaskedFolds {
		folds[f.MaskedID] = true
	}
	an.Findings = slices.DeleteFunc(an.Findings, func(f Finding) bool {
		switch {
		case f.Kind == KindSourceFolded:
			return !folds[f.Subject]
		case f.Fingerprint != "":
			return !shown[f.Fingerprint]
		}
		return false
	})
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// A stageView is where transfers failed.
type stageView struct {
	Name, Likely, Budget, Phase string
	Candidates                  string
	Sure                        string
	Bars                        []stageBar
	Measures                    []measure
	Bytes                       string // where nothing is measured
	Fill, From, Range           string // of the bar of bytes, in per cent
	FillText                    string
	Evidence                    []string
}

// A stageBar is the share of one stage.
type stageBar struct {
	Name, Records, Share, Width string
	Chosen                      bool
	Incidents                   []incidentRef // that have such records
	More                        int           // of them that are left out
}

// A measure is the spread of a number over an incident's records.
type measure struct{ Name, Min, Median, Max, Unknown string }

func (p *page) stage(st *analyze.Stage, brief bool) *stageView {
	if st == nil {
		return nil
	}
	v := &stageView{
		Name: st.Name, Budget: htmlCut(st.Budget, htmlName), Phase: htmlCut(st.Phase, htmlName),
		Candidates: htmlCut(strings.Join(atMost(st.Candidates, htmlFew), " or "), htmlName), Sure: htmlSureness(st.Confidence),
	}
	if st.Confidence < likely {
		v.Likely = "likely"
	}
	v.Bytes = bytesInWords(st)
	if brief {
		return v
	}
	for _, e := range atMost(st.Evidence, htmlFew) {
		v.Evidence = append(v.Evidence, htmlCut(e, htmlName))
	}
	total, names := ranked(st.Counts)
	if len(names) > 1 {
		for _, name := range atMost(names, htmlStages) {
			n := st.Counts[name]
			v.Bars = append(v.Bars, stageBar{
				Name: htmlCut(name, htmlName), Records: thousands(n), Share: htmlShare(n, total), Width: svgPercent(float64(n) / float64(max(total, 1))), Chosen: name == st.Name,
			})
		}
	}
	bytes := func(n int64) string { return htmlBytes(n) }
	v.measure("bytes received", st.BytesReceived, bytes)
	v.measure("bytes declared", st.BytesDeclared, bytes)
	v.measure("elapsed", st.ElapsedNs, func(n int64) string { return short(time.Duration(n)) })
	if r, d := st.BytesReceived.Median, st.BytesDeclared.Median; r != nil && d != nil && *d > 0 {
		of := func(n int64) float64 { return min(max(float64(n)/float64(*d), 0), 1) }
		v.Fill, v.From = svgPercent(of(*r)), svgPercent(of(*st.BytesReceived.Min))
		v.Range = svgPercent(of(*st.BytesReceived.Max) - of(*st.BytesReceived.Min))
		v.FillText = fmt.Sprintf("%s received of %s declared, both medians: %s", htmlBytes(*r), htmlBytes(*d), htmlShare(min(*r, *d), *d))
	}
	return v
}

// ranked returns the sum of counts and their names, the highest first, in
// alphabetical order among equals.
func ranked(counts map[string]int64) (total int64, names []string) {
	for name, n := range counts {
		names = append(names, name)
		total += n
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	return total, names
}

// htmlRefs is how many incidents of one stage are named.
const htmlRefs = 12

// htmlStages is how many stages are told apart; there are fewer, unless rules
// name others.
const htmlStages = 20

// stages sums the stages of all incidents. Records that only repeat what
// another incident tells are counted where they stand.
func (p *page) stages() []stageBar {
	counts := map[string]int64{}
	members := map[string][]int{}
	for i := range p.an.Incidents {
		st := p.an.Incidents[i].Stage
		if st == nil {
			continue
		}
		for name, n := range st.Counts {
			counts[name] += n
			members[name] = append(members[name], i+1)
		}
	}
	total, names := ranked(counts)
	var out []stageBar
	for _, name := range atMost(names, htmlStages) {
		bar := stageBar{Name: htmlCut(name, htmlName), Records: thousands(counts[name]), Width: svgPercent(float64(counts[name]) / float64(max(total, 1)))}
		for k, n := range members[name] {
			if k == htmlRefs {
				bar.More = len(members[name]) - k
				break
			}
			bar.Incidents = append(bar.Incidents, *p.refTo(n))
		}
		out = append(out, bar)
	}
	return out
}

// measure adds a number that records state, where any does.
func (v *stageView) measure(name string, s analyze.Spread, print func(int64) string) {
	if s.Max == nil {
		return
	}
	v.Measures = append(v.Measures, measure{name, print(*s.Min), print(*s.Median), print(*s.Max), thousands(s.Unknown)})
}

// bytesInWords says how far transfers had come, as far as records tell.
func bytesInWords(st *analyze.Stage) string {
	return strings.Join(received(st), "; ")
}

package report

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// An article is one incident as the page tells it.
type article struct {
	N           int
	Anchor      string
	Class       string
	Source      string
	Level       string
	Event       string
	Exception   string
	Template    string
	Issue       *issueView
	Facts       []fact
	Chart       *svgChart
	Bar         string
	Zone        string
	Most        string
	Clocks      []clockView
	Stage       *stageView
	Findings    []findingView
	Fixes       []fixRow
	Samples     []sampleView
	Unshown     int // samples left out
	Total       int // samples there are
	Identity    []fact
	Fingerprint string
	Masked      []maskedView
	MoreMasked  int // left out
	Streams     []streamRow
	MoreStreams int // left out
	AllStreams  int
	Query       string
	Links       []linkView
	Brief       bool
}

// A fact is a value with its name.
type fact struct{ Name, Value, Note string }

type issueView struct{ Text, URL string }

type linkView struct{ Name, URL string }

type maskedView struct{ ID, Anchor string }

type sampleView struct{ When, Pod, Text, Note string }

type streamRow struct{ Stream, Records, First, Last string }

// A detail is how much of an incident is told.
type detail struct {
	samples, sampleBytes int
	streams, strips      int
	pictures             bool
	brief                bool
}

// The details from which the page chooses, by the room there is.
var (
	detailFull  = detail{samples: 20, sampleBytes: 8 << 10, streams: 100, strips: 16, pictures: true}
	detailSome  = detail{samples: 3, sampleBytes: 1200, streams: 10, strips: 4, pictures: true}
	detailBrief = detail{samples: 1, sampleBytes: 300, brief: true}
)

// article tells the n-th incident.
func (p *page) article(n int, d detail) article {
	inc := &p.an.Incidents[n-1]
	a := article{
		N: n, Anchor: incidentAnchor(n), Class: htmlClass(n), Source: htmlNameOf(inc), Level: inc.Level,
		Event: htmlCut(inc.Event, htmlName), Exception: htmlCut(inc.Exception, htmlName),
		Fingerprint: htmlCut(inc.Fingerprint, htmlName), Brief: d.brief, Zone: p.Zone,
	}
	if a.Exception == a.Event {
		a.Exception = ""
	}
	if inc.Issue != nil {
		a.Issue = &issueView{Text: htmlCut(p.voice.verdict(inc), htmlName), URL: htmlAddress(inc.Issue.URL)}
	}
	for _, l := range atMost(inc.Links, htmlFew) {
		if u := htmlAddress(l.URL); u != "" {
			a.Links = append(a.Links, linkView{Name: htmlCut(l.Name, htmlName), URL: u})
		}
	}
	for i, id := range inc.MaskedIDs {
		if i == htmlMasked {
			a.MoreMasked = len(inc.MaskedIDs) - i
			break
		}
		a.Masked = append(a.Masked, maskedView{ID: htmlCut(id, htmlName), Anchor: p.anchors[id]})
	}
	a.Facts = p.facts(inc, d.brief)
	a.Stage = p.stage(inc.Stage, d.brief)
	a.Findings = p.findingsOf(inc.Fingerprint)
	a.samples(p, inc, d)
	for i := range atMost(inc.Recurrences, htmlFew) {
		a.Clocks = append(a.Clocks, p.clockView(n, i, &inc.Recurrences[i], d))
	}
	if inc.Source != "" {
		a.Template = htmlCut(inc.Template, 240)
	}
	if d.brief {
		if a.Template = htmlCut(a.Template, 80); a.Event != "" || a.Exception != "" {
			a.Template = ""
		}
		return a
	}
	a.Query = htmlCut(inc.Query, htmlSaying)
	if d.pictures {
		if a.Chart = p.timeline(n, inc); a.Chart != nil {
			busiest, _ := svgHighest(inc.Timeline)
			a.Bar, a.Most = p.sliceLength(len(inc.Timeline)), thousands(busiest)
		}
	}
	for _, f := range p.an.Fixes {
		if f.Fingerprint == inc.Fingerprint {
			a.Fixes = append(a.Fixes, p.fixes([]analyze.Fix{f})...)
		}
	}
	a.identity(inc)
	for i, s := range inc.Streams {
		if i == d.streams {
			a.AllStreams, a.MoreStreams = len(inc.Streams), len(inc.Streams)-i
			break
		}
		a.Streams = append(a.Streams, streamRow{htmlCut(s.Stream, htmlSaying), thousands(s.Records), p.clock(s.FirstSeen.Time), p.clock(s.LastSeen.Time)})
	}
	return a
}

// facts are what is counted of an incident.
func (p *page) facts(inc *analyze.Incident, brief bool) []fact {
	span := inc.LastSeen.Sub(inc.FirstSeen.Time)
	records := fact{Name: "records", Value: thousands(inc.Records), Note: rate(inc.Records, span)}
	if records.Note != "" {
		records.Note += " over " + short(span)
	}
	facts := []fact{records}
	switch {
	case inc.DuplicateOf != "":
		note := "elsewhere"
		if n := p.numbers[inc.DuplicateOf]; n > 0 {
			note = fmt.Sprintf("incident %d", n)
		}
		facts = append(facts, fact{"occurrences", "none of its own", "all tell of " + note})
	case inc.Occurrences != inc.Records:
		f := fact{Name: "occurrences", Value: thousands(inc.Occurrences)}
		if inc.Attempts > 0 {
			f.Note = count(inc.Attempts, "further attempt", "further attempts")
		}
		facts = append(facts, f)
	}
	if inc.Duplicates > 0 && !brief {
		facts = append(facts, fact{"told again by", count(inc.Duplicates, "record", "records"), "of other incidents"})
	}
	facts = append(facts, fact{Name: "first seen", Value: p.clock(inc.FirstSeen.Time)}, fact{"last seen", p.clock(inc.LastSeen.Time), ""})
	facts[len(facts)-1].Note = p.voice.lately(inc, p.an.Window.End.Sub(inc.LastSeen.Time))
	where := fact{Name: "streams", Value: thousands(int64(len(inc.Streams)))}
	switch len(inc.Pods) {
	case 0:
	case 1:
		where = fact{Name: "pod", Value: htmlCut(inc.Pods[0], 80)}
	default:
		where = fact{Name: "pods", Value: thousands(int64(len(inc.Pods)))}
	}
	if ep := inc.Episode; ep != nil && ep.PodsSeen > len(inc.Pods) && len(inc.Pods) > 0 {
		where.Note = fmt.Sprintf("of %d seen", ep.PodsSeen)
	}
	if !brief && len(inc.Pods) > 1 {
		where.Note = strings.TrimPrefix(where.Note+": "+p.perPod(inc), ": ")
	}
	facts = append(facts, where)
	if brief {
		return facts
	}
	if len(inc.Namespaces) > 0 {
		facts = append(facts, fact{Name: "namespace", Value: htmlCut(strings.Join(inc.Namespaces, ", "), 120)})
	}
	if ep := inc.Episode; ep != nil {
		facts = append(facts, fact{"shape", strings.ReplaceAll(ep.Shape, "-", " "), p.face.retell(htmlCut(ep.Evidence, htmlName))})
	}
	return facts
}

// How many are named of an incident's pods, with their records, and of its
// masked ids.
const (
	htmlPods   = 6
	htmlMasked = 8
)

// perPod lists the pods with the most records, by the ends of their names.
func (p *page) perPod(inc *analyze.Incident) string {
	records := map[string]int64{}
	for _, st := range inc.Streams {
		records[st.Pod] += st.Records
	}
	pods := slices.Clone(inc.Pods)
	slices.SortStableFunc(pods, func(a, b string) int { return cmp.Compare(records[b], records[a]) })
	var parts []string
	for i, pod := range pods {
		if i == htmlPods {
			parts = append(parts, fmt.Sprintf("and %d more", len(pods)-i))
			break
		}
		parts = append(parts, p.voice.pod(pod)+" "+thousands(records[pod]))
	}
	return strings.Join(parts, ", ")
}

// identity lists what the fingerprint is made of.
func (a *article) identity(inc *analyze.Incident) {
	add := func(name, value string) {
		if value != "" {
			a.Identity = append(a.Identity, fact{Name: name, Value: htmlCut(value, htmlSaying)})
		}
	}
	add("Source", inc.Source)
	add("pipeline", inc.SourceParts.Pipeline)
	add("instance", inc.SourceParts.Instance)
	add("strategy", inc.SourceParts.Strategy)
	add("event", inc.Event)
	add("exception", inc.Exception)
	add("template", inc.Template)
	add("top frame", inc.TopFrame)
	add("rule", inc.Rule)
}

// samples shows the last record where there is room for one, and an even
// spread of them where there is room for more.
func (a *article) samples(p *page, inc *analyze.Incident, d detail) {
	list := inc.Samples
	switch {
	case len(list) > d.samples && d.samples == 1:
		list = list[len(list)-1:]
	case len(list) > d.samples:
		list = slices.Clone(list[:d.samples])
		for i := range list {
			list[i] = inc.Samples[i*(len(inc.Samples)-1)/(d.samples-1)]
		}
	}
	a.Total = len(inc.Samples)
	a.Unshown = a.Total - len(list)
	for _, s := range list {
		v := sampleView{When: p.instant(s.Time.Time), Pod: htmlCut(s.Pod, htmlName)}
		v.Text, v.Note = htmlCutLines(s.Line, d.sampleBytes)
		a.Samples = append(a.Samples, v)
	}
}

// A clockView is a recurrence.
type clockView struct {
	Period, Jitter, Kind string
	Names                string // of what has its length
	Facts                []fact
	Strips               *svgStrips
	Caption              string
}

func (p *page) clockView(n, i int, r *analyze.Recurrence, d detail) clockView {
	v := clockView{Period: r.Period, Jitter: r.Jitter, Kind: cmp.Or(kindWords[r.Kind], r.Kind)}
	var names []string
	for _, m := range atMost(r.Matches, htmlFew) {
		name := htmlCut(m.Name, htmlName)
		if m.Expression != "" && m.Expression != m.Name {
			name += " (" + htmlCut(m.Expression, htmlName) + ")"
		}
		names = append(names, name)
	}
	v.Names = strings.Join(names, ", ")
	v.Facts = []fact{
		{"period, 95 %", htmlBetween(r.LowNs, r.HighNs), ""},
		{"events", thousands(r.Events), ""},
		{"slots missed", fmt.Sprintf("%s of %s", thousands(r.Missed), thousands(r.Slots)), ""},
		{"not by chance", htmlSureness(r.Confidence), ""},
	}
	if r.Pass != nil {
		f := fact{Name: "runs", Value: fmt.Sprintf("of %d", r.Pass.RunLength)}
		if r.Pass.CycleNs > 0 {
			f.Note = "one every " + r.Pass.Cycle
		}
		v.Facts = append(v.Facts, f)
	}
	next := fact{Name: "next due", Value: "none"}
	if r.NextDue != nil {
		next.Value = p.instant(r.NextDue.Time)
	}
	v.Facts = append(v.Facts, next)
	if d.strips > 0 {
		s := p.foldStrips(r, d.strips)
		if len(s.Strips) > 0 {
			s.ID = fmt.Sprintf("c%d-%d", n, i+1)
			v.Strips = &s
		}
	}
	return v
}

// htmlAddress returns the address if a browser may be sent there, else nothing.
func htmlAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return address
}

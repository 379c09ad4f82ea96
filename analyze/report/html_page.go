package report

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// A page is what the page's template shows.
type page struct {
	an         *analyze.Analysis
	o          HTMLOptions
	zone       *time.Location
	face       clockFace
	voice      *text             // tells what the screen tells in the same words
	start, end time.Time         // of the window, in zone
	numbers    map[string]int    // of incidents, by fingerprint
	told       []bool            // findings that the page has
	reach      int               // incidents, of the first ones, that links can lead to
	anchors    map[string]string // of masked ids that are in the table of folds

	Style    template.CSS
	Title    string
	Headline string
	Span     string
	Counts   []string
	Partial  bool
	Empty    string

	Answers   []answerGroup
	Unshown   int // findings left out for want of room
	Overview  *svgChart
	Others    string // the incidents without a colour of their own
	Bar       string // what one bar of a timeline is
	Zone      string
	Marks     []pageMark
	MoreMarks int       // not listed
	Axis      []svgTick // of the timelines in the rows
	Rows      []template.HTML
	RowsMore  []template.HTML // in a part that is closed at first
	NoRow     int             // incidents without even a row
	Stages    []stageBar
	Coverage  *coverage
	Folds     []foldRow
	Fixes     []fixRow
	// What has no room in the two tables above.
	MoreFolds, MoreFixes int

	Articles []template.HTML
	Brief    int // articles in less detail
	NoWord   int // incidents without an article
}

// An answerGroup is the findings of one severity.
type answerGroup struct {
	ID, Title, Sign, Word string
	Findings              []template.HTML
	Closed                bool
	N                     int
	Labels                []string // of the findings, each once
	Etc                   bool     // there are more labels
}

// A pageMark is a dated event of the rule files.
type pageMark struct {
	Letter, When, What string
	Outside            string // where the event lies outside of the window
	Listed             bool
	x                  float64
	inside             bool
}

type foldRow struct {
	Anchor, MaskedID, Records, Counter string
	Sources                            []foldSource
}

type foldSource struct {
	Name    string
	Members []incidentRef
}

// An incidentRef leads to an incident.
type incidentRef struct {
	Number int
	Anchor string
}

type fixRow struct {
	Roll, At, Issue, Source, Verdict, Class string
	Before, After, Probability, Decidable   string
	Reason                                  string
	Incident                                *incidentRef
}

func newPage(an *analyze.Analysis, o HTMLOptions) *page {
	p := &page{
		an: an, o: o, zone: o.Zone, Style: htmlStyle, Title: cmp.Or(o.Title, "vdm-logs"),
		face:  newClockFace(Screen{Zone: o.Zone}, an.Window.Start.Time, an.Window.End.Time),
		start: an.Window.Start.In(o.Zone), end: an.Window.End.In(o.Zone),
		numbers: map[string]int{}, anchors: map[string]string{}, told: make([]bool, len(an.Findings)),
		Partial: an.Read.Partial,
	}
	for i := range an.Incidents {
		p.numbers[an.Incidents[i].Fingerprint] = i + 1
	}
	for i, f := range an.MaskedFolds[:min(len(an.MaskedFolds), htmlFolds)] {
		if len(f.Sources) > 0 {
			p.anchors[f.MaskedID] = fmt.Sprintf("fold%d", i+1)
		}
	}
	p.voice = &text{an: an, s: Screen{Zone: o.Zone}, face: p.face, pods: podNames(an, Screen{})}
	p.Span = p.face.span(an.Window.Start.Time, an.Window.End.Time, "→")
	p.Zone = p.offsetName()
	p.head()
	p.dated()
	p.Overview, p.Axis = p.overview(), svgTimeAxis(p.start, p.end)
	p.Coverage = p.covered()
	p.reach = len(an.Incidents)
	p.tables()
	return p
}

// tables fills the tables of stages, folds and verdicts.
func (p *page) tables() {
	p.Stages = p.stages()
	p.Folds = p.folds()
	fixes := p.an.Fixes
	if len(fixes) > htmlFixes {
		p.MoreFixes = len(fixes) - htmlFixes
		fixes = fixes[:htmlFixes]
	}
	p.Fixes = p.fixes(fixes)
}

// head says in one line what the page comes to, and how much was read.
func (p *page) head() {
	an := p.an
	var must, should int
	for _, f := range an.Findings {
		switch f.Severity {
		case analyze.SeverityError:
			must++
		case analyze.SeverityWarning:
			should++
		}
	}
	p.Headline = count(int64(len(an.Incidents)), "incident", "incidents")
	switch {
	case len(an.Incidents) == 0 && an.Read.Entries == 0:
		p.Headline = "Nothing was read"
		p.Empty = "There are no entries in this window."
	case len(an.Incidents) == 0:
		p.Headline = "No incident"
		p.Empty = "No record at error level, and none that tells of a failed transfer."
		if an.Read.Partial {
			p.Headline = "No incident in what was read"
		}
	}
	switch {
	case must > 0:
		p.Headline += ", " + count(int64(must), "finding demands action", "findings demand action")
	case should > 0:
		p.Headline += ", " + count(int64(should), "finding to act on in time", "findings to act on in time")
	case len(an.Incidents) > 0:
		p.Headline += ", nothing that demands action"
	}
	r := &an.Read
	p.Counts = []string{
		count(r.Entries, "entry", "entries"), count(r.Records, "record", "records"), count(int64(r.Streams), "stream", "streams"),
	}
	if r.Skipped > 0 {
		p.Counts = append(p.Counts, thousands(r.Skipped)+" skipped")
	}
}

// dated letters the events that the rule files date, in the order of time, and
// chooses those that are listed: of those outside of the window the nearest.
func (p *page) dated() {
	first, after := len(p.an.Marks), 0
	for i, m := range p.an.Marks {
		if !m.At.Before(p.start) {
			first = i
			break
		}
	}
	listed := 0
	for i, m := range p.an.Marks {
		what := "roll: " + htmlCut(m.Name, htmlName)
		if m.Kind == analyze.MarkIssueClosed {
			what = strings.TrimSuffix(fmt.Sprintf("#%d closed: %s", m.Issue, htmlCut(m.Name, htmlName)), ": ")
		}
		d := pageMark{Letter: htmlLetter(i), When: p.clock(m.At.Time), What: what}
		d.x, d.inside = p.place(m.At.Time)
		switch {
		case d.inside:
			d.Listed = listed < htmlMarks
		case i < first:
			d.Outside, d.Listed = "before the window", i >= first-htmlOutside
		default:
			after++
			d.Outside, d.Listed = "after the window", after <= htmlOutside
		}
		if !d.inside {
			d.When = p.at(m.At.Time)
		}
		if d.Listed {
			listed++
		} else {
			p.MoreMarks++
		}
		p.Marks = append(p.Marks, d)
	}
}

// ref leads to an incident, where it is one of the analysis.
func (p *page) ref(fingerprint string) *incidentRef {
	if n := p.numbers[fingerprint]; n > 0 {
		return p.refTo(n)
	}
	return nil
}

// refTo leads to the n-th incident, where it has a place on the page.
func (p *page) refTo(n int) *incidentRef {
	if n > p.reach {
		return &incidentRef{Number: n}
	}
	return &incidentRef{Number: n, Anchor: incidentAnchor(n)}
}

// incidentAnchor is the id of the n-th incident's article, or of its row where
// there is no room for an article.
func incidentAnchor(n int) string { return fmt.Sprintf("i%d", n) }

// The longest tables of the page.
const (
	htmlFolds   = 100
	htmlSources = 30 // of one fold, and of the read
	htmlFixes   = 100
	htmlMarks   = 60 // dated events in the list, and on one chart
	htmlOutside = 3  // of the list, before the window, and after it
)

func (p *page) folds() []foldRow {
	var out []foldRow
	for i, f := range p.an.MaskedFolds {
		if i == htmlFolds {
			p.MoreFolds = len(p.an.MaskedFolds) - i
			break
		}
		if len(f.Sources) == 0 {
			continue
		}
		row := foldRow{Anchor: p.anchors[f.MaskedID], MaskedID: htmlCut(f.MaskedID, htmlName), Records: thousands(f.Records), Counter: htmlNothing}
		if f.Counter != nil {
			row.Counter = thousands(*f.Counter)
		}
		for k, s := range f.Sources {
			if k == htmlSources {
				row.Sources = append(row.Sources, foldSource{Name: fmt.Sprintf("and %d more", len(f.Sources)-k)})
				break
			}
			fs := foldSource{Name: htmlCut(cmp.Or(s, "(no Source)"), htmlName)}
			for _, fp := range f.Fingerprints {
				if n := p.numbers[fp]; n > 0 && p.an.Incidents[n-1].Source == s {
					fs.Members = append(fs.Members, *p.ref(fp))
				}
			}
			row.Sources = append(row.Sources, fs)
		}
		out = append(out, row)
	}
	return out
}

// verdictWords are how verdicts on rolls are told, and the class of their
// colour.
var verdictWords = map[string][2]string{
	analyze.Fixed:     {"fixed", "good"},
	analyze.NotFixed:  {"not fixed", "bad"},
	analyze.Undecided: {"not decided yet", "open"},
}

func (p *page) fixes(fixes []analyze.Fix) []fixRow {
	var out []fixRow
	for _, f := range fixes {
		words, ok := verdictWords[f.Verdict]
		if !ok {
			words = [2]string{f.Verdict, "open"}
		}
		row := fixRow{
			Roll: htmlCut(f.Roll, htmlName), At: p.clock(f.At.Time), Issue: htmlNothing, Source: htmlCut(f.Source, htmlName),
			Verdict: words[0], Class: words[1], Before: thousands(f.Before), After: thousands(f.After),
			Probability: fmt.Sprintf("%.2g", f.Probability), Decidable: htmlNothing, Reason: p.face.retell(htmlCut(f.Reason, htmlSaying)),
			Incident: p.ref(f.Fingerprint),
		}
		if f.Issue != 0 {
			row.Issue = fmt.Sprintf("#%d", f.Issue)
		}
		if f.Verdict == analyze.NotFixed {
			row.Probability = htmlNothing // there is no silence
		}
		if f.DecidableAt != nil {
			row.Decidable = p.clock(f.DecidableAt.Time)
		}
		out = append(out, row)
	}
	return out
}

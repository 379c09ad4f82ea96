package report

import (
	"fmt"
	"html/template"
	"io"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// htmlRowsOpen is how many incidents the overview lists before it hides the
// others in a part that opens.
const htmlRowsOpen = 60

// htmlMargin is room for what surrounds the parts that are filled in: heads of
// groups, notes of what was left out.
const htmlMargin = 4096

// fill renders the parts of which there may be any number, within the size
// that the page has: a brief article of every incident, then its row in the
// overview, then the findings, and with what room is left the articles in
// full, the first ones first.
func (p *page) fill() error {
	var fixed counter
	if err := htmlTemplates.ExecuteTemplate(&fixed, "page", p); err != nil {
		return err
	}
	room := p.o.MaxBytes - int(fixed) - htmlMargin
	brief, err := p.briefly(room * 60 / 100)
	if err != nil {
		return err
	}
	for _, a := range brief {
		room -= len(a)
	}
	reserve := room * 55 / 100
	left, err := p.rows(reserve, len(brief))
	if err != nil {
		return err
	}
	room -= reserve - left
	if n := len(p.Rows) + len(p.RowsMore); n < len(brief) {
		// What the overview does not list is not told either.
		for _, a := range brief[n:] {
			room += len(a)
		}
		brief = brief[:n]
	}
	p.reach = len(p.Rows) + len(p.RowsMore)
	p.tables() // with no link to what has no place
	reserve = room * 3 / 5
	left, err = p.answer(reserve)
	if err != nil {
		return err
	}
	room -= reserve - left
	told, err := p.enlarge(brief, room)
	if err != nil {
		return err
	}
	p.Brief = len(brief) - told
	p.Articles = brief
	p.NoWord = len(p.an.Incidents) - len(brief)
	return nil
}

// briefly renders brief articles as far as the room goes.
func (p *page) briefly(room int) ([]template.HTML, error) {
	var out []template.HTML
	for i := range p.an.Incidents {
		a, err := execute("article", p.article(i+1, detailBrief))
		if err != nil {
			return nil, err
		}
		if len(a) > room {
			break
		}
		room -= len(a)
		out = append(out, a)
	}
	return out, nil
}

// enlarge replaces brief articles by longer ones as far as the room goes, and
// returns how many it replaced: the first ones in full, the next in part.
func (p *page) enlarge(articles []template.HTML, room int) (told int, err error) {
	details := []detail{detailFull, detailSome}
	for told < len(articles) && len(details) > 0 {
		long, err := execute("article", p.article(told+1, details[0]))
		if err != nil {
			return 0, err
		}
		more := len(long) - len(articles[told])
		if more > room {
			details = details[1:]
			continue
		}
		room -= more
		articles[told] = long
		told++
	}
	return told, nil
}

// An overviewRow is an incident in the overview.
type overviewRow struct {
	N                   int
	ID, Anchor          string
	Class               string
	Source, Event       string
	Spark               *spark
	Records, Last       string
	Stage, Clock, Issue string
}

// A spark is a timeline as small as a line of text.
type spark struct {
	Box, Path, About string
	Class            string
	Marks            []string
}

// htmlSparkSlices is how many slices of the window a spark tells apart.
const htmlSparkSlices = 60

// rows renders the overview as far as the room goes, and returns what is left
// of it. Incidents beyond articles have no article to lead to.
func (p *page) rows(room, articles int) (left int, err error) {
	for i := range p.an.Incidents {
		row := p.row(i + 1)
		if i < articles {
			row.Anchor, row.ID = row.ID, ""
		}
		r, err := execute("row", row)
		if err != nil {
			return 0, err
		}
		if len(r) > room {
			p.NoRow = len(p.an.Incidents) - i
			break
		}
		room -= len(r)
		if i < htmlRowsOpen {
			p.Rows = append(p.Rows, r)
		} else {
			p.RowsMore = append(p.RowsMore, r)
		}
	}
	return room, nil
}

func (p *page) row(n int) overviewRow {
	inc := &p.an.Incidents[n-1]
	ref := incidentAnchor(n)
	r := overviewRow{
		N: n, ID: ref, Class: htmlClass(n), Source: htmlNameOf(inc), Event: htmlCut(inc.Event, 120),
		Records: thousands(inc.Records), Last: p.clock(inc.LastSeen.Time), Stage: htmlNothing, Issue: htmlNothing, Spark: p.spark(n, inc),
	}
	if r.Event == "" {
		r.Event = htmlCut(inc.Exception, 120)
	}
	if r.Event == "" && inc.Source != "" {
		r.Event = htmlCut(inc.Template, 120)
	}
	if inc.Stage != nil {
		r.Stage = htmlCut(inc.Stage.Name, 30)
	}
	if len(inc.Recurrences) > 0 {
		r.Clock = "every " + htmlCut(inc.Recurrences[0].Period, 30)
	}
	if inc.Issue != nil {
		r.Issue = htmlCut(p.voice.verdict(inc), htmlName)
	}
	return r
}

func (p *page) spark(n int, inc *analyze.Incident) *spark {
	cells := svgCells(inc.Timeline, htmlSparkSlices)
	if svgSum(cells) == 0 {
		return nil
	}
	s := &spark{Box: fmt.Sprintf("0 0 %d %d", len(cells), svgSparkHeight), Path: svgOutline(cells, svgSparkHeight), Class: htmlClass(n)}
	s.About = p.clock(inc.FirstSeen.Time) + " to " + p.clock(inc.LastSeen.Time)
	for _, i := range inc.Marks {
		if len(s.Marks) == htmlMarks {
			break
		}
		if i >= 0 && i < len(p.Marks) && p.Marks[i].inside {
			s.Marks = append(s.Marks, svgPercent(p.Marks[i].x))
		}
	}
	return s
}

// A counter counts what is written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

var _ io.Writer = (*counter)(nil)

package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// A findingView is a finding as the answer tells it, and what leads to it.
type findingView struct {
	Anchor             string // empty where the page has no room for the finding
	Sign, Word, Class  string
	Label              string
	Message            []phrase
	Action, ActionCode string
	Evidence           []string
	Incident           *incidentRef // where the message does not name it
}

// A phrase is text, or an incident in its place.
type phrase struct {
	Text     string
	Incident *incidentRef
}

// htmlEvidence is how many pieces of evidence of one finding are shown.
const htmlEvidence = 20

// severities are the groups of the answer, by severity.
var severities = map[analyze.Severity]answerGroup{
	analyze.SeverityError:   {ID: "act-now", Title: "What must happen", Sign: "✗", Word: "error"},
	analyze.SeverityWarning: {ID: "act-in-time", Title: "To act on in time", Sign: "●", Word: "warning"},
	analyze.SeverityInfo:    {ID: "to-know", Title: "Worth knowing", Sign: "·", Word: "info"},
}

func (p *page) finding(i int) findingView {
	f := &p.an.Findings[i]
	g := severities[f.Severity]
	v := findingView{
		Anchor: fmt.Sprintf("f%d", i+1), Sign: g.Sign, Word: g.Word, Class: g.Word, Label: htmlCut(label(*f), htmlName),
	}
	named := false
	if v.Message, named = p.message(f); !named {
		v.Incident = p.ref(f.Fingerprint)
	}
	action, code, _ := strings.Cut(f.Action, "\n")
	v.Action = p.face.retell(htmlCut(action, htmlSaying))
	v.ActionCode, _ = htmlCutLines(code, htmlSaying)
	for k, e := range f.Evidence {
		if k == htmlEvidence {
			v.Evidence = append(v.Evidence, fmt.Sprintf("and %s more", thousands(int64(len(f.Evidence)-k))))
			break
		}
		v.Evidence = append(v.Evidence, p.face.retell(htmlCut(e, htmlSaying)))
	}
	return v
}

// message is a finding's sentence beside its label: it does not say again what
// the label says, and calls its incident by its number. It reports whether it
// names the incident at all.
func (p *page) message(f *analyze.Finding) (phrases []phrase, named bool) {
	m := strings.TrimPrefix(f.Message, label(*f)+": ")
	text := func(s string) phrase { return phrase{Text: p.face.retell(htmlCut(s, htmlSaying))} }
	ref := p.ref(f.Fingerprint)
	if ref == nil {
		return []phrase{text(m)}, true
	}
	source := p.an.Incidents[ref.Number-1].Source
	if len(source) <= 16 || !strings.Contains(m, source) {
		// A short Source may be a word of the sentence.
		return []phrase{text(m)}, false
	}
	for i, part := range strings.SplitN(m, source, 8) {
		if i > 0 {
			phrases = append(phrases, phrase{Incident: ref})
		}
		phrases = append(phrases, text(part))
	}
	return phrases, true
}

// findingsOf lists the findings about an incident.
func (p *page) findingsOf(fingerprint string) []findingView {
	var out []findingView
	for i := range p.an.Findings {
		f := &p.an.Findings[i]
		if fingerprint == "" || f.Fingerprint != fingerprint {
			continue
		}
		g := severities[f.Severity]
		v := findingView{Sign: g.Sign, Word: g.Word, Class: g.Word, Label: htmlCut(label(*f), htmlName)}
		if p.told[i] {
			v.Anchor = fmt.Sprintf("f%d", i+1)
		}
		out = append(out, v)
	}
	return out
}

// htmlLabels is how many labels the head of a closed group names.
const htmlLabels = 6

// note adds a label to those that the group's head names.
func (g *answerGroup) note(label string) {
	switch {
	case slices.Contains(g.Labels, label):
	case len(g.Labels) < htmlLabels:
		g.Labels = append(g.Labels, label)
	default:
		g.Etc = true
	}
}

// answer fills the groups of findings, the gravest first, as far as the room
// goes, and returns the room that is left.
func (p *page) answer(room int) (left int, err error) {
	groups := map[analyze.Severity]*answerGroup{}
	full := false
	for i := range p.an.Findings {
		severity := p.an.Findings[i].Severity
		g := groups[severity]
		if g == nil {
			made := severities[severity]
			made.Title = cmp.Or(made.Title, severity.String())
			made.Closed = severity == analyze.SeverityInfo
			g = &made
			groups[severity] = g
		}
		g.N++
		var card template.HTML
		if !full {
			if card, err = execute("finding", p.finding(i)); err != nil {
				return 0, err
			}
			full = len(card) > room
		}
		if full {
			p.Unshown++
			continue
		}
		room -= len(card)
		p.told[i] = true
		g.note(htmlCut(label(p.an.Findings[i]), 60))
		g.Findings = append(g.Findings, card)
	}
	for _, severity := range []analyze.Severity{analyze.SeverityError, analyze.SeverityWarning, analyze.SeverityInfo} {
		if g := groups[severity]; g != nil && len(g.Findings) > 0 {
			p.Answers = append(p.Answers, *g)
		}
	}
	return room, nil
}

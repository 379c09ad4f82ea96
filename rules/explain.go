package rules

import (
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Explanation says what becomes of one record, and why. Texts from the record
// are redacted.
type Explanation struct {
	Text     string `json:"text"`
	Format   string `json:"format"`
	Level    string `json:"level"`
	Category string `json:"category"`
	EventID  string `json:"eventId"`
	// Rules are all rules in the order in which they are tried. Those after
	// the one that decides are tried as well, to show what they would do.
	Rules []RuleTrial `json:"rules"`
	// Rule is the id of the rule that decides, or of what is built in; empty
	// if none does.
	Rule string `json:"rule"`
	// Message is the text before masks, Template the text after.
	Message     string    `json:"message"`
	Template    string    `json:"template"`
	Source      string    `json:"source"`
	Event       string    `json:"event"`
	Exception   string    `json:"exception"`
	Frame       string    `json:"frame"`
	Fingerprint string    `json:"fingerprint"`
	MaskedID    string    `json:"maskedId,omitempty"`
	Stage       string    `json:"stage"`
	StageRule   string    `json:"stageRule,omitempty"`
	Evidence    []string  `json:"evidence,omitempty"`
	Captures    []Capture `json:"captures,omitempty"`
}

// RuleTrial is a Trial with the rule's name and place.
type RuleTrial struct {
	ID       string `json:"id"`
	Priority int    `json:"priority"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Trial
}

// Explain says what becomes of a record under the runner's rules.
func (x *Runner) Explain(rec *ingest.Record) *Explanation {
	e := &Explanation{
		Text: redact.String(string(rec.Text)), Format: rec.Format.String(), Level: rec.Level.String(),
		Category: string(rec.Category), EventID: string(rec.EventID), Message: redact.String(string(rec.Message)),
	}
	var d fingerprint.Identity
	id := x.identifier.Identify(rec, &d)
	e.Rule, e.Captures = x.winner(rec, &d)
	for i := range e.Captures {
		e.Captures[i].Text = redact.String(e.Captures[i].Text)
	}
	for _, rule := range x.ordered {
		t := RuleTrial{ID: rule.ID, Priority: rule.Priority, File: rule.File, Line: rule.Line, Trial: rule.Try(rec)}
		for i := range t.Steps {
			t.Steps[i].Detail = redact.String(t.Steps[i].Detail)
		}
		for i := range t.Captures {
			t.Captures[i].Text = redact.String(t.Captures[i].Text)
		}
		e.Rules = append(e.Rules, t)
	}
	e.Source, e.Event, e.Exception, e.Frame = string(d.Source), redact.String(string(d.Event)), string(d.Exception), string(d.Frame)
	e.Template, e.Fingerprint = redact.String(string(d.Template)), id.String()
	var m fingerprint.Masked
	e.MaskedID, _ = m.ID(rec)
	x.explainStage(e, rec, x.byID[e.Rule])
	return e
}

func (x *Runner) explainStage(e *Explanation, rec *ingest.Record, decides *Rule) {
	if decides != nil && (decides.Effect.Stage != "" || len(decides.Effect.Bounds) > 0) {
		e.Stage, e.StageRule = string(x.stage(rec, decides.ID)), decides.ID
		for _, b := range decides.Effect.Bounds {
			e.Evidence = append(e.Evidence, "bounds "+string(b))
		}
		return
	}
	e.Stage = string(stage.NotATimeout)
	var a stage.Attribution
	if x.stages.Classify(rec, &a) {
		e.Stage, e.StageRule = string(a.Stage), a.Rule
		for _, words := range a.Evidence {
			e.Evidence = append(e.Evidence, redact.String(words))
		}
	}
}

// RecordsOf assembles the records of some lines as they are shipped, as
// entries of one stream with the labels, which it keeps.
func RecordsOf(text string, labels []ingest.Label) ([]*ingest.Record, error) {
	t := Test{Log: strings.TrimRight(text, "\n"), Labels: labels}
	return t.records()
}

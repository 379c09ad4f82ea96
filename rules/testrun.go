package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/analyze/period"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Mismatch is one thing in which a test's outcome differs from what it wants.
type Mismatch struct {
	What string `json:"what"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// TestResult is the outcome of one test.
type TestResult struct {
	Test *Test
	// Rule is the rule that the test belongs to, nil for a test of a test
	// file.
	Rule *Rule
	// Got is the id of the rule that decided the first record, empty if none
	// did; Want is the one that should have, empty if any other or none.
	Got, Want string
	// Mismatches are empty for a test that passes.
	Mismatches []Mismatch
}

// Passed reports whether the outcome is what the test wants.
func (r *TestResult) Passed() bool { return len(r.Mismatches) == 0 }

// Runner runs tests against the rules of a Set. It is for one goroutine.
type Runner struct {
	ordered    []*Rule
	byID       map[string]*Rule
	identifier *fingerprint.Identifier
	stages     *stage.Classifier
}

// NewRunner makes a Runner for the rules of s.
func NewRunner(s *Set) (*Runner, error) {
	stages, err := stage.New(stage.Options{Rules: s.Config.StageRules})
	if err != nil {
		return nil, fmt.Errorf("stage rules: %w", err)
	}
	r := &Runner{ordered: s.Ordered(), byID: map[string]*Rule{}, stages: stages,
		identifier: fingerprint.NewIdentifier(fingerprint.Options{Rules: s.Config.Rules})}
	for _, rule := range s.Rules {
		r.byID[rule.ID] = rule
	}
	return r, nil
}

// outcome is what a log came to.
type outcome struct {
	records  []*ingest.Record
	identity fingerprint.Identity // of the first record
	id       fingerprint.ID
	rule     string
	level    ingest.Level
	stage    stage.Name
	captures []Capture
	times    map[fingerprint.ID][]int64
}

// pollyTwin is the rule of the built-in pack that says what fingerprint itself
// reads of Polly's events, and the same of those told in a sentence.
const pollyTwin = "polly.event"

// winner returns the id of the rule that decides a record whose identity is d:
// the first that matches, which leaves an identity no trace if it says none.
// What fingerprint itself knows comes before the built-in pack, under the name
// of the pack's rule that says the same, else under its own.
func (x *Runner) winner(rec *ingest.Record, d *fingerprint.Identity) (string, []Capture) {
	known := d.Rule == fingerprint.RulePolly || d.Rule == fingerprint.RuleTransfer
	for _, rule := range x.ordered {
		if rule.Late && known && (rule.ID != pollyTwin || d.Rule != fingerprint.RulePolly) {
			continue
		}
		if t := rule.decide(rec); t.Matched {
			return rule.ID, t.Captures
		}
	}
	if known {
		return d.Rule, nil
	}
	return "", nil
}

func (x *Runner) run(t *Test) (*outcome, error) {
	records, err := t.records()
	if err != nil {
		return nil, err
	}
	o := &outcome{records: records, times: map[fingerprint.ID][]int64{}}
	for i, rec := range records {
		var d fingerprint.Identity
		id := x.identifier.Identify(rec, &d)
		o.times[id] = append(o.times[id], rec.UnixNano)
		if i > 0 {
			continue
		}
		o.identity, o.id = *d.Clone(), id
		o.rule, o.captures = x.winner(rec, &d)
		o.level, o.stage = rec.Level, x.stage(rec, o.rule)
		if rule := x.byID[o.rule]; rule != nil && rule.Effect.Severity != ingest.LevelUnknown {
			o.level = rule.Effect.Severity
		}
	}
	return o, nil
}

// stage is what the deciding rule says, else what the record tells.
func (x *Runner) stage(rec *ingest.Record, ruleID string) stage.Name {
	if rule := x.byID[ruleID]; rule != nil {
		switch e := rule.Effect; {
		case e.Stage != "":
			return e.Stage
		case len(e.Bounds) == 1:
			return e.Bounds[0]
		case len(e.Bounds) > 1:
			return stage.TotalDeadline
		}
	}
	var a stage.Attribution
	if x.stages.Classify(rec, &a) {
		return a.Stage
	}
	return stage.NotATimeout
}

// Run runs one test. rule is the rule that the test belongs to, or nil.
func (x *Runner) Run(rule *Rule, t *Test) (TestResult, error) {
	if rule == nil && t.None && t.Want.Rule != nil {
		rule = x.byID[*t.Want.Rule]
	}
	res := TestResult{Test: t, Rule: rule}
	o, err := x.run(t)
	if err != nil {
		return res, fmt.Errorf("%s:%d: %w", t.File, t.Line, err)
	}
	res.Got = o.rule
	switch {
	case t.None:
	case t.Want.Rule != nil:
		res.Want = *t.Want.Rule
	case rule != nil:
		res.Want = rule.ID
	}
	res.Mismatches = compare(rule, t, res.Want, o)
	return res, nil
}

// compare lists what differs, in the order of the language's page.
func compare(rule *Rule, t *Test, wantRule string, o *outcome) []Mismatch {
	var out []Mismatch
	differ := func(what, want, got string) {
		if want != got {
			out = append(out, Mismatch{what, want, got})
		}
	}
	text := func(what string, want *string, got []byte) {
		if want != nil {
			differ(what, *want, string(got))
		}
	}
	w := &t.Want
	switch {
	case t.None && rule != nil && o.rule == rule.ID:
		differ("rule", "not "+rule.ID, o.rule)
	case t.None && rule == nil:
		differ("rule", "", o.rule)
	case !t.None && (rule != nil || w.Rule != nil):
		differ("rule", wantRule, o.rule)
	}
	text("source", w.Source, o.identity.Source)
	text("event", w.Event, o.identity.Event)
	text("exception", w.Exception, o.identity.Exception)
	text("template", w.Template, o.identity.Template)
	text("fingerprint", w.Fingerprint, o.id.Append(nil))
	if w.Stage != nil {
		differ("stage", string(*w.Stage), string(o.stage))
	}
	if w.Level != nil {
		differ("level", w.Level.String(), o.level.String())
	}
	for _, name := range slices.Sorted(maps.Keys(w.Captures)) {
		got := "(nothing)"
		for _, c := range o.captures {
			if c.Name == name {
				got = c.Text
			}
		}
		differ("capture "+name, w.Captures[name], got)
	}
	if w.Recurrence != nil {
		if got, ok := w.Recurrence.matches(o); !ok {
			differ("recurrence", w.Recurrence.String(), got)
		}
	}
	if w.Records != nil {
		differ("records", fmt.Sprint(*w.Records), fmt.Sprint(len(o.records)))
	}
	if w.Incidents != nil {
		differ("incidents", fmt.Sprint(*w.Incidents), fmt.Sprint(len(o.times)))
	}
	return out
}

// String returns the clock in one line.
func (w *WantRecurrence) String() string {
	s := fmt.Sprintf("%s ± %s", short(w.Period), short(w.Tolerance))
	if w.Kind != "" {
		s += ", " + w.Kind
	}
	return s
}

// matches looks for the clock among the times of the first record's incident.
func (w *WantRecurrence) matches(o *outcome) (got string, ok bool) {
	var found []string
	for _, r := range period.Find([]period.Series{{Times: o.times[o.id]}}, period.Options{}) {
		found = append(found, fmt.Sprintf("%s, %s", short(r.Period), r.Kind))
		d := r.Period - w.Period
		if d.Abs() <= w.Tolerance && (w.Kind == "" || w.Kind == string(r.Kind)) {
			return "", true
		}
	}
	if found == nil {
		return "none", false
	}
	return strings.Join(found, "; "), false
}

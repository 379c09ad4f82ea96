package rules

import (
	"slices"
	"sync"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// Test is a log and what must come of it.
type Test struct {
	// Name is what the file calls the test; it may be empty.
	Name string
	// File, Line and Col are where the test stands.
	File      string
	Line, Col int
	// Log is the lines of one record as they are shipped.
	Log string
	// Labels are the labels of the stream, sorted by name.
	Labels []ingest.Label
	// Start is the time of the first record; zero leaves it to the runner.
	Start time.Time
	// Count is how often the log is repeated, at least 1, Every the time from
	// one to the next, Jitter the standard deviation of what is drawn from
	// Seed and added to each.
	Count         int
	Every, Jitter time.Duration
	Seed          uint64
	// None says that the rule must not decide: the one that the test belongs
	// to, or the one that Want names, or any. Want has then nothing else.
	None bool
	// Todo says that the test is known to fail.
	Todo bool
	Want Want
}

// Want is what a Test expects. What is nil is not looked at.
type Want struct {
	Rule, Source, Event, Exception, Template, Fingerprint *string

	Stage      *stage.Name
	Level      *ingest.Level
	Captures   map[string]string
	Recurrence *WantRecurrence
	// Records and Incidents are how many of them the whole log makes.
	Records, Incidents *int
}

// WantRecurrence is a clock that a Test expects.
type WantRecurrence struct {
	Period time.Duration
	// Tolerance is how far the period may be off; a hundredth of the period
	// where the test does not say.
	Tolerance time.Duration
	// Kind is fixed-rate, fixed-delay or cron; empty accepts any.
	Kind string
}

// tests compiles a list of tests. names are the captures of the rule that the
// tests belong to, nil for those of a test file.
func (c *compiler) tests(f *file, nodes []*yamlnode.Node, names captureNames) []Test {
	var tests []Test
	seen := map[string]named{}
	for _, n := range nodes {
		if n.Kind != yamlnode.Map || !isText(n.Get("log")) {
			continue
		}
		if name := n.Get("name"); isText(name) {
			c.once(seen, f, name, "test")
		}
		t := Test{Name: n.Text("name"), File: f.name, Line: n.Span.Line, Col: n.Span.Col, Log: n.Text("log"), Count: 1,
			None: n.Text("none") == "true", Start: c.time(f, n.Get("start")),
			Every: c.duration(f, n.Get("every")), Jitter: c.duration(f, n.Get("jitter"))}
		if labels := n.Get("labels"); labels != nil {
			for _, p := range labels.Pairs {
				t.Labels = append(t.Labels, ingest.Label{Name: p.Key.Value, Value: p.Value.Value})
			}
		}
		if v, ok := intOf(n.Get("count")); ok && v > 0 {
			t.Count = int(v)
		}
		if v, ok := intOf(n.Get("seed")); ok && v > 0 {
			t.Seed = uint64(v)
		}
		t.Want = c.want(f, n.Get("want"), names)
		tests = append(tests, t)
	}
	return tests
}

// duration computes an expression, or returns 0 where there is none.
func (c *compiler) duration(f *file, n *yamlnode.Node) time.Duration {
	if !isText(n) {
		return 0
	}
	if e := c.expression(f, n); e != nil {
		d, _ := c.eval(f, n, e, nil)
		return d
	}
	return 0
}

func (c *compiler) want(f *file, n *yamlnode.Node, names captureNames) Want {
	if id := n.Get("rule"); isText(id) {
		c.ruleRefs = append(c.ruleRefs, named{f, id})
	}
	w := Want{
		Rule: textOf(n.Get("rule")), Source: textOf(n.Get("source")), Event: textOf(n.Get("event")),
		Exception: textOf(n.Get("exception")), Template: textOf(n.Get("template")), Fingerprint: textOf(n.Get("fingerprint")),
		Records: countOf(n.Get("records")), Incidents: countOf(n.Get("incidents")),
	}
	if s := stage.Name(n.Text("stage")); s.Valid() {
		w.Stage = &s
	}
	if l := levelOf(n.Text("level")); l != ingest.LevelUnknown {
		w.Level = &l
	}
	if captures := n.Get("captures"); captures != nil {
		w.Captures = map[string]string{}
		for _, p := range captures.Pairs {
			w.Captures[p.Key.Value] = p.Value.Value
			if known := names[p.Key.Value]; names != nil && known == nil && names[unknown] == nil {
				c.report(f, p.Key.Span, Error, "capture/undefined", c.didYouMean(p.Key.Value, names.list()), "nothing captures <%s>", p.Key.Value)
			}
		}
	}
	if r := n.Get("recurrence"); r != nil {
		w.Recurrence = &WantRecurrence{Period: c.duration(f, r.Get("period")), Tolerance: c.duration(f, r.Get("tolerance")), Kind: r.Text("kind")}
		if w.Recurrence.Tolerance == 0 {
			w.Recurrence.Tolerance = w.Recurrence.Period / 100
		}
	}
	return w
}

// checkRuleRefs reports rules that tests name and that do not exist.
func (c *compiler) checkRuleRefs() {
	if len(c.ruleRefs) == 0 {
		return
	}
	known := c.knownRules()
	for _, ref := range c.ruleRefs {
		if !slices.Contains(known, ref.node.Value) {
			c.report(ref.file, ref.node.Span, Error, "test/unknown-rule", c.didYouMean(ref.node.Value, known), "there is no rule %s", ref.node.Value)
		}
	}
}

// knownRules lists the ids of all rules, those of the built-in pack included.
func (c *compiler) knownRules() []string {
	known := slices.Clone(builtinIDs())
	for _, r := range c.set.Rules {
		known = append(known, r.ID)
	}
	return known
}

// checkLogs reports rules that annotated logs name and that do not exist. One
// that does not decide yet need not exist yet.
func (c *compiler) checkLogs(logs []Test) {
	if len(logs) == 0 {
		return
	}
	known := c.knownRules()
	for i := range logs {
		t := &logs[i]
		if id := *t.Want.Rule; !t.Todo && !slices.Contains(known, id) {
			c.problems = append(c.problems, Problem{File: t.File, Line: t.Line, Col: t.Col, EndLine: t.Line, EndCol: t.Col + 1, Severity: Error,
				Check: "test/unknown-rule", Message: "there is no rule " + id, Hint: c.didYouMean(id, known)})
		}
	}
}

// builtinIDs are the ids of the built-in pack.
var builtinIDs = sync.OnceValue(func() []string {
	var ids []string
	r := reader{tree: memory{}}
	r.readBuiltin()
	for _, f := range r.files {
		for _, n := range f.root.Elements("rules") {
			ids = append(ids, n.Text("id"))
		}
	}
	return ids
})

// textOf returns the text of a scalar, which may be empty, or nil.
func textOf(n *yamlnode.Node) *string {
	if n == nil || n.Kind != yamlnode.Scalar || n.Type != yamlnode.String {
		return nil
	}
	return &n.Value
}

func countOf(n *yamlnode.Node) *int {
	v, ok := intOf(n)
	if !ok {
		return nil
	}
	i := int(v)
	return &i
}

package rules

import (
	"slices"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// rules compiles the rules sections of all files.
func (c *compiler) rules() {
	seen := map[string]named{}
	for _, f := range c.files {
		for _, n := range f.root.Elements("rules") {
			id := n.Get("id")
			if first, ok := seen[n.Text("id")]; ok && f.builtin && !first.file.builtin {
				continue // a user's rule replaces the built-in one
			}
			if isText(id) && !c.once(seen, f, id, "rule") {
				continue
			}
			if n.Kind != yamlnode.Map {
				continue
			}
			r := c.rule(f, n)
			r.Text = f.yaml.Element(n)
			c.entries = append(c.entries, ruleEntry{r, f, n})
			c.set.Rules = append(c.set.Rules, r)
			c.set.Config.Rules = append(c.set.Config.Rules, r.Rule)
			if !r.Effect.IsZero() {
				if c.set.Config.Effects == nil {
					c.set.Config.Effects = map[string]analyze.Effect{}
				}
				c.set.Config.Effects[r.ID] = analyze.Effect{Stage: r.Effect.Stage, Bounds: r.Effect.Bounds, Severity: r.Effect.Severity}
			}
		}
		c.set.Tests = append(c.set.Tests, c.tests(f, f.root.Elements("tests"), nil)...)
	}
}

// rule compiles one rule and reports what can never work in it.
func (c *compiler) rule(f *file, n *yamlnode.Node) *Rule {
	r := &Rule{Rule: fingerprint.Rule{ID: n.Text("id"), Late: f.builtin}, Description: n.Text("description"), File: f.name,
		Line: n.Span.Line, Col: n.Span.Col, Builtin: f.builtin}
	if id := n.Get("id"); id != nil {
		r.Line, r.Col = id.Span.Line, id.Span.Col
	}
	if p, ok := intOf(n.Get("priority")); ok {
		r.Priority = int(p)
	}
	m := n.Get("match")
	if sel := m.Get("selector"); isText(sel) {
		r.Labels = c.labelMatchers(f, sel)
	}
	r.MinLevel = levelOf(m.Text("level"))
	r.Category = m.Text("category")
	r.None = m.Text("none") == "true"
	names := captureNames{}
	r.Condition = c.condition(f, m, names)
	for _, u := range m.Elements("unless") {
		r.Unless = append(r.Unless, c.condition(f, u, captureNames{}))
	}
	c.checkCatchAll(f, m, r)

	identity := n.Get("identity")
	r.Source = c.template(f, identity.Get("source"), names, "the Source")
	r.Event = c.template(f, identity.Get("event"), names, "the event")
	r.Mask = c.maskNames(f, n.Elements("mask"), names, nil)
	r.Keep = c.maskNames(f, n.Elements("keep"), names, fingerprint.KindNames())
	r.Apart = c.maskNames(f, n.Elements("apart"), names, nil)
	c.checkMask(f, n, r)
	if identity == nil || r.Source != "" || r.Event != "" {
		c.checkUnused(f, names, r)
	}

	stages := c.stages([]*yamlnode.Node{orNull(n.Get("stage"))})
	if len(stages) == 1 {
		r.Effect.Stage = stages[0]
	}
	r.Effect.Bounds = c.stages(n.Elements("bounds"))
	r.Effect.Severity = levelOf(n.Text("severity"))
	if r.None && (identity != nil || n.Get("mask") != nil || n.Get("keep") != nil || n.Get("apart") != nil) {
		c.report(f, m.Pair("none").Key.Span, Error, "rule/none-with-identity", "drop none, or drop identity, mask, keep and apart",
			"the rule leaves its records to the default identity and says what their identity is")
	}
	r.Tests = c.tests(f, n.Elements("tests"), names)
	return r
}

// orNull stands in for a key that is not there.
func orNull(n *yamlnode.Node) *yamlnode.Node {
	if n == nil {
		return &yamlnode.Node{Kind: yamlnode.Scalar, Type: yamlnode.Null}
	}
	return n
}

// levelNames are the levels that rules can name, least severe first.
var levelNames = []ingest.Level{ingest.LevelTrace, ingest.LevelDebug, ingest.LevelInfo, ingest.LevelWarn, ingest.LevelError, ingest.LevelFatal}

// levelOf returns the level of that name, or LevelUnknown.
func levelOf(name string) ingest.Level {
	i := slices.IndexFunc(levelNames, func(l ingest.Level) bool { return l.String() == name })
	if i < 0 {
		return ingest.LevelUnknown
	}
	return levelNames[i]
}

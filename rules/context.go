package rules

import (
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// named is a thing that was defined under a name, and where.
type named struct {
	file *file
	node *yamlnode.Node
}

// defaults compiles defaults.query; of several files the last wins.
func (c *compiler) defaults() {
	var first *named
	for _, f := range c.files {
		n := f.root.Get("defaults").Get("query")
		if !isText(n) {
			continue
		}
		if first != nil && first.node.Value != n.Value {
			c.report(f, n.Span, Error, "defaults/duplicate", "", "another query stands at %s", place(first.file, first.node))
			continue
		}
		if c.query(f, n) {
			first = &named{f, n}
			c.set.Config.Query = n.Value
		}
	}
}

// schedules compiles the configured clocks. It runs after budgets, whose
// names an expression may use.
func (c *compiler) schedules() {
	seen := map[string]named{}
	for _, f := range c.files {
		for _, n := range f.root.Elements("schedules") {
			name, every := n.Get("name"), n.Get("every")
			if !isText(name) || !c.once(seen, f, name, "schedule") || !isText(every) {
				continue
			}
			e := c.expression(f, every)
			if e == nil {
				continue
			}
			if d, ok := c.eval(f, every, e, nil); ok {
				c.set.Config.Schedules = append(c.set.Config.Schedules, analyze.Schedule{Name: name.Value, Every: d, Expression: every.Value})
			}
		}
	}
}

// rolls compiles the deployments.
func (c *compiler) rolls() {
	seen := map[string]named{}
	for _, f := range c.files {
		for _, n := range f.root.Elements("rolls") {
			name := n.Get("name")
			if !isText(name) || !c.once(seen, f, name, "roll") {
				continue
			}
			r := analyze.Roll{Name: name.Value, At: c.time(f, n.Get("at"))}
			if sel := n.Get("selector"); isText(sel) {
				r.Selector, r.Match = sel.Value, c.streamMatcher(f, sel)
			}
			for _, fix := range n.Elements("fixes") {
				number, ok := intOf(fix)
				if !ok {
					continue
				}
				r.Fixes = append(r.Fixes, int(number))
				if !c.issueNumbers[number] {
					c.report(f, fix.Span, Warning, "roll/unknown-issue", "add it to the issues section", "there is no issue %d", number)
				}
			}
			c.set.Config.Rolls = append(c.set.Config.Rolls, r)
		}
	}
}

// collectIssues notes the issues' numbers, which rolls may name.
func (c *compiler) collectIssues() {
	for _, f := range c.files {
		for _, n := range f.root.Elements("issues") {
			if number, ok := intOf(n.Get("number")); ok {
				c.issueNumbers[number] = true
			}
		}
	}
}

// issues compiles the tracker's issues.
func (c *compiler) issues() {
	seen := map[string]named{}
	for _, f := range c.files {
		for _, n := range f.root.Elements("issues") {
			number, ok := intOf(n.Get("number"))
			if !ok || !c.once(seen, f, n.Get("number"), "issue") {
				continue
			}
			is := analyze.Issue{
				Number: int(number), State: n.Text("state"), Title: n.Text("title"), URL: n.Text("url"),
				Sources:      c.globs(f, n.Elements("sources")),
				Fingerprints: texts(n.Elements("fingerprints")),
				MaskedIDs:    texts(n.Elements("masked_ids")),
				Masked:       n.Text("incident") == "masked",
			}
			if at := n.Get("closed_at"); at != nil {
				is.ClosedAt = c.time(f, at)
				if is.State == "open" {
					c.report(f, n.Pair("closed_at").Key.Span, Warning, "issue/open-with-closing-time", "set state: closed, or drop closed_at",
						"issue %d is open and has the time at which it was closed", number)
				}
			}
			c.set.Config.Issues = append(c.set.Config.Issues, is)
		}
	}
}

// once reports a name that was defined before.
func (c *compiler) once(seen map[string]named, f *file, name *yamlnode.Node, what string) bool {
	if first, ok := seen[name.Value]; ok {
		c.report(f, name.Span, Error, what+"/duplicate", "", "the %s %s is already defined at %s", what, name.Value, place(first.file, first.node))
		return false
	}
	seen[name.Value] = named{f, name}
	return true
}

// time reads an RFC 3339 time. Its form the schema has checked; a day that
// the calendar does not have is reported here.
func (c *compiler) time(f *file, n *yamlnode.Node) time.Time {
	if !isText(n) {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, n.Value)
	if err != nil && timeForm.MatchString(n.Value) {
		c.report(f, n.Span, Error, "time/value", "", "%q is no time that a clock or calendar has", n.Value)
	}
	return t.UTC()
}

// globs compiles a list of globs.
func (c *compiler) globs(f *file, nodes []*yamlnode.Node) []analyze.Glob {
	var globs []analyze.Glob
	for _, n := range nodes {
		if !isText(n) {
			continue
		}
		for i := 0; i < len(n.Value); i++ {
			if n.Value[i] != '\\' {
				continue
			}
			if i++; i == len(n.Value) {
				c.report(f, n.Sub(i-1, i), Error, "glob/syntax", `write \\ for a backslash`, "a backslash at the end of a glob takes nothing literally")
			}
		}
		globs = append(globs, analyze.Glob(n.Value))
	}
	return globs
}

func texts(nodes []*yamlnode.Node) []string {
	var list []string
	for _, n := range nodes {
		if isText(n) {
			list = append(list, n.Value)
		}
	}
	return list
}

func intOf(n *yamlnode.Node) (int64, bool) {
	if n == nil {
		return 0, false
	}
	return n.Int()
}

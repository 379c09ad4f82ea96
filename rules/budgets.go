package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/rules/internal/nearest"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// budgetEntry is one element of a budgets section.
type budgetEntry struct {
	file *file
	node *yamlnode.Node
	name string
	expr *transfer.Expr // nil if it could not be parsed
	// value is the duration once state is evaluated.
	value time.Duration
	state evalState
}

// maxBudgets bounds the budgets of all files together: what contains what is
// followed through every level.
const maxBudgets = 256

type evalState uint8

const (
	unevaluated evalState = iota
	evaluating            // on the way down: meeting it again is a cycle
	evaluated
	broken // could not be computed; reported
)

// budgets compiles the budgets sections of all files.
func (c *compiler) budgets() {
	for _, f := range c.files {
		for _, n := range f.root.Elements("budgets") {
			c.addBudget(f, n)
		}
	}
	for _, b := range c.budgetList {
		c.evalBudget(b)
	}
	for _, b := range c.budgetList {
		c.compileBudget(b)
	}
	c.checkNesting()
}

func (c *compiler) addBudget(f *file, n *yamlnode.Node) {
	name := n.Get("name")
	if !isText(name) {
		return
	}
	if first := c.budgetByName[name.Value]; first != nil {
		c.report(f, name.Span, Error, "budget/duplicate", "", "the budget %s is already defined at %s", name.Value, place(first.file, first.node.Get("name")))
		return
	}
	if len(c.budgetList) == maxBudgets {
		c.report(f, name.Span, Error, "budget/too-many", "", "more than %d budgets", maxBudgets)
	}
	if len(c.budgetList) >= maxBudgets {
		c.budgetByName[name.Value] = &budgetEntry{file: f, node: n, name: name.Value, state: broken}
		return
	}
	b := &budgetEntry{file: f, node: n, name: name.Value, state: broken}
	if d := n.Get("duration"); isText(d) {
		if b.expr = c.expression(f, d); b.expr != nil {
			b.state = unevaluated
		}
	}
	c.budgetByName[b.name] = b
	c.budgetList = append(c.budgetList, b)
}

// expression parses a duration expression and reports what is wrong with it
// at its place inside the text.
func (c *compiler) expression(f *file, n *yamlnode.Node) *transfer.Expr {
	e, err := transfer.ParseExpr(n.Value)
	if err != nil {
		c.expressionError(f, n, err)
		return nil
	}
	return e
}

func (c *compiler) expressionError(f *file, n *yamlnode.Node, err error) {
	var xe *transfer.ExprError
	if !errors.As(err, &xe) {
		c.report(f, n.Span, Error, "duration/syntax", "", "%v", err)
		return
	}
	hint := ""
	if _, isNumber := bareNumber(n.Value); isNumber {
		hint = fmt.Sprintf("did you mean %q?", n.Value+"s")
	}
	c.report(f, n.Sub(xe.Offset, wordEnd(n.Value, xe.Offset)), Error, "duration/syntax", hint, "%s", xe.Msg)
}

func bareNumber(s string) (string, bool) {
	s = strings.TrimSpace(s)
	return s, s != "" && strings.Trim(s, "0123456789.") == ""
}

// wordEnd is the end of the word that begins at an offset, at least one byte
// further unless the text ends.
func wordEnd(s string, from int) int {
	end := from
	for end < len(s) && (s[end] >= 0x80 || s[end] == '_' || s[end] == '.' || s[end] >= '0' && s[end] <= '9' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
		end++
	}
	if end == from && end < len(s) {
		end++
	}
	return end
}

// evalBudget computes a budget's duration, and that of those it names first.
func (c *compiler) evalBudget(b *budgetEntry) bool {
	switch b.state {
	case evaluated, broken:
		return b.state == evaluated
	}
	b.state = evaluating
	d, ok := c.eval(b.file, b.node.Get("duration"), b.expr, b)
	b.value, b.state = d, broken
	if ok {
		b.state = evaluated
	}
	return ok
}

// eval computes an expression. self is the budget it belongs to, nil for a
// schedule.
func (c *compiler) eval(f *file, n *yamlnode.Node, e *transfer.Expr, self *budgetEntry) (time.Duration, bool) {
	ok := true
	for _, ref := range e.Names() {
		span := n.Sub(ref.Offset, ref.Offset+len(ref.Name))
		b := c.budgetByName[ref.Name]
		switch {
		case b == nil:
			c.report(f, span, Error, "budget/unknown-name", c.didYouMeanBudget(ref.Name, self), "there is no budget %s", ref.Name)
			ok = false
		case b.state == evaluating:
			what := fmt.Sprintf("%s is computed from itself", ref.Name)
			if b != self && self != nil {
				what = fmt.Sprintf("%s and %s are computed from each other", self.name, ref.Name)
			}
			c.report(f, span, Error, "budget/cycle", "", "%s", what)
			ok = false
		default:
			ok = c.evalBudget(b) && ok
		}
	}
	if !ok {
		return 0, false
	}
	d, err := e.Eval(func(name string) (time.Duration, bool) {
		b := c.budgetByName[name]
		return b.value, b.state == evaluated
	})
	if err != nil {
		c.expressionError(f, n, err)
		return 0, false
	}
	if d == 0 {
		c.report(f, n.Span, Error, "duration/zero", "", "the duration is 0")
		return 0, false
	}
	return d, true
}

func (c *compiler) didYouMeanBudget(name string, self *budgetEntry) string {
	var names []string
	for _, b := range c.budgetList {
		if b != self {
			names = append(names, b.name)
		}
	}
	if hint := c.didYouMean(name, names); hint != "" || len(names) > 0 {
		return hint
	}
	return "a duration has a unit: 90s, 1h30m"
}

// maxHints is how many problems are told with the nearest name, which takes
// time to find among many.
const maxHints = 200

// didYouMean is the hint for a name that does not exist.
func (c *compiler) didYouMean(name string, names []string) string {
	if c.hints++; c.hints > maxHints {
		return ""
	}
	if best := nearest.Of(name, names); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return ""
}

func (c *compiler) compileBudget(b *budgetEntry) {
	out := analyze.Budget{Name: b.name, Duration: b.value, Attempts: 1}
	if b.expr != nil {
		out.Expression = b.node.Get("duration").Value
	}
	if n, ok := intOf(b.node.Get("attempts")); ok && n > 0 {
		out.Attempts = int(n)
	}
	out.Bounds = c.stages(b.node.Elements("bounds"))
	for _, n := range b.node.Elements("contains") {
		if !isText(n) {
			continue
		}
		out.Contains = append(out.Contains, n.Value)
		if c.budgetByName[n.Value] == nil {
			c.report(b.file, n.Span, Error, "budget/unknown-name", c.didYouMeanBudget(n.Value, b), "there is no budget %s", n.Value)
		}
	}
	out.Sources = c.globs(b.file, b.node.Elements("sources"))
	c.set.Config.Budgets = append(c.set.Config.Budgets, out)
}

// stages returns the stage names of a list; what is no stage the schema has
// reported.
func (c *compiler) stages(nodes []*yamlnode.Node) []stage.Name {
	var names []stage.Name
	for _, n := range nodes {
		if s := stage.Name(n.Value); s.Valid() && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return names
}

// checkNesting asks the transfer package whether the budgets fit into each
// other. An inverted nest is a warning: analyze must work with the budgets as
// they are, and says there what the inversion costs.
func (c *compiler) checkNesting() {
	list := make([]transfer.Budget, len(c.budgetList))
	for i, b := range c.set.Config.Budgets {
		list[i] = transfer.Budget{Name: b.Name, Duration: b.Duration, Attempts: b.Attempts, Contains: b.Contains}
		for _, s := range b.Bounds {
			list[i].Bounds = append(list[i].Bounds, string(s))
		}
	}
	flaws := transfer.Check(list)
	onCycle := map[string]bool{}
	for _, fl := range flaws {
		if fl.Kind == transfer.FlawCycle {
			for _, name := range fl.Path {
				onCycle[name] = true
			}
		}
	}
	for _, fl := range flaws {
		outer := c.budgetByName[fl.Outer]
		span := outer.node.Get("name").Span
		for _, n := range outer.node.Elements("contains") {
			if n.Value == fl.Inner || len(fl.Path) > 1 && n.Value == fl.Path[1] {
				span = n.Span
				break
			}
		}
		comparable := !onCycle[fl.Outer] && outer.state == evaluated && c.budgetByName[fl.Inner] != nil && c.budgetByName[fl.Inner].state == evaluated
		switch {
		case fl.Kind == transfer.FlawCycle:
			c.report(outer.file, span, Error, "budget/cycle", "", "%s", fl)
		case fl.Kind == transfer.FlawInverted && comparable:
			hint := fmt.Sprintf("it must be longer than %s: duration: %s + 1m", short(fl.InnerTotal), times(fl.Attempts, fl.Inner))
			c.report(outer.file, span, Warning, "budget/inverted", hint, "%s", fl)
		case fl.Kind == transfer.FlawTotalOverBody && comparable:
			c.report(outer.file, span, Info, "budget/total-over-body", "", "%s", fl)
		}
	}
}

// short prints a duration without the zero units at its end.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

func times(n int, name string) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d * %s", n, name)
}

package rules

import (
	"fmt"
	"regexp"

	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// timeForm is the schema's form of a time: what does not have it has been
// reported there.
var timeForm = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$`)

// compiler turns the files' nodes into a Set. The schema has looked at their
// shape; the compiler passes over what does not have it and reports only what
// a schema cannot know: names, cycles, syntax inside texts.
type compiler struct {
	files    []*file
	problems []Problem
	set      *Set

	budgetList   []*budgetEntry
	budgetByName map[string]*budgetEntry
	issueNumbers map[int64]bool
	entries      []ruleEntry
	ruleRefs     []named // where tests name rules
	hints        int     // nearest names that were looked for
}

// compile never fails: what cannot be compiled is left out and reported.
func compile(files []*file, deep bool) *compiler {
	c := &compiler{set: &Set{}, budgetByName: map[string]*budgetEntry{}, issueNumbers: map[int64]bool{}}
	for _, f := range files {
		if f.root != nil {
			c.files = append(c.files, f)
		}
		if !f.builtin {
			c.set.Files = append(c.set.Files, f.name)
		}
	}
	c.defaults()
	c.budgets()
	c.schedules()
	c.collectIssues()
	c.rolls()
	c.issues()
	c.rules()
	c.checkRuleRefs()
	if deep {
		c.deepChecks()
	}
	return c
}

func (c *compiler) report(f *file, s yamlnode.Span, sev Severity, check, hint, format string, args ...any) {
	c.problems = append(c.problems, f.problem(s, sev, check, hint, format, args...))
}

// place is where something else stands, for a message.
func place(f *file, n *yamlnode.Node) string {
	return fmt.Sprintf("%s:%d:%d", f.name, n.Span.Line, n.Span.Col)
}

package pushdown

import (
	"fmt"
	"strings"
)

// Pieces of the expressions that find a logger's name. They are short: a server
// compiles them anew for each of many pieces of a query.
const (
	jsonName  = `"\s*:\s*"(?P<%s>(?:[^"\\]|\\.)+)"`
	logName   = `=(?P<%s>"(?:[^"\\]|\\.)+"|[^\s"]+)`
	instant   = `\[?\d+-\d+-\d+[T ][\d:.,]+(?:Z|[+-][\d:]+)?\]?`
	level     = `(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)`
	inBracket = `\[[^\]]*\] +`
	// The fields that name a logger: some at any depth, others only where no
	// brace stands before them, surest first.
	deep   = `(?:SourceContext|Category|logger_?[nN]ame|logger|log\.logger)`
	surest = `(?i:category|sourcecontext|logger|logger_name|loggername|log\.logger)`
	likely = `(?i:target|name|module|component|subsystem|syslog_identifier|class)`
)

// categories are the common forms of lines that name their logger, each as an
// expression for a line's beginning with %s for its group's name, or with the
// name of the emitter where the form alone tells it. The first that matches
// counts. Of a form that is none of these the service is known.
var categories = []struct{ expression, is string }{
	{`(?:trce|dbug|info|warn|fail|crit): +(?P<%s>[^\s\[]+)\[-?\d+\](?: |$)`, ""},
	{`(?:trce|dbug|info|warn|fail|crit): (?P<%s>[A-Z][\w.+]*|\w+\.[\w.+]+) *$`, ""},
	{`\s*\{.*?"` + deep + jsonName, ""},
	{`\s*\{[^{}]*?"` + surest + jsonName, ""},
	{`\s*\{[^{}]*?"` + likely + jsonName, ""},
	{`[\w.@/-]+=(?:.*?\s)??` + surest + logName, ""},
	{`[\w.@/-]+=(?:.*?\s)??` + likely + logName, ""},
	{`[IWEFDC]\d+ [\d:.]+ +\d+ (?P<%s>[^\s\]]+):\d+\](?: |$)`, ""},
	{`(?:\d+/\d\d/\d\d [\d:]+ )?(?P<%s>\[)[a-z]+\] \d+#\d+: `, "nginx"},
	{`(?:<\d+>)?[\w.:+ -]*?(?P<%s>haproxy)\[\d+\]: `, "haproxy"},
	{instant + ` +(?:` + inBracket + `)?` + level + ` +(?:` + inBracket + `)?(?P<%s>[A-Za-z_$][\w.$]*)(?::\d+)? +-{1,2} `, ""},
	{instant + ` +` + level + ` +\d+ +--- +(?:` + inBracket + `)+(?P<%s>[A-Za-z_$][\w.$/]*) +: `, ""},
	{instant + ` +[-|] +(?P<%s>[A-Za-z_][\w.]*) +[-|] +` + level + `\b`, ""},
	{instant + `\t` + level + `\t(?P<%s>[A-Za-z_][\w.]*)\t`, ""},
	{level + `:(?P<%s>[\w.$/-]+):`, ""},
}

// categoryExpression matches all of them, each with a group of its own.
var categoryExpression = func() string {
	list := make([]string, len(categories))
	for i, c := range categories {
		list[i] = fmt.Sprintf(strings.ReplaceAll(c.expression, "%s", "%[1]s"), categoryLabel(i))
	}
	return "^(?:" + strings.Join(list, "|") + ")"
}()

func categoryLabel(i int) string { return fmt.Sprintf("vdm_c%d", i) }

func categoryLabels() []string {
	labels := make([]string, len(categories))
	for i := range labels {
		labels[i] = categoryLabel(i)
	}
	return labels
}

// categoryOf returns the logger's name of a group; empty where its lines have
// none of the forms.
func categoryOf(c *Count) string {
	for i := range categories {
		v := c.value(categoryLabel(i))
		if v == "" {
			continue
		}
		switch {
		case categories[i].is != "":
			return categories[i].is
		case strings.HasPrefix(v, `"`):
			v = unquote(v)
		case strings.Contains(v, `\`):
			v = unquote(`"` + v + `"`)
		}
		if !strings.Contains(v, "://") { // the address of something
			return v
		}
	}
	if c.value("vdm_polly_source") != "" {
		return "Polly" // as a sentence without its header says
	}
	return ""
}

package rules

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/promql/parser"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/selector"
)

// ExportForms lists what Export can write.
func ExportForms() []string { return []string{"logql", "loki", "prometheus"} }

// ExportOptions say how rules become queries.
type ExportOptions struct {
	// Form is logql (a query for each rule), loki (a file of the Loki ruler
	// that records and alerts) or prometheus (alerts on what Loki records).
	Form string
	// Selector is used for rules that have none; empty takes that of
	// defaults.query.
	Selector string
	// Window is over which records are counted.
	Window time.Duration
	// Builtin exports the built-in pack, too.
	Builtin bool
}

// metricName is what the Loki ruler records: records in the window, by rule
// and by the captures that make the Source.
const metricName = "vdm_logs_rule_records"

// Query is a rule as LogQL.
type Query struct {
	Rule *Rule
	// Log selects the lines, Count counts them by what makes the Source.
	Log, Count string
	// By are the captures that make the Source.
	By []string
	// Left says which conditions LogQL cannot express.
	Left []string
}

// Queries turns the rules of s into LogQL. Rules with none: true, and rules
// whose every condition would be lost, are left out.
//
// A query looks at entries, a rule at records: what a program prints on
// several lines is shipped as several entries, so the condition on a category
// cannot be kept together with that on the message.
func Queries(s *Set, o ExportOptions) ([]Query, error) {
	base := o.Selector
	if base == "" && s.Config.Query != "" {
		q, err := selector.ParseQuery(s.Config.Query)
		if err != nil {
			return nil, err
		}
		base = q.Selector
	}
	if base != "" {
		q, err := selector.ParseQuery(base)
		if err != nil {
			return nil, err
		}
		if q.Rest != "" {
			return nil, fmt.Errorf("%q is more than a selector", base)
		}
		base = q.Selector
	}
	var out []Query
	for _, r := range s.Ordered() {
		if r.None || r.Builtin && !o.Builtin || r.Pattern == nil && r.Regexp == nil && len(r.Fields) == 0 {
			continue
		}
		q, err := queryOf(r, base, o.Window)
		if err != nil {
			return nil, err
		}
		out = append(out, q)
	}
	return out, nil
}

func queryOf(r *Rule, base string, window time.Duration) (Query, error) {
	q := Query{Rule: r}
	sel := base
	if len(r.Labels) > 0 {
		var list []string
		for i := range r.Labels {
			list = append(list, r.Labels[i].Name+matcherText(&r.Labels[i]))
		}
		sel = "{" + strings.Join(list, ", ") + "}"
	}
	if sel == "" {
		return q, fmt.Errorf("the rule %s has no selector, and there is no default", r.ID)
	}
	var b strings.Builder
	b.WriteString(sel)
	exportCondition(&b, &r.Condition)
	for i := range r.Unless {
		u := &r.Unless[i]
		switch {
		case u.Pattern != nil && u.Regexp == nil && len(u.Fields) == 0:
			fmt.Fprintf(&b, " !> %s", logqlString(anonymous(u.Pattern)))
		case u.Regexp != nil && u.Pattern == nil && len(u.Fields) == 0:
			fmt.Fprintf(&b, " !~ %s", logqlString(u.Regexp.String()))
		default:
			q.Left = append(q.Left, fmt.Sprintf("exception %d", i+1))
		}
	}
	if r.MinLevel != ingest.LevelUnknown {
		fmt.Fprintf(&b, " | detected_level=~%s", logqlString(levelsFrom(r.MinLevel)))
	}
	if r.Category != "" {
		q.Left = append(q.Left, fmt.Sprintf("category %q", r.Category))
	}
	q.Log = b.String()
	extract := ""
	for _, ref := range templateNames(r.Source) {
		if slices.Contains(r.Captures(), ref.name) && !slices.Contains(q.By, ref.name) {
			q.By = append(q.By, ref.name)
		}
	}
	switch {
	case len(q.By) == 0:
	case r.Pattern != nil:
		extract = " | pattern " + logqlString(anywhere(r.Pattern.String()))
	case r.Regexp != nil:
		extract = " | regexp " + logqlString(r.Regexp.String())
	}
	by := ""
	if len(q.By) > 0 {
		by = " by (" + strings.Join(q.By, ", ") + ")"
	}
	q.Count = fmt.Sprintf("sum%s (count_over_time(%s%s [%s]))", by, q.Log, extract, lokiDuration(window))
	return q, nil
}

// exportCondition writes fields, pattern and expression as stages.
func exportCondition(b *strings.Builder, c *fingerprint.Condition) {
	if c.Pattern != nil {
		fmt.Fprintf(b, " |> %s", logqlString(anonymous(c.Pattern)))
	}
	if c.Regexp != nil {
		if l := c.Literal(); len(l) >= minLiteral {
			fmt.Fprintf(b, " |= %s", logqlString(l))
		}
		fmt.Fprintf(b, " |~ %s", logqlString(c.Regexp.String()))
	}
	if len(c.Fields) > 0 {
		b.WriteString(" | json")
	}
	for i := range c.Fields {
		f := &c.Fields[i]
		name := strings.Map(func(r rune) rune {
			if r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
				return r
			}
			return '_'
		}, f.Name)
		if f.Value == "" {
			fmt.Fprintf(b, ` | %s!=""`, name)
			if f.As != "" && f.As != name {
				fmt.Fprintf(b, " | label_format %s=%s", f.As, name)
			}
		} else {
			fmt.Fprintf(b, " | %s=~%s", name, logqlString(globExpression(f.Value)))
		}
	}
}

// globExpression is a glob of * as a regular expression.
func globExpression(glob string) string {
	parts := strings.Split(glob, "*")
	for i, p := range parts {
		parts[i] = escapeExpression(p)
	}
	return strings.Join(parts, ".*")
}

func escapeExpression(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// anywhere is a pattern that may begin anywhere in an entry: the message of a
// record is shipped with what the program prints before it.
func anywhere(p string) string {
	if splitPattern(p)[0].capture {
		return p
	}
	return "<_>" + p
}

// anonymous is a pattern without names, as Loki's line filters want it, that
// may begin anywhere and ends as open as ours does.
func anonymous(p *fingerprint.Pattern) string {
	var b strings.Builder
	parts := splitPattern(anywhere(p.String()))
	for _, part := range parts {
		if part.capture {
			b.WriteString("<_>")
		} else {
			b.WriteString(part.text)
		}
	}
	if !parts[len(parts)-1].capture {
		b.WriteString("<_>")
	}
	return b.String()
}

// logqlString quotes a text for LogQL, with backquotes where that reads
// better.
func logqlString(s string) string {
	if strings.ContainsAny(s, "\\\"") && !strings.ContainsAny(s, "`\n") {
		return "`" + s + "`"
	}
	return fmt.Sprintf("%q", s)
}

// levelsFrom lists the names by which Loki knows a level and those above it.
func levelsFrom(least ingest.Level) string {
	var names []string
	for _, l := range levelNames {
		if l < least {
			continue
		}
		names = append(names, l.String())
		if l == ingest.LevelFatal {
			names = append(names, "critical")
		}
	}
	return strings.Join(names, "|")
}

// lokiDuration writes a duration in whole seconds, as LogQL and PromQL know it.
func lokiDuration(d time.Duration) string {
	return short(max(d.Truncate(time.Second), time.Second))
}

// Export writes rules as LogQL queries, as a file of the Loki ruler, or as
// Prometheus alerts. PromQL is checked with Prometheus' own parser.
func Export(w io.Writer, s *Set, o ExportOptions) error {
	queries, err := Queries(s, o)
	if err != nil {
		return err
	}
	var b strings.Builder
	switch o.Form {
	case "logql":
		for i := range queries {
			q := &queries[i]
			fmt.Fprintf(&b, "# %s\n", strings.TrimSuffix(q.Rule.ID+": "+q.Rule.Description, ": "))
			for _, l := range q.Left {
				fmt.Fprintf(&b, "# not in the query: %s\n", l)
			}
			fmt.Fprintf(&b, "%s\n\n", q.Count)
		}
	case "loki":
		b.WriteString("groups:\n  - name: vdm-logs\n    rules:\n")
		for i := range queries {
			q := &queries[i]
			fmt.Fprintf(&b, "      - record: %s\n        expr: %q\n        labels: {rule: %q}\n", metricName, q.Count, q.Rule.ID)
			alert(&b, q, q.Count+" > 0")
		}
	case "prometheus":
		b.WriteString("groups:\n  - name: vdm-logs\n    rules:\n")
		for i := range queries {
			q := &queries[i]
			by := append([]string{"rule"}, q.By...)
			expr := fmt.Sprintf("sum by (%s) (%s{rule=%q}) > 0", strings.Join(by, ", "), metricName, q.Rule.ID)
			if _, err := parser.NewParser(parser.Options{}).ParseExpr(expr); err != nil {
				return fmt.Errorf("internal error: %s: %w", expr, err)
			}
			alert(&b, q, expr)
		}
	default:
		return fmt.Errorf("unknown form %q", o.Form)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// alert writes one alert rule, in the form that Loki and Prometheus share.
func alert(b *strings.Builder, q *Query, expr string) {
	severity := "warning"
	if e := q.Rule.Effect.Severity; e >= ingest.LevelError {
		severity = "critical"
	}
	source := q.Rule.Source
	for _, name := range q.By {
		source = strings.ReplaceAll(source, "<"+name+">", "{{ $labels."+name+" }}")
	}
	summary := q.Rule.Description
	if summary == "" {
		summary = q.Rule.ID
	}
	fmt.Fprintf(b, "      - alert: %q\n        expr: %q\n        labels: {severity: %s, rule: %q}\n        annotations:\n          summary: %q\n",
		q.Rule.ID, expr, severity, q.Rule.ID, summary)
	if source != "" {
		fmt.Fprintf(b, "          source: %q\n", source)
	}
}

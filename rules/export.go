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
// several lines is shipped as several entries, and what it prints before its
// message is part of the first. So a query finds every record of its rule of
// which the pattern or expression fits one entry, and perhaps more: what it
// cannot ask is left out, and Left tells of it. The category, for instance,
// stands in another entry than the message, where an entry is all that LogQL
// sees; so does the level, and entries whose level Loki does not know pass.
// Nor does a query know of rules of higher priority.
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
	q.Left = exportCondition(&b, &r.Condition)
	for i := range r.Unless {
		if !exportException(&b, &r.Unless[i]) {
			q.Left = append(q.Left, fmt.Sprintf("exception %d", i+1))
		}
	}
	if below := levelsBelow(r.MinLevel); below != "" {
		fmt.Fprintf(&b, " | detected_level!~%s", logqlString(below))
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
		extract = " | regexp " + logqlString(patternExpression(r.Pattern, true))
	case r.Regexp != nil:
		expr, _ := unanchored(r.Regexp.String())
		extract = " | regexp " + logqlString(expr)
	}
	by := ""
	if len(q.By) > 0 {
		by = " by (" + strings.Join(q.By, ", ") + ") "
	}
	q.Count = fmt.Sprintf("sum%s(count_over_time(%s%s [%s]))", by, q.Log, extract, lokiDuration(window))
	return q, nil
}

// exportCondition writes fields, pattern and expression as stages, and
// returns what the stages do not ask.
func exportCondition(b *strings.Builder, c *fingerprint.Condition) (left []string) {
	if c.Pattern != nil {
		exportPattern(b, c.Pattern, "|=", "|~")
		if !splitPattern(c.Pattern.String())[0].capture {
			left = append(left, "that the message begins with the pattern")
		}
	}
	if c.Regexp != nil {
		expr, anchored := unanchored(c.Regexp.String())
		if anchored {
			left = append(left, "that the message begins with the expression")
		}
		literal := (&fingerprint.Condition{Regexp: c.Regexp}).Literal()
		if len(literal) >= minLiteral {
			fmt.Fprintf(b, " |= %s", logqlString(literal))
		}
		if expr != escapeExpression(literal) {
			fmt.Fprintf(b, " |~ %s", logqlString(expr))
		}
	}
	left = append(left, exportFields(b, c)...)
	return left
}

// exportException writes an exception where LogQL can say it of an entry
// without taking more away than the exception does.
func exportException(b *strings.Builder, u *fingerprint.Condition) bool {
	switch {
	case len(u.Fields) > 0 || u.Pattern != nil && u.Regexp != nil:
		return false
	case u.Regexp != nil:
		fmt.Fprintf(b, " !~ %s", logqlString(u.Regexp.String()))
	case !splitPattern(u.Pattern.String())[0].capture:
		return false // of the message's beginning, which LogQL does not know
	default:
		exportPattern(b, u.Pattern, "!=", "!~")
	}
	return true
}

// exportPattern writes a pattern as line filters. Loki's own filter for
// patterns is not used: there, a capture must take at least one character, and
// what stands before and behind is often empty.
func exportPattern(b *strings.Builder, p *fingerprint.Pattern, contains, fits string) {
	literals := 0
	for _, part := range splitPattern(p.String()) {
		if !part.capture {
			literals++
		}
	}
	if literals == 1 || contains == "|=" && len(p.Literal()) >= minLiteral {
		fmt.Fprintf(b, " %s %s", contains, logqlString(p.Literal()))
	}
	if literals > 1 {
		fmt.Fprintf(b, " %s %s", fits, logqlString(patternExpression(p, false)))
	}
}

// patternExpression is a pattern as a regular expression that may begin
// anywhere in an entry; with the captures' names if they are wanted.
func patternExpression(p *fingerprint.Pattern, names bool) string {
	var b strings.Builder
	parts := splitPattern(p.String())
	for i, part := range parts {
		name, _ := wholeCapture(part.text)
		switch {
		case !part.capture:
			b.WriteString(escapeExpression(part.text))
		case names && name != "_":
			lazy := "?"
			if i == len(parts)-1 {
				lazy = ""
			}
			if i == 0 {
				b.WriteByte('^')
			}
			fmt.Fprintf(&b, "(?P<%s>.*%s)", name, lazy)
		case i > 0 && i < len(parts)-1:
			b.WriteString(".*?")
		}
	}
	return "(?s)" + b.String()
}

// unanchored is an expression that may begin anywhere in an entry, and whether
// it asked for the beginning of the message.
func unanchored(expr string) (string, bool) {
	flags := leadingFlags.FindString(expr)
	rest, anchored := strings.CutPrefix(expr[len(flags):], "^")
	return flags + rest, anchored
}

// exportFields writes conditions on fields, for lines of JSON.
func exportFields(b *strings.Builder, c *fingerprint.Condition) (left []string) {
	if len(c.Fields) > 0 {
		left = append(left, "fields of other spellings, and of lines that are no JSON")
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
	return left
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

// logqlString quotes a text for LogQL, with backquotes where that reads
// better.
func logqlString(s string) string {
	if strings.ContainsAny(s, "\\\"") && !strings.ContainsAny(s, "`\n") {
		return "`" + s + "`"
	}
	return fmt.Sprintf("%q", s)
}

// levelsBelow lists the names by which Loki knows the levels below one, empty
// where there are none.
func levelsBelow(least ingest.Level) string {
	var names []string
	for _, l := range levelNames {
		if l < least {
			names = append(names, l.String())
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

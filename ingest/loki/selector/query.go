// Package selector parses log queries: a stream selector with whatever LogQL
// stands behind it.
//
// The language of the selector is PromQL's, {name="value", other=~"a|b"}, and
// is parsed by PromQL's own parser. What that parser accepts and Loki refuses
// is refused here, with the position: a name before the brace, quoted names,
// strings in single quotes, a comma before the closing brace, and selectors
// all of whose matchers match streams that lack the label. The line filters
// and parsers behind the selector are Loki's to check; they are kept as they
// are.
package selector

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// Matcher is one condition on a label.
type Matcher struct {
	Name string
	// Op is "=", "!=", "=~" or "!~".
	Op    string
	Value string

	matcher *labels.Matcher
}

// Matches reports whether a label value meets the condition; a label that is
// not there has the empty value.
func (m Matcher) Matches(value string) bool { return m.matcher.Matches(value) }

// String returns the matcher as LogQL has it.
func (m Matcher) String() string { return m.Name + m.Op + strconv.Quote(m.Value) }

// Query is a parsed log query.
type Query struct {
	Matchers []Matcher
	// Selector is the selector in canonical form.
	Selector string
	// Rest is what stands behind the selector, line filters and parsers, or
	// empty. It begins with | or !.
	Rest string
}

// String returns the query as it is sent to Loki.
func (q Query) String() string {
	if q.Rest == "" {
		return q.Selector
	}
	return q.Selector + " " + q.Rest
}

// Matches reports whether a stream meets all matchers. Get returns the value
// of a label, empty where the stream does not have it.
func (q Query) Matches(get func(name string) string) bool {
	for _, m := range q.Matchers {
		if !m.Matches(get(m.Name)) {
			return false
		}
	}
	return true
}

// Error is a query that cannot be used, and where.
type Error struct {
	Query string
	// Start and End bound the offending part in bytes; they are equal where
	// something is missing.
	Start, End int
	Message    string
}

// Error tells what is wrong and where, counting from 1.
func (e *Error) Error() string {
	return fmt.Sprintf("query %s: position %d: %s", e.Query, e.Start+1, e.Message)
}

// Pointer returns two lines, the query and a caret under the place.
func (e *Error) Pointer() string {
	column := 0
	for range e.Query[:min(e.Start, len(e.Query))] {
		column++
	}
	width := 0
	for range e.Query[min(e.Start, len(e.Query)):min(max(e.End, e.Start), len(e.Query))] {
		width++
	}
	return e.Query + "\n" + strings.Repeat(" ", column) + strings.Repeat("^", max(width, 1))
}

// ParseQuery parses a log query. Errors are *Error.
func ParseQuery(query string) (Query, error) {
	fail := func(start, end int, format string, args ...any) (Query, error) {
		return Query{}, &Error{Query: query, Start: start, End: end, Message: fmt.Sprintf(format, args...)}
	}
	start := skipSpace(query, 0)
	if start == len(query) {
		return fail(start, start, `empty; a selector such as {app="portal"} is needed`)
	}
	if query[start] != '{' {
		end := start
		for end < len(query) && query[end] != '{' && query[end] != ' ' {
			end++
		}
		return fail(start, max(end, start+1), `a log query begins with a selector in braces, such as {app="portal"}`)
	}
	tokens, end, err := scan(query, start)
	if err != nil {
		return fail(err.Start, err.End, "%s", err.Message)
	}
	if err := refuse(tokens); err != nil {
		return fail(err.Start, err.End, "%s", err.Message)
	}
	parsed, parseErr := parser.NewParser(parser.Options{}).ParseMetricSelector(query[start:end])
	if parseErr != nil {
		at, to, message := position(parseErr)
		return fail(start+at, start+to, "%s", message)
	}
	q := Query{}
	selective := false
	for _, m := range parsed {
		q.Matchers = append(q.Matchers, Matcher{Name: m.Name, Op: m.Type.String(), Value: m.Value, matcher: m})
		selective = selective || !m.Matches("")
	}
	if !selective {
		return fail(start, end, `at least one matcher must need the label to be there: Loki refuses a selector that matches every stream; {%s=~".+"} would do`, firstName(q))
	}
	q.Selector = q.render()
	q.Rest = strings.TrimSpace(query[end:])
	if q.Rest != "" && q.Rest[0] != '|' && q.Rest[0] != '!' && q.Rest[0] != '#' {
		at := skipSpace(query, end)
		return fail(at, len(query), "expected a line filter (|=, !=, |~, !~) or a parser after the selector")
	}
	return q, nil
}

func firstName(q Query) string {
	if len(q.Matchers) > 0 {
		return q.Matchers[0].Name
	}
	return "service_name"
}

func (q Query) render() string {
	parts := make([]string, len(q.Matchers))
	for i, m := range q.Matchers {
		parts[i] = m.String()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// position takes the range and the message out of a parser's error.
func position(err error) (start, end int, message string) {
	var many parser.ParseErrors
	var one *parser.ParseErr
	switch {
	case errors.As(err, &many) && len(many) > 0:
		one = &many[0]
	case errors.As(err, &one):
	default:
		return 0, 0, err.Error()
	}
	return int(one.PositionRange.Start), int(one.PositionRange.End), one.Err.Error()
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

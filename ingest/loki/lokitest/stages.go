package lokitest

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// stage is a line filter or a label filter: a line passes if one of its
// conditions holds.
type stage []condition

// condition is one text of a line filter, or one comparison of a label.
type condition struct {
	label string // empty for the line
	op    string // "|=", "!=", "|~", "!~"; for labels "=", "!=", "=~", "!~"
	text  string
	re    *regexp.Regexp
}

func (c condition) holds(l *line, s *stream) bool {
	text := l.text
	if c.label != "" {
		text = labelOf(c.label, l, s)
	}
	switch c.op {
	case "|=":
		return strings.Contains(text, c.text)
	case "=":
		return text == c.text
	case "!=":
		if c.label != "" {
			return text != c.text
		}
		return !strings.Contains(text, c.text)
	case "|~", "=~":
		return c.re.MatchString(text)
	}
	return !c.re.MatchString(text)
}

// labelOf is what a label filter sees: structured metadata, the level that the
// server detects, and the stream's labels.
func labelOf(name string, l *line, s *stream) string {
	if v := value(l.metadata, name); v != "" {
		return v
	}
	if name == "detected_level" {
		return l.level
	}
	return value(s.labels, name)
}

func keep(stages []stage, l *line, s *stream) bool {
	for _, any := range stages {
		if !slices.ContainsFunc(any, func(c condition) bool { return c.holds(l, s) }) {
			return false
		}
	}
	return true
}

var labelCondition = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)`)

// parseStages reads line filters and label filters, each perhaps of several
// joined by "or"; other stages are refused.
func parseStages(rest string) ([]stage, error) {
	var all []stage
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		if len(rest) < 2 {
			return nil, refuse(400, "parse error: syntax error: unexpected $end")
		}
		var one stage
		var err error
		switch op := rest[:2]; {
		case op == "|=" || op == "!=" || op == "|~" || op == "!~":
			one, rest, err = parseAny(rest[2:], func(string) (condition, string, error) { return condition{op: op}, "", nil })
		case rest[0] == '|':
			one, rest, err = parseAny(rest[1:], parseLabel)
		default:
			err = refuse(400, "parse error: syntax error: unexpected IDENTIFIER")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// parseLabel reads a label's name and the comparison behind it.
func parseLabel(rest string) (condition, string, error) {
	m := labelCondition.FindStringSubmatch(rest)
	if m == nil {
		return condition{}, "", refuse(400, "parse error: this server knows line filters and label filters only, not %s", rest)
	}
	return condition{label: m[1], op: m[2]}, rest[len(m[0]):], nil
}

// parseAny reads conditions joined by "or". A line filter names its operator
// once, a label filter each time.
func parseAny(rest string, head func(string) (condition, string, error)) (stage, string, error) {
	var any stage
	for {
		rest = strings.TrimSpace(rest)
		c, after, err := head(rest)
		if err != nil {
			return nil, "", err
		}
		if c.label != "" {
			rest = strings.TrimSpace(after)
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, "", refuse(400, "parse error: syntax error: unexpected IDENTIFIER, expecting STRING")
		}
		if c.text, err = strconv.Unquote(quoted); err != nil {
			return nil, "", refuse(400, "parse error: %v", err)
		}
		if c.op[1:] == "~" {
			expr := c.text
			if c.label != "" {
				expr = "^(?:" + expr + ")$"
			}
			if c.re, err = regexp.Compile(expr); err != nil {
				return nil, "", refuse(400, "parse error: error parsing regexp: %v", err)
			}
		}
		any = append(any, c)
		rest = strings.TrimSpace(rest[len(quoted):])
		more, ok := strings.CutPrefix(rest, "or ")
		if !ok {
			return any, rest, nil
		}
		rest = more
	}
}

package rules

import (
	"bytes"
	"regexp/syntax"
	"strings"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// minLiteral is how long a text must be to be worth looking for before a
// pattern or an expression is tried.
const minLiteral = 3

// literal returns the longest text that every record matched by the condition
// holds, or "".
func literal(c *fingerprint.Condition) string {
	best := ""
	if c.Pattern != nil {
		best = c.Pattern.Literal()
	}
	if c.Regexp != nil {
		if re, err := syntax.Parse(c.Regexp.String(), syntax.Perl); err == nil {
			if l := requiredLiteral(re); len(l) > len(best) {
				best = l
			}
		}
	}
	return best
}

// requiredLiteral is the longest text that every match of the expression
// holds, as far as its sequence tells.
func requiredLiteral(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return requiredLiteral(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return requiredLiteral(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if l := requiredLiteral(sub); len(l) > len(best) {
				best = l
			}
		}
		return best
	}
	return ""
}

// quickRule is a rule with the text by which most records are ruled out.
type quickRule struct {
	*Rule
	literal []byte
}

func quick(rules []*Rule) []quickRule {
	list := make([]quickRule, len(rules))
	for i, r := range rules {
		list[i] = quickRule{r, []byte(literal(&r.Condition))}
	}
	return list
}

// matches reports whether the rule matches a record.
func (q *quickRule) matches(rec *ingest.Record) bool {
	if rec.Level < q.MinLevel || len(q.literal) > 0 && !bytes.Contains(rec.Text, q.literal) && !bytes.Contains(rec.Message, q.literal) {
		return false
	}
	if q.Category != "" && !strings.Contains(q.Category, "*") && q.Category != string(rec.Category) {
		return false
	}
	return q.decide(rec).Matched
}

package rules

import (
	"bytes"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// minLiteral is how long a text must be to be worth looking for before a
// pattern or an expression is tried.
const minLiteral = 3

// quickRule is a rule with the text by which most records are ruled out.
type quickRule struct {
	*Rule
	literal []byte
}

func quick(rules []*Rule) []quickRule {
	list := make([]quickRule, len(rules))
	for i, r := range rules {
		list[i] = quickRule{r, []byte(r.Literal())}
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

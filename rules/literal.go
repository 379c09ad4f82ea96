package rules

import (
	"bytes"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// minLiteral is how long a text must be to be worth looking for before a
// pattern or an expression is tried.
const minLiteral = 3

// quickRule is a rule with the text by which most records are ruled out.
type quickRule struct {
	*Rule
	literals [][]byte // one of which the record must hold
}

func quick(rules []*Rule) []quickRule {
	list := make([]quickRule, len(rules))
	for i, r := range rules {
		list[i].Rule = r
		for _, l := range r.Literals() {
			list[i].literals = append(list[i].literals, []byte(l))
		}
	}
	return list
}

// shortest returns the length of the shortest text of a list; 0 for none.
func shortest(list []string) int {
	n := 0
	for i, s := range list {
		if i == 0 || len(s) < n {
			n = len(s)
		}
	}
	return n
}

// matches reports whether the rule matches a record.
func (q *quickRule) matches(rec *ingest.Record) bool {
	if rec.Level < q.MinLevel || len(q.literals) > 0 && !slices.ContainsFunc(q.literals, func(l []byte) bool {
		return bytes.Contains(rec.Text, l) || bytes.Contains(rec.Message, l)
	}) {
		return false
	}
	if q.Category != "" && !strings.Contains(q.Category, "*") && q.Category != string(rec.Category) {
		return false
	}
	return q.decide(rec).Matched
}

package selector

import (
	"strconv"
	"strings"
)

// OnlyLineFilters reports whether nothing but line filters stands behind the
// selector, so that lines come as they were shipped.
func (q Query) OnlyLineFilters() bool {
	rest := strings.TrimSpace(q.Rest)
	for rest != "" {
		if len(rest) < 2 || rest[:2] != "|=" && rest[:2] != "!=" && rest[:2] != "|~" && rest[:2] != "!~" {
			return false
		}
		more := true
		for rest = rest[2:]; more; rest, more = strings.CutPrefix(rest, "or ") {
			rest = strings.TrimSpace(rest)
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil || quoted[0] == '\'' {
				return false
			}
			rest = strings.TrimSpace(rest[len(quoted):])
		}
	}
	return true
}

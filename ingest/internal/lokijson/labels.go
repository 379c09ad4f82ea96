package lokijson

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// ErrLabels says that a text is not labels in selector form.
var ErrLabels = errors.New(`labels are not of the form {name="value", ...}`)

// ParseLabelText reads labels in selector form, {name="value", other="..."},
// and returns them sorted by name.
func ParseLabelText(text []byte) ([]ingest.Label, error) {
	s := strings.TrimSpace(string(text))
	if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
		return nil, ErrLabels
	}
	s = strings.TrimSpace(s[1 : len(s)-1])
	var labels []ingest.Label
	for s != "" {
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return nil, ErrLabels
		}
		rest = strings.TrimLeft(rest, " \t")
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, ErrLabels
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, ErrLabels
		}
		name = strings.TrimSpace(name)
		if unquoted, err := strconv.Unquote(name); err == nil {
			name = unquoted
		}
		labels = append(labels, ingest.Label{Name: name, Value: value})
		s = strings.TrimSpace(rest[len(quoted):])
		if s == "" {
			break
		}
		if s[0] != ',' {
			return nil, ErrLabels
		}
		s = strings.TrimSpace(s[1:])
	}
	slices.SortStableFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
	return labels, nil
}

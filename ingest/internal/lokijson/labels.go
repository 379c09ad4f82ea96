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

// shardLabel is the label by which Loki spreads one stream over several; it
// tells nothing about the stream.
const shardLabel = "__stream_shard__"

// WithoutShard returns labels without the one that Loki adds to spread a
// stream; it changes nothing.
func WithoutShard(labels []ingest.Label) []ingest.Label {
	if i := slices.IndexFunc(labels, func(l ingest.Label) bool { return l.Name == shardLabel }); i >= 0 {
		return slices.Delete(slices.Clone(labels), i, i+1)
	}
	return labels
}

// SplitMetadata parts labels that came merged with structured metadata into
// those of the stream and the metadata, as far as it is known by name. Loki's
// shard label is neither.
func SplitMetadata(labels []ingest.Label) (stream, metadata []ingest.Label) {
	for _, l := range labels {
		switch {
		case l.Name == shardLabel:
		case isMetadataName(l.Name):
			metadata = append(metadata, l)
		default:
			stream = append(stream, l)
		}
	}
	return stream, metadata
}

// isMetadataName reports whether a label that came merged into a stream's is
// structured metadata in truth. Loki and the OpenTelemetry ingestion write
// these; none of them is ever a label by which a stream is stored, and taking
// them for one would tear a record's lines into several streams.
func isMetadataName(name string) bool {
	switch name {
	case "detected_level", "trace_id", "span_id", "trace_flags", "traceID", "spanID", "traceId", "spanId",
		"severity_text", "severity_number", "observed_timestamp", "scope_name", "scope_version", "flags",
		"__error__", "__error_details__":
		return true
	}
	return false
}

package logfile

import (
	"bytes"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// maxLabelSets bounds the cache of label sets by their raw bytes; beyond it
// the cache starts anew.
const maxLabelSets = 1 << 16

// labelSet is what one set of labels in an input means: the stream, and the
// structured metadata that the writer had merged into it.
type labelSet struct {
	stream   *ingest.Stream
	metadata []ingest.Label
}

// labelCache turns label objects into streams. A set seen before, byte for
// byte, costs no allocation.
type labelCache struct {
	streams *ingest.StreamTable
	sets    map[string]*labelSet
	lastRaw []byte
	last    *labelSet
}

// get returns the set that raw, a JSON object of strings, tells.
func (c *labelCache) get(raw []byte) (*labelSet, error) {
	if c.last != nil && bytes.Equal(raw, c.lastRaw) {
		return c.last, nil
	}
	set, ok := c.sets[string(raw)]
	if !ok {
		labels, err := parseLabels(raw)
		if err != nil {
			return nil, err
		}
		set = c.intern(labels)
		if c.sets == nil || len(c.sets) >= maxLabelSets {
			c.sets = map[string]*labelSet{}
		}
		c.sets[string(raw)] = set
	}
	c.lastRaw, c.last = append(c.lastRaw[:0], raw...), set
	return set, nil
}

// intern splits labels into those of the stream and metadata.
func (c *labelCache) intern(labels []ingest.Label) *labelSet {
	set := &labelSet{}
	own := labels[:0:0]
	for _, l := range labels {
		switch {
		case isShardLabel(l.Name):
		case isMetadataName(l.Name):
			set.metadata = append(set.metadata, l)
		default:
			own = append(own, l)
		}
	}
	sortLabels(own)
	sortLabels(set.metadata)
	set.stream = c.streams.Intern(own)
	return set
}

func sortLabels(labels []ingest.Label) {
	slices.SortStableFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
}

// isShardLabel reports whether Loki adds the label to spread one stream over
// several; it tells nothing about the stream.
func isShardLabel(name string) bool { return name == "__stream_shard__" }

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

// parseLabels reads a JSON object of strings. A member that is no string keeps
// its JSON text.
func parseLabels(raw []byte) ([]ingest.Label, error) {
	var labels []ingest.Label
	_, err := jsonscan.Object(raw, 0, func(key []byte, i int) (int, error) {
		name, err := jsonscan.Unescape(nil, key)
		if err != nil {
			return i, err
		}
		end, err := jsonscan.Skip(raw, i)
		if err != nil {
			return end, err
		}
		value := bytes.Clone(raw[i:end])
		if raw[i] == '"' {
			if value, err = jsonscan.Unescape(nil, raw[i+1:end-1]); err != nil {
				return i, err
			}
		}
		labels = append(labels, ingest.Label{Name: string(name), Value: string(value)})
		return end, nil
	})
	return labels, err
}

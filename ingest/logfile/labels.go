package logfile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
)

// maxLabelSets and maxSetBytes bound the cache of label sets by their raw
// bytes; beyond either the cache starts anew.
const (
	maxLabelSets = 1 << 15
	maxSetBytes  = 4 << 20
)

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
	limit   int    // of streams
	full    func() // called when the limit is reached
	bytes   int    // of the labels of streams told apart
	sets    map[string]*labelSet

	setBytes int // of the keys of sets
	lastRaw  []byte
	last     *labelSet
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
		if c.sets == nil || len(c.sets) >= maxLabelSets || c.setBytes >= maxSetBytes {
			c.sets, c.setBytes = map[string]*labelSet{}, 0
		}
		c.setBytes += len(raw)
		c.sets[string(raw)] = set
	}
	c.lastRaw, c.last = append(c.lastRaw[:0], raw...), set
	return set, nil
}

// intern splits labels into those of the stream and metadata.
func (c *labelCache) intern(labels []ingest.Label) *labelSet {
	own, metadata := lokijson.SplitMetadata(labels)
	sortLabels(own)
	sortLabels(metadata)
	return &labelSet{stream: c.stream(own), metadata: metadata}
}

// stream interns labels, which are sorted. Labels of which nearly every line
// has its own (a writer merged metadata that is not known by name into them)
// must not make memory grow with the input.
func (c *labelCache) stream(labels []ingest.Label) *ingest.Stream {
	if c.streams.Len() < c.limit && c.bytes < labelBytes*c.limit {
		return c.know(labels)
	}
	c.full()
	if c.streams.Len() >= 2*c.limit || c.bytes >= 2*labelBytes*c.limit {
		// So many pods there are not: whatever it is, it has no end.
		return c.streams.Intern(beyond)
	}
	whole := ingest.NewStream(labels)
	var few []ingest.Label
	for _, l := range []ingest.Label{
		{Name: "container", Value: whole.Container}, {Name: "namespace", Value: whole.Namespace},
		{Name: "pod", Value: whole.Pod}, {Name: "service_name", Value: whole.Service},
	} {
		if l.Value != "" {
			few = append(few, l)
		}
	}
	return c.know(few)
}

// know interns labels and counts what they cost.
func (c *labelCache) know(labels []ingest.Label) *ingest.Stream {
	before := c.streams.Len()
	s := c.streams.Intern(labels)
	if c.streams.Len() > before {
		c.bytes += len(s.Key)
	}
	return s
}

// labelBytes is how long the labels of a stream may be, on the average.
const labelBytes = 200

// beyond is the stream of all that are not told apart any more.
var beyond = []ingest.Label{{Name: "streams", Value: "others"}}

func sortLabels(labels []ingest.Label) {
	slices.SortStableFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
}

// maxLabels bounds the labels of an entry.
const maxLabels = 1000

var errManyLabels = fmt.Errorf("more than %d labels", maxLabels)

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
		if len(labels) == maxLabels {
			return i, errManyLabels
		}
		labels = append(labels, ingest.Label{Name: string(name), Value: string(value)})
		return end, nil
	})
	return labels, err
}

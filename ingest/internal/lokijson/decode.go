// Package lokijson decodes the JSON in which Loki hands out and takes in log
// lines: answers of query_range, frames of tail, and the bodies of pushes.
//
// All of them hold result streams, {"stream":{labels},"values":[["ns","line"],
// ...]}, at some depth; a value may have a third element with structured
// metadata. The document is read once, from front to back, with a buffer that
// does not grow.
package lokijson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// The errors of a document that is JSON and no log lines.
var (
	// ErrMetric says that the answer is that of a metric query.
	ErrMetric = errors.New("the result of a metric query holds no log lines")
	// ErrValue says that a value is not ["nanoseconds", "line"].
	ErrValue = errors.New(`a value is not ["nanoseconds","line"]`)
	// ErrLongLabels says that a stream has more labels than are kept.
	ErrLongLabels = errors.New("a stream of more than 1000 labels, or of labels of more than 256 KiB; the others were left out")
	// ErrNoLabels says that a result stream gives its values before its labels.
	ErrNoLabels = errors.New(`"values" without "stream" before them`)
)

// Handler takes what a document holds. The labels, the line and the metadata
// belong to the Decoder and are valid until the method returns; metadata
// slices are shared and never changed, so they may be kept.
type Handler interface {
	// Stream begins a result stream. Its labels are sorted by name.
	// Categorized says that they are the labels of the stream alone, and not
	// merged with structured metadata.
	Stream(labels []ingest.Label, categorized bool) error
	// Entry is one line of the stream begun last, in the order of the
	// document. Cut says that the line was longer than the Decoder's limit.
	Entry(ns int64, line []byte, cut bool, metadata []ingest.Label) error
	// Bad is a value that is no line.
	Bad(offset int64, err error) error
}

// Summary is what a document says beside its lines.
type Summary struct {
	Status      string   // "success", or empty
	ResultType  string   // "streams", or empty
	Streams     int      // result streams seen
	Entries     int64    // lines seen
	Categorized bool     // data.encodingFlags names categorize-labels
	Warnings    []string // as the server words them
	// BytesProcessed and LinesProcessed are the server's own statistics;
	// -1 where it gives none.
	BytesProcessed, LinesProcessed int64
	// Shards is by how many shards of its streams the server answered; 0 where
	// it does not say.
	Shards int64
}

// Decoder decodes documents. The zero value is ready; LineLimit may be set.
type Decoder struct {
	// LineLimit bounds a line in bytes; 0 is 1 MiB.
	LineLimit int

	scan     jsonscan.Scanner
	depth    int
	handler  Handler
	sum      Summary
	key      []byte
	text     []byte
	labels   []ingest.Label
	metadata map[string][]ingest.Label
	lastRaw  []byte
	last     []ingest.Label
}

// maxMetadataSets bounds the cache of structured metadata by its bytes.
const maxMetadataSets = 1 << 12

// Decode reads one document from r: an object, or an array of objects. Errors
// of the JSON are *jsonscan.Error; what was handed on before them holds good.
func (d *Decoder) Decode(r io.Reader, h Handler) (Summary, error) {
	d.Reset(r)
	return d.Next(h)
}

// Reset makes the Decoder read r, which may hold several documents one after
// the other.
func (d *Decoder) Reset(r io.Reader) { d.scan.Reset(r) }

// Next decodes the next document; io.EOF after the last one.
func (d *Decoder) Next(h Handler) (Summary, error) {
	d.handler = h
	d.sum = Summary{BytesProcessed: -1, LinesProcessed: -1}
	c, err := d.scan.Peek()
	if err != nil {
		return d.sum, err
	}
	switch c {
	case '{':
		err = d.object()
	case '[':
		err = d.array(d.object)
	default:
		err = d.syntax()
	}
	return d.sum, err
}

// Offset returns how many bytes have been consumed.
func (d *Decoder) Offset() int64 { return d.scan.Offset() }

func (d *Decoder) lineLimit() int {
	if d.LineLimit > 0 {
		return d.LineLimit
	}
	return 1 << 20
}

func (d *Decoder) syntax() error {
	return &jsonscan.Error{Offset: d.scan.Offset(), Err: jsonscan.ErrSyntax}
}

// array calls element at each element of an array.
func (d *Decoder) array(element func() error) error {
	if err := d.scan.Expect('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.scan.More(first, ']')
		if err != nil || !more {
			return err
		}
		if err := element(); err != nil {
			return err
		}
	}
}

// members calls member with each key of an object; member consumes the value.
func (d *Decoder) members(member func(key string) error) error {
	if err := d.scan.Expect('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.scan.More(first, '}')
		if err != nil || !more {
			return err
		}
		if d.key, err = d.scan.Key(d.key[:0]); err != nil {
			return err
		}
		if err := member(string(d.key)); err != nil {
			return err
		}
	}
}

// maxObjects bounds how deep result streams may lie.
const maxObjects = 16

// object reads a document, its "data", or one result stream: they are told
// apart by their keys.
func (d *Decoder) object() error {
	if d.depth == maxObjects {
		return &jsonscan.Error{Offset: d.scan.Offset(), Err: jsonscan.ErrDepth}
	}
	d.depth++
	defer func() { d.depth-- }()
	haveLabels, categorized := false, false
	return d.members(func(key string) error {
		c, err := d.scan.Peek()
		if err != nil {
			return d.scan.Skip()
		}
		switch {
		case key == "data" && c == '{':
			return d.object()
		case (key == "result" || key == "streams") && c == '[':
			return d.array(d.object)
		case key == "stream" && c == '{':
			haveLabels, categorized = true, d.sum.Categorized
			return d.stream(categorized)
		case key == "labels" && c == '"':
			haveLabels = true
			return d.labelText()
		case (key == "values" || key == "entries") && c == '[':
			if !haveLabels {
				return fmt.Errorf("byte %d: %w", d.scan.Offset(), ErrNoLabels)
			}
			return d.array(d.value)
		case key == "metric":
			return ErrMetric
		case key == "status" && c == '"':
			return d.stringInto(&d.sum.Status)
		case key == "resultType" && c == '"':
			if err := d.stringInto(&d.sum.ResultType); err != nil {
				return err
			}
			if d.sum.ResultType != "streams" {
				return ErrMetric
			}
			return nil
		case key == "encodingFlags" && c == '[':
			return d.array(func() error {
				var flag string
				err := d.stringInto(&flag)
				d.sum.Categorized = d.sum.Categorized || flag == "categorize-labels"
				return err
			})
		case key == "warnings" && c == '[':
			return d.array(func() error {
				var w string
				err := d.stringInto(&w)
				if len(d.sum.Warnings) < 10 {
					d.sum.Warnings = append(d.sum.Warnings, w)
				}
				return err
			})
		case key == "stats" && c == '{':
			return d.stats()
		}
		return d.scan.Skip()
	})
}

func (d *Decoder) stringInto(s *string) error {
	if c, err := d.scan.Peek(); err != nil || c != '"' {
		return d.scan.Skip()
	}
	text, _, err := d.scan.String(nil, 4<<10)
	*s = string(text)
	return err
}

// stats reads data.stats.summary.
func (d *Decoder) stats() error {
	return d.members(func(key string) error {
		if c, err := d.scan.Peek(); key != "summary" || err != nil || c != '{' {
			return d.scan.Skip()
		}
		return d.members(func(key string) error {
			switch key {
			case "totalBytesProcessed":
				return d.intInto(&d.sum.BytesProcessed)
			case "totalLinesProcessed":
				return d.intInto(&d.sum.LinesProcessed)
			case "shards":
				return d.intInto(&d.sum.Shards)
			}
			return d.scan.Skip()
		})
	})
}

func (d *Decoder) intInto(n *int64) error {
	if c, err := d.scan.Peek(); err != nil || c < '0' || c > '9' {
		return d.scan.Skip()
	}
	var scratch [64]byte
	text, err := d.scan.Scalar(scratch[:0])
	if v, ok := parseInt(text); ok {
		*n = v
	}
	return err
}

// The bounds of a stream's labels; servers take 15 of a few kilobytes.
const (
	maxLabels     = 1000
	maxLabelBytes = 256 << 10
)

// stream reads the labels of a result stream.
func (d *Decoder) stream(categorized bool) error {
	d.labels = d.labels[:0]
	room, cut := maxLabelBytes, false
	err := d.members(func(key string) error {
		c, err := d.scan.Peek()
		if err != nil || c != '"' {
			return d.scan.Skip()
		}
		if len(d.labels) >= maxLabels || room <= len(key) {
			cut = true
			return d.scan.Skip()
		}
		value, long, err := d.scan.String(nil, room-len(key))
		cut = cut || long
		room -= len(key) + len(value)
		d.labels = append(d.labels, ingest.Label{Name: key, Value: string(value)})
		return err
	})
	if err != nil {
		return err
	}
	if cut {
		if err := d.handler.Bad(d.scan.Offset(), ErrLongLabels); err != nil {
			return err
		}
	}
	return d.beginStream(categorized)
}

func (d *Decoder) beginStream(categorized bool) error {
	slices.SortStableFunc(d.labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
	d.sum.Streams++
	return d.handler.Stream(d.labels, categorized)
}

// labelText reads labels in their selector form, {a="b"}, as old pushes have
// them.
func (d *Decoder) labelText() error {
	text, _, err := d.scan.String(nil, d.lineLimit())
	if err != nil {
		return err
	}
	labels, err := ParseLabelText(text)
	if err != nil {
		return fmt.Errorf("byte %d: %w", d.scan.Offset(), err)
	}
	d.labels = append(d.labels[:0], labels...)
	return d.beginStream(true)
}

// metadataOf returns the metadata that the JSON object raw tells; the same
// bytes give the same slice.
func (d *Decoder) metadataOf(raw []byte) ([]ingest.Label, error) {
	if d.last != nil && bytes.Equal(raw, d.lastRaw) {
		return d.last, nil
	}
	set, ok := d.metadata[string(raw)]
	if !ok {
		var err error
		if set, err = parseMetadata(raw); err != nil {
			return nil, err
		}
		if d.metadata == nil || len(d.metadata) >= maxMetadataSets {
			d.metadata = map[string][]ingest.Label{}
		}
		d.metadata[string(raw)] = set
	}
	d.lastRaw, d.last = append(d.lastRaw[:0], raw...), set
	return set, nil
}

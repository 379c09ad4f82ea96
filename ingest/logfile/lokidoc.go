package logfile

import (
	"errors"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
)

// lokiDocument reads saved answers of query_range, frames of tail and bodies
// of pushes, one or several after the other.
type lokiDocument struct {
	r   io.Reader
	env *environment

	entry  func(*item) error
	bad    func(*pieceError)
	stream *labelSet
	seq    uint64
	it     item
}

func (d *lokiDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	d.entry, d.bad = entry, bad
	dec := &lokijson.Decoder{LineLimit: d.env.maxLine}
	dec.Reset(d.r)
	for n := 0; ; n++ {
		sum, err := dec.Next(d)
		if err == io.EOF {
			return nil
		}
		var at *jsonscan.Error
		switch {
		case err == nil:
		case errors.As(err, &at) && (at.Err == jsonscan.ErrShort || at.Err == jsonscan.ErrSyntax || at.Err == jsonscan.ErrDepth):
			bad(&pieceError{place: fmt.Sprintf("byte %d", at.Offset), err: at.Err})
			return nil
		case errors.Is(err, lokijson.ErrMetric) || errors.Is(err, lokijson.ErrNoLabels) || errors.Is(err, lokijson.ErrLabels):
			bad(&pieceError{err: err})
			return nil
		default:
			return err
		}
		for _, w := range sum.Warnings {
			d.env.in.note("", fmt.Errorf("warning of the server: %s", w))
		}
	}
}

// Stream begins a result stream.
func (d *lokiDocument) Stream(labels []ingest.Label, categorized bool) error {
	if categorized {
		d.stream = &labelSet{stream: d.env.labels.stream(lokijson.WithoutShard(labels))}
		return nil
	}
	d.stream = d.env.labels.intern(labels)
	return nil
}

// Entry hands on an entry.
func (d *lokiDocument) Entry(ns int64, line []byte, cut bool, metadata []ingest.Label) error {
	if cut {
		d.bad(&pieceError{err: fmt.Errorf("entry cut after %d bytes", len(line)), kept: true})
	}
	if len(metadata) == 0 {
		metadata = d.stream.metadata
	} else if len(d.stream.metadata) > 0 {
		metadata = append(append([]ingest.Label(nil), d.stream.metadata...), metadata...)
		sortLabels(metadata)
	}
	d.it = item{nano: ns, stream: d.stream.stream, line: line, metadata: metadata, seq: d.seq}
	d.seq++
	return d.entry(&d.it)
}

// Bad counts a value that is no line.
func (d *lokiDocument) Bad(offset int64, err error) error {
	d.bad(&pieceError{place: fmt.Sprintf("byte %d", offset), err: err, kept: errors.Is(err, lokijson.ErrLongLabels)})
	return nil
}

func responseFormat() *Format {
	return &Format{
		Name:    "query_range",
		Title:   "saved answers of Loki's query_range",
		Example: `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"portal-0"},"values":[["1789805416049626825","fail: Polly[0]"]]}]}}`,
		detect: func(h *head) string {
			if h.kind("data") == '{' || h.kind("result") == '[' || h.kind("stream") == '{' && h.has("values") {
				return ""
			}
			return "the first object is no answer with data.result"
		},
		document: func(r io.Reader, env *environment) document { return &lokiDocument{r: r, env: env} },
		fromLoki: true,
	}
}

func pushFormat() *Format {
	return &Format{
		Name:     "push-json",
		Title:    "captured pushes to Loki in JSON, and frames of its tail",
		Example:  `{"streams":[{"stream":{"pod":"portal-0"},"values":[["1789805416049626825","fail: Polly[0]"]]}]}`,
		detect:   func(h *head) string { return h.needKinds("streams", '[') },
		document: func(r io.Reader, env *environment) document { return &lokiDocument{r: r, env: env} },
	}
}

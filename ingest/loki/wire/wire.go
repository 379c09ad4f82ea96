// Package wire reads and writes the bodies of pushes to Loki in protobuf: a
// snappy block that holds a PushRequest.
//
// The types are Loki's own, from github.com/grafana/loki/pkg/push, which has a
// permissive licence; those of Loki's main module have not. They bring in
// gogo/protobuf and grpc, so this package is the only one that imports them,
// and none of them is part of its signatures.
package wire

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gogo/protobuf/proto"
	"github.com/grafana/loki/pkg/push"
	"github.com/klauspost/compress/s2"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/lokijson"
)

// MaxDecoded bounds a decoded push in bytes; servers take 4 MiB.
const MaxDecoded = 64 << 20

// ErrTooLarge says that a push claims to be larger than MaxDecoded.
var ErrTooLarge = errors.New("the push is larger than 64 MiB")

// Entry is one line of a push. Labels and Metadata are sorted by name.
type Entry struct {
	UnixNano int64
	Labels   []ingest.Label
	Line     string
	Metadata []ingest.Label
}

// Decode reads the body of a push.
func Decode(body []byte) ([]Entry, error) {
	n, err := s2.DecodedLen(body)
	if err != nil {
		return nil, fmt.Errorf("not a snappy block: %w", err)
	}
	if n > MaxDecoded {
		return nil, ErrTooLarge
	}
	plain, err := s2.Decode(nil, body)
	if err != nil {
		return nil, fmt.Errorf("not a snappy block: %w", err)
	}
	var req push.PushRequest
	if err := proto.Unmarshal(plain, &req); err != nil {
		return nil, fmt.Errorf("not a push: %w", err)
	}
	var entries []Entry
	for _, s := range req.Streams {
		labels, err := lokijson.ParseLabelText([]byte(s.Labels))
		if err != nil {
			return nil, err
		}
		for _, e := range s.Entries {
			one := Entry{UnixNano: e.Timestamp.UnixNano(), Labels: labels, Line: e.Line}
			for _, l := range e.StructuredMetadata {
				one.Metadata = append(one.Metadata, ingest.Label{Name: l.Name, Value: l.Value})
			}
			sortLabels(one.Metadata)
			entries = append(entries, one)
		}
	}
	return entries, nil
}

// Encode writes the body of a push. Entries one after the other with equal
// labels become one stream.
func Encode(entries []Entry) ([]byte, error) {
	var req push.PushRequest
	for _, e := range entries {
		key := ingest.NewStream(append([]ingest.Label(nil), e.Labels...)).Key
		last := len(req.Streams) - 1
		if last < 0 || req.Streams[last].Labels != key {
			req.Streams = append(req.Streams, push.Stream{Labels: key})
			last++
		}
		one := push.Entry{Timestamp: unix(e.UnixNano), Line: e.Line}
		for _, l := range e.Metadata {
			one.StructuredMetadata = append(one.StructuredMetadata, push.LabelAdapter{Name: l.Name, Value: l.Value})
		}
		req.Streams[last].Entries = append(req.Streams[last].Entries, one)
	}
	plain, err := proto.Marshal(&req)
	if err != nil {
		return nil, err
	}
	return s2.EncodeSnappy(nil, plain), nil
}

func unix(ns int64) time.Time { return time.Unix(0, ns).UTC() }

func sortLabels(labels []ingest.Label) {
	slices.SortStableFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
}

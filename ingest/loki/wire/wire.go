// Package wire reads and writes the bodies of pushes to Loki in protobuf: a
// snappy block that holds a PushRequest.
//
// The types are Loki's own, from github.com/grafana/loki/pkg/push, which has a
// permissive licence; those of Loki's main module have not. They bring in
// gogo/protobuf and grpc, so this package is the only one that imports them,
// and none of them is part of its signatures.
package wire

import (
	"encoding/binary"
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
const MaxDecoded = 32 << 20

// ErrTooLarge says that a push claims to be larger than MaxDecoded.
var ErrTooLarge = errors.New("the push is larger than 32 MiB")

// Entry is one line of a push. Labels and Metadata are sorted by name.
type Entry struct {
	UnixNano int64
	Labels   []ingest.Label
	Line     string
	Metadata []ingest.Label
}

// Decode reads the body of a push.
func Decode(body []byte) ([]Entry, error) {
	var entries []Entry
	err := Each(body, func(e *Entry) error {
		entries = append(entries, *e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// Each reads the body of a push, as it travels or with the compression undone
// already, and calls yield with each entry in turn; e is valid until yield
// returns. So a push costs what it is long and no more, however many entries
// it has. An error of yield ends the reading; what was handed on before an
// error of the body holds good.
func Each(body []byte, yield func(e *Entry) error) error {
	plain, err := unsnap(body)
	if err != nil {
		return err
	}
	return fields(plain, func(number int, stream []byte) error {
		if number != 1 {
			return nil
		}
		var labels []ingest.Label
		err := fields(stream, func(number int, value []byte) (err error) {
			if number == 1 {
				labels, err = lokijson.ParseLabelText(value)
			}
			return err
		})
		if err != nil {
			return err
		}
		return fields(stream, func(number int, value []byte) error {
			if number != 2 {
				return nil
			}
			var e push.Entry
			if err := e.Unmarshal(value); err != nil {
				return fmt.Errorf("not a push: %w", err)
			}
			one := Entry{UnixNano: e.Timestamp.UnixNano(), Labels: labels, Line: e.Line}
			for _, l := range e.StructuredMetadata {
				one.Metadata = append(one.Metadata, ingest.Label{Name: l.Name, Value: l.Value})
			}
			sortLabels(one.Metadata)
			return yield(&one)
		})
	})
}

// unsnap undoes the compression. A push begins with the tag of its first
// stream, which as a length of a snappy block would be 10: too short for one.
func unsnap(body []byte) ([]byte, error) {
	n, err := s2.DecodedLen(body)
	if err == nil && n <= MaxDecoded {
		plain, err := s2.Decode(nil, body)
		if err == nil {
			return plain, nil
		}
		if body[0] != streamTag {
			return nil, fmt.Errorf("not a snappy block: %w", err)
		}
	}
	switch {
	case len(body) > 0 && body[0] == streamTag && len(body) <= MaxDecoded:
		return body, nil
	case err == nil:
		return nil, ErrTooLarge
	}
	return nil, fmt.Errorf("not a snappy block: %w", err)
}

// streamTag begins a stream of a PushRequest: field 1, of bytes.
const streamTag = 0x0a

// fields calls visit with each field of bytes in a protobuf message and passes
// over the others.
func fields(b []byte, visit func(number int, value []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 || tag>>3 == 0 || tag>>3 > 1<<29 {
			return errField
		}
		b = b[n:]
		var size uint64
		switch tag & 7 {
		case 0:
			if _, n = binary.Uvarint(b); n <= 0 {
				return errField
			}
			size = uint64(n)
		case 1:
			size = 8
		case 5:
			size = 4
		case 2:
			if size, n = binary.Uvarint(b); n <= 0 || size > uint64(len(b)-n) {
				return errField
			}
			if err := visit(int(tag>>3), b[n:n+int(size)]); err != nil {
				return err
			}
			size += uint64(n)
		default:
			return errField
		}
		if size > uint64(len(b)) {
			return errField
		}
		b = b[size:]
	}
	return nil
}

var errField = errors.New("not a push: a field is cut off, or of no known kind")

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

package logfile

import (
	"encoding/binary"
	"io"

	"github.com/vdm-logs/vdm-logs/ingest/loki/wire"
)

// pushDocument reads the body of a push in protobuf.
type pushDocument struct {
	r   io.Reader
	env *environment
}

func (d *pushDocument) each(entry func(*item) error, bad func(*pieceError)) error {
	body, err := io.ReadAll(io.LimitReader(d.r, wire.MaxDecoded+1))
	if err != nil {
		return err
	}
	if len(body) > wire.MaxDecoded {
		bad(&pieceError{err: wire.ErrTooLarge})
		return nil
	}
	entries, err := wire.Decode(body)
	if err != nil {
		bad(&pieceError{err: err})
		return nil
	}
	for i, e := range entries {
		it := item{
			nano: e.UnixNano, stream: d.env.labels.intern(e.Labels).stream, metadata: e.Metadata,
			line: []byte(e.Line[:min(len(e.Line), d.env.maxLine)]), seq: uint64(i),
		}
		if err := entry(&it); err != nil {
			return err
		}
	}
	return nil
}

// looksLikePush reports whether b begins as a snappy block of protobuf whose
// first field is a push's streams: a length, a literal, and its first byte.
func looksLikePush(b []byte) bool {
	size, n := binary.Uvarint(b)
	if n <= 0 || size == 0 || size > wire.MaxDecoded || n >= len(b) || b[n]&3 != 0 {
		return false
	}
	at := n + 1
	if length := b[n] >> 2; length >= 60 {
		at += int(length) - 59
	}
	return at < len(b) && b[at] == 0x0a
}

func pushProtoFormat() *Format {
	return &Format{
		Name:  "push-protobuf",
		Title: "captured pushes to Loki in protobuf, one body a file",
		detect: func(h *head) string {
			switch {
			case !looksLikePush(h.data):
				return "no snappy block of a push"
			case h.whole:
				if _, err := wire.Decode(h.data); err != nil {
					return err.Error()
				}
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &pushDocument{r: r, env: env} },
	}
}

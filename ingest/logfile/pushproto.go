package logfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

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
	seq := uint64(0)
	err = wire.Each(body, func(e *wire.Entry) error {
		line := []byte(e.Line)
		if len(line) > d.env.maxLine {
			line = line[:d.env.maxLine]
			bad(&pieceError{err: fmt.Errorf("entry cut after %d bytes", d.env.maxLine), kept: true})
		}
		it := item{nano: e.UnixNano, stream: d.env.labels.intern(e.Labels).stream, metadata: e.Metadata, line: line, seq: seq}
		seq++
		if err := entry(&it); err != nil {
			return &stopError{err}
		}
		return nil
	})
	var stopped *stopError
	if errors.As(err, &stopped) {
		return stopped.err
	}
	if err != nil {
		bad(&pieceError{err: err})
	}
	return nil
}

// looksLikePush reports whether b begins as a snappy block of protobuf whose
// first field is a push's streams: a length, a literal, and its first byte; or
// as such protobuf itself, whose first stream begins with its labels.
func looksLikePush(b []byte) bool {
	if len(b) > 8 && b[0] == 0x0a {
		if size, n := binary.Uvarint(b[1:]); n > 0 && size > 2 && n+1 < len(b) && b[n+1] == 0x0a {
			if labels, m := binary.Uvarint(b[n+2:]); m > 0 && labels < size && n+2+m < len(b) && b[n+2+m] == '{' {
				return true
			}
		}
	}
	size, n := binary.Uvarint(b)
	if n <= 0 || size == 0 || size > math.MaxUint32 || n >= len(b) || b[n]&3 != 0 {
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
		Title: "captured pushes to Loki in protobuf, one body a file, with snappy or without",
		detect: func(h *head) string {
			switch {
			case !looksLikePush(h.data):
				return "no snappy block of a push"
			case h.whole:
				if _, err := wire.Decode(h.data); err != nil && !errors.Is(err, wire.ErrTooLarge) {
					return err.Error()
				}
			}
			return ""
		},
		document: func(r io.Reader, env *environment) document { return &pushDocument{r: r, env: env} },
	}
}

package lokijson

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// value reads one element of "values". One that lies whole in the buffer is
// decoded where it lies.
func (d *Decoder) value() error {
	if _, err := d.scan.Peek(); err != nil {
		return d.scan.Skip()
	}
	for {
		b := d.scan.Buffered()
		v, n, err := parseValue(b)
		if err == jsonscan.ErrShort && d.scan.Fill() {
			continue
		}
		if err != nil {
			return d.slowValue()
		}
		offset := d.scan.Offset()
		d.scan.Advance(n)
		if v.escaped {
			if v.line, err = jsonscan.Unescape(v.line[:0], v.line); err != nil {
				return &jsonscan.Error{Offset: offset, Err: err}
			}
		}
		ns, ok := parseInt(v.time)
		if !ok {
			return d.handler.Bad(offset, fmt.Errorf("%w: time %q", ErrValue, v.time))
		}
		return d.entry(offset, ns, v.line, false, v.metadata)
	}
}

// entry hands an entry on.
func (d *Decoder) entry(offset, ns int64, line []byte, cut bool, rawMetadata []byte) error {
	var metadata []ingest.Label
	if rawMetadata != nil {
		var err error
		if metadata, err = d.metadataOf(rawMetadata); err != nil {
			return &jsonscan.Error{Offset: offset, Err: err}
		}
	}
	if limit := d.lineLimit(); len(line) > limit {
		line, cut = line[:limit], true
	}
	d.sum.Entries++
	return d.handler.Entry(ns, line, cut, metadata)
}

// rawValue is an element of "values" as it lies in memory.
type rawValue struct {
	time, line []byte
	escaped    bool   // the line holds escapes
	metadata   []byte // an object, or nil
}

// parseValue reads ["time","line"] or ["time","line",{...}] at the start of b
// and returns the length read.
func parseValue(b []byte) (v rawValue, n int, err error) {
	if len(b) == 0 {
		return v, 0, jsonscan.ErrShort
	}
	if b[0] != '[' {
		return v, 0, jsonscan.ErrSyntax
	}
	escaped := false
	v.time, escaped, n, err = jsonscan.String(b, jsonscan.Space(b, 1))
	if err != nil || escaped {
		return v, n, orSyntax(err)
	}
	if n, err = comma(b, n); err != nil {
		return v, n, err
	}
	if v.line, v.escaped, n, err = jsonscan.String(b, n); err != nil {
		return v, n, err
	}
	n = jsonscan.Space(b, n)
	if n < len(b) && b[n] == ',' {
		start := jsonscan.Space(b, n+1)
		if n, err = jsonscan.Skip(b, start); err != nil {
			return v, n, err
		}
		if b[start] == '{' {
			v.metadata = b[start:n]
		}
		n = jsonscan.Space(b, n)
	}
	switch {
	case n >= len(b):
		return v, n, jsonscan.ErrShort
	case b[n] != ']':
		return v, n, jsonscan.ErrSyntax
	}
	return v, n + 1, nil
}

func orSyntax(err error) error {
	if err == nil {
		return jsonscan.ErrSyntax
	}
	return err
}

func comma(b []byte, i int) (int, error) {
	i = jsonscan.Space(b, i)
	switch {
	case i >= len(b):
		return i, jsonscan.ErrShort
	case b[i] != ',':
		return i, jsonscan.ErrSyntax
	}
	i = jsonscan.Space(b, i+1)
	if i >= len(b) {
		return i, jsonscan.ErrShort
	}
	return i, nil
}

// slowValue reads an element piece by piece: one larger than the buffer, or
// of another shape.
func (d *Decoder) slowValue() error {
	start := d.scan.Offset()
	c, err := d.scan.Peek()
	if err != nil {
		return d.scan.Skip()
	}
	if c == '{' {
		return d.pushEntry()
	}
	if c != '[' {
		if err := d.scan.Skip(); err != nil {
			return err
		}
		return d.handler.Bad(start, ErrValue)
	}
	var parts int
	var ns int64
	var cut, bad bool
	var metadata []byte
	err = d.array(func() error {
		parts++
		c, err := d.scan.Peek()
		if err != nil {
			return d.scan.Skip()
		}
		switch {
		case parts == 1 && c == '"':
			var scratch [32]byte
			text, tooLong, err := d.scan.String(scratch[:0], len(scratch))
			var ok bool
			if ns, ok = parseInt(text); !ok || tooLong {
				bad = true
			}
			return err
		case parts == 2 && c == '"':
			d.text, cut, err = d.scan.String(d.text[:0], d.lineLimit())
			return err
		case parts == 3 && c == '{':
			metadata, err = d.rawObject()
			return err
		case parts <= 2:
			bad = true
		}
		return d.scan.Skip()
	})
	if err != nil {
		return err
	}
	if bad || parts < 2 {
		return d.handler.Bad(start, ErrValue)
	}
	return d.entry(start, ns, d.text, cut, metadata)
}

// pushEntry reads {"ts":"RFC 3339","line":"..."}, the entries of old pushes,
// which no release of Loki takes any more.
func (d *Decoder) pushEntry() error {
	start := d.scan.Offset()
	if err := d.scan.Skip(); err != nil {
		return err
	}
	return d.handler.Bad(start, ErrValue)
}

// rawObject returns the text of an object, as far as it fits the buffer;
// larger metadata than that is dropped.
func (d *Decoder) rawObject() ([]byte, error) {
	for {
		b := d.scan.Buffered()
		n, err := jsonscan.Skip(b, 0)
		if err == jsonscan.ErrShort && d.scan.Fill() {
			continue
		}
		if err != nil {
			return nil, d.scan.Skip()
		}
		raw := bytes.Clone(b[:n])
		d.scan.Advance(n)
		return raw, nil
	}
}

// parseInt reads a decimal integer of nanoseconds.
func parseInt(b []byte) (int64, bool) {
	neg := len(b) > 0 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 19 {
		return 0, false
	}
	var v uint64
	for _, c := range b {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + uint64(c)
	}
	if v > math.MaxInt64 {
		return 0, false
	}
	if neg {
		return -int64(v), true
	}
	return int64(v), true
}

// parseMetadata reads the third element of a value: {"structuredMetadata":
// {...},"parsed":{...}} in answers, a flat object in pushes. Parsed labels
// are the query's doing and are dropped.
func parseMetadata(raw []byte) ([]ingest.Label, error) {
	labels := []ingest.Label{}
	_, err := jsonscan.Object(raw, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(raw, i)
		if err != nil {
			return end, err
		}
		switch {
		case raw[i] == '"':
			labels, err = appendLabel(labels, key, raw[i+1:end-1])
		case raw[i] == '{' && string(key) == "structuredMetadata":
			_, err = jsonscan.Object(raw[:end], i, func(key []byte, i int) (int, error) {
				end, err := jsonscan.Skip(raw, i)
				if err == nil && raw[i] == '"' {
					labels, err = appendLabel(labels, key, raw[i+1:end-1])
				}
				return end, err
			})
		}
		return end, err
	})
	slices.SortStableFunc(labels, func(a, b ingest.Label) int { return strings.Compare(a.Name, b.Name) })
	return labels, err
}

func appendLabel(labels []ingest.Label, key, value []byte) ([]ingest.Label, error) {
	name, err := jsonscan.Unescape(nil, key)
	if err != nil {
		return labels, err
	}
	text, err := jsonscan.Unescape(nil, value)
	if err != nil {
		return labels, err
	}
	return append(labels, ingest.Label{Name: string(name), Value: string(text)}), nil
}

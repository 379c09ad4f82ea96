package ingest

import (
	"context"
	"io"
	"slices"
	"testing"
)

// listReader yields entries of a list.
type listReader struct {
	entries []Entry
	at      int
}

func (l *listReader) Next(_ context.Context, e *Entry) error {
	if l.at == len(l.entries) {
		return io.EOF
	}
	*e = l.entries[l.at]
	l.at++
	return nil
}

func (l *listReader) Stats() ReadStats { return ReadStats{Entries: int64(l.at)} }

func TestRepeats(t *testing.T) {
	a, b := NewStream([]Label{{"pod", "a"}}), NewStream([]Label{{"pod", "b"}})
	entries := []Entry{
		{UnixNano: 1, Stream: a, Line: []byte("x")},
		{UnixNano: 1, Stream: a, Line: []byte("y")},
		{UnixNano: 1, Stream: a, Line: []byte("x")},
		{UnixNano: 1, Stream: a, Line: []byte("x")},
		{UnixNano: 1, Stream: b, Line: []byte("x")},
		{UnixNano: 2, Stream: b, Line: []byte("x")},
		{UnixNano: 2, Stream: b, Line: nil},
		{UnixNano: 2, Stream: b, Line: nil},
		{UnixNano: 2, Stream: b, Line: []byte("x"), Inherited: true},
	}
	for _, drop := range []bool{false, true} {
		r := NewRepeats(&listReader{entries: entries}, drop)
		var lines []string
		var e Entry
		for r.Next(context.Background(), &e) == nil {
			lines = append(lines, e.Stream.Pod+string(e.Line))
		}
		want := []string{"ax", "ay", "ax", "ax", "bx", "bx", "b", "b", "bx"}
		if drop {
			want = []string{"ax", "ay", "bx", "bx", "b", "bx"}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("drop %v: %q, want %q", drop, lines, want)
		}
		if r.Repeated() != 3 {
			t.Errorf("drop %v: %d repeated, want 3", drop, r.Repeated())
		}
		if got := r.Stats().Entries; got != int64(len(want)) {
			t.Errorf("drop %v: Stats tells of %d entries, want %d", drop, got, len(want))
		}
	}
}

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
		{UnixNano: 2, Stream: b, Line: []byte("x"), Inherited: true}, // follows a repeated one
		{UnixNano: 3, Stream: b, Line: []byte("z")},
		{UnixNano: 3, Stream: b, Line: []byte("z"), Inherited: true}, // follows the first
	}
	for _, drop := range []bool{false, true} {
		r := NewRepeats(&listReader{entries: entries}, drop)
		var lines []string
		var e Entry
		for r.Next(context.Background(), &e) == nil {
			lines = append(lines, e.Stream.Pod+string(e.Line))
		}
		want := []string{"ax", "ay", "ax", "ax", "bx", "bx", "b", "b", "bx", "bz", "bz"}
		if drop {
			want = []string{"ax", "ay", "bx", "bx", "b", "bz", "bz"}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("drop %v: %q, want %q", drop, lines, want)
		}
		if r.Repeated() != 4 {
			t.Errorf("drop %v: %d repeated, want 4", drop, r.Repeated())
		}
		if got := r.Stats().Entries; got != int64(len(want)) {
			t.Errorf("drop %v: Stats tells of %d entries, want %d", drop, got, len(want))
		}
	}
}

// TestStreamRepeats tells a stream that was shipped twice from a program that
// says the same thing twice.
func TestStreamRepeats(t *testing.T) {
	twice, chatty := NewStream([]Label{{"pod", "twice"}}), NewStream([]Label{{"pod", "chatty"}})
	var entries []Entry
	for i := range 10 {
		at := int64(i)*1e9 + 120
		add := func(s *Stream, lines ...string) {
			for _, l := range lines {
				entries = append(entries, Entry{UnixNano: at, Stream: s, Line: []byte(l)})
			}
		}
		add(chatty, "head", "frame", "frame")
		add(twice, "head", "frame", "head", "frame")
	}
	r := NewRepeats(&listReader{entries: entries}, false)
	var e Entry
	for r.Next(context.Background(), &e) == nil {
	}
	want := []StreamRepeats{
		{Stream: chatty, Entries: 30, Repeated: 10, Whole: 0, Times: 10, ResolutionNano: 10},
		{Stream: twice, Entries: 40, Repeated: 20, Whole: 10, Times: 10, ResolutionNano: 10},
	}
	if got := r.Streams(); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

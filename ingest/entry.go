package ingest

import (
	"context"
	"time"
)

// Entry is one line as it was shipped.
//
// The bytes of Line and the slice Metadata belong to the Reader that yielded
// the entry and are valid until its next call of Next; whoever keeps them
// copies them.
type Entry struct {
	// UnixNano is the entry's time in nanoseconds since 1970-01-01 UTC.
	UnixNano int64
	// Stream is the stream the entry belongs to; never nil.
	Stream *Stream
	// Line is the text, without a final line break. It may hold line breaks,
	// control characters and any bytes at all.
	Line []byte
	// Metadata is Loki's structured metadata, sorted by name; usually empty.
	Metadata []Label
	// Arrival orders entries of equal time and stream where the source has
	// such an order (files). Meaning differs with Ordered.
	Arrival uint64
	// Ordered says that Arrival is the order in which the entries were
	// written. It is false for Loki, where ties come back in any order.
	Ordered bool
	// Inherited says that the line carried no time of its own and has the
	// time of the line before it: its place after that line is certain.
	Inherited bool
}

// Time returns the entry's time in UTC.
func (e *Entry) Time() time.Time { return time.Unix(0, e.UnixNano).UTC() }

// Window is the half-open time range [Start, End) in nanoseconds since 1970.
type Window struct {
	Start, End int64
}

// Contains reports whether the time ns lies in the window.
func (w Window) Contains(ns int64) bool { return w.Start <= ns && ns < w.End }

// Reader yields entries in the total order (time, stream, arrival).
//
// Next fills e and returns nil, io.EOF after the last entry, or an error that
// ends the stream and says how far it got. A Reader is used by one goroutine.
type Reader interface {
	Next(ctx context.Context, e *Entry) error
	// Stats tells what has been read so far; it may be called at any time
	// between calls of Next, and after the end.
	Stats() ReadStats
}

// ReadStats says what a Reader read and what it could not.
type ReadStats struct {
	Entries int64 // entries yielded
	Bytes   int64 // bytes of the lines yielded
	Skipped int64 // pieces of input that were no entry
	// Problems are the first few things that could not be read, in input
	// order; more of them are counted in Skipped only.
	Problems []Problem
	// Partial says that something in the window was not read.
	Partial bool
}

// Problem is a place in the input that could not be read, and why.
type Problem struct {
	Place string // file:line, or the range of a query
	Err   error
}

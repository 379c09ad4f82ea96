package logfile

import (
	"io"
	"time"
)

// Options say what to read and how. The zero value reads everything.
type Options struct {
	// Since, when positive, makes the window end just after the newest entry
	// (or at To) and start this long before its end.
	Since time.Duration
	// From and To bound the window, From inclusive and To exclusive; zero
	// leaves that side open.
	From, To time.Time

	// Format overrides the detection by content; see Formats for the names.
	Format string
	// Location is the zone of timestamps that name none; nil is UTC.
	Location *time.Location
	// Reference is the time near which a timestamp without a year lies, for
	// input that is no file with a time of change. Zero: the year 1970.
	Reference time.Time

	// Meter counts what is read; nil counts nothing.
	Meter *Meter

	// Stdin is what the path "-" reads; nil is empty.
	Stdin io.Reader
	// TempDir is where input is sorted that does not fit MemoryLimit; empty
	// is the system's.
	TempDir string
	// MemoryLimit bounds the bytes of entries held for sorting; 0 is 24 MiB.
	MemoryLimit int64
	// MaxStreams bounds how many streams are told apart, and MaxStreams times
	// 200 the bytes of their labels; beyond it they are
	// told apart by pod, namespace, service and container only, and beyond
	// twice as many not at all; that is told as a problem. 0 is 25,000.
	MaxStreams int
	// MaxLine bounds an entry's line in bytes; what is longer is cut, and
	// told as a problem. 0 is 1 MiB.
	MaxLine int
}

func (o *Options) memoryLimit() int64 {
	if o.MemoryLimit > 0 {
		return o.MemoryLimit
	}
	return 24 << 20
}

func (o *Options) maxLine() int {
	if o.MaxLine > 0 {
		return o.MaxLine
	}
	return 1 << 20
}

func (o *Options) maxStreams() int {
	if o.MaxStreams > 0 {
		return o.MaxStreams
	}
	return 25_000
}

func (o *Options) location() *time.Location {
	if o.Location != nil {
		return o.Location
	}
	return time.UTC
}

package pushdown

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Server is what is asked of a log server. CountBy may be called by several
// goroutines, the others by one at a time; what they return belongs to the
// caller.
type Server interface {
	// CountBy counts the lines that keep keeps, by minute and by the values of
	// labels. A label is one of the stream, or a named group of one of the
	// expressions: each is matched with the line once, where it matches first,
	// and a group that matches nothing is an empty label. The window is widened
	// to whole minutes. The error is ErrTooManyGroups where the server does not
	// count that many.
	CountBy(ctx context.Context, keep Lines, expressions, labels []string, w ingest.Window) ([]Count, error)
	// ReadCounted reads the lines that keep keeps in minutes in which they were
	// counted, which are in order of time. What comes is held against the
	// counts: a difference makes the Reader's statistics partial.
	ReadCounted(ctx context.Context, keep Lines, minutes []Minute) (Reader, error)
	// ReadNear reads all that stands around places, which are in order of time,
	// each on its own stream.
	ReadNear(ctx context.Context, places []Place) (Reader, error)
}

// Bucket is how finely lines are counted.
const Bucket = time.Minute

// ErrTooManyGroups says that a server does not count by so many values.
var ErrTooManyGroups = errors.New("the server does not count so many groups")

// Reader is an ingest.Reader that is closed after use.
type Reader interface {
	ingest.Reader
	io.Closer
}

// Count is how many lines one group has over time.
type Count struct {
	// Labels are those that were asked for, in their order.
	Labels  []ingest.Label
	Minutes []Minute
}

// value returns the value of a label; empty where it was not asked for.
func (c *Count) value(name string) string {
	for _, l := range c.Labels {
		if l.Name == name {
			return l.Value
		}
	}
	return ""
}

// lines is how many lines the group has in all.
func (c *Count) lines() int64 {
	sum := int64(0)
	for _, m := range c.Minutes {
		sum += m.Lines
	}
	return sum
}

// Minute is a minute with the lines counted in it; none have no Minute.
type Minute struct {
	Window ingest.Window
	Lines  int64
	// Streams are those that have the lines; none where that is not known.
	Streams []*ingest.Stream
}

// Place is a time on a stream, in nanoseconds.
type Place struct {
	Stream   *ingest.Stream
	UnixNano int64
}

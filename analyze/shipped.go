package analyze

import (
	"fmt"

	"github.com/vdm-logs/vdm-logs/fingerprint/redact"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// StreamRepeat says how many entries of a stream came more than once.
type StreamRepeat struct {
	Stream   string `json:"stream"`   // its labels as a selector
	Pod      string `json:"pod"`      // empty where the labels name none
	Entries  int64  `json:"entries"`  // all of the stream
	Repeated int64  `json:"repeated"` // those that equal an earlier one
	// WholeTimes counts the times at which every line of the stream came more
	// than once, Times those at which it has any.
	WholeTimes int64 `json:"wholeTimes"`
	Times      int64 `json:"times"`
	// ResolutionNs is the step of the stream's clock.
	ResolutionNs int64 `json:"resolutionNs"`
}

// Repeat makes a StreamRepeat of what a Reader counted.
func Repeat(r ingest.StreamRepeats) StreamRepeat {
	return StreamRepeat{
		Stream: redact.String(r.Stream.Key), Pod: r.Stream.Pod, Entries: r.Entries, Repeated: r.Repeated,
		WholeTimes: r.Whole, Times: r.Times, ResolutionNs: r.ResolutionNano,
	}
}

// Bounds of what makes repeated entries a second shipping.
const (
	// fineClock is the step of a clock on which two events of one text do not
	// fall on one time by chance again and again.
	fineClock = 1000
	// minRepeatedTimes is at how many times everything must have come again.
	minRepeatedTimes = 5
)

// twice reports whether a stream was shipped twice, in whole or in part, as
// opposed to a program that says the same thing twice within one step of its
// clock: with a fine clock everything of some times came again, with a coarse
// one everything of most times.
func (r *StreamRepeat) twice() bool {
	switch {
	case r.WholeTimes < minRepeatedTimes:
		return false
	case r.ResolutionNs <= fineClock:
		return true
	}
	return 2*r.WholeTimes >= r.Times
}

// shippedTwice tells of streams whose entries came more than once, where they
// were counted so.
func shippedTwice(read Read) []Finding {
	if read.Deduplicated {
		return nil
	}
	var out []Finding
	for i := range read.Repeats {
		r := &read.Repeats[i]
		if !r.twice() {
			continue
		}
		name := r.Pod
		if name == "" {
			name = r.Stream
		}
		out = append(out, Finding{
			Kind: KindShippedTwice, Severity: SeverityWarning, Subject: name,
			Message:  fmt.Sprintf("%s was shipped more than once: %d of its %s equal an earlier one in time and line, and every count here includes them", name, r.Repeated, entries(r.Entries)),
			Action:   "run again with --dedupe to count each entry once, and look for a second shipper or a position that it lost",
			Evidence: []string{fmt.Sprintf("%s: at %d of %d times every line came again", r.Stream, r.WholeTimes, r.Times)},
		})
	}
	return out
}

func entries(n int64) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

package analyze

import (
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Options say what to analyze and how. The zero value analyzes every record
// with built-in knowledge.
type Options struct {
	Config Config
	// Window is the range of time that is read; it bounds timelines and tells
	// whether a recurrence's next slot lies ahead.
	Window ingest.Window
	// Namespace and Pod are globs that a record's stream must match to be
	// counted at all; empty matches every stream.
	Namespace, Pod Glob
	// Source is a glob over the Sources of the incidents that are shown, and
	// Top how many incidents are shown at most; findings about others are
	// left out. Folds are still computed over everything that was read.
	Source Glob
	Top    int
	// Verify asks whether incidents are fixed, beside what rolls claim.
	Verify []Verification
	// Samples is how many samples an incident keeps; 0 means 10.
	Samples int
	Limits  Limits
}

// Limits bound what input can make the Analyzer keep. A zero field stands for
// the default in its comment.
type Limits struct {
	// Incidents bounds the distinct fingerprints (10,000). Records of further
	// ones are counted in a limit-reached finding.
	Incidents int
	// Events bounds the failed transfers that are joined across layers
	// (500,000); later ones are counted as occurrences of their own.
	Events int
	// Times bounds the event times kept per incident and stream for finding
	// recurrences (2,048); beyond it period.Summary keeps whole blocks of
	// them.
	Times int
	// SampleBytes bounds a sample's length (8 KiB); the rest is cut off and
	// the cut is marked.
	SampleBytes int
}

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Incidents, 10_000)
	def(&l.Events, 500_000)
	def(&l.Times, 2048)
	def(&l.SampleBytes, 8<<10)
	return l
}

// timelineSlices is how many equal slices of the window a timeline counts in.
const timelineSlices = 120

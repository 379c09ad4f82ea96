package analyze

import (
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// Effect is what an identity rule says of the records it matches, beyond who
// they are. The zero Effect says nothing.
type Effect struct {
	// Stage is the stage that the records tell of; stage.NotATimeout says
	// that they tell of none.
	Stage stage.Name
	// Bounds are the stages of which the records may tell, as with a budget:
	// one is that stage, several are a total deadline with candidates.
	Bounds []stage.Name
	// Severity stands for the records' own level.
	Severity ingest.Level
}

// ruled hears the rule that identified the record: its level and whether it
// tells of a failed transfer, given the record's own level and what the
// classifier found.
func (a *Analyzer) ruled(e Effect, level ingest.Level, failed bool) (ingest.Level, bool) {
	if e.Severity != ingest.LevelUnknown {
		level = e.Severity
	}
	switch {
	case e.Stage == stage.NotATimeout:
		failed = false
	case e.Stage != "" || len(e.Bounds) > 0:
		if !failed {
			a.attribution = stage.Attribution{
				Role: stage.Cause, BytesReceived: stage.Unknown, BytesDeclared: stage.Unknown, Elapsed: stage.Unknown, Budget: stage.Unknown,
			}
		}
		failed = true
	}
	return level, failed
}

// heard lets the rule of the record's identity overrule a verdict: like the
// sources of a budget, a rule is somebody's knowledge of this very emitter.
func (e Effect) heard(v verdict, rule string) verdict {
	why := "rule " + rule
	switch {
	case e.Stage != "":
		v.stage, v.confidence, v.named, v.candidates, v.why = e.Stage, 0.95, true, nil, why
	case v.named:
		// What the line states itself beats what the rule leaves open.
	case len(e.Bounds) == 1:
		v.stage, v.confidence, v.candidates, v.why = e.Bounds[0], 0.95, nil, why+" bounds "+string(e.Bounds[0])+" only"
	case len(e.Bounds) > 1:
		v.stage, v.confidence, v.candidates, v.why = stage.TotalDeadline, 0.9, e.Bounds, why+" bounds several stages"
	}
	return v
}

package stage

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// resilience reads what a resilience pipeline's telemetry adds to the stage:
// its Source, and the role of the record. The pipeline's clock is the
// enclosing one; its report of an attempt repeats what the attempt's own timer
// said; a retry notice tells of the attempt it follows.
func (v *view) resilience(r *ingest.Record, a *Attribution) {
	if src, ok := sourceOfFields(r); ok {
		a.Source = src
	} else if src, ok := v.sourceOfText(); ok {
		a.Source = src
	} else {
		return
	}
	if bytes.Contains(v.text, []byte("Execution attempt. ")) {
		a.Role = Duplicate
	} else if bytes.Contains(v.text, []byte("pipeline executed. ")) {
		a.Role = Outer
	}
}

// sourceOfFields joins the three parts that structured records carry apart.
func sourceOfFields(r *ingest.Record) (string, bool) {
	name, ok := r.Field("PipelineName")
	if !ok {
		if name, ok = r.Field("State.PipelineName"); !ok {
			return "", false
		}
	}
	get := func(field string) ([]byte, bool) {
		if b, ok := r.Field(field); ok {
			return b, true
		}
		return r.Field("State." + field)
	}
	instance, _ := get("PipelineInstance")
	src := orNull(name) + "/" + orNull(instance)
	if strategy, ok := get("StrategyName"); ok {
		src += "/" + orNull(strategy)
	}
	return src, true
}

// orNull spells a part that is JSON's null as the console does.
func orNull(b []byte) string {
	if string(b) == "null" {
		return "(null)"
	}
	return string(b)
}

// sourceOfText finds Source: '...' before the operation key; a line that was
// cut inside the source has none.
func (v *view) sourceOfText() (string, bool) {
	text := v.text
	i := bytes.Index(text, []byte("Source: '"))
	if i < 0 {
		return "", false
	}
	text = text[i+len("Source: '"):]
	j := bytes.Index(text, []byte("', "))
	if j < 0 || bytes.IndexByte(text[:j], '\n') >= 0 || bytes.IndexByte(text[:j], '/') < 0 {
		return "", false
	}
	return v.kept.string(text[:j]), true
}

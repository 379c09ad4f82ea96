package report

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// The types of the lines that JSONL writes, in the order in which they come.
const (
	lineAnalysis   = "analysis" // first and once: version and window
	lineFinding    = "finding"
	lineIncident   = "incident"
	lineMaskedFold = "maskedFold"
	lineFix        = "fix"
	lineMark       = "mark"
	lineRead       = "read" // last and once: what was read, and whether all of it
)

// AnalysisLine is the first line of JSONL.
type AnalysisLine struct {
	Type          string         `json:"type"`
	SchemaVersion int            `json:"schemaVersion"`
	Window        analyze.Window `json:"window"`
}

// FindingLine is a line of JSONL.
type FindingLine struct {
	Type string `json:"type"`
	analyze.Finding
}

// IncidentLine is a line of JSONL.
type IncidentLine struct {
	Type string `json:"type"`
	analyze.Incident
}

// MaskedFoldLine is a line of JSONL.
type MaskedFoldLine struct {
	Type string `json:"type"`
	analyze.MaskedFold
}

// FixLine is a line of JSONL.
type FixLine struct {
	Type string `json:"type"`
	analyze.Fix
}

// MarkLine is a line of JSONL.
type MarkLine struct {
	Type string `json:"type"`
	analyze.Mark
}

// ReadLine is the last line of JSONL; an output without it was cut off.
type ReadLine struct {
	Type string `json:"type"`
	analyze.Read
}

// JSONL writes the analysis as one JSON object a line, each with a type that
// says what it is: first an analysis, then every finding, incident, maskedFold,
// fix and mark in the order in which the Analysis has them, last the read. The
// other fields are those of the same thing in the JSON form. Two runs on the
// same input write the same bytes.
func JSONL(w io.Writer, an *analyze.Analysis) error {
	b := bufio.NewWriterSize(w, 64<<10)
	enc := json.NewEncoder(PlainJSON(b))
	enc.SetEscapeHTML(false)
	lines := []any{AnalysisLine{lineAnalysis, an.SchemaVersion, an.Window}}
	for _, f := range an.Findings {
		lines = append(lines, FindingLine{lineFinding, f})
	}
	for i := range an.Incidents {
		lines = append(lines, IncidentLine{lineIncident, an.Incidents[i]})
	}
	for _, f := range an.MaskedFolds {
		lines = append(lines, MaskedFoldLine{lineMaskedFold, f})
	}
	for _, f := range an.Fixes {
		lines = append(lines, FixLine{lineFix, f})
	}
	for _, m := range an.Marks {
		lines = append(lines, MarkLine{lineMark, m})
	}
	for _, l := range append(lines, ReadLine{lineRead, an.Read}) {
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return b.Flush()
}

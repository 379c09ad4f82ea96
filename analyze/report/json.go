package report

import (
	"encoding/json"
	"io"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// JSON writes the analysis as one indented JSON document with a final line
// break. Two runs on the same input write the same bytes.
func JSON(w io.Writer, an *analyze.Analysis) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(an)
}

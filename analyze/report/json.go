package report

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// JSON writes the analysis as one indented JSON document with a final line
// break, arrays of numbers on one line. Two runs on the same input write the
// same bytes.
func JSON(w io.Writer, an *analyze.Analysis) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(an); err != nil {
		return err
	}
	_, err := PlainJSON(w).Write(foldNumbers(b.Bytes()))
	return err
}

// foldNumbers puts every array of numbers of an indented JSON text on one
// line. A line break never stands inside a string of JSON, so an opening
// bracket before one is always an array's.
func foldNumbers(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		open := bytes.Index(b, []byte("[\n"))
		if open < 0 {
			break
		}
		out = append(out, b[:open+1]...)
		b = b[open+1:]
		end := 0
		for end < len(b) && bytes.IndexByte([]byte("0123456789-+.eE, \n"), b[end]) >= 0 {
			end++
		}
		if end == len(b) || b[end] != ']' {
			continue
		}
		for i, f := range bytes.Fields(b[:end]) {
			if i > 0 {
				out = append(out, ' ')
			}
			out = append(out, f...)
		}
		b = b[end:]
	}
	return append(out, b...)
}

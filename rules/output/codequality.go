package output

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/rules"
)

// codeQualityIssue is one entry of GitLab's Code Quality report, with the
// members that GitLab reads.
type codeQualityIssue struct {
	Description string              `json:"description"`
	CheckName   string              `json:"check_name"`
	Fingerprint string              `json:"fingerprint"`
	Severity    string              `json:"severity"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityLocation struct {
	Path  string `json:"path"`
	Lines struct {
		Begin int `json:"begin"`
		End   int `json:"end"`
	} `json:"lines"`
}

// CodeQuality writes problems as GitLab's Code Quality report, which a merge
// request compares with that of its target: an entry is recognised by file,
// check, message and the text of its line, not by where the line stands.
// A problem of a whole file stands at its first line.
func CodeQuality(w io.Writer, problems []rules.Problem) error {
	list := make([]codeQualityIssue, 0, len(problems))
	seen := map[string]int{}
	for _, p := range problems {
		is := codeQualityIssue{Description: p.Message, CheckName: p.Check,
			Severity: map[rules.Severity]string{rules.Error: "critical", rules.Warning: "minor", rules.Info: "info"}[p.Severity]}
		if p.Hint != "" {
			is.Description += " (" + p.Hint + ")"
		}
		key := fmt.Sprintf("%q %q %q %q", p.File, p.Check, p.Message, p.Excerpt)
		seen[key]++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, seen[key]))
		is.Fingerprint = hex.EncodeToString(sum[:16])
		is.Location.Path = p.File
		is.Location.Lines.Begin, is.Location.Lines.End = max(p.Line, 1), max(p.EndLine, 1)
		list = append(list, is)
	}
	b, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

package output

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/vdm-logs/vdm-logs/rules"
)

// Forms lists the forms that Write knows.
func Forms() []string { return []string{"text", "json", "sarif", "junit", "github", "codequality"} }

// Write writes problems in one of the forms. checked are the files that were
// looked at, which some forms tell of even where nothing is wrong.
func Write(w io.Writer, form string, problems []rules.Problem, checked []string) error {
	switch form {
	case "text":
		return Text(w, problems)
	case "json":
		return JSON(w, problems)
	case "sarif":
		return SARIF(w, problems)
	case "junit":
		return JUnit(w, problems, checked)
	case "github":
		return GitHub(w, problems)
	case "codequality":
		return CodeQuality(w, problems)
	}
	return fmt.Errorf("unknown form %q", form)
}

// Document is the JSON form of a list of problems.
type Document struct {
	SchemaVersion int             `json:"schemaVersion"`
	Problems      []rules.Problem `json:"problems"`
}

// JSON writes problems as one Document.
func JSON(w io.Writer, problems []rules.Problem) error {
	if problems == nil {
		problems = []rules.Problem{}
	}
	b, err := json.MarshalIndent(Document{1, problems}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

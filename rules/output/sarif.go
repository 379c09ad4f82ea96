package output

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/vdm-logs/vdm-logs/rules"
)

// SARIF writes problems as one run of SARIF 2.1.0, whose rules are the ids of
// checks. Columns count Unicode code points. A hint is part of the message.
func SARIF(w io.Writer, problems []rules.Problem) error { return sarifReport(problems).PrettyWrite(w) }

func sarifReport(problems []rules.Problem) *sarif.Report {
	run := sarif.NewRunWithInformationURI("vdm-logs", "https://github.com/vdm-logs/vdm-logs").WithColumnKind("unicodeCodePoints")
	var checks []string
	for _, p := range problems {
		checks = append(checks, p.Check)
	}
	slices.Sort(checks)
	checks = slices.Compact(checks)
	for _, id := range checks {
		run.AddRule(id)
	}
	for _, p := range problems {
		level := map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "note"}[p.Severity]
		msg := p.Message
		if p.Hint != "" {
			msg += "\n" + p.Hint
		}
		place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewArtifactLocation().WithURI(fileURI(p.File)))
		if p.Line > 0 {
			region := sarif.NewRegion().WithStartLine(p.Line).WithStartColumn(p.Col).WithEndLine(p.EndLine).WithEndColumn(p.EndCol)
			if p.Excerpt != "" {
				region.WithSnippet(sarif.NewArtifactContent().WithText(p.Excerpt))
			}
			place.WithRegion(region)
		}
		i, _ := slices.BinarySearch(checks, p.Check)
		run.AddResult(sarif.NewResult().WithRuleID(p.Check).WithRuleIndex(i).WithLevel(level).
			WithMessage(sarif.NewTextMessage(msg)).
			WithLocations([]*sarif.Location{sarif.NewLocationWithPhysicalLocation(place)}))
	}
	return sarif.NewReport().AddRun(run)
}

// fileURI is a file's name as a relative reference, or a URI if it is absolute.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

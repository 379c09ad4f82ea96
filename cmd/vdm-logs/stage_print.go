package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
)

// besideVerdict is the least number of columns that facts need to stand beside
// the verdict; on a narrower screen they follow below it.
const besideVerdict = 60

// writeText prints a verdict: which line, which stage, how sure, in which
// layer, and then what the record says, by which words.
func (s *stager) writeText(id string, failed bool) error {
	a := &s.at
	if !failed {
		_, err := fmt.Fprintf(s.out, "%6s  %s\n", s.screen.Safe(id), s.screen.Paint(report.Dim, string(stage.NotATimeout)))
		return err
	}
	number := fmt.Sprintf("%6s  ", s.screen.Safe(id))
	name := fmt.Sprintf("%-15s", a.Stage)
	rest := fmt.Sprintf(" %3.0f%%  %-8s  ", 100*a.Confidence, a.Role)
	lead := number + s.screen.Paint(report.Bold, name) + rest
	indent := report.Columns(number + name + rest)
	facts := s.facts()
	if len(facts) == 0 {
		_, err := fmt.Fprintln(s.out, strings.TrimRight(lead, " "))
		return err
	}
	if s.screen.Width-indent < besideVerdict {
		if _, err := fmt.Fprintln(s.out, strings.TrimRight(lead, " ")); err != nil {
			return err
		}
		indent = report.Columns(number)
		lead = strings.Repeat(" ", indent)
	}
	return s.screen.Paragraph(s.out, lead, indent, "", strings.Join(facts, ", "))
}

// facts lists what the attribution tells beyond the stage.
func (s *stager) facts() []string {
	a := &s.at
	var facts []string
	if a.Phase != "" {
		facts = append(facts, "phase "+a.Phase)
	}
	if a.Kind != "" {
		facts = append(facts, a.Kind)
	}
	if a.BytesReceived >= 0 || a.BytesDeclared >= 0 {
		facts = append(facts, bytesText(a.BytesReceived)+" of "+bytesText(a.BytesDeclared)+" bytes")
	}
	if a.Elapsed >= 0 {
		facts = append(facts, "after "+a.Elapsed.Round(time.Microsecond).String())
	}
	if a.Budget >= 0 {
		facts = append(facts, "bound "+a.Budget.String())
	}
	if a.Source != "" {
		facts = append(facts, "source "+redacted(a.Source))
	}
	if len(a.Evidence) > 0 {
		facts = append(facts, "by the words "+strconv.Quote(strings.Join(redactedAll(a.Evidence), " … ")))
	}
	return facts
}

func bytesText(n int64) string {
	if n < 0 {
		return "unknown"
	}
	return strconv.FormatInt(n, 10)
}

package logfile

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/stamp"
)

// grafanaText reads what Grafana's Explore downloads as TXT: what it says
// above the log ("Common labels: {...}", "Line limit: ..."), then for each line
// its time, a tab, and the line. Old versions write the time in RFC 3339 with an
// offset, later ones in the browser's zone without telling it, and those of
// today milliseconds since 1970 and a tab before a time in UTC.
type grafanaText struct {
	stamped
	begun bool
}

// grafanaMeta are the labels of what stands above the lines.
var grafanaMeta = [...]string{"Common labels:", "Line limit:", "Total bytes processed:", "Error:"}

// splitGrafana takes a line apart.
func splitGrafana(line []byte) (cut, bool) {
	if millis, rest, found := bytes.Cut(line, []byte("\t")); found && len(millis) == 13 && allDigits(millis) {
		line = rest
	}
	if ns, text, ok := stampAnd(line, '\t'); ok {
		return cut{ns: ns, text: text}, true
	}
	at, text, found := bytes.Cut(line, []byte("\t"))
	if !found || len(at) < 19 || len(at) > 23 || at[4] != '-' || at[10] != ' ' {
		return cut{}, false
	}
	if _, ok := stamp.AtStart(at); !ok {
		return cut{}, false
	}
	return cut{untimed: true, local: at, text: text}, true
}

// metaOf returns the label of a line that stands above the log; of one without
// a label, a JSON text alone, a word for it.
func metaOf(line []byte) string {
	if len(line) > 1 && line[0] == '"' && json.Valid(line) {
		return "text"
	}
	for _, m := range grafanaMeta {
		if len(line) > len(m) && strings.EqualFold(string(line[:len(m)]), m) {
			return m
		}
	}
	return ""
}

func (g *grafanaText) parse(line []byte, it *item) error {
	if _, ok := g.split(line); ok {
		g.begun = true
	} else if !g.begun && metaOf(line) != "" {
		return errNoEntry
	}
	return g.stamped.parse(line, it)
}

// commonLabels reads the labels that all lines of a download share.
func commonLabels(lines [][]byte) []ingest.Label {
	for _, line := range lines {
		if metaOf(line) != grafanaMeta[0] {
			continue
		}
		var common map[string]string
		if json.Unmarshal(line[len(grafanaMeta[0]):], &common) != nil {
			return nil
		}
		var labels []ingest.Label
		for name, value := range common {
			labels = append(labels, ingest.Label{Name: name, Value: value})
		}
		return labels
	}
	return nil
}

func grafanaTextFormat() *Format {
	f := stampedFormat("grafana-txt", "Grafana Explore's download as TXT",
		"2026-09-19T08:10:16.049Z\tfail: Polly[0]", 50, splitGrafana, streamOfFile)
	f.detect = func(h *head) string {
		lines := *h
		for len(lines.lines) > 0 && metaOf(lines.lines[0]) != "" {
			lines.lines = lines.lines[1:]
		}
		return lines.needShare(50, func(line []byte) bool { _, ok := splitGrafana(line); return ok })
	}
	f.lines = func(env *environment) lineFormat {
		g := &grafanaText{stamped: *newStamped(env, splitGrafana, streamOfFile)}
		g.stream = func([]byte) (*ingest.Stream, []ingest.Label, error) {
			if labels := commonLabels(env.in.above); len(labels) > 0 {
				set := env.labels.intern(labels)
				return set.stream, set.metadata, nil
			}
			return streamOfFile(env, nil)
		}
		return g
	}
	return f
}

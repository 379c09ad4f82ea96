package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/report"
)

func newIncidentListCommand(std stdio) *cobra.Command {
	var o incidentOptions
	output := "text"
	cmd := &cobra.Command{
		Use:   "list [--analysis FILE | FILE...]",
		Short: "List the incidents of an analysis, a row each",
		Long:  "List prints a row an incident, in the order of the report.\n\n" + incidentLong + "\n\n" + exitCodesHelp,
		Example: `  vdm-logs incident list --analysis got.json
  vdm-logs incident list --since 24h --loki http://loki.example:3100 -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			if err := o.onlySaved(cmd.Flags()); err != nil {
				return err
			}
			return runIncidentList(cmd.Context(), o, output, std)
		},
	}
	o.register(cmd.Flags())
	cmd.Flags().StringVarP(&output, "output", "o", output, "how to print the list: text or json")
	return cmd
}

// incidentList is the JSON form of a list of incidents.
type incidentList struct {
	SchemaVersion int            `json:"schemaVersion"`
	Window        analyze.Window `json:"window"`
	Partial       bool           `json:"partial"`
	Incidents     []incidentRow  `json:"incidents"`
}

// incidentRow is one incident of the list.
type incidentRow struct {
	// Number is the incident's in the report, from 1.
	Number      int               `json:"number"`
	Fingerprint string            `json:"fingerprint"`
	MaskedIDs   []string          `json:"maskedIds"`
	Source      string            `json:"source"`
	Event       string            `json:"event"`
	Level       string            `json:"level"`
	Records     int64             `json:"records"`
	FirstSeen   analyze.Time      `json:"firstSeen"`
	LastSeen    analyze.Time      `json:"lastSeen"`
	Stage       string            `json:"stage"`
	Issue       *analyze.IssueRef `json:"issue"`
}

func runIncidentList(ctx context.Context, o incidentOptions, output string, std stdio) error {
	if output != "text" && output != "json" {
		return usageError{err: fmt.Errorf("-o %q is no output form", output), hint: "Use -o text or -o json."}
	}
	an, readErr, err := o.obtain(ctx, std)
	if err != nil {
		return err
	}
	if output == "json" {
		err = writeIncidentList(std, an)
	} else {
		l := o.outputs.look
		l.color = "auto"
		err = report.List(std.out, an, l.screen(std.out))
	}
	return errors.Join(readErr, err, o.verdict(an))
}

func writeIncidentList(std stdio, an *analyze.Analysis) error {
	list := incidentList{SchemaVersion: analyze.SchemaVersion, Window: an.Window, Partial: an.Read.Partial, Incidents: []incidentRow{}}
	for i := range an.Incidents {
		inc := &an.Incidents[i]
		row := incidentRow{
			Number: i + 1, Fingerprint: inc.Fingerprint, MaskedIDs: inc.MaskedIDs, Source: inc.Source, Event: inc.Event, Level: inc.Level,
			Records: inc.Records, FirstSeen: inc.FirstSeen, LastSeen: inc.LastSeen, Issue: inc.Issue,
		}
		if inc.Stage != nil {
			row.Stage = inc.Stage.Name
		}
		list.Incidents = append(list.Incidents, row)
	}
	enc := json.NewEncoder(report.PlainJSON(std.out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

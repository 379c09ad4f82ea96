package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
)

func newIncidentShowCommand(std stdio) *cobra.Command {
	var o incidentOptions
	cmd := &cobra.Command{
		Use:   "show ID [--analysis FILE | FILE...]",
		Short: "Show one incident and what was found about it",
		Long:  "Show prints one incident of an analysis, with the findings that concern it, in\nany of the forms of analyze.\n\n" + incidentLong + "\n\n" + exitCodesHelp,
		Example: `  vdm-logs incident show 1 --analysis got.json
  vdm-logs incident show fp1:756e --analysis got.json -o json
  vdm-logs incident show 756ee846bb0c6b4d --rules rules.yaml logs.jsonl`,
	}
	o.named(cmd, func(ctx context.Context) error { return runIncidentShow(ctx, o, std) })
	o.outputs.register(cmd.Flags())
	return cmd
}

func runIncidentShow(ctx context.Context, o incidentOptions, std stdio) error {
	targets, err := o.outputs.parse()
	if err != nil {
		return err
	}
	an, inc, readErr, err := o.one(ctx, std)
	if err != nil {
		return err
	}
	return errors.Join(readErr, o.outputs.write(std, targets, an.Only(inc)), o.verdict(an))
}

func newIncidentIssueCommand(std stdio) *cobra.Command {
	var o incidentOptions
	var title, body bool
	cmd := &cobra.Command{
		Use:   "issue ID [--analysis FILE | FILE...]",
		Short: "Write the issue about an incident, ready to paste",
		Long: `Issue prints an issue about one incident, in the Markdown of GitHub and GitLab:
the title in the first line, then the body, which has at most 65,536 characters.
Secrets are masked, and what logs say neither links nor mentions anything.

` + incidentLong + "\n\n" + exitCodesHelp,
		Example: `  vdm-logs incident issue 1 --analysis got.json
  vdm-logs incident issue 1 --analysis got.json --title`,
	}
	o.named(cmd, func(ctx context.Context) error {
		if title && body {
			return usageError{err: errors.New("--title and --body exclude each other"), hint: "Without either, the title is printed and then the body."}
		}
		return runIncidentIssue(ctx, o, !body, !title, std)
	})
	cmd.Flags().BoolVar(&title, "title", false, "print the title only")
	cmd.Flags().BoolVar(&body, "body", false, "print the body only, such as for 'gh issue create --body-file -'")
	return cmd
}

func runIncidentIssue(ctx context.Context, o incidentOptions, title, body bool, std stdio) error {
	an, inc, readErr, err := o.one(ctx, std)
	if err != nil {
		return err
	}
	text := ""
	if title {
		text = report.IssueTitle(an, inc) + "\n"
	}
	if title && body {
		text += "\n"
	}
	if body {
		text += report.IssueBody(an, inc, o.outputs.look.zone)
	}
	if _, err := io.WriteString(std.out, text); err != nil {
		return errors.Join(readErr, fmt.Errorf("writing the issue: %w", err))
	}
	return errors.Join(readErr, o.verdict(an))
}

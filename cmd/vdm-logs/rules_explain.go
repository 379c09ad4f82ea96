package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules"
)

// rulesExplainOptions are the flags of 'rules explain'.
type rulesExplainOptions struct {
	what   string
	rules  []string
	labels []string
	output string
	all    bool
}

func newRulesExplainCommand(std stdio) *cobra.Command {
	var o rulesExplainOptions
	cmd := &cobra.Command{
		Use:   "explain LINE|-|FILE:LINE",
		Short: "Say which rule decides about a record, and why the others do not",
		Long: `Takes a record (as text, from standard input, or the one that holds a line of a
file, which may be one of 'logcli query -o jsonl') and tells what becomes of it:
every rule in the order in which they are tried, with the condition at which it
failed and how far a pattern got; the captures; the message before and after
masks; Source, event, fingerprint, the masked id of the old watcher; the stage.
Rules of the built-in pack are tried
behind those of --rules, and behind what the program knows without rules:
builtin:polly, events of Polly's pipelines, and builtin:transfer, transfer's
own lines.`,
		Example: `  vdm-logs rules explain --rules rules/ "lost lease 'orders'"
  vdm-logs rules explain --rules rules/ app.log:4711
  kubectl logs shop-0 --tail 2 | vdm-logs rules explain -`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.what = args[0]
			return runRulesExplain(cmd.Context(), o, std)
		},
	}
	cmd.Flags().StringArrayVar(&o.rules, "rules", nil, "rule file or folder; may be given several times")
	cmd.Flags().StringArrayVar(&o.labels, "label", nil, "label of the record's stream, NAME=VALUE; may be given several times")
	cmd.Flags().StringVarP(&o.output, "output", "o", "text", "text or json")
	cmd.Flags().BoolVar(&o.all, "all", false, "list rules of the built-in pack that do not match, too")
	return cmd
}

func runRulesExplain(_ context.Context, o rulesExplainOptions, std stdio) error {
	if o.output != "text" && o.output != "json" {
		return usageError{err: fmt.Errorf("-o %q is no output", o.output), hint: "The outputs are text and json."}
	}
	labels, err := parseLabels(o.labels)
	if err != nil {
		return err
	}
	set, err := rules.LoadWithBuiltin(o.rules)
	if err != nil {
		return usageError{err: err, hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	text, fileLabels, err := explainInput(o.what, std.in)
	if err != nil {
		return err
	}
	if labels == nil {
		labels = fileLabels
	}
	if strings.TrimSpace(text) == "" {
		return usageError{err: errors.New("there is no record in the text"), hint: "Give a line, - for standard input, or FILE:LINE."}
	}
	records, err := rules.RecordsOf(text, labels)
	if err != nil {
		return err
	}
	x, err := rules.NewRunner(set)
	if err != nil {
		return err
	}
	for i, rec := range records {
		e := x.Explain(rec)
		if o.output == "json" {
			b, err := json.Marshal(e)
			if err != nil {
				return err
			}
			fmt.Fprintf(report.PlainJSON(std.out), "%s\n", b)
			continue
		}
		if i > 0 {
			fmt.Fprintln(std.out)
		}
		printExplanation(std.out, e, o.all)
	}
	return nil
}

func parseLabels(list []string) ([]ingest.Label, error) {
	var labels []ingest.Label
	for _, l := range list {
		name, value, ok := strings.Cut(l, "=")
		if !ok || name == "" {
			return nil, usageError{err: fmt.Errorf("--label %q is no label", l), hint: "Write NAME=VALUE."}
		}
		labels = append(labels, ingest.Label{Name: name, Value: value})
	}
	return labels, nil
}

// printExplanation prints the answer first, then why.
func printExplanation(w io.Writer, e *rules.Explanation, all bool) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-12s %s\n", name, strings.ReplaceAll(value, "\n", "\n             "))
		}
	}
	rule := e.Rule
	if rule == "" {
		rule = "none; the default identity"
	}
	row("rule", rule)
	row("source", e.Source)
	row("event", e.Event)
	row("exception", e.Exception)
	row("frame", e.Frame)
	row("message", e.Message)
	row("template", e.Template)
	for _, c := range e.Captures {
		row("capture", fmt.Sprintf("%s = %q", c.Name, c.Text))
	}
	row("fingerprint", e.Fingerprint)
	row("masked id", e.MaskedID)
	stage := e.Stage
	if e.StageRule != "" {
		stage += " (" + e.StageRule + ")"
	}
	row("stage", stage)
	for _, ev := range e.Evidence {
		row("evidence", ev)
	}
	row("record", fmt.Sprintf("%s, level %s, category %q", e.Format, e.Level, e.Category))
	hidden := 0
	for _, t := range e.Rules {
		last := rules.Step{Detail: "no condition"}
		if len(t.Steps) > 0 {
			last = t.Steps[len(t.Steps)-1]
		}
		switch {
		case t.Matched && t.ID == e.Rule:
			fmt.Fprintf(w, "  yes %s (priority %d, %s:%d)\n", t.ID, t.Priority, t.File, t.Line)
		case t.Matched:
			before := "a rule before it"
			if strings.HasPrefix(e.Rule, "builtin:") {
				before = "what is built in"
			}
			fmt.Fprintf(w, "  yes %s (priority %d, %s:%d), but %s decides\n", t.ID, t.Priority, t.File, t.Line, before)
		case !all && strings.HasPrefix(t.File, "builtin/"):
			hidden++
		default:
			fmt.Fprintf(w, "  no  %s (priority %d, %s:%d): %s: %s\n", t.ID, t.Priority, t.File, t.Line, last.Name, last.Detail)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(w, "  no  %d rules of the built-in pack (--all lists them)\n", hidden)
	}
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/transfer"
)

// rulesExportOptions are the flags of 'rules export'.
type rulesExportOptions struct {
	paths    []string
	output   string
	selector string
	window   string
	builtin  bool
}

func newRulesExportCommand(std stdio) *cobra.Command {
	var o rulesExportOptions
	cmd := &cobra.Command{
		Use:   "export [FILE|DIR...]",
		Short: "Turn rules into LogQL queries and alert rules",
		Long: `Writes rules as LogQL, so that dashboards and alerts find what analyze finds:
a counting query for each rule by what makes its Source (logql), a file of the
Loki ruler that records the counts and alerts (loki), or Prometheus alerts on
what Loki records (prometheus). A query sees entries, a rule records of perhaps
several: it finds what the rule finds, and perhaps more, where the text lies in
one entry; the conditions that are left out are named.

A rule without a selector takes --selector, else that of defaults.query.`,
		Example: `  vdm-logs rules export --selector '{namespace="shop"}' rules/
  vdm-logs rules export -o loki rules/ > ruler.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return runRulesExport(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "logql", "logql, loki or prometheus")
	f.StringVar(&o.selector, "selector", "", "stream selector of rules that have none, such as '{namespace=\"shop\"}'")
	f.StringVar(&o.window, "window", "15m", "the time over which records are counted")
	f.BoolVar(&o.builtin, "builtin", false, "export the built-in pack, too")
	return cmd
}

func runRulesExport(_ context.Context, o rulesExportOptions, std stdio) error {
	if !slices.Contains(rules.ExportForms(), o.output) {
		return usageError{err: fmt.Errorf("-o %q is no output", o.output), hint: "The outputs are " + strings.Join(rules.ExportForms(), ", ") + "."}
	}
	window, err := parsePlainDuration(o.window)
	if err != nil {
		return usageError{err: fmt.Errorf("--window %q: %w", o.window, err), hint: "Write 15m or 1h."}
	}
	if len(o.paths) == 0 && !o.builtin {
		o.paths = []string{"."}
	}
	set, err := rules.LoadWithBuiltin(o.paths)
	if err != nil {
		return usageError{err: err, hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	err = rules.Export(std.out, set, rules.ExportOptions{Form: o.output, Selector: o.selector, Window: window, Builtin: o.builtin})
	if err != nil {
		return usageError{err: err, hint: "Give --selector, such as '{namespace=\"shop\"}'."}
	}
	return nil
}

// parsePlainDuration reads a duration in which no names stand.
func parsePlainDuration(s string) (time.Duration, error) {
	e, err := transfer.ParseExpr(s)
	if err != nil {
		return 0, err
	}
	return e.Eval(nil)
}

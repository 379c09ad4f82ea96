package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/rules"
)

func newRulesListCommand(std stdio) *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List rules in the order in which they are tried",
		Long: `Lists the rules of --rules and of the built-in pack in the order in which they
are tried: priority, id, place, what the rule is for. A rule of a file that has
the id of a built-in one replaces it. Polly's events and transfer's lines, which
the program knows without rules, come between the two.`,
		Example: "  vdm-logs rules list\n  vdm-logs rules list --rules rules/",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runRulesList(cmd.Context(), paths, std) },
	}
	cmd.Flags().StringArrayVar(&paths, "rules", nil, "rule file or folder; may be given several times")
	return cmd
}

func runRulesList(_ context.Context, paths []string, std stdio) error {
	set, err := rules.LoadWithBuiltin(paths)
	if err != nil {
		return usageError{err: err, hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	ordered := set.Ordered()
	rows := make([][]string, len(ordered))
	for i, r := range ordered {
		rows[i] = []string{strconv.Itoa(r.Priority), r.ID, fmt.Sprintf("%s:%d", r.File, r.Line), r.Description}
	}
	cols := []report.Column{{Right: true}, {}, {}, {Give: report.WrapWords}}
	return screenOf(std.out, "auto").Table(std.out, 0, cols, rows)
}

func newRulesShowCommand(std stdio) *cobra.Command {
	var paths []string
	cmd := &cobra.Command{
		Use:   "show ID",
		Short: "Print a rule as it is written",
		Long: `Prints the text of one rule, of --rules or of the built-in pack, with a comment
that says where it stands. What is printed is a rule file: a copy under the
rule's id is where a change of it begins.`,
		Example: "  vdm-logs rules show polly.event > polly.yaml",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return runRulesShow(cmd.Context(), args[0], paths, std) },
	}
	cmd.Flags().StringArrayVar(&paths, "rules", nil, "rule file or folder; may be given several times")
	return cmd
}

func runRulesShow(_ context.Context, id string, paths []string, std stdio) error {
	set, err := rules.LoadWithBuiltin(paths)
	if err != nil {
		return usageError{err: err, hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	for _, r := range set.Rules {
		if r.ID == id {
			var b bytes.Buffer
			fmt.Fprintf(&b, "# %s:%d\nversion: 1\nrules:\n%s\n", r.File, r.Line, strings.TrimRight(r.Text, "\n"))
			_, err := std.out.Write(b.Bytes())
			return err
		}
	}
	return usageError{err: fmt.Errorf("there is no rule %q", id), hint: "Run 'vdm-logs rules list' for their ids."}
}

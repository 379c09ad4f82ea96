package main

import (
	"github.com/spf13/cobra"
)

const rulesLong = `Rule files say what on-call knows beside the logs: what identifies a fault,
which time bounds and clocks there are, what was rolled out when, and which
issues are about which Sources. 'vdm-logs analyze --rules' reads them.

The language is described by 'go doc github.com/vdm-logs/vdm-logs/rules/syntax'
and, to the letter, by 'vdm-logs rules schema'.`

// noBuiltinHelp is the help of the flag that leaves out the built-in pack.
const noBuiltinHelp = "do not ask the built-in rules, which name the events of well-known programs ('vdm-logs rules list'); Polly's events and transfer's lines are still known"

func newRulesCommand(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check, test and explain rule files",
		Long:  rulesLong + "\n\n" + exitCodesHelp,
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newRulesCheckCommand(std), newRulesTestCommand(std), newRulesExplainCommand(std), newRulesDiffCommand(std), newRulesFmtCommand(std), newRulesExportCommand(std),
		newRulesListCommand(std), newRulesShowCommand(std), newRulesSchemaCommand(std))
	return cmd
}

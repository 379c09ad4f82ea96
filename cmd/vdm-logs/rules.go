package main

import (
	"github.com/spf13/cobra"
)

const rulesLong = `Rule files say what on-call knows beside the logs: what identifies a fault,
which time bounds and clocks there are, what was rolled out when, and which
issues are about which Sources. 'vdm-logs analyze --rules' reads them.

The language is described by 'go doc github.com/vdm-logs/vdm-logs/rules/syntax'
and, to the letter, by 'vdm-logs rules schema'.`

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

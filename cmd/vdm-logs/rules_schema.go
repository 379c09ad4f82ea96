package main

import (
	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
)

func newRulesSchemaCommand(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of rule files",
		Long: `Prints the JSON Schema (2020-12) of rule files, the same that 'vdm-logs rules
check' validates with. Editors complete and check rule files with it.`,
		Example: "  vdm-logs rules schema > rules.schema.json",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := std.out.Write(rules.Schema())
			return err
		},
	}
}

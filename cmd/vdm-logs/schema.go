package main

import (
	"embed"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
)

// schemaFiles are the schemas as they are published: made from the types that
// are printed, which a test repeats.
//
//go:embed schema/*.schema.json
var schemaFiles embed.FS

// outputSchema is the schema of one output.
type outputSchema struct {
	name string
	of   string // the command that prints it, or what it describes
}

// outputSchemas lists the schemas in the order in which they are shown.
func outputSchemas() []outputSchema {
	return []outputSchema{
		{"analysis", "analyze -o json, incident show -o json"},
		{"jsonl", "a line of analyze -o jsonl, incident show -o jsonl"},
		{"incident-list", "incident list -o json"},
		{"verify", "verify -o json"},
		{"fingerprint", "a line of fingerprint -o jsonl"},
		{"stage", "a line of stage -o jsonl"},
		{"period", "a line of period -o jsonl"},
		{"rules-check", "rules check -o json"},
		{"rules-test", "rules test -o json"},
		{"rules-explain", "a line of rules explain -o json"},
		{"rules-diff", "rules diff -o json"},
		{"transfer-get", "transfer get -o json"},
		{"transfer-probe", "a line of transfer probe -o json"},
		{"transfer-bench", "transfer bench -o json"},
		{"formats", "formats -o json"},
		{"config", "config view -o json"},
		{"version", "version -o json"},
		{"rules", "rule files, as rules check wants them"},
	}
}

// schemaOf returns the text of a schema.
func schemaOf(name string) ([]byte, error) {
	if name == "rules" {
		return rules.Schema(), nil
	}
	return schemaFiles.ReadFile("schema/" + name + ".schema.json")
}

func newSchemaCommand(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of an output, or list the schemas",
		Long: `Schema prints the JSON Schema (2020-12) of one of the outputs in JSON, with what
each field means; without a name it lists them. Within a schemaVersion fields
are added, and none is renamed, removed or given another meaning. The schemas
name every field that this program writes and allow no other: to read what
later programs write, ignore fields that you do not know.

` + exitCodesHelp,
		Example: `  vdm-logs schema
  vdm-logs schema analysis > analysis.schema.json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, s := range outputSchemas() {
				names = append(names, s.name+"\t"+s.of)
			}
			if len(args) > 0 {
				names = nil
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listSchemas(std)
			}
			return printSchema(args[0], std)
		},
	}
}

func listSchemas(std stdio) error {
	t := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
	for _, s := range outputSchemas() {
		fmt.Fprintf(t, "%s\t%s\n", s.name, s.of)
	}
	return t.Flush()
}

func printSchema(name string, std stdio) error {
	var names []string
	for _, s := range outputSchemas() {
		if s.name != name {
			names = append(names, s.name)
			continue
		}
		text, err := schemaOf(name)
		if err != nil {
			return err
		}
		_, err = std.out.Write(text)
		return err
	}
	return usageError{err: fmt.Errorf("there is no schema %q", name), hint: suggestion(name, names) + "The schemas are " + strings.Join(names, ", ") + "."}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// stdio is the three standard streams of one run. Commands write results to
// out and everything else to err, and never touch the process's own streams.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer

	*session // shared by all copies; nil has the defaults
}

// run executes one command line and returns the process's exit code. It is
// the whole program as the script tests call it.
func run(ctx context.Context, args []string, std stdio) int {
	if std.session == nil {
		std.session = &session{}
	}
	std.err = locked(std.err)
	root := newRootCommand(std)
	root.SetArgs(append([]string{}, args...)) // nil would mean the arguments of the process
	cmd, err := root.ExecuteContextC(ctx)
	misused := false
	for _, e := range spoken(err) {
		fmt.Fprintf(std.err, "vdm-logs: %s\n", told(e))
		if hint := hintOf(e); hint != "" {
			fmt.Fprintf(std.err, "%s\n", redacted(hint))
		} else if errors.As(e, new(usageError)) {
			misused = true
		}
	}
	if misused {
		fmt.Fprintf(std.err, "'%s --help' says how it is used, with examples.\n", cmd.CommandPath())
	}
	return exitCode(ctx, err)
}

// told is an error in the words that are shown.
func told(err error) string {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		text = strings.ReplaceAll(text, context.Canceled.Error(), "interrupted")
	}
	return redacted(text)
}

const rootLong = `vdm-logs reads log streams, from Loki or from files, and says which faults
they really tell of: incidents keyed by what emitted them, recurrences with a
fixed period, and the transfer stage at which each timeout struck.

Were you paged? 'vdm-logs docs paged' leads from there to the answer.`

func newRootCommand(std stdio) *cobra.Command {
	root := &cobra.Command{
		Use:           "vdm-logs",
		Short:         "Attribute incidents in log streams to their Source, clock and transfer stage",
		Long:          rootLong + "\n\n" + exitCodesHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(cobra.NoArgs),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	if std.session != nil {
		std.globals.register(root.PersistentFlags())
		root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return std.prepare(cmd, std.err) }
	}
	root.AddCommand(
		newAnalyzeCommand(std),
		newVerifyCommand(std),
		newIncidentCommand(std),
		newSchemaCommand(std),
		newRulesCommand(std),
		newTransferCommand(std),
		newFingerprintCommand(std),
		newStageCommand(std),
		newPeriodCommand(std),
		newFormatsCommand(std),
		newConfigCommand(std),
		newVersionCommand(std),
		newManCommand(std),
		newDocsCommand(std),
	)
	finish(root)
	return root
}

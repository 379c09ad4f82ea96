package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// finish gives every command what all of them have: exit codes in its help,
// hints after mistakes, completion.
func finish(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	each(root, func(cmd *cobra.Command) {
		if cmd.Long == "" {
			cmd.Long = cmd.Short
		}
		if !strings.Contains(cmd.Long, "Exit codes: ") {
			cmd.Long += "\n\n" + exitCodesHelp
		}
		if cmd.HasSubCommands() {
			cmd.Args = knownSubcommand
		}
		cmd.SetFlagErrorFunc(flagError)
	})
	completeFlags(root)
	if show, _, err := root.Find([]string{"rules", "show"}); err == nil && show.ValidArgsFunction == nil {
		show.ValidArgsFunction = ruleIDs
	}
}

// knownSubcommand refuses an argument where a command's name is expected.
func knownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, append([]string{c.Name()}, c.Aliases...)...)
		}
	}
	return usageError{
		err:  fmt.Errorf("unknown command %q for %s", args[0], cmd.CommandPath()),
		hint: fmt.Sprintf("%s'%s --help' lists the commands.", suggestion(args[0], names), cmd.CommandPath()),
	}
}

// flagError makes a mistake in a flag a usage error with a way out.
func flagError(cmd *cobra.Command, err error) error {
	hint := fmt.Sprintf("'%s --help' explains the flags.", cmd.CommandPath())
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if name := unknown.GetSpecifiedName(); len(name) > 1 {
			hint = suggestionOfFlag(name, names) + hint
		}
	}
	return usageError{err: err, hint: hint}
}

func suggestionOfFlag(name string, names []string) string {
	s := suggestion(name, names)
	return strings.Replace(s, "mean ", "mean --", 1)
}

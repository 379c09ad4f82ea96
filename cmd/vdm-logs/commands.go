package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
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
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Run, c.RunE = nil, helpOf
		}
	}
	completeFlags(root)
	if show, _, err := root.Find([]string{"rules", "show"}); err == nil && show.ValidArgsFunction == nil {
		show.ValidArgsFunction = ruleIDs
	}
}

// helpOf prints the help of the command that args name.
func helpOf(cmd *cobra.Command, args []string) error {
	found, rest, err := cmd.Root().Find(args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return knownSubcommand(found, rest)
	}
	found.InitDefaultHelpFlag()
	return found.Help()
}

// knownSubcommand refuses an argument where a command's name is expected.
func knownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil && !cmd.HasParent() {
		return usageError{
			err:  fmt.Errorf("%s is a file, and a command is wanted before it", args[0]),
			hint: "Did you mean 'vdm-logs analyze " + args[0] + "'?",
		}
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
		name := unknown.GetSpecifiedName()
		if cluster := unknown.GetSpecifiedShortnames(); cluster != "" {
			name = cluster // -since: one dash, where two are wanted
		}
		if len(name) > 1 {
			hint = meantFlag(cmd, name) + hint
		}
	}
	return usageError{err: err, hint: hint}
}

// meantFlag says which flag was probably meant: one of the command's, or one
// of that name which another command has.
func meantFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if slices.Contains(names, name) {
		return "Did you mean --" + name + "? "
	}
	for _, c := range cmd.Commands() {
		if c.Flags().Lookup(name) != nil {
			return fmt.Sprintf("Did you mean '%s --%s'? ", c.CommandPath(), name)
		}
	}
	return strings.Replace(suggestion(name, names), "mean ", "mean --", 1)
}

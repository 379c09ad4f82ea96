package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newManCommand(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Long: `Man writes a manual page of every command, in section 1, into a folder, which is
made if it is not there. Their date is that of the commit: the same build writes
the same bytes.

` + exitCodesHelp,
		Example: "  vdm-logs man ./man\n  man ./man/vdm-logs-analyze.1",
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return runMan(cmd.Root(), args[0], std) },
	}
}

func runMan(root *cobra.Command, dir string, std stdio) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return codeError{code: exitRefused, err: err, hint: "Name a folder that you may write to."}
		}
		return usageError{err: err, hint: "Name a folder, or a path where one can be made."}
	}
	root.DisableAutoGenTag = true
	date := time.Unix(0, 0).UTC()
	if info, ok := debug.ReadBuildInfo(); ok {
		if t, err := time.Parse(time.RFC3339, buildOf(info).CommitTime); err == nil {
			date = t
		}
	}
	header := &doc.GenManHeader{Title: "VDM-LOGS", Section: "1", Source: "vdm-logs", Manual: "vdm-logs", Date: &date}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return codeError{code: exitPartial, err: fmt.Errorf("writing the pages: %w", err), hint: "Is there room, and may you write to " + dir + "?"}
	}
	std.note("the pages are in %s", dir)
	return nil
}

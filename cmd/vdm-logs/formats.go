package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/ingest/logfile"
)

// formatsOptions are the flags of "formats".
type formatsOptions struct {
	output string
}

func newFormatsCommand(std stdio) *cobra.Command {
	var opts formatsOptions
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the log formats that files may have",
		Long: `formats lists the formats of files and pipes in the order in which they are
tried. The format is told by content; gzip and zstd are undone first. Where
the guess is wrong, name the format with --format.

` + exitCodesHelp,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runFormats(opts, std) },
	}
	cmd.Flags().StringVarP(&opts.output, "output", "o", "text", "`format` of the list: text or json")
	return cmd
}

// formatJSON is one format in the JSON output.
type formatJSON struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Example string `json:"example"`
}

func runFormats(opts formatsOptions, std stdio) error {
	switch opts.output {
	case "text":
		w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
		for _, f := range logfile.Formats() {
			fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Title)
		}
		return w.Flush()
	case "json":
		list := struct {
			SchemaVersion int          `json:"schemaVersion"`
			Formats       []formatJSON `json:"formats"`
		}{SchemaVersion: 1}
		for _, f := range logfile.Formats() {
			list.Formats = append(list.Formats, formatJSON{Name: f.Name, Title: f.Title, Example: f.Example})
		}
		enc := json.NewEncoder(std.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	return usageError{err: fmt.Errorf("-o %s: the formats are text and json", opts.output)}
}

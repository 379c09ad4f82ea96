package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/ingest"
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
		Short: "List the log formats that are read, with an example of each",
		Long: `formats lists two kinds of formats, with an example line of each.

The formats of files say how entries and their times stand in a file or pipe,
in the order in which they are tried. They are told by content; gzip, zstd,
bzip2 and snappy are undone first, also in one another, UTF-16 is read as UTF-8,
a byte order mark and \r at a line's end are taken off. xz, lz4, and archives
(tar, zip) are refused with what to do. Where the guess is wrong, name the
format with --format; --format lines reads each line as a record.

The formats of records say how one logger writes one record inside an entry.
They are told line by line and need no flag, so files may mix them; colours are
taken off, and stack traces are joined to the record before them.

A time without a zone is in UTC or the zone of --tz; so is one whose zone is an
abbreviation of several meanings (CST, IST, BST), while CEST, PDT and the like
count as what they say. One without a year lies in
the year, and one without a date in the 24 hours, before the file's last change;
for a pipe, before now.

` + exitCodesHelp,
		Example: "  vdm-logs formats\n  vdm-logs formats -o json",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return runFormats(opts, std) },
	}
	cmd.Flags().StringVarP(&opts.output, "output", "o", "text", "`format` of the list: text or json")
	return cmd
}

// unknownFormatHint says what a file of no known format can become.
const unknownFormatHint = `'vdm-logs formats' lists what is read. Lines need a time: 'kubectl logs' and 'docker logs' write one with --timestamps.
Without times, --format lines reads each line as a record of the file's time of change.`

// formatHint says what can be done about an input that is refused.
func formatHint(err error) string {
	var packed *logfile.PackedError
	if errors.As(err, &packed) {
		return packed.Hint
	}
	return unknownFormatHint
}

// formatJSON is one format in the JSON output.
type formatJSON struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Example string `json:"example"`
}

// formatsJSON is the JSON output.
type formatsJSON struct {
	SchemaVersion int          `json:"schemaVersion"`
	Formats       []formatJSON `json:"formats"`
	RecordFormats []formatJSON `json:"recordFormats"`
}

func runFormats(opts formatsOptions, std stdio) error {
	list := formatsJSON{SchemaVersion: 1}
	for _, f := range logfile.Formats() {
		list.Formats = append(list.Formats, formatJSON{Name: f.Name, Title: f.Title, Example: f.Example})
	}
	for _, f := range ingest.RecordFormats() {
		list.RecordFormats = append(list.RecordFormats, formatJSON{Name: f.Format.String(), Title: f.Title, Example: f.Example})
	}
	switch opts.output {
	case "text":
		w := tabwriter.NewWriter(std.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "Formats of files and pipes (--format NAME):")
		printFormats(w, list.Formats)
		fmt.Fprintln(w, "\nFormats of records, inside any of them:")
		printFormats(w, list.RecordFormats)
		return w.Flush()
	case "json":
		enc := json.NewEncoder(std.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	return usageError{err: fmt.Errorf("-o %s: the formats are text and json", opts.output)}
}

// printFormats writes a row a format, and its example below it.
func printFormats(w *tabwriter.Writer, list []formatJSON) {
	for _, f := range list {
		fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Title)
		for line := range strings.Lines(f.Example) {
			fmt.Fprintf(w, "\t  %s\n", strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    "))
		}
	}
}

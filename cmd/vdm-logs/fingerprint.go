package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// fingerprintOptions is what the command line of fingerprint says.
type fingerprintOptions struct {
	files   []string
	rules   []string
	bare    bool // without the built-in rules
	output  string
	format  string
	zone    string
	summary string
	stream  bool
	limit   int
}

// formatLines is the format in which every line is a record.
const formatLines = "lines"

const fingerprintLong = `Fingerprint says of every record what identifies it, one line of output each:
its fingerprint, family, the old watcher's masked id, Source, event and template.
Name files, or - for standard input, which is read when no file is named.

The fingerprint is a function of the record and the rules alone: same input,
same id, on any machine and in any order. The family groups templates that
differ only in words no mask can know; it is learned from everything that is
read, so the output begins when the input has ended. --stream prints each record
at once and leaves the family out.

--format lines takes each line as one record and prints one line for each, in
order, empty ones too. Otherwise lines are joined to records as analyze does.

Columns of -o tsv: fingerprint, family, masked id, Source, event, template;
tabs, line breaks and backslashes in them are written \t, \n, \r and \\. Secrets
are redacted in what is printed; ids are those of the text as it came.`

const fingerprintExample = `  vdm-logs fingerprint logs.jsonl
  kubectl logs deploy/portal | vdm-logs fingerprint --format lines --summary -
  vdm-logs fingerprint -o jsonl --rules rules.yaml logs.jsonl.zst
  tail -f app.log | vdm-logs fingerprint --format lines --stream -`

func newFingerprintCommand(std stdio) *cobra.Command {
	var o fingerprintOptions
	cmd := &cobra.Command{
		Use:     "fingerprint [FILE|-...]",
		Short:   "Say of every record what identifies it",
		Long:    fingerprintLong + "\n\n" + exitCodesHelp,
		Example: fingerprintExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			return runFingerprint(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.output, "output", "o", "tsv", "how to print: tsv or jsonl")
	f.StringArrayVarP(&o.rules, "rules", "r", nil, "rule `file` or folder whose rules decide identity; repeatable")
	f.BoolVar(&o.bare, "no-builtin", false, noBuiltinHelp)
	f.StringVar(&o.format, "format", "", "`name` of the input's format instead of detecting it: lines (every line is a record), or one that 'vdm-logs formats' lists")
	f.StringVar(&o.zone, "tz", "", "`zone` of times in files that name none, such as Europe/Berlin; UTC without it")
	f.StringVar(&o.summary, "summary", "", "print a table of groups with their counts instead: by `id` (also when nothing is said) or by family")
	f.Lookup("summary").NoOptDefVal = "id"
	f.BoolVar(&o.stream, "stream", false, "print each record as soon as it is read, without a family")
	f.IntVar(&o.limit, "max-distinct", 1<<17, "how many `distinct` records are held to learn families from; beyond it, families are those learned so far")
	return cmd
}

func (o *fingerprintOptions) check() error {
	if o.output != "tsv" && o.output != "jsonl" {
		return usageError{err: fmt.Errorf("-o %q is no output form", o.output), hint: "Use -o tsv or -o jsonl."}
	}
	if !slices.Contains([]string{"", "id", "family"}, o.summary) {
		return usageError{err: fmt.Errorf("--summary=%s groups by nothing known", o.summary), hint: "Use --summary=id or --summary=family."}
	}
	if o.stream && o.summary != "" {
		return usageError{err: errors.New("--stream and --summary exclude each other"), hint: "A summary needs the whole input; leave --stream out."}
	}
	if o.limit < 1 {
		return usageError{err: fmt.Errorf("--max-distinct %d holds nothing", o.limit), hint: "Give at least 1."}
	}
	return nil
}

// runFingerprint reads, identifies and prints. What could be read is printed
// even when reading ended in an error, which is then returned.
func runFingerprint(ctx context.Context, o fingerprintOptions, std stdio) error {
	if err := o.check(); err != nil {
		return err
	}
	config, err := loadConfig(o.rules, nil, o.bare)
	if err != nil {
		return err
	}
	if len(o.files) == 0 {
		o.files = []string{"-"}
	}
	p := newFingerprintPrinter(o, std.out)
	w := &fingerprintWriter{
		identify: fingerprint.NewIdentifier(fingerprint.Options{Rules: config.Rules}),
		guard:    fingerprint.NewSourceGuard(),
		table:    newRowTable(o.limit),
		printer:  p,
		stream:   o.stream,
		summary:  o.summary != "",
	}
	var readErr error
	if o.format == formatLines {
		readErr = readLines(ctx, o.files, std.in, w.add)
	} else {
		readErr = o.readRecords(ctx, std, w.add)
	}
	var ue usageError
	if errors.As(readErr, &ue) {
		return readErr
	}
	if err := w.finish(); err != nil {
		return errors.Join(readErr, fmt.Errorf("writing the result: %w", err))
	}
	switch {
	case w.table.full:
		fmt.Fprintf(std.err, "vdm-logs: more than %d distinct records; families after that are those learned before (--max-distinct)\n", o.limit)
	case w.early:
		fmt.Fprintf(std.err, "vdm-logs: more than %d records; families after that are those learned before\n", maxHeld)
	}
	for _, u := range w.guard.Unbounded() {
		fmt.Fprintf(std.err, "vdm-logs: Source %s has about %d values of its %s; this rule bounds it:\n%s", redacted(u.Pattern), u.Distinct, u.Part, redacted(u.Rule))
	}
	return readErr
}

// readRecords joins the entries of files to records, as analyze does.
func (o *fingerprintOptions) readRecords(ctx context.Context, std stdio, add func(*ingest.Record) error) error {
	open := func() (input, error) {
		return openFiles(ctx, analyzeOptions{files: o.files, format: o.format, zone: o.zone}, window{}, std)
	}
	if !o.stream { // whose output would be drawn over
		read := open
		open = func() (input, error) { return watching(std, read) }
	}
	in, err := open()
	if err != nil {
		return err
	}
	defer in.Close()
	return joinRecords(ctx, in, std, add)
}

// maxLine bounds what one line may hold in memory; what is longer is cut.
const maxLine = 1 << 20

// readLines makes a record of every line of the files.
func readLines(ctx context.Context, files []string, stdin io.Reader, add func(*ingest.Record) error) error {
	for _, name := range files {
		if err := readLinesOf(ctx, name, stdin, add); err != nil {
			return err
		}
	}
	return nil
}

func readLinesOf(ctx context.Context, name string, stdin io.Reader, add func(*ingest.Record) error) error {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return codeError{code: exitRefused, err: err}
		case err != nil:
			return usageError{err: err, hint: "Name files that exist, or - for standard input."}
		}
		defer f.Close()
		in = f
	}
	r := bufio.NewReaderSize(in, 256<<10)
	var long []byte
	var record ingest.Record
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return codeError{code: exitInterrupted}
		}
		line, err := r.ReadSlice('\n')
		for long = long[:0]; err == bufio.ErrBufferFull; line, err = r.ReadSlice('\n') {
			long = append(long, line[:min(len(line), maxLine-len(long))]...)
		}
		if len(long) > 0 {
			long = append(long, line[:min(len(line), maxLine-len(long))]...)
			line = long
		}
		if len(line) > 0 || err == nil {
			line = trimLineEnd(line)
			record = ingest.Record{Message: line, Text: line, Entries: 1}
			if err := add(&record); err != nil {
				return err
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return codeError{code: exitPartial, err: fmt.Errorf("reading %s: %w", name, err)}
		}
	}
}

func trimLineEnd(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// analyzeOptions is what the command line of analyze says.
type analyzeOptions struct {
	files   []string
	window  windowFlags
	loki    lokiFlags
	rules   []string
	aliases []string
	bare    bool // without the built-in rules
	outputs outputFlags
	links   linkFlags
	failOn  []string
	narrow  narrowFlags
	samples int
	format  string
	zone    string
	dedupe  dedupeFlag
}

// narrowFlags choose what of the result is shown.
type narrowFlags struct {
	namespace, pod, source string
	top                    int
}

const analyzeLong = `Analyze reads log entries and says which incidents they tell of, what recurs
with a fixed period, at which transfer stage each timeout struck, and what must
happen. Name files, or - for standard input, to read those; without any, Loki is
read (--loki or LOKI_ADDR).

Files may be logcli's jsonl output, saved query_range answers, text with times
at the line starts, or the old watcher's incident nodes; zstd and gzip are
undone. Results go to standard output, everything else to standard error.

The window of Loki is --since back from now. For files --since counts back from
the newest entry, and everything is read without it.

Sources, namespaces and pods are narrowed with globs: * stands for any text.`

const analyzeExample = `  vdm-logs analyze --since 24h --loki http://loki.example:3100
  vdm-logs analyze --rules rules.yaml logs.jsonl.zst
  logcli query -o jsonl --limit 0 '{app="portal"}' | vdm-logs analyze -
  vdm-logs analyze -o json --fail-on issue-reopen --fail-on error logs.jsonl`

func newAnalyzeCommand(std stdio) *cobra.Command {
	var o analyzeOptions
	cmd := &cobra.Command{
		Use:     "analyze [FILE...]",
		Short:   "Say which incidents logs tell of, their clocks, stages and consequences",
		Long:    analyzeLong + "\n\n" + exitCodesHelp,
		Example: analyzeExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			return runAnalyze(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	o.registerInput(f)
	o.outputs.register(f)
	o.links.register(f)
	f.StringArrayVar(&o.failOn, "fail-on", nil, "exit with 1 on findings of this `kind`, or of this severity (info, warning, error) and above; repeatable")
	f.StringVar(&o.narrow.source, "source", "", "show only incidents whose Source matches this `glob`")
	f.IntVar(&o.narrow.top, "top", 0, "show only the `N` incidents with the most records; 0 shows all")
	f.IntVar(&o.samples, "samples", 10, "how many samples to keep of each incident: the first, the last, an even spread between")
	return cmd
}

// registerInput adds the flags that say what is read and counted.
func (o *analyzeOptions) registerInput(f *pflag.FlagSet) {
	o.window.register(f)
	o.loki.register(f)
	o.dedupe.register(f)
	f.StringArrayVarP(&o.rules, "rules", "r", nil, "rule `file` or folder: budgets, schedules, rolls, issues, identity rules; repeatable")
	f.StringArrayVar(&o.aliases, "aliases", nil, "`file` of fingerprints that changed with the rules, as 'rules diff --write-aliases' writes it; repeatable")
	f.BoolVar(&o.bare, "no-builtin", false, noBuiltinHelp)
	f.StringVarP(&o.narrow.namespace, "namespace", "n", "", "count only streams whose namespace matches this `glob`")
	f.StringVar(&o.narrow.pod, "pod", "", "count only streams whose pod matches this `glob`")
	f.StringVar(&o.format, "format", "", "`name` of the files' format, instead of detecting it by content; 'vdm-logs formats' lists them")
	f.StringVar(&o.zone, "tz", "", "`zone` of the times that are shown, and of those in flags and files that name none, such as Europe/Berlin, Local or +02:00; UTC without it; JSON is always in UTC")
}

// runAnalyze reads, analyzes and prints. What could be read is printed even
// when reading ended in an error, which is then returned.
func runAnalyze(ctx context.Context, o analyzeOptions, std stdio) error {
	if err := o.check(); err != nil {
		return err
	}
	targets, err := o.outputs.parse()
	if err != nil {
		return err
	}
	if err := o.outputs.look.parse(o.zone); err != nil {
		return err
	}
	config, err := loadConfig(o.rules, o.aliases, o.bare)
	if err != nil {
		return err
	}
	links, err := o.links.links(o.loki.query, config.Query, std)
	if err != nil {
		return err
	}
	an, readErr, err := o.analysis(ctx, config, nil, std)
	if err != nil {
		return err
	}
	if err := links.Add(an); err != nil {
		return errors.Join(readErr, err)
	}
	return errors.Join(readErr, o.outputs.write(std, targets, an), o.verdict(an))
}

// analysis opens what the options name, reads it and analyzes it. A read that
// ended in an error, which is readErr, still has a result.
func (o *analyzeOptions) analysis(ctx context.Context, config analyze.Config, verify []analyze.Verification, std stdio) (an *analyze.Analysis, readErr, err error) {
	opened, err := openInput(ctx, *o, config, std)
	if err != nil {
		return nil, nil, err
	}
	defer opened.Close()
	in := o.dedupe.wrap(opened)
	std.note("%s", in.Describe())
	a, err := analyze.New(analyze.Options{
		Config: config, Window: in.Window(), Samples: o.samples, Verify: verify,
		Namespace: analyze.Glob(o.narrow.namespace), Pod: analyze.Glob(o.narrow.pod),
		Source: analyze.Glob(o.narrow.source), Top: o.narrow.top,
	})
	if err != nil {
		return nil, nil, err
	}
	for _, t := range in.Traffic() {
		a.Logged(t)
	}
	far := &reached{Reader: in}
	readErr = readAll(ctx, far, a, o.format == linesFormat)
	readErr = errors.Join(readErr, in.Complete(a))
	for _, n := range in.Nodes() {
		a.AddNode(n)
	}
	read := in.Read(readErr)
	read.Gaps = far.unread(read.Gaps, in.Window(), readErr)
	an = a.Finish(read)
	tellOrder(std, an.Read)
	tellProblems(std, an.Read.Problems, readErr)
	return an, readErr, nil
}

// linesFormat is the name of the format in which each line is a record.
const linesFormat = "lines"

// readAll passes every entry through the assembler to the analyzer; lines
// makes each entry a record of its own.
func readAll(ctx context.Context, in ingest.Reader, a *analyze.Analyzer, lines bool) error {
	asm := ingest.NewAssembler(ingest.AssemblerOptions{Lines: lines}, a.Add)
	var e ingest.Entry
	for {
		err := in.Next(ctx, &e)
		if err == io.EOF {
			return asm.Flush()
		}
		if err != nil {
			return errors.Join(err, asm.Flush())
		}
		a.Saw(&e)
		if err := asm.Add(&e); err != nil {
			return err
		}
	}
}

func (o *analyzeOptions) check() error {
	if o.narrow.top < 0 {
		return usageError{err: fmt.Errorf("--top %d is negative", o.narrow.top), hint: "Use --top 0 to show all incidents."}
	}
	if o.samples < 1 {
		return usageError{err: fmt.Errorf("--samples %d: at least one sample is kept", o.samples)}
	}
	for _, f := range o.failOn {
		_, severity := analyze.ParseSeverity(f)
		if !severity && !slices.Contains(analyze.Kinds, analyze.Kind(f)) {
			kinds := make([]string, len(analyze.Kinds))
			for i, k := range analyze.Kinds {
				kinds[i] = string(k)
			}
			return usageError{
				err:  fmt.Errorf("--fail-on %q is neither a severity nor a kind of finding", f),
				hint: "Severities: info, warning, error. Kinds: " + strings.Join(kinds, ", ") + ".",
			}
		}
	}
	if len(o.files) > 0 {
		if err := o.loki.unused(); err != nil {
			return err
		}
	}
	return nil
}

// verdict turns findings and a partial read into exit codes.
func (o *analyzeOptions) verdict(an *analyze.Analysis) error {
	var errs []error
	if hits := o.failing(an); len(hits) > 0 {
		errs = append(errs, codeError{code: exitNo, err: fmt.Errorf("findings that --fail-on names: %s", strings.Join(hits, ", "))})
	}
	if an.Read.Partial {
		errs = append(errs, codeError{code: exitPartial})
	}
	return errors.Join(errs...)
}

// failing lists the findings that --fail-on names.
func (o *analyzeOptions) failing(an *analyze.Analysis) []string {
	var hits []string
	for _, f := range an.Findings {
		for _, want := range o.failOn {
			severity, ok := analyze.ParseSeverity(want)
			if ok && f.Severity >= severity || string(f.Kind) == want {
				hits = append(hits, string(f.Kind)+" "+f.Subject)
				break
			}
		}
	}
	return slices.Compact(hits)
}

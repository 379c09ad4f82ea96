package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/report"
)

// incidentOptions is what the command lines of incident's subcommands say.
type incidentOptions struct {
	analyzeOptions
	saved string // an analysis to take instead of making one
	id    string
}

const incidentLong = `Incident shows single incidents of an analysis: of a saved one (--analysis, as
'analyze -o json=FILE' or -o jsonl=FILE writes it), or of one made now, for
which files and flags are those of analyze.

An incident is named by its fingerprint, by as much of the fingerprint's
beginning as tells it from the others (four digits or more, with or without
fp1:), by a masked id, or by its number in the report and in 'incident list'.`

func newIncidentCommand(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "incident",
		Short: "List incidents, show one, or write the issue about it",
		Long:  incidentLong + "\n\n" + exitCodesHelp,
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newIncidentListCommand(std), newIncidentShowCommand(std), newIncidentIssueCommand(std))
	return cmd
}

// register adds the flags that say which analysis is meant.
func (o *incidentOptions) register(f *pflag.FlagSet) {
	f.StringVar(&o.saved, "analysis", "", "`file` of a saved analysis, or - for standard input, instead of reading logs")
	o.registerInput(f)
	o.links.register(f)
	f.IntVar(&o.samples, "samples", 10, "how many samples to keep of each incident: the first, the last, an even spread between")
}

// named makes the command of a subcommand that is about one incident.
func (o *incidentOptions) named(cmd *cobra.Command, run func(ctx context.Context) error) {
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{err: errors.New("no incident is named"), hint: "'vdm-logs incident list' lists them; name one by its number, its fingerprint or the beginning of that."}
		}
		return nil
	}
	cmd.ValidArgsFunction = o.completeIDs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.id, o.files = args[0], args[1:]
		if err := o.onlySaved(cmd.Flags()); err != nil {
			return err
		}
		return run(cmd.Context())
	}
	o.register(cmd.Flags())
}

// inputFlags are the flags, by name, that say how an analysis is made.
func inputFlags() []string {
	var names []string
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(analyzeOptions).registerInput(f)
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "tz" { // which is as well for the times that are shown
			names = append(names, flag.Name)
		}
	})
	return append(names, "samples")
}

// onlySaved refuses what says how to make an analysis where a saved one is
// taken.
func (o *incidentOptions) onlySaved(f *pflag.FlagSet) error {
	if o.saved == "" {
		return nil
	}
	what := ""
	for _, name := range inputFlags() {
		if f.Changed(name) {
			what = "--" + name
		}
	}
	if len(o.files) > 0 {
		what = o.files[0]
	}
	if what != "" {
		return usageError{
			err:  fmt.Errorf("%s has no meaning beside --analysis: what was analyzed is saved in it", what),
			hint: "Leave out --analysis to analyze now, or the rest to take what is saved.",
		}
	}
	return nil
}

// obtain reads the saved analysis, or makes one. A read that ended in an
// error, which is readErr, still has a result.
func (o *incidentOptions) obtain(ctx context.Context, std stdio) (an *analyze.Analysis, readErr, err error) {
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	if err := o.outputs.look.parse(o.zone); err != nil {
		return nil, nil, err
	}
	var config analyze.Config
	if o.saved == "" {
		if config, err = loadConfig(o.rules, o.aliases, o.bare); err != nil {
			return nil, nil, err
		}
	}
	links, err := o.links.links(o.loki.query, config.Query, std)
	if err != nil {
		return nil, nil, err
	}
	if o.saved == "" {
		an, readErr, err = o.analysis(ctx, config, nil, std)
	} else if an, err = loadAnalysis(o.saved, std.in); err == nil && links.Grafana == "" {
		return an, nil, nil // with the links that it was saved with
	}
	if err == nil {
		err = links.Add(an)
	}
	return an, readErr, err
}

// loadAnalysis reads a saved analysis.
func loadAnalysis(path string, stdin io.Reader) (*analyze.Analysis, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		switch {
		case errors.Is(err, fs.ErrPermission):
			return nil, codeError{code: exitRefused, err: err}
		case err != nil:
			return nil, usageError{err: err, hint: "'vdm-logs analyze -o json=FILE' writes an analysis."}
		}
		defer f.Close()
		in = f
	}
	an, err := report.ReadAnalysis(in)
	var version *report.VersionError
	switch {
	case errors.As(err, &version):
		return nil, usageError{
			err:  fmt.Errorf("%s: %w", path, err),
			hint: "A newer vdm-logs wrote it: read it with that one, update this one, or analyze the logs again with this one.",
		}
	case errors.Is(err, report.ErrNoAnalysis):
		return nil, usageError{err: fmt.Errorf("%s: %w", path, err), hint: "'vdm-logs analyze -o json=FILE' writes an analysis."}
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return an, nil
}

// one obtains the analysis and finds the incident that is named.
func (o *incidentOptions) one(ctx context.Context, std stdio) (an *analyze.Analysis, inc *analyze.Incident, readErr, err error) {
	an, readErr, err = o.obtain(ctx, std)
	if err != nil {
		return nil, nil, nil, err
	}
	inc, err = findIncident(an, o.id)
	if err != nil {
		return nil, nil, nil, errors.Join(err, readErr)
	}
	return an, inc, readErr, nil
}

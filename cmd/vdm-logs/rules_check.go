package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/rules/output"
)

// rulesCheckOptions are the flags of 'rules check'.
type rulesCheckOptions struct {
	paths       []string
	minSeverity string
	failOn      string
	outputs     []string
	corpus      corpusFlags
	revision    string // only files that differ from it are reported
}

func newRulesCheckCommand(std stdio) *cobra.Command {
	var o rulesCheckOptions
	cmd := &cobra.Command{
		Use:   "check [FILE|DIR...]",
		Short: "Report everything that is wrong in rule files",
		Long: `Reads rule files, and the .yaml and .yml files of folders (the current one if
none is named), with everything they include, and prints every problem of
every file: place, severity, what is wrong, the line, and what was probably
meant. Nothing but the files is needed.

With logs, it also tells which rules are dead, shadowed, overlapping or endless
there, which issues nobody's Source fits, how many keys each rule makes, and
what no rule decides: --corpus names files, --since (or --from, --loki, --query)
reads Loki as analyze does.

A comment silences a warning or remark
on its line or, alone, on the next:

  # vdm-logs: ignore CHECK until=2027-01-31 reason=why

Exit code 2 when there is an error, 1 when there is something else at or above
--fail-on, 0 otherwise.`,
		Example: `  vdm-logs rules check context.yaml
  vdm-logs rules check --fail-on warning rules/
  vdm-logs rules check --changed-since main --corpus logs/ rules/
  vdm-logs rules check --since 24h --loki http://loki.example:3100 rules/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return runRulesCheck(cmd.Context(), o, std)
		},
	}
	cmd.Flags().StringVar(&o.minSeverity, "min-severity", "info", "leave out problems below this: info, warning or error")
	cmd.Flags().StringVar(&o.failOn, "fail-on", "error", "exit 1 when a problem is at or above this (info, warning); errors always exit 2")
	o.corpus.register(cmd.Flags())
	cmd.Flags().StringVar(&o.revision, "changed-since", "", "report only files that differ from this git revision")
	cmd.Flags().StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, outputHelp)
	return cmd
}

func runRulesCheck(ctx context.Context, o rulesCheckOptions, std stdio) error {
	minSeverity, err := severityFlag("min-severity", o.minSeverity)
	if err != nil {
		return err
	}
	failOn, err := severityFlag("fail-on", o.failOn)
	if err != nil {
		return err
	}
	if len(o.paths) == 0 {
		o.paths = []string{"."}
	}
	var changed *rules.ChangedFiles
	if o.revision != "" {
		if changed, err = rules.ChangedSince(ctx, o.revision); err != nil {
			return usageError{err: fmt.Errorf("--changed-since: %w", err), hint: revisionHint(err)}
		}
	}
	var corpus *rules.Corpus
	var readErr error
	if o.corpus.given() {
		corpus = rules.NewCorpus(o.paths)
		readErr = o.corpus.read(ctx, corpus.Query(), std, corpus.Add)
		if readErr != nil && !isPartial(readErr) {
			return readErr
		}
		for _, k := range corpus.Keys() {
			about := ""
			if !k.Exact {
				about = "about "
			}
			std.note("%s decides %s: %s%s, %s", k.Rule.ID, count(int(k.Records), "record"),
				about, count(int(k.Fingerprints), "fingerprint"), count(int(k.Sources), "Source"))
		}
		for _, c := range corpus.Costs(std.now) {
			std.note("%s is tried on every record: %s each here, %s for a rule with a text to look for first", c.Rule.ID, c.PerRecord, c.Guarded)
		}
		for _, u := range corpus.Unmatched() {
			std.note("no rule for %s of %s: %s", count(int(u.Records), "record"), u.Source, u.Template)
		}
	}
	problems, files := rules.CheckFiles(o.paths, rules.CheckOptions{Now: std.now(), Corpus: corpus})
	elsewhere := ""
	if changed != nil {
		all := len(problems)
		problems = slices.DeleteFunc(problems, func(p rules.Problem) bool { return !changed.Concerns(p) })
		if n := all - len(problems); n > 0 {
			elsewhere = fmt.Sprintf("; %d more in files that have not changed since %s", n, o.revision)
		}
	}
	shown := make([]rules.Problem, 0, len(problems))
	for _, p := range problems {
		if p.Severity >= minSeverity {
			shown = append(shown, p)
		}
	}
	if err := reportOutputs(o.outputs, std.out, func(w io.Writer, form string) error {
		return output.Write(w, form, shown, files)
	}); err != nil {
		return err
	}
	fmt.Fprintf(std.err, "vdm-logs: %s%s\n", countProblems(problems), elsewhere)
	switch worst, any := rules.Worst(problems); {
	case any && worst == rules.Error:
		return errors.Join(readErr, codeError{code: exitUsage})
	case any && worst >= failOn:
		return errors.Join(readErr, codeError{code: exitNo})
	}
	return readErr
}

func severityFlag(name, value string) (rules.Severity, error) {
	s, ok := rules.ParseSeverity(value)
	if !ok {
		return 0, usageError{err: fmt.Errorf("--%s: unknown severity %q", name, value), hint: "The severities are info, warning and error."}
	}
	return s, nil
}

// countProblems is the summary of a check.
func countProblems(problems []rules.Problem) string {
	var n [rules.Error + 1]int
	for _, p := range problems {
		n[p.Severity]++
	}
	var parts []string
	for s := rules.Error; ; s-- {
		if n[s] > 0 {
			name := s.String()
			if s == rules.Info {
				name = "remark"
			}
			if n[s] > 1 {
				name += "s"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n[s], name))
		}
		if s == rules.Info {
			break
		}
	}
	if parts == nil {
		return "no problems"
	}
	return strings.Join(parts, ", ")
}

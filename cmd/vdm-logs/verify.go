package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// verifyOptions is what the command line of verify says; what is read is said
// as for analyze.
type verifyOptions struct {
	analyzeOptions
	output      string
	issue       int
	fingerprint string
	roll        string
}

const verifyLong = `Verify says whether a roll has ended an incident: fixed, not fixed, or undecided
until when. It weighs the silence since the roll against what happened before
it: the recurrence, if there was one, or the rate with its clumps. Silence of a
service that logs nothing else proves nothing, and time that was not read whole
is no silence.

The roll is the one --since-roll names, else the newest whose "fixes" names the
issue, else the newest in the window; rolls and issues come from --rules. The
window must reach back before the roll, far enough to know the rate.

Exit code 0 is fixed, 1 not fixed, 3 undecided.`

const verifyExample = `  vdm-logs verify --issue 4222 --rules rules.yaml --since 48h
  vdm-logs verify --fingerprint fp1:756ee846bb0c6b4d --since-roll 'streaming transfer' --rules rules.yaml logs.jsonl`

func newVerifyCommand(std stdio) *cobra.Command {
	o := verifyOptions{}
	cmd := &cobra.Command{
		Use:     "verify (--issue N | --fingerprint ID) [FILE...]",
		Short:   "Say whether a roll has fixed an issue, and how sure that is",
		Long:    verifyLong + "\n\n" + exitCodesHelp,
		Example: verifyExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			return runVerify(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	o.registerInput(f)
	f.IntVar(&o.issue, "issue", 0, "`number` of the issue, one of the rule files' issues")
	f.StringVar(&o.fingerprint, "fingerprint", "", "`id` of the incident, as analyze prints it")
	f.StringVar(&o.roll, "since-roll", "", "`name` of the roll, one of the rule files' rolls")
	f.StringVarP(&o.output, "output", "o", "text", "how to print the result: text or json")
	o.outputs.look.register(f)
	return cmd
}

func runVerify(ctx context.Context, o verifyOptions, std stdio) error {
	o.samples = 1
	if o.output != "text" && o.output != "json" {
		return usageError{err: fmt.Errorf("-o %q is no output form", o.output), hint: "Use -o text or -o json."}
	}
	if err := o.analyzeOptions.check(); err != nil {
		return err
	}
	if err := o.outputs.look.parse(o.zone); err != nil {
		return err
	}
	if (o.issue == 0) == (o.fingerprint == "") {
		return usageError{err: errors.New("either --issue or --fingerprint says what to verify"), hint: "Run 'vdm-logs verify --help' for an example."}
	}
	if o.fingerprint != "" {
		if _, err := fingerprint.ParseID(o.fingerprint); err != nil {
			return usageError{err: fmt.Errorf("--fingerprint %q: %w", o.fingerprint, err), hint: "Copy it from analyze: fp1: and 16 hexadecimal digits."}
		}
	}
	config, err := loadConfig(o.rules, o.aliases, o.bare)
	if err != nil {
		return err
	}
	roll, err := o.chooseRoll(&config)
	if err != nil {
		return err
	}
	an, readErr, err := o.analysis(ctx, config, []analyze.Verification{{Roll: roll, Issue: o.issue, Fingerprint: o.fingerprint}}, std)
	if err != nil {
		return err
	}
	fixes := slices.DeleteFunc(an.Fixes, func(f analyze.Fix) bool {
		return o.issue != 0 && f.Issue != o.issue || o.fingerprint != "" && f.Fingerprint != o.fingerprint || roll != "" && f.Roll != roll
	})
	if err := o.printFixes(std, fixes, an.Window); err != nil {
		return errors.Join(readErr, fmt.Errorf("writing the result: %w", err))
	}
	return errors.Join(readErr, fixesCode(fixes, an.Read.Partial))
}

// chooseRoll finds the roll that is asked about; an empty name leaves the
// choice of the newest in the window to the Analyzer.
func (o *verifyOptions) chooseRoll(config *analyze.Config) (string, error) {
	names := make([]string, len(config.Rolls))
	for i, r := range config.Rolls {
		names[i] = r.Name
	}
	switch {
	case len(names) == 0:
		return "", usageError{err: errors.New("no roll is known"), hint: "Name a rule file with --rules that says under rolls: when the fix was deployed."}
	case o.issue != 0 && !slices.ContainsFunc(config.Issues, func(is analyze.Issue) bool { return is.Number == o.issue }):
		return "", usageError{err: fmt.Errorf("issue %d is in no rule file", o.issue), hint: "Name the Sources it is about under issues:, so that its records are known."}
	case o.roll != "" && !slices.Contains(names, o.roll):
		return "", usageError{err: fmt.Errorf("no roll is named %q", o.roll), hint: "The rolls are: " + strings.Join(names, ", ") + "."}
	case o.roll != "":
		return o.roll, nil
	}
	newest := analyze.Roll{}
	for _, r := range config.Rolls {
		if slices.Contains(r.Fixes, o.issue) && r.At.After(newest.At) {
			newest = r
		}
	}
	return newest.Name, nil
}

// fixesDocument is the JSON form of the verdicts.
type fixesDocument struct {
	SchemaVersion int            `json:"schemaVersion"`
	Window        analyze.Window `json:"window"`
	Fixes         []analyze.Fix  `json:"fixes"`
}

func (o *verifyOptions) printFixes(std stdio, fixes []analyze.Fix, w analyze.Window) error {
	if o.output == "json" {
		enc := json.NewEncoder(report.PlainJSON(std.out))
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(fixesDocument{analyze.SchemaVersion, w, fixes})
	}
	return report.Fixes(std.out, fixes, o.outputs.look.screen(std.out))
}

// fixesCode is 1 if anything is not fixed, 3 if anything is undecided or was
// not read.
func fixesCode(fixes []analyze.Fix, partial bool) error {
	var errs []error
	if partial || len(fixes) == 0 {
		errs = append(errs, codeError{code: exitPartial})
	}
	for _, f := range fixes {
		switch f.Verdict {
		case analyze.NotFixed:
			errs = append(errs, codeError{code: exitNo})
		case analyze.Undecided:
			errs = append(errs, codeError{code: exitPartial})
		}
	}
	return errors.Join(errs...)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/rules/output"
)

// rulesTestOptions are the flags of 'rules test'.
type rulesTestOptions struct {
	paths       []string
	builtin     bool
	mutate      bool
	verbose     bool
	minCoverage string
	outputs     []string
}

func newRulesTestCommand(std stdio) *cobra.Command {
	var o rulesTestOptions
	cmd := &cobra.Command{
		Use:   "test [FILE|DIR...]",
		Short: "Run the tests of rule files",
		Long: `Runs the tests that stand in rules, in *_test.yaml files (a tests section) and in
annotated logs named *_test.log, where a comment above a record says what it
must come to: '# rule: ID', '# ok: ID' (that rule must not decide) or
'# todo-rule: ID' (known to fail). The rules are those of the files together
with the built-in pack.

A rule is covered by tests in which it decides and in which it must not, which
take every alternative and optional part of its expressions and matchers, meet
every exception, and want what it says: Source, event, stage, level.

Exit code 1 when a test fails or coverage is too low, 2 when there is no test
or a file cannot be used.`,
		Example: `  vdm-logs rules test rules/
  vdm-logs rules test --mutate --min-coverage 100% rules/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return runRulesTest(cmd.Context(), o, std)
		},
	}
	cmd.Flags().BoolVar(&o.builtin, "builtin", false, "run the tests of the built-in pack, too")
	cmd.Flags().BoolVar(&o.mutate, "mutate", false, "leave out one condition of a rule at a time and list what no test notices (advice, no failure)")
	cmd.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "list tests that pass, too")
	cmd.Flags().StringVar(&o.minCoverage, "min-coverage", "", "exit 1 when a smaller share of the rules than this is covered: 80%")
	cmd.Flags().StringArrayVarP(&o.outputs, "output", "o", []string{"text"}, outputHelp)
	return cmd
}

func runRulesTest(_ context.Context, o rulesTestOptions, std stdio) error {
	least := 0.0
	if o.minCoverage != "" {
		v, err := strconv.ParseFloat(strings.TrimSuffix(o.minCoverage, "%"), 64)
		if err != nil || v < 0 || v > 100 {
			return usageError{err: fmt.Errorf("--min-coverage %q is no share", o.minCoverage), hint: "Write 80% or 100%."}
		}
		least = v / 100
	}
	set, err := loadRuleTests(o.paths, o.builtin)
	if err != nil {
		return err
	}
	report, err := rules.RunTests(set, set.Tests, o.builtin)
	if err != nil {
		return codeError{code: exitUsage, err: err}
	}
	if len(report.Results) == 0 {
		return usageError{err: errors.New("there are no tests"), hint: "Add a tests section to a rule, or name files of tests."}
	}
	if err := reportOutputs(o.outputs, std.out, func(w io.Writer, form string) error {
		switch form {
		case "text":
			printTests(w, report, o.verbose)
			return nil
		case "junit":
			return output.JUnitTests(w, report)
		case "json":
			return output.JSONTests(w, report)
		}
		return output.Write(w, form, output.TestProblems(report), set.Files)
	}); err != nil {
		return err
	}
	if o.mutate {
		if err := printMutants(std.out, set, o.builtin); err != nil {
			return codeError{code: exitUsage, err: err}
		}
	}
	failed := report.Failed()
	todo := ""
	if n := report.Todo(); n > 0 {
		todo = fmt.Sprintf(" (%d todo)", n)
	}
	fmt.Fprintf(std.err, "vdm-logs: %d of %d tests pass%s, %s of rules covered\n",
		len(report.Results)-failed-report.Todo(), len(report.Results), todo, percent(report.Coverage()))
	if failed > 0 {
		return codeError{code: exitNo}
	}
	if report.Coverage() < least {
		return codeError{code: exitNo, err: fmt.Errorf("coverage is %s, wanted are %s", percent(report.Coverage()), percent(least))}
	}
	return nil
}

// loadRuleTests loads rules with their tests; without paths and without the
// built-in pack, those of the current folder.
func loadRuleTests(paths []string, builtin bool) (*rules.Set, error) {
	if len(paths) == 0 && !builtin {
		paths = []string{"."}
	}
	set, err := rules.LoadTests(paths)
	if err != nil {
		return nil, usageError{err: err, hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	return set, nil
}

// percent writes a share with one digit at most; what is not all is never 100%.
func percent(share float64) string {
	return strconv.FormatFloat(math.Floor(1000*share+1e-9)/10, 'f', -1, 64) + "%"
}

// printTests lists failing tests and gaps in coverage.
func printTests(w io.Writer, report *rules.Report, verbose bool) {
	for i := range report.Results {
		r := &report.Results[i]
		switch {
		case r.Passed() && r.Test.Todo:
			fmt.Fprintf(w, "PASS %s: %s; it is marked as todo\n", testPlace(r), output.TestName(r))
		case r.Passed():
			if verbose {
				fmt.Fprintf(w, "ok   %s: %s\n", testPlace(r), output.TestName(r))
			}
		case r.Test.Todo:
			fmt.Fprintf(w, "todo %s: %s\n", testPlace(r), output.TestName(r))
		default:
			fmt.Fprintf(w, "FAIL %s: %s\n", testPlace(r), output.TestName(r))
			for _, m := range r.Mismatches {
				want, got := rules.WordDiff(m.Want, m.Got)
				fmt.Fprintf(w, "       %s\n         want %s\n         got  %s\n", m.What, want, got)
			}
		}
	}
	for i := range report.Counts {
		c := &report.Counts[i]
		for _, gap := range c.Gaps() {
			fmt.Fprintf(w, "gap  %s:%d: %s: %s\n", c.Rule.File, c.Rule.Line, c.Rule.ID, gap)
		}
		if verbose {
			fmt.Fprintf(w, "     %s: TP %d, TN %d, FP %d, FN %d\n", c.Rule.ID, c.TruePositive, c.TrueNegative, c.FalsePositive, c.FalseNegative)
		}
	}
}

func testPlace(r *rules.TestResult) string { return fmt.Sprintf("%s:%d", r.Test.File, r.Test.Line) }

func printMutants(w io.Writer, set *rules.Set, builtin bool) error {
	mutants, err := rules.Mutants(set, builtin)
	if err != nil {
		return err
	}
	survivors := 0
	for _, m := range mutants {
		if m.Survives {
			survivors++
			fmt.Fprintf(w, "mutant %s:%d: %s: no test notices when the %s %q is left out\n", m.Rule.File, m.Rule.Line, m.Rule.ID, m.Atom, m.Detail)
		}
	}
	fmt.Fprintf(w, "mutants: %d of %d are noticed\n", len(mutants)-survivors, len(mutants))
	return nil
}

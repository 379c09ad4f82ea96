package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/analyze/report"
	"github.com/vdm-logs/vdm-logs/rules"
)

// rulesDiffOptions are the flags of 'rules diff'.
type rulesDiffOptions struct {
	old, new string
	corpus   corpusFlags
	output   string
	failOn   []string
	maxMoved int64
	aliases  string
}

func newRulesDiffCommand(std stdio) *cobra.Command {
	var o rulesDiffOptions
	cmd := &cobra.Command{
		Use:   "diff OLD NEW (--corpus FILE|DIR | --since DURATION)",
		Short: "Show what a change of rules does to the incidents of a corpus",
		Long: `Reads logs once and identifies every record under the old and under the new
rules. Prints which incidents move to another fingerprint, split, merge, appear
or disappear, with counts and a sample, and the issues that lose their
incident. The counts sum to all records that tell of a fault.

OLD and NEW are files or folders, or REV:PATH for a revision of the git
repository around the current folder; a revision alone as OLD means NEW's path
there. A Source that a rule masks is refused by
'rules check'; here its effect is shown.

The logs are those of --corpus; without it Loki is read, as analyze reads it:
over --since or --from and --to, at --loki or LOKI_ADDR, by --query or the
rules' own.

Exit code 1 when --fail-on or --max-moved say so.`,
		Example: `  vdm-logs rules diff main rules --corpus logs/ --fail-on split,merged
  vdm-logs rules diff main:rules rules --corpus day.jsonl.zst -o markdown
  vdm-logs rules diff main:rules rules --since 24h --loki http://loki.example:3100`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.old, o.new = args[0], args[1]
			return runRulesDiff(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	o.corpus.register(f)
	f.StringVarP(&o.output, "output", "o", "text", "text, markdown or json")
	f.StringSliceVar(&o.failOn, "fail-on", nil, "exit 1 when there is a change of these: merged, split, reshaped, gone, new, moved, orphaned")
	f.Int64Var(&o.maxMoved, "max-moved", -1, "exit 1 when more records than this change their fingerprint; -1 accepts any number")
	f.StringVar(&o.aliases, "write-aliases", "", "write a JSON file that maps old fingerprints to new ones")
	return cmd
}

func runRulesDiff(ctx context.Context, o rulesDiffOptions, std stdio) error {
	if !slices.Contains([]string{"text", "markdown", "json"}, o.output) {
		return usageError{err: fmt.Errorf("-o %q is no output", o.output), hint: "The outputs are text, markdown and json."}
	}
	for _, f := range o.failOn {
		if f != "orphaned" && !slices.Contains(rules.Changes(), rules.Change(f)) {
			return usageError{err: fmt.Errorf("--fail-on %q is no change", f), hint: "The changes are merged, split, reshaped, gone, new, moved and orphaned."}
		}
	}
	if !o.corpus.given() {
		return usageError{err: errors.New("there is no corpus to compare over"), hint: "Name log files or folders of them with --corpus, or give --since 24h to read Loki."}
	}
	old, err := rules.LoadForDiff(ctx, oldSide(o.old, o.new))
	var unknown *rules.RevisionError
	if errors.As(err, &unknown) && !strings.Contains(o.old, ":") {
		err = fmt.Errorf("%q is neither a file or folder nor a revision: %w", o.old, err)
	}
	if err != nil {
		return usageError{err: fmt.Errorf("the old rules: %w", err), hint: cmp.Or(revisionHint(err), rulesHint)}
	}
	changed, err := rules.LoadForDiff(ctx, o.new)
	if err != nil {
		return usageError{err: fmt.Errorf("the new rules: %w", err), hint: cmp.Or(revisionHint(err), rulesHint)}
	}
	d, err := rules.NewDiffer(old, changed)
	if err != nil {
		return err
	}
	readErr := o.corpus.read(ctx, cmp.Or(changed.Config.Query, old.Config.Query), std, d.Add)
	if readErr != nil && !isPartial(readErr) {
		return readErr
	}
	diff := d.Finish()
	if err := writeDiff(std.out, diff, o.output); err != nil {
		return err
	}
	if o.aliases != "" {
		if err := writeAliases(o.aliases, diff); err != nil {
			return err
		}
	}
	return errors.Join(readErr, diffVerdict(diff, o))
}

// diffDocument is the JSON form of a Diff.
type diffDocument struct {
	SchemaVersion int `json:"schemaVersion"`
	*rules.Diff
}

// oldSide completes a revision that stands alone by the path of the new rules.
func oldSide(old, changed string) string {
	if _, err := os.Stat(old); err == nil || strings.Contains(old, ":") {
		return old
	}
	if rev, path, ok := strings.Cut(changed, ":"); ok && rev != "" {
		changed = path
	}
	if filepath.IsAbs(changed) {
		return old
	}
	return old + ":" + filepath.ToSlash(filepath.Clean(changed))
}

const rulesHint = "Run 'vdm-logs rules check' for every problem with its place."

// revisionHint says what to try when git does not know a revision, empty for
// other errors.
func revisionHint(err error) string {
	var re *rules.RevisionError
	switch {
	case !errors.As(err, &re):
		return ""
	case strings.Contains(re.Message, "not a git repository"):
		return "Run it inside the work tree of the repository."
	}
	return "Is it fetched? In CI the history is cut short unless fetch-depth is 0 (GitHub) or GIT_DEPTH is 0 (GitLab)."
}

func writeDiff(w io.Writer, d *rules.Diff, form string) error {
	switch form {
	case "markdown":
		return d.Markdown(w)
	case "json":
		b, err := json.MarshalIndent(diffDocument{1, d}, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(report.PlainJSON(w), "%s\n", b)
		return err
	}
	return d.Text(w)
}

// writeAliases writes which fingerprint each old one has become.
func writeAliases(name string, d *rules.Diff) error {
	b, err := json.MarshalIndent(struct {
		SchemaVersion int               `json:"schemaVersion"`
		Aliases       map[string]string `json:"aliases"`
	}{1, d.Aliases()}, "", "  ")
	if err != nil {
		return err
	}
	err = writeFile(name, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
	if err != nil {
		return usageError{err: fmt.Errorf("writing aliases: %w", err)}
	}
	return nil
}

// diffVerdict says whether the change is more than was allowed.
func diffVerdict(d *rules.Diff, o rulesDiffOptions) error {
	var against []string
	moved, orphaned := int64(0), 0
	for i := range d.Rows {
		r := &d.Rows[i]
		orphaned += len(r.Orphaned)
		if r.Change != rules.Unchanged {
			moved += r.Records
		}
	}
	for _, f := range o.failOn {
		if rows, _ := d.Count(rules.Change(f)); rows > 0 {
			against = append(against, fmt.Sprintf("%d %s", rows, f))
		}
		if f == "orphaned" && orphaned > 0 {
			against = append(against, fmt.Sprintf("%d issues orphaned", orphaned))
		}
	}
	if o.maxMoved >= 0 && moved > o.maxMoved {
		against = append(against, fmt.Sprintf("%d records change their fingerprint, %d may", moved, o.maxMoved))
	}
	if against == nil {
		return nil
	}
	return codeError{code: exitNo, err: fmt.Errorf("not accepted: %s", strings.Join(against, ", "))}
}

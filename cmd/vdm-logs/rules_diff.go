package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/rules"
)

// rulesDiffOptions are the flags of 'rules diff'.
type rulesDiffOptions struct {
	old, new string
	corpus   []string
	output   string
	failOn   []string
	maxMoved int64
	aliases  string
}

func newRulesDiffCommand(std stdio) *cobra.Command {
	var o rulesDiffOptions
	cmd := &cobra.Command{
		Use:   "diff OLD NEW --corpus FILE|DIR",
		Short: "Show what a change of rules does to the incidents of a corpus",
		Long: `Reads logs once and identifies every record under the old and under the new
rules. Prints which incidents move to another fingerprint, split, merge, appear
or disappear, with counts and a sample, and the issues that lose their
incident. The counts sum to all records that tell of a fault.

OLD and NEW are files or folders, or REV:PATH for a revision of the git
repository around the current folder. A Source that a rule masks is refused by
'rules check'; here its effect is shown.

Exit code 1 when --fail-on or --max-moved say so.`,
		Example: `  vdm-logs rules diff main:rules rules --corpus logs/ --fail-on split,merged
  vdm-logs rules diff main:rules rules --corpus day.jsonl.zst -o markdown`,
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.old, o.new = args[0], args[1]
			return runRulesDiff(cmd.Context(), o, std)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.corpus, "corpus", nil, "log file, or folder of log files, to compare over; may be given several times")
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
	files, err := corpusFiles(o.corpus)
	if err != nil {
		return err
	}
	old, err := rules.LoadForDiff(ctx, o.old)
	if err != nil {
		return usageError{err: fmt.Errorf("the old rules: %w", err)}
	}
	changed, err := rules.LoadForDiff(ctx, o.new)
	if err != nil {
		return usageError{err: fmt.Errorf("the new rules: %w", err), hint: "Run 'vdm-logs rules check' for every problem with its place."}
	}
	d, err := rules.NewDiffer(old, changed)
	if err != nil {
		return err
	}
	readErr := readCorpus(ctx, files, std, d.Add)
	var partial codeError
	if readErr != nil && (!errors.As(readErr, &partial) || partial.code != exitPartial) {
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

// corpusFiles lists the files of a corpus, those of folders sorted by name.
func corpusFiles(paths []string) ([]string, error) {
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != p && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case !d.IsDir() && (name == p || !strings.HasPrefix(d.Name(), ".")):
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			return nil, usageError{err: fmt.Errorf("--corpus: %w", err), hint: "Name log files or folders of them."}
		}
	}
	if len(files) == 0 {
		return nil, usageError{err: errors.New("there is no corpus to compare over"), hint: "Name log files or folders of them with --corpus."}
	}
	return files, nil
}

// readCorpus joins the entries of files to records, as analyze does. The
// error is quiet if something could not be read and the rest could.
func readCorpus(ctx context.Context, files []string, std stdio, add func(*ingest.Record) error) error {
	in, err := openFiles(ctx, analyzeOptions{files: files}, window{}, std)
	if err != nil {
		return err
	}
	defer in.Close()
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, add)
	var e ingest.Entry
	for {
		if err = in.Next(ctx, &e); err != nil {
			break
		}
		if err := asm.Add(&e); err != nil {
			return err
		}
	}
	if err == io.EOF {
		err = nil
	}
	err = errors.Join(err, asm.Flush())
	read := in.Read(err)
	for _, p := range read.Problems {
		fmt.Fprintf(std.err, "vdm-logs: not read: %s\n", p)
	}
	if err == nil && read.Partial {
		return codeError{code: exitPartial}
	}
	return err
}

func writeDiff(w io.Writer, d *rules.Diff, form string) error {
	switch form {
	case "markdown":
		return d.Markdown(w)
	case "json":
		b, err := json.MarshalIndent(struct {
			SchemaVersion int `json:"schemaVersion"`
			*rules.Diff
		}{1, d}, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n", b)
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
	if err := os.WriteFile(name, append(b, '\n'), 0o666); err != nil {
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

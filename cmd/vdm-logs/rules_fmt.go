package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/rules"
	"github.com/vdm-logs/vdm-logs/rules/output"
)

// rulesFmtOptions are the flags of 'rules fmt'.
type rulesFmtOptions struct {
	paths              []string
	check, diff, write bool
}

func newRulesFmtCommand(std stdio) *cobra.Command {
	var o rulesFmtOptions
	cmd := &cobra.Command{
		Use:   "fmt [FILE|DIR...|-]",
		Short: "Lay out rule files evenly",
		Long: `Lays rule files out: two spaces for each level, dashes two deeper than their
key, no blanks at line ends, single empty lines. Comments stay where they are,
and the rules mean the same before and after. Without a flag the result of one
file, or of standard input (-), is printed.

Exit code 1 when --check finds a file that is not laid out so, 2 when a file
cannot be read or laid out.`,
		Example: `  vdm-logs rules fmt -w rules/
  vdm-logs rules fmt --check --diff rules/`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return runRulesFmt(cmd.Context(), o, std)
		},
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "list files that would change and exit 1 if there are any")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "print what would change")
	cmd.Flags().BoolVarP(&o.write, "write", "w", false, "write the files anew")
	return cmd
}

func runRulesFmt(_ context.Context, o rulesFmtOptions, std stdio) error {
	if o.check && o.write {
		return usageError{err: errors.New("--check and --write exclude each other"), hint: "Use --check in CI, -w at the desk."}
	}
	files, err := o.files()
	if err != nil {
		return err
	}
	changed, broken := 0, false
	for _, name := range files {
		src := rules.Source{Name: filepath.ToSlash(name)}
		if name == "-" {
			src.Name = "stdin"
			src.Data, err = io.ReadAll(io.LimitReader(std.in, 8<<20))
		} else {
			src.Data, err = os.ReadFile(name)
		}
		if err != nil {
			return usageError{err: err}
		}
		out, err := rules.Format(src)
		var pe *rules.ProblemsError
		if errors.As(err, &pe) {
			broken = true
			if err := output.Text(std.err, pe.Problems); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		same := bytes.Equal(src.Data, out)
		if !same {
			changed++
		}
		if err := o.result(name, src, out, same, std); err != nil {
			return err
		}
	}
	switch {
	case broken:
		return codeError{code: exitUsage}
	case o.check && changed > 0:
		return codeError{code: exitNo}
	}
	return nil
}

// files lists what is to be laid out.
func (o *rulesFmtOptions) files() ([]string, error) {
	if len(o.paths) == 1 && o.paths[0] == "-" {
		if o.write {
			return nil, usageError{err: errors.New("standard input cannot be written"), hint: "Name the file, or leave out -w."}
		}
		return o.paths, nil
	}
	if len(o.paths) == 0 {
		o.paths = []string{"."}
	}
	files, err := rules.Files(o.paths)
	if err != nil {
		return nil, usageError{err: err, hint: "Name rule files or folders of them."}
	}
	if len(files) == 0 {
		return nil, usageError{err: errors.New("there are no rule files"), hint: "Name rule files or folders of them."}
	}
	if len(files) > 1 && !o.check && !o.diff && !o.write {
		return nil, usageError{err: errors.New("several files are not printed one after the other"), hint: "Use -w to write them, --diff or --check to look."}
	}
	return files, nil
}

// result does with one file what the flags say.
func (o *rulesFmtOptions) result(name string, src rules.Source, out []byte, same bool, std stdio) error {
	if !o.check && !o.diff && !o.write {
		_, err := std.out.Write(out)
		return err
	}
	if same {
		return nil
	}
	if o.check || o.write && !o.diff {
		fmt.Fprintln(std.out, src.Name)
	}
	if o.diff {
		fmt.Fprint(std.out, rules.LineDiff(src.Name, src.Data, out))
	}
	if !o.write {
		return nil
	}
	err := writeFile(name, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
	if err != nil {
		return usageError{err: err}
	}
	return nil
}

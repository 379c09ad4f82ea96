package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/vdm-logs/vdm-logs/rules/builtin"
	"github.com/vdm-logs/vdm-logs/rules/internal/ruleschema"
	"github.com/vdm-logs/vdm-logs/rules/internal/yamlnode"
)

// maxFiles bounds how many files one run reads, includes counted.
const maxFiles = 10_000

// file is one rule file on its way to a Set.
type file struct {
	name string
	yaml *yamlnode.File
	root *yamlnode.Node // nil if the file holds nothing usable
	raw  []byte
	// builtin marks a file of the pack that is part of the program.
	builtin bool
}

// reader gathers files and their problems.
type reader struct {
	tree     tree
	files    []*file
	seen     map[string]bool
	problems []Problem
	full     bool
	// tests says that files of tests are read, too.
	tests bool
	logs  []Test // from annotated logs
}

// readPaths reads files and folders and everything they include. A path that
// cannot be read is a problem, not an end.
func (r *reader) readPaths(paths []string) {
	r.seen = map[string]bool{}
	for _, p := range paths {
		r.readPath(p, nil, yamlnode.Span{})
	}
}

// readPath reads one file or folder, named by the command line, or by an
// include at the given place of a file.
func (r *reader) readPath(name string, from *file, span yamlnode.Span) {
	wanted := isRuleFile
	if r.tests {
		wanted = isRuleOrTestFile
	}
	names, err := r.tree.list(name, wanted)
	switch {
	case errors.Is(err, errNotFolder):
		r.readFile(name, from, span)
		return
	case err != nil:
		r.unreadable(name, from, span, err)
		return
	case len(names) == 0:
		r.place(name, from, span, Error, "file/none", "the folder has no rule files", "rule files end in .yaml or .yml")
	}
	for _, n := range names {
		r.readFile(n, from, span)
	}
}

func (r *reader) unreadable(name string, from *file, span yamlnode.Span, err error) {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	msg := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		msg = "there is no such file or folder"
	}
	if from != nil {
		msg = fmt.Sprintf("%q cannot be included: %s", name, msg)
	}
	r.place(name, from, span, Error, "file/unreadable", msg, "")
}

// place reports a problem of a path: at the include that names it, or of the
// path itself.
func (r *reader) place(name string, from *file, span yamlnode.Span, sev Severity, check, msg, hint string) {
	if from != nil {
		r.problems = append(r.problems, from.problem(span, sev, check, hint, "%s", msg))
		return
	}
	r.problems = append(r.problems, Problem{File: filepath.ToSlash(name), Severity: sev, Check: check, Message: msg, Hint: hint})
}

func (r *reader) readFile(name string, from *file, span yamlnode.Span) {
	key := filepath.Clean(name)
	if r.seen[key] || r.full {
		return
	}
	r.seen[key] = true
	if len(r.seen) > maxFiles {
		r.full = true
		r.place(name, from, span, Error, "file/too-many", fmt.Sprintf("more than %d files", maxFiles), "")
		return
	}
	data, err := r.tree.read(name)
	if err != nil {
		r.unreadable(name, from, span, err)
		return
	}
	if strings.HasSuffix(name, ".log") && r.tests {
		r.readLog(filepath.ToSlash(name), data)
		return
	}
	f := r.parse(Source{Name: filepath.ToSlash(name), Data: data})
	if f.root == nil {
		return
	}
	for _, inc := range f.root.Elements("include") {
		if isText(inc) {
			r.readPath(r.tree.join(name, inc.Value), f, inc.Span)
		}
	}
}

// readBuiltin adds the files that are part of the program.
func (r *reader) readBuiltin() {
	builtin.Each(func(name string, text []byte) {
		r.parse(Source{Name: "builtin/" + name, Data: text}).builtin = true
	})
}

// parse reads one file's text and checks its shape.
func (r *reader) parse(s Source) *file {
	f := &file{name: s.Name, raw: s.Data}
	var errs []*yamlnode.Error
	f.yaml, errs = yamlnode.Parse(s.Name, s.Data)
	r.files = append(r.files, f)
	for _, e := range errs {
		r.problems = append(r.problems, f.problem(e.Span, Error, e.ID, e.Hint, "%s", e.Msg))
	}
	root := f.yaml.Root
	switch {
	case root == nil && len(errs) == 0:
		r.problems = append(r.problems, Problem{File: s.Name, Severity: Error, Check: "file/empty",
			Message: "the file holds no rules", Hint: "a rule file begins with version: 1"})
	case root != nil && !fatal(errs):
		for _, e := range ruleschema.Validate(root) {
			r.problems = append(r.problems, f.problem(e.Span, Error, e.ID, e.Hint, "%s", e.Msg))
		}
		f.root = root
	}
	return f
}

// fatal reports whether the tree that came with the errors is not worth
// looking at.
func fatal(errs []*yamlnode.Error) bool {
	for _, e := range errs {
		switch e.ID {
		case "yaml/alias-loop", "yaml/alias-bomb", "yaml/too-large", "yaml/too-deep":
			return true
		}
	}
	return false
}

// problem makes a problem at a place of the file.
func (f *file) problem(s yamlnode.Span, sev Severity, check, hint, format string, args ...any) Problem {
	return Problem{File: f.name, Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol, Severity: sev,
		Check: check, Message: fmt.Sprintf(format, args...), Hint: hint, Excerpt: f.yaml.Line(s.Line)}
}

// isText reports whether a node is a text, the only kind of scalar that
// names, patterns and durations are.
func isText(n *yamlnode.Node) bool {
	return n != nil && n.Kind == yamlnode.Scalar && n.Type == yamlnode.String && n.Value != ""
}

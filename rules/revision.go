package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// LoadForDiff loads one side of a comparison: a file or folder, or REV:PATH,
// where REV is a revision of the git repository that the current folder lies
// in and PATH is relative to the current folder. The built-in pack stands
// behind the rules. A Source that is masked is no error here: what it would
// do is what the comparison shows.
func LoadForDiff(ctx context.Context, what string) (*Set, error) {
	var set *Set
	var problems []Problem
	if _, err := os.Stat(what); err == nil {
		r := reader{tree: disk{}}
		set, problems = r.set([]string{what}, true, false)
	} else if rev, p, ok := strings.Cut(what, ":"); ok && rev != "" && !strings.HasPrefix(rev, "-") {
		files, err := revisionFiles(ctx, rev, p)
		if err != nil {
			return nil, err
		}
		r := reader{tree: files}
		set, problems = r.set([]string{path.Clean(p)}, true, false)
	} else {
		return nil, fmt.Errorf("%q is neither a file or folder nor REV:PATH", what)
	}
	kept := problems[:0]
	for _, p := range problems {
		if p.Check != "identity/masked" {
			kept = append(kept, p)
		}
	}
	return finish(set, kept)
}

// revisionFiles reads the rule files below a path of a revision, and those
// beside it that they may include, with the git program.
func revisionFiles(ctx context.Context, rev, p string) (memory, error) {
	list, err := git(ctx, "ls-tree", "-r", "-z", "--name-only", rev, "--", ".")
	if err != nil {
		return nil, err
	}
	var files memory
	for _, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if !isRuleFile(name) {
			continue
		}
		data, err := git(ctx, "show", rev+":./"+name)
		if err != nil {
			return nil, err
		}
		files = append(files, Source{Name: name, Data: data})
	}
	for _, f := range files {
		if c := path.Clean(p); f.Name == c || c == "." || strings.HasPrefix(f.Name, c+"/") {
			return files, nil
		}
	}
	return nil, fmt.Errorf("revision %s has no rule file at %s", rev, p)
}

// ChangedFiles are the files of a git work tree that differ from a revision,
// or that git does not know.
type ChangedFiles struct {
	top   string          // the work tree's folder
	names map[string]bool // below it
}

// ChangedSince compares the work tree that the current folder lies in with a
// revision of its repository.
func ChangedSince(ctx context.Context, rev string) (*ChangedFiles, error) {
	if strings.HasPrefix(rev, "-") || rev == "" {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	top, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	c := &ChangedFiles{top: strings.TrimSuffix(string(top), "\n"), names: map[string]bool{}}
	for _, args := range [][]string{
		{"diff", "-z", "--name-only", rev, "--"},
		{"ls-files", "-z", "--others", "--exclude-standard"},
	} {
		out, err := git(ctx, append([]string{"-C", c.top}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, name := range strings.Split(string(out), "\x00") {
			if name != "" {
				c.names[name] = true
			}
		}
	}
	return c, nil
}

// Concerns reports whether a problem is one of a file that has changed, or
// tells of such a file: two rules of one id are reported at the second, which
// may be the old one. A file outside the work tree counts as changed.
func (c *ChangedFiles) Concerns(p Problem) bool {
	if c.has(p.File) {
		return true
	}
	for _, m := range otherPlace.FindAllStringSubmatch(p.Message, -1) {
		if c.has(m[1]) {
			return true
		}
	}
	return false
}

// otherPlace is how a message names another place.
var otherPlace = regexp.MustCompile(`at (\S.*?):\d+`)

func (c *ChangedFiles) has(name string) bool {
	abs, err := filepath.Abs(filepath.FromSlash(name))
	if err != nil {
		return true
	}
	// The work tree's folder is told without links; a file may itself be one.
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(dir, filepath.Base(abs))
	}
	for range 2 {
		rel, err := filepath.Rel(c.top, abs)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || c.names[filepath.ToSlash(rel)] {
			return true
		}
		if abs, err = filepath.EvalSymlinks(abs); err != nil {
			return false
		}
	}
	return false
}

// RevisionError is an error of the git program about a revision or a folder.
type RevisionError struct {
	Command string // of git
	Message string // the first line of what it says
}

func (e *RevisionError) Error() string { return "git " + e.Command + ": " + e.Message }

func git(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var xe *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, errors.New("reading a revision needs the git program")
	case errors.As(err, &xe):
		msg, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if args[0] == "-C" {
			args = args[2:]
		}
		return nil, &RevisionError{Command: args[0], Message: msg}
	}
	return out, err
}

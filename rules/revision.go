package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
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

// ChangedSince lists the files below the current folder that differ from a
// git revision or are not known to git, relative to the folder.
func ChangedSince(ctx context.Context, rev string) (map[string]bool, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	changed := map[string]bool{}
	for _, args := range [][]string{
		{"diff", "-z", "--name-only", "--relative", rev, "--", "."},
		{"ls-files", "-z", "--others", "--exclude-standard"},
	} {
		out, err := git(ctx, args...)
		if err != nil {
			return nil, err
		}
		for _, name := range strings.Split(string(out), "\x00") {
			if name != "" {
				changed[name] = true
			}
		}
	}
	return changed, nil
}

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
		return nil, fmt.Errorf("git %s: %s", args[0], msg)
	}
	return out, err
}

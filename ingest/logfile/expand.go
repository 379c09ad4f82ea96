package logfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// expand turns the paths as they were given into inputs: a directory into the
// files below it, a pattern that names no file into those it matches. A file
// that is reached twice is read once.
func expand(paths []string) ([]*input, error) {
	var inputs []*input
	var seen []os.FileInfo
	add := func(path string, found bool) error {
		in := &input{index: len(inputs), path: path, found: found}
		if path != "-" {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			for i, other := range seen {
				if other != nil && os.SameFile(info, other) {
					inputs[i].note("", fmt.Errorf("given twice, also as %s; read once", path))
					return nil
				}
			}
			seen = append(seen, info)
		} else {
			seen = append(seen, nil)
		}
		inputs = append(inputs, in)
		return nil
	}
	for _, path := range paths {
		if err := expandOne(path, add); err != nil {
			return nil, err
		}
	}
	return inputs, nil
}

func expandOne(path string, add func(path string, found bool) error) error {
	if path == "-" {
		return add(path, false)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return walk(path, add)
	case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(path, "*?["):
		matches, globErr := filepath.Glob(path)
		if globErr != nil || len(matches) == 0 {
			return err
		}
		for _, m := range matches {
			if err := expandOne(m, add); err != nil {
				return err
			}
		}
		return nil
	}
	return add(path, false)
}

// walk adds the regular files below a directory, in order of their names.
// Hidden ones are left out.
func walk(dir string, add func(path string, found bool) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.Type().IsRegular():
			return add(path, true)
		case entry.Type()&fs.ModeSymlink != 0:
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return add(path, true)
			}
		}
		return nil
	})
}

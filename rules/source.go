package rules

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Source is the text of one rule file under the name that problems show.
type Source struct {
	Name string
	Data []byte
}

// maxFileBytes bounds what is read of one file; the parser says that a file
// of this size is too large.
const maxFileBytes = 2<<20 + 1

// tree is where files are read from: the disk, or a revision of a repository.
type tree interface {
	// open returns the file's content.
	read(name string) ([]byte, error)
	// list returns the files under a folder that are wanted, sorted, or an
	// error that matches errNotFolder if name is no folder.
	list(name string, wanted func(name string) bool) ([]string, error)
	// join resolves an include of the file base.
	join(base, include string) string
}

var errNotFolder = errors.New("not a folder")

// isRuleFile reports whether a folder's file is read as a rule file: YAML,
// and no test file.
func isRuleFile(name string) bool {
	ext := path.Ext(name)
	return (ext == ".yaml" || ext == ".yml") && !isTestFile(name)
}

// isRuleOrTestFile reports whether 'rules test' reads a folder's file.
func isRuleOrTestFile(name string) bool {
	return isRuleFile(name) || isTestFile(name) || isAnnotatedLog(name)
}

// isAnnotatedLog reports whether the name is that of a log whose comments say
// what each line must come to.
func isAnnotatedLog(name string) bool { return strings.HasSuffix(name, "_test.log") }

// isTestFile reports whether the name is that of a file of tests.
func isTestFile(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, path.Ext(name)), "_test") && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml"))
}

// disk is the file system of the machine.
type disk struct{}

func (disk) read(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFileBytes))
}

func (disk) list(name string, wanted func(string) bool) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, errNotFolder
	}
	var files []string
	// With a separator behind it, a link to a folder is walked, too.
	root := strings.TrimSuffix(name, string(filepath.Separator)) + string(filepath.Separator)
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && p != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.IsDir() && wanted(d.Name()) && isReadable(p, d):
			files = append(files, filepath.Clean(p))
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// isReadable reports whether a folder's entry is a file, or a link to one: a
// pipe or a device would have to be waited for. A link to nothing is read, to
// say that it cannot be.
func isReadable(name string, d fs.DirEntry) bool {
	mode := d.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(name)
		if err != nil {
			return true
		}
		mode = info.Mode()
	}
	return mode.IsRegular()
}

func (disk) join(base, include string) string {
	if filepath.IsAbs(include) {
		return filepath.Clean(include)
	}
	return filepath.Join(filepath.Dir(base), filepath.FromSlash(include))
}

// memory is a set of files held in memory, named with slashes.
type memory []Source

func (m memory) read(name string) ([]byte, error) {
	for _, s := range m {
		if path.Clean(s.Name) == path.Clean(name) {
			return bytes.Clone(s.Data), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m memory) list(name string, wanted func(string) bool) ([]string, error) {
	prefix := path.Clean(name) + "/"
	if prefix == "./" {
		prefix = ""
	}
	var files []string
	for _, s := range m {
		clean := path.Clean(s.Name)
		if clean == path.Clean(name) {
			return nil, errNotFolder
		}
		if strings.HasPrefix(clean, prefix) && wanted(clean) {
			files = append(files, s.Name)
		}
	}
	slices.Sort(files)
	if files == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return files, nil
}

func (m memory) join(base, include string) string { return path.Join(path.Dir(base), include) }

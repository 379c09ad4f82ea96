//go:build unix

package rules

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// TestFolders: links to folders and files are followed, hidden folders and
// what is no file are passed over, a link to nothing is a problem.
func TestFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll("real/sub/deep.yaml", 0o777)) // a folder that looks like a file
	must(os.MkdirAll("real/.data", 0o777))
	for _, name := range []string{"real/a.yaml", "real/sub/b.yml", "real/sub/deep.yaml/c.yaml", "real/.data/hidden.yaml", "real/notes.txt", "real/a_test.yaml"} {
		must(os.WriteFile(name, []byte("version: 1\n"), 0o666))
	}
	must(os.Symlink(".data/hidden.yaml", "real/link.yaml"))
	must(os.Symlink("nothing.yaml", "real/lost.yaml"))
	must(os.Symlink("sub", "real/folder.yaml"))
	must(syscall.Mkfifo("real/pipe.yaml", 0o666))
	must(os.Symlink("real", "rules"))
	want := []string{"rules/a.yaml", "rules/link.yaml", "rules/lost.yaml", "rules/sub/b.yml", "rules/sub/deep.yaml/c.yaml"}
	for _, name := range []string{"rules", "rules/", "./rules"} {
		files, err := disk{}.list(name, isRuleFile)
		if err != nil || !slices.Equal(files, want) {
			t.Errorf("%s: %q, %v; want %q", name, files, err, want)
		}
	}
	problems, files := CheckFiles([]string{"rules"}, CheckOptions{})
	if len(problems) != 1 || problems[0].File != filepath.ToSlash("rules/lost.yaml") || problems[0].Check != "file/unreadable" || len(files) != 5 {
		t.Errorf("%v, %q", problems, files)
	}
}

package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSyntaxPage checks every example on the page that describes the
// language.
func TestSyntaxPage(t *testing.T) {
	page, err := os.ReadFile("syntax/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	in := false
	for _, line := range strings.Split(string(page), "\n") {
		text, ok := strings.CutPrefix(line, "//\t")
		switch {
		case ok && text == "version: 1":
			blocks, in = append(blocks, text+"\n"), true
		case ok && in:
			blocks[len(blocks)-1] += text + "\n"
		case strings.TrimSpace(strings.TrimPrefix(line, "//")) != "":
			in = false
		}
	}
	if len(blocks) != 4 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, b := range blocks {
		problems := CheckSources(sources("example.yaml", b, "common/x.yaml", "version: 1\n", "clocks.yaml", "version: 1\n"), CheckOptions{MinSeverity: Warning})
		for _, p := range problems {
			t.Errorf("%s\n%s", b, p)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, name := range []string{"budget-inverted", "mask-swallows-source", "duration-in-block", "yaml-alias-bomb", "regexp-open-bracket", "shape-many-at-once", "capture-undefined-event"} {
		text, err := os.ReadFile("testdata/bad/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 8192 {
			return
		}
		src := []Source{{Name: "f.yaml", Data: text}}
		problems := CheckSources(src, CheckOptions{})
		for _, p := range problems {
			if p.Line > 0 && (p.Col < 1 || p.EndLine < p.Line || p.EndLine == p.Line && p.EndCol < p.Col) || p.Message == "" || p.Check == "" {
				t.Errorf("%q: impossible problem %+v", text, p)
			}
		}
		worst, _ := Worst(problems)
		if _, err := LoadSources(src); (err != nil) != (worst == Error) {
			t.Errorf("%q: Load says %v, Check %v", text, err, problems)
		}
	})
}

// TestSyntaxPageListsChecks finds the id of every problem of the bad files on
// the page.
func TestSyntaxPageListsChecks(t *testing.T) {
	page, err := os.ReadFile("syntax/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range CheckSources([]Source{{Name: "f.yaml", Data: text}}, CheckOptions{}) {
			group, _, _ := strings.Cut(p.Check, "/")
			if !strings.Contains(string(page), p.Check) && !strings.Contains(string(page), group+"/...") {
				t.Errorf("the page does not tell of %s (%s)", p.Check, name)
			}
		}
	}
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
)

// docOutput finds the outputs in pages: a comment with the command line and
// the exit codes it may have, and the block after it.
var docOutput = regexp.MustCompile("(?s)<!-- output of: vdm-logs ([^\n]*?)(?: ; exit ([0-9,]+))? -->\n```\n(.*?)```\n")

// settingsBlock is where the page of the configuration lists the settings.
var settingsBlock = regexp.MustCompile(`(?s)(<!-- settings -->\n).*(<!-- end of settings -->\n)`)

// TestDocs runs the commands whose output the pages show and wants it to be
// what they print; -update rewrites it.
func TestDocs(t *testing.T) {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..")
	t.Setenv("COLUMNS", "")
	t.Setenv("LC_ALL", "C.UTF-8")
	shown := 0
	for _, topic := range docTopics {
		path := filepath.Join(dir, "docs", topic+".md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := docOutput.ReplaceAllFunc(text, func(block []byte) []byte {
			shown++
			m := docOutput.FindSubmatch(block)
			var both bytes.Buffer
			code := run(t.Context(), append(shellWords(string(m[1])), "-q"), stdio{in: strings.NewReader(""), out: &both, err: &both})
			allowed := []string{"0"}
			if len(m[2]) > 0 {
				allowed = strings.Split(string(m[2]), ",")
			}
			if !slices.Contains(allowed, strconv.Itoa(code)) {
				t.Errorf("%s: vdm-logs %s: exit code %d\n%s", topic, m[1], code, both.String())
			}
			head, _, _ := bytes.Cut(block, []byte("```\n"))
			return slices.Concat(head, []byte("```\n$ vdm-logs "), m[1], []byte("\n"), bytes.TrimRight(both.Bytes(), "\n"), []byte("\n```\n"))
		})
		if topic == "configuration" {
			got = settingsBlock.ReplaceAll(got, []byte("${1}\n"+strings.ReplaceAll(settingLines(configKeys()), "$", "$$")+"${2}"))
		}
		if bytes.Equal(got, text) {
			continue
		}
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s shows what the program does not print; run the test with -update and look at the difference:\n%s", topic, got)
	}
	if shown < 4 {
		t.Errorf("the pages show only %d outputs", shown)
	}
}

// ruleCheckID finds the ids of checks where the rule language reports them.
var ruleCheckID = regexp.MustCompile(`"([a-z]+/[a-z][a-z-]+)"`)

// notChecks have the form of an id, and are import paths or media types.
func notChecks(id string) bool {
	group, _, _ := strings.Cut(id, "/")
	return slices.Contains([]string{"encoding", "io", "os", "path", "net", "go", "text", "html", "math", "unicode", "container", "crypto", "hash", "regexp"}, group) && id != "regexp/syntax"
}

// ruleChecks lists every check that the rule language can report, from its
// sources.
func ruleChecks(t *testing.T) []string {
	t.Helper()
	var ids []string
	for _, pattern := range []string{"../../rules/*.go", "../../rules/internal/*/*.go", "../../rules/output/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			if _, body, ok := bytes.Cut(text, []byte("\nimport (")); ok {
				_, text, _ = bytes.Cut(body, []byte("\n)"))
			}
			for _, m := range ruleCheckID.FindAllSubmatch(text, -1) {
				if id := string(m[1]); !slices.Contains(ids, id) && !notChecks(id) {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) < 50 {
		t.Fatalf("only %d checks", len(ids))
	}
	return ids
}

// TestDocsAreComplete wants every kind of finding, every check, every stage,
// every setting and every exit code to have its section, and no section to be
// of nothing.
func TestDocsAreComplete(t *testing.T) {
	want := map[string]string{}
	for _, k := range analyze.Kinds {
		want[string(k)] = "findings"
	}
	for _, id := range ruleChecks(t) {
		want[id] = "checks"
	}
	for _, name := range stage.Names() {
		want[string(name)] = "stages"
	}
	for _, k := range configKeys() {
		want[k.Name] = "configuration"
	}
	for _, code := range append([]int{exitOK}, precedence...) {
		want[strconv.Itoa(code)] = "exit-codes"
	}
	have := sectionNames()
	for _, name := range have {
		if _, ok := want[name]; !ok {
			t.Errorf("there is a section of %s, which does not exist", name)
		}
	}
	for name, topic := range want {
		if !slices.Contains(have, name) {
			t.Errorf("%s.md has no section of %s", topic, name)
			continue
		}
		text := docSection(name)
		if !strings.Contains(docPage(topic), text) || len(text) < len(name)+20 {
			t.Errorf("%s.md says nothing of %s", topic, name)
		}
		if topic == "findings" {
			for _, part := range []string{"\nMeaning: ", "\nEvidence: ", "\nWhat to do: "} {
				if !strings.Contains(text, part) {
					t.Errorf("%s lacks %q", name, strings.TrimSpace(part))
				}
			}
		}
	}
	for i, name := range have {
		if slices.Contains(have[:i], name) {
			t.Errorf("%s has two sections", name)
		}
	}
}

// TestDocsCommand prints pages and parts of them at several widths.
func TestDocsCommand(t *testing.T) {
	files, err := docPages.ReadDir("docs")
	if err != nil || len(files) != len(docTopics) {
		t.Errorf("%d files, %d topics, %v", len(files), len(docTopics), err)
	}
	out, _, code := ran(t, "", "docs")
	for _, topic := range docTopics {
		if code != exitOK || !strings.Contains(out, "\n"+topic+" ") && !strings.HasPrefix(out, topic+" ") {
			t.Errorf("docs does not list %s: exit code %d\n%s", topic, code, out)
		}
	}
	for _, width := range []string{"40", "80", "200"} {
		t.Setenv("COLUMNS", width)
		limit, _ := strconv.Atoi(width)
		for _, topic := range docTopics {
			out, errs, code := ran(t, "", "docs", topic)
			if code != exitOK || !strings.HasPrefix(out, "# ") || strings.Contains(out, "<!--") {
				t.Errorf("docs %s: exit code %d %s\n%.200s", topic, code, errs, out)
			}
			for line := range strings.Lines(out) {
				line = strings.TrimRight(line, "\n")
				if len([]rune(line)) > limit && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") && strings.Contains(line, " ") {
					t.Errorf("docs %s at %s: %q", topic, width, line)
				}
			}
		}
	}
	out, _, code = ran(t, "", "docs", "Source-Folded")
	if code != exitOK || !strings.HasPrefix(out, "### source-folded\n") || strings.Count(out, "###") != 1 {
		t.Errorf("docs source-folded: exit code %d\n%s", code, out)
	}
	_, errs, code := ran(t, "", "docs", "time-zoen")
	if code != exitUsage || !strings.Contains(errs, "Did you mean time-zone?") {
		t.Errorf("docs time-zoen: exit code %d\n%s", code, errs)
	}
}

func TestWrapMarkdown(t *testing.T) {
	const in = "# A heading that is longer than the width\n\nWords that are wrapped here.\n- an item that is wrapped\n1. first of them all\n```\n$ code stays as it is, however long\n```\n  indented stays as well as it is\nunbreakablewordofmanyletters\n"
	const want = "# A heading that is longer than the width\n\nWords that are\nwrapped here.\n- an item that\n  is wrapped\n1. first of\n   them all\n    $ code stays as it is, however long\n  indented stays as well as it is\nunbreakablewordofmanyletters\n"
	if got := wrapMarkdown(in, 15); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
)

func sources(kv ...string) []Source {
	var s []Source
	for i := 0; i < len(kv); i += 2 {
		s = append(s, Source{Name: kv[i], Data: []byte(kv[i+1])})
	}
	return s
}

func TestLoadMergesFiles(t *testing.T) {
	set, err := LoadSources(sources(
		"a.yaml", "version: 1\nbudgets:\n  - name: Inner\n    duration: 2m\n    attempts: 3\n    bounds: [no-response, body-stalled]\n    sources: [\"registry-*\"]\n",
		"b.yaml", "version: 1\nbudgets:\n  - name: Outer\n    duration: 3 * Inner + 1m\n    contains: [Inner]\nschedules:\n  - {name: pass, every: Outer}\n",
		"c.yaml", "version: 1\nrolls:\n  - name: r\n    at: 2026-09-19T10:05:00.5+02:00\n    fixes: [7]\n",
		"d.yaml", "version: 1\nissues:\n  - number: 7.0\n    state: closed\n    closed_at: 2026-09-19T17:30:00Z\n    title: t\n    url: https://example.org/7\n    sources: [a/*]\n    masked_ids: [4c7856a2414c6b32]\n    fingerprints: [\"fp1:0011223344556677\"]\n    incident: masked\n",
	))
	if err != nil {
		t.Fatal(err)
	}
	want := analyze.Config{
		Budgets: []analyze.Budget{
			{Name: "Inner", Duration: 2 * time.Minute, Expression: "2m", Attempts: 3, Bounds: []stage.Name{stage.NoResponse, stage.BodyStalled}, Sources: []analyze.Glob{"registry-*"}},
			{Name: "Outer", Duration: 7 * time.Minute, Expression: "3 * Inner + 1m", Attempts: 1, Contains: []string{"Inner"}},
		},
		Schedules: []analyze.Schedule{{Name: "pass", Every: 7 * time.Minute, Expression: "Outer"}},
		Rolls:     []analyze.Roll{{Name: "r", At: time.Date(2026, 9, 19, 8, 5, 0, 5e8, time.UTC), Fixes: []int{7}}},
		Issues: []analyze.Issue{{Number: 7, State: "closed", ClosedAt: time.Date(2026, 9, 19, 17, 30, 0, 0, time.UTC), Title: "t", URL: "https://example.org/7",
			Sources: []analyze.Glob{"a/*"}, MaskedIDs: []string{"4c7856a2414c6b32"}, Fingerprints: []string{"fp1:0011223344556677"}, Masked: true}},
	}
	if d := cmp.Diff(want, set.Config, cmpopts.IgnoreFields(analyze.Config{}, "Rules", "StageRules")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"a.yaml", "b.yaml", "c.yaml", "d.yaml"}, set.Files); d != "" {
		t.Error(d)
	}
}

func TestAcrossFiles(t *testing.T) {
	tests := []struct {
		name  string
		files []Source
		want  []string
	}{
		{"budget of one name in two files", sources("b.yaml", "version: 1\nbudgets: [{name: A, duration: 1s}]\n", "a.yaml", "version: 1\nbudgets: [{name: A, duration: 1s}]\n"),
			[]string{"a.yaml:2:18: error: the budget A is already defined at b.yaml:2:18 (budget/duplicate)"}},
		{"cycle over two files", sources("a.yaml", "version: 1\nbudgets: [{name: A, duration: B + 1s}]\n", "b.yaml", "version: 1\nbudgets: [{name: B, duration: A - 1s}]\n"),
			[]string{"b.yaml:2:31: error: B and A are computed from each other (budget/cycle)"}},
		{"errors of all files", sources("a.yaml", "version: 1\nbudget: []\n", "b.yaml", "version: 1\nissues: [{number: 0, state: open}]\n", "c.yaml", "a: 'x\n"),
			[]string{
				"a.yaml:2:1: error: unknown key \"budget\" (schema/unknown-key); did you mean \"budgets\"?",
				"b.yaml:2:19: error: 0 is less than 1 (schema/range); The number of an issue, a whole number from 1.",
				"c.yaml:1:1: error: found unexpected end of stream (yaml/syntax); close the quote that opens here",
			}},
		{"two queries", sources("a.yaml", "version: 1\ndefaults: {query: '{a=\"b\"}'}\n", "b.yaml", "version: 1\ndefaults: {query: '{a=\"c\"}'}\n"),
			[]string{"b.yaml:2:19: error: another query stands at a.yaml:2:19 (defaults/duplicate)"}},
		{"the same query twice", sources("a.yaml", "version: 1\ndefaults: {query: '{a=\"b\"}'}\n", "b.yaml", "version: 1\ndefaults: {query: '{a=\"b\"}'}\n"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range CheckSources(tt.files, CheckOptions{}) {
				got = append(got, p.String())
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			_, err := LoadSources(tt.files)
			var pe *ProblemsError
			if errors.As(err, &pe) != (tt.want != nil) {
				t.Errorf("Load: %v", err)
			}
		})
	}
}

// write makes files below a new folder.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		p := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFoldersAndIncludes(t *testing.T) {
	budget := func(name string) string { return "version: 1\nbudgets: [{name: " + name + ", duration: 1s}]\n" }
	dir := write(t,
		"a.yaml", "version: 1\ninclude: [inc/one.yaml, ../outside, a.yaml]\nbudgets: [{name: A, duration: 1s}]\n",
		"inc/one.yaml", "version: 1\ninclude: [../a.yaml, two.yml]\nbudgets: [{name: One, duration: A}]\n",
		"inc/two.yml", budget("Two"),
		"inc/one_test.yaml", "not: read\n",
		".hidden/x.yaml", "not: read\n",
		"notes.txt", "not: read\n",
	)
	root := filepath.Dir(dir)
	outside := filepath.Join(root, "outside")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "o.yaml"), []byte(budget("O")), 0o666); err != nil {
		t.Fatal(err)
	}
	set, err := Load([]string{dir, filepath.Join(dir, "a.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range set.Files {
		rel, err := filepath.Rel(root, f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimPrefix(filepath.ToSlash(rel), filepath.Base(dir)+"/"))
	}
	if d := cmp.Diff([]string{"a.yaml", "inc/one.yaml", "inc/two.yml", "outside/o.yaml"}, got); d != "" {
		t.Error(d)
	}
}

func TestUnreadable(t *testing.T) {
	dir := write(t, "a.yaml", "version: 1\ninclude: [gone.yaml]\n", "empty/readme.txt", "")
	got := Check([]string{filepath.Join(dir, "a.yaml"), filepath.Join(dir, "nowhere"), filepath.Join(dir, "empty")}, CheckOptions{})
	var checks []string
	for _, p := range got {
		checks = append(checks, strings.TrimPrefix(p.Place(), filepath.ToSlash(dir)+"/")+" "+p.Check+" "+strings.ReplaceAll(p.Message, filepath.ToSlash(dir), "."))
	}
	want := []string{
		"a.yaml:2:11 file/unreadable \"./gone.yaml\" cannot be included: there is no such file or folder",
		"empty file/none the folder has no rule files",
		"nowhere file/unreadable there is no such file or folder",
	}
	if d := cmp.Diff(want, checks); d != "" {
		t.Error(d)
	}
}

// TestIncidentContexts loads what the incident scenarios say on-call knows.
func TestIncidentContexts(t *testing.T) {
	files, err := filepath.Glob("../testdata/incidents/*/context.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		set, err := Load([]string{f})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		for _, p := range set.Problems {
			if p.Severity > Info && p.Check != "budget/inverted" {
				t.Errorf("unexpected: %s", p)
			}
		}
		if len(set.Config.Budgets) == 0 {
			t.Errorf("%s: no budgets", f)
		}
	}
}

// TestBudgetNames accepts any name; only what an expression can hold can be
// used in one.
func TestBudgetNames(t *testing.T) {
	set, err := LoadSources(sources("a.yaml", "version: 1\nbudgets:\n  - {name: pull timeout, duration: 1m}\n  - {name: 3rd try, duration: 2m, contains: [pull timeout]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Config.Budgets[1].Contains; len(got) != 1 || got[0] != "pull timeout" {
		t.Errorf("contains %q", got)
	}
}

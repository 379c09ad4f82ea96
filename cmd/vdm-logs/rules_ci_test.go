package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"gopkg.in/yaml.v3"
)

// ciRules are rules with tests that cover them; ciMasked is the change that
// folds their Sources, ciUntested one that leaves a test behind, ciMoved one
// that moves the incidents away from their issues.
const (
	ciRules = `version: 1
issues:
  - {number: 1, state: open, sources: ["leases/orders"]}
  - {number: 2, state: open, sources: ["leases/carts"]}
rules:
  - id: lease.lost
    match: {pattern: "Lease '<shard>' lost<_>"}
    identity: {source: "leases/<shard>", event: LeaseLost}
    tests:
      - log: Lease 'orders' lost to shop-3
        want: {source: leases/orders, event: LeaseLost}
      - log: Lease 'orders' renewed
        none: true
`
	ciLogs = `{"labels":{"pod":"p"},"line":"fail: Shop[0]","timestamp":"2026-01-01T00:00:00Z"}
{"labels":{"pod":"p"},"line":"      Lease 'orders' lost to p","timestamp":"2026-01-01T00:00:00.000001Z"}
{"labels":{"pod":"p"},"line":"fail: Shop[0]","timestamp":"2026-01-01T00:00:01Z"}
{"labels":{"pod":"p"},"line":"      Lease 'carts' lost to p","timestamp":"2026-01-01T00:00:01.000001Z"}
`
)

var (
	ciMasked   = strings.Replace(ciRules, "    tests:\n", "    mask: [shard]\n    tests:\n", 1)
	ciUntested = strings.Replace(ciRules, `source: "leases/<shard>"`, `source: "shards/<shard>"`, 1)
	ciBroken   = strings.Replace(ciRules, "match:", "mach:", 1)
	ciMoved    = strings.Replace(ciUntested, "source: leases/orders", "source: shards/orders", 1)
	ciUneven   = strings.Replace(ciRules, "    match:", "\n\n\n    match:", 1)
)

// readmeYAML returns the block of the README that begins with the comment.
func readmeYAML(t *testing.T, comment string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?s)```yaml\n# " + regexp.QuoteMeta(comment) + "\n(.*?)```\n").FindSubmatch(text)
	if m == nil {
		t.Fatalf("the README has no %s", comment)
	}
	return m[1]
}

// strict reads YAML and refuses keys that v does not have.
func strict(t *testing.T, text []byte, v any) {
	t.Helper()
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// ciRepository makes a git repository with the rules on origin's main branch
// and others in the work tree, and returns its folder and the base revision.
func ciRepository(t *testing.T, changed string) (dir, base string) {
	t.Helper()
	dir = t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("rules/leases.yaml", ciRules)
	write("logs/day.jsonl", ciLogs)
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	base = git("rev-parse", "HEAD")
	git("update-ref", "refs/remotes/origin/main", base)
	write("rules/leases.yaml", changed)
	return dir, base
}

// ciRun runs a command line of a snippet with the shell, this very program
// first on the path, and returns the exit code and what it prints.
func ciRun(t *testing.T, dir, line string, env ...string) (code int, out string) {
	t.Helper()
	bin := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "vdm-logs")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+bin), env...)
	b, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%s: %v", line, err)
	}
	return cmd.ProcessState.ExitCode(), string(b)
}

// ciInstalls checks a line that installs the program, which a test cannot run:
// the package is the one of this folder.
func ciInstalls(t *testing.T, line string) bool {
	rest, ok := strings.CutPrefix(line, "go install ")
	if ok && rest != "github.com/vdm-logs/vdm-logs/cmd/vdm-logs@latest" {
		t.Errorf("%s does not install this program", line)
	}
	return ok
}

type ciHook struct {
	ID            string   `yaml:"id"`
	Name          string   `yaml:"name"`
	Description   string   `yaml:"description"`
	Entry         string   `yaml:"entry"`
	Args          []string `yaml:"args"`
	Language      string   `yaml:"language"`
	Files         string   `yaml:"files"`
	PassFilenames *bool    `yaml:"pass_filenames"`
}

// TestPreCommitHooks runs every hook on good rules and on rules that it must
// refuse, and finds those that the README names.
func TestPreCommitHooks(t *testing.T) {
	text, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var hooks []ciHook
	strict(t, text, &hooks)
	refused := map[string]struct {
		rules string
		code  int
		says  string
	}{
		"vdm-logs-rules-check": {ciMasked, 2, "rules/leases.yaml:9:12-17: error: the mask swallows <shard>"},
		"vdm-logs-rules-test":  {ciUntested, 1, "FAIL rules/leases.yaml:10"},
		"vdm-logs-rules-fmt":   {ciUneven, 0, ""}, // pre-commit fails a hook that changes files
	}
	ids := map[string]bool{}
	for _, h := range hooks {
		ids[h.ID] = true
		if h.Name == "" || h.Description == "" || h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames {
			t.Errorf("hook %+v lacks something", h)
		}
		if re, err := regexp.Compile(h.Files); err != nil || !re.MatchString("rules/leases.yaml") || re.MatchString("main.go") {
			t.Errorf("hook %s: files %s: %v", h.ID, h.Files, err)
		}
		line := strings.Join(append([]string{h.Entry}, h.Args...), " ")
		dir, _ := ciRepository(t, ciRules)
		if code, out := ciRun(t, dir, line); code != 0 {
			t.Errorf("%s refuses good rules with %d:\n%s", line, code, out)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "rules/leases.yaml")); err != nil || string(got) != ciRules {
			t.Errorf("%s changes good rules: %v\n%s", line, err, got)
		}
		bad, ok := refused[h.ID]
		if !ok {
			t.Fatalf("hook %s has no case here", h.ID)
		}
		dir, _ = ciRepository(t, bad.rules)
		code, out := ciRun(t, dir, line)
		got, err := os.ReadFile(filepath.Join(dir, "rules/leases.yaml"))
		if code != bad.code || !strings.Contains(out, bad.says) || err != nil || code == 0 && string(got) == bad.rules {
			t.Errorf("%s on bad rules: exit code %d, want %d and %q:\n%s", line, code, bad.code, bad.says, out)
		}
	}
	var config struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct{ ID string }
		}
	}
	strict(t, readmeYAML(t, ".pre-commit-config.yaml"), &config)
	named := 0
	for _, r := range config.Repos {
		for _, h := range r.Hooks {
			named++
			if !ids[h.ID] {
				t.Errorf("the README names a hook %q that there is not", h.ID)
			}
		}
	}
	if named != len(hooks) {
		t.Errorf("the README names %d hooks of %d", named, len(hooks))
	}
}

// ciPipeline is a snippet's command lines, and the variables that the runner
// sets.
type ciPipeline struct {
	lines []string
	env   []string
}

// run runs the lines in order and stops at the first that fails, as a
// runner does.
func (p ciPipeline) run(t *testing.T, dir string) (failed string, code int, out string) {
	t.Helper()
	for _, line := range p.lines {
		if ciInstalls(t, line) {
			continue
		}
		c, o := ciRun(t, dir, line, p.env...)
		out += o
		if c != 0 {
			return line, c, out
		}
	}
	return "", 0, out
}

// pipelineCases are rules and at which command a pipeline ends with which code.
var pipelineCases = []struct {
	name, rules, command string
	code                 int
}{
	{"good", ciRules + "# a comment\n", "", 0},
	{"unknown key", ciBroken, "rules check", 2},
	{"masked Source", ciMasked, "rules check", 2},
	{"failing test", ciUntested, "rules test", 1},
	{"orphaned issues", ciMoved, "rules diff", 1},
}

// TestGitHubSnippet runs the steps of the README's workflow.
func TestGitHubSnippet(t *testing.T) {
	var flow struct {
		Name string
		On   struct {
			PullRequest struct{ Paths []string } `yaml:"pull_request"`
		}
		Permissions map[string]string
		Jobs        map[string]struct {
			RunsOn string `yaml:"runs-on"`
			Steps  []struct {
				Uses, Run, If string
				With          map[string]any
			}
		}
	}
	strict(t, readmeYAML(t, ".github/workflows/rules.yml"), &flow)
	var p ciPipeline
	deep, upload := false, ""
	for _, s := range flow.Jobs["rules"].Steps {
		switch {
		case s.Run != "":
			p.lines = append(p.lines, s.Run)
		case strings.HasPrefix(s.Uses, "actions/checkout@"):
			deep = fmt.Sprint(s.With["fetch-depth"]) == "0"
		case strings.HasPrefix(s.Uses, "github/codeql-action/upload-sarif@"):
			upload = fmt.Sprint(s.With["sarif_file"])
			if s.If != "always()" {
				t.Error("what is wrong is not uploaded when the check fails")
			}
		case !strings.HasPrefix(s.Uses, "actions/setup-go@"):
			t.Errorf("unknown step %+v", s)
		}
	}
	if !deep || upload == "" || flow.Permissions["security-events"] != "write" || len(p.lines) != 4 {
		t.Errorf("the workflow lacks something: %+v", flow)
	}
	for _, c := range pipelineCases {
		dir, _ := ciRepository(t, c.rules)
		summary := filepath.Join(t.TempDir(), "summary.md")
		p.env = []string{"GITHUB_BASE_REF=main", "GITHUB_STEP_SUMMARY=" + summary}
		line, code, out := p.run(t, dir)
		if code != c.code || !strings.Contains(line, c.command) {
			t.Errorf("%s: %q ends with %d, want %q with %d:\n%s", c.name, line, code, c.command, c.code, out)
		}
		report, err := sarif.Open(filepath.Join(dir, upload))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := report.Validate(); err != nil {
			t.Errorf("%s: SARIF: %v", c.name, err)
		}
		if bad := c.command == "rules check"; bad != (len(report.Runs[0].Results) > 0) || bad && !strings.Contains(out, "::error file=rules/leases.yaml,line=") {
			t.Errorf("%s: %d results, printed\n%s", c.name, len(report.Runs[0].Results), out)
		}
		md, err := os.ReadFile(summary)
		if reached := c.command == "rules diff" || c.command == ""; reached && (err != nil || !strings.HasPrefix(string(md), "**Rules diff** ")) {
			t.Errorf("%s: summary: %v\n%s", c.name, err, md)
		}
		if c.command == "rules diff" && !strings.Contains(string(md), "#1") {
			t.Errorf("%s: the summary does not name the orphaned issue:\n%s", c.name, md)
		}
	}
}

// TestGitLabSnippet runs the script of the README's job.
func TestGitLabSnippet(t *testing.T) {
	var jobs map[string]struct {
		Image     string
		Rules     []struct{ If string }
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	}
	strict(t, readmeYAML(t, ".gitlab-ci.yml"), &jobs)
	job := jobs["rules"]
	if job.Artifacts.When != "always" || job.Variables["GIT_DEPTH"] != "0" || len(job.Script) != 4 {
		t.Errorf("the job lacks something: %+v", job)
	}
	for _, c := range pipelineCases {
		dir, base := ciRepository(t, c.rules)
		p := ciPipeline{lines: job.Script, env: []string{"CI_MERGE_REQUEST_DIFF_BASE_SHA=" + base}}
		line, code, out := p.run(t, dir)
		if code != c.code || !strings.Contains(line, c.command) {
			t.Errorf("%s: %q ends with %d, want %q with %d:\n%s", c.name, line, code, c.command, c.code, out)
		}
		text, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["codequality"]))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var list []struct {
			Severity string
			Location struct{ Path string }
		}
		if err := json.Unmarshal(text, &list); err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, text)
		}
		if bad := c.command == "rules check"; bad != (len(list) > 0) || bad && (list[0].Severity != "critical" || list[0].Location.Path != "rules/leases.yaml") {
			t.Errorf("%s: Code Quality is\n%s", c.name, text)
		}
		if c.command == "rules check" {
			continue
		}
		text, err = os.ReadFile(filepath.Join(dir, job.Artifacts.Reports["junit"]))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
		}
		if err := xml.Unmarshal(text, &suites); err != nil || suites.Tests != 2 || (suites.Failures > 0) != (c.command == "rules test") {
			t.Errorf("%s: JUnit is %v\n%s", c.name, err, text)
		}
	}
}

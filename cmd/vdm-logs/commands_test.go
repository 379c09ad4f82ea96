package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// ran runs a command line in process.
func ran(t *testing.T, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, stdio{in: strings.NewReader(stdin), out: &out, err: &errs})
	return out.String(), errs.String(), code
}

// commandsOf lists every command that is not hidden, with what is typed for it.
func commandsOf(t *testing.T) map[string]*cobra.Command {
	t.Helper()
	root := newRootCommand(stdio{session: &session{}})
	out := map[string]*cobra.Command{}
	each(root, func(cmd *cobra.Command) {
		if !cmd.Hidden {
			out[strings.TrimSpace(strings.TrimPrefix(cmd.CommandPath(), "vdm-logs"))] = cmd
		}
	})
	if len(out) < 20 {
		t.Fatalf("only %d commands", len(out))
	}
	return out
}

// TestHelp wants of every command exit codes, examples if it does something,
// a text for every flag, and lines that fit a terminal.
func TestHelp(t *testing.T) {
	for path, cmd := range commandsOf(t) {
		out, errs, code := ran(t, "", append(strings.Fields(path), "--help")...)
		if code != exitOK || errs != "" {
			t.Errorf("%s --help: exit code %d, %s", path, code, errs)
		}
		for _, want := range []string{"Exit codes: 0 ", "130 interrupted"} {
			if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%s --help does not say %q", path, want)
			}
		}
		generated := strings.HasPrefix(path, "completion") || path == "help"
		if !generated && !cmd.HasSubCommands() && !strings.Contains(cmd.Example, "vdm-logs "+path) {
			t.Errorf("%s has no example", path)
		}
		if cmd.Short == "" {
			t.Errorf("%s says nothing", path)
		}
		long, _, _ := strings.Cut(out, "\nUsage:")
		for _, line := range strings.Split(long, "\n") {
			if len([]rune(line)) > 92 && !generated {
				t.Errorf("%s: a line of %d letters: %s", path, len([]rune(line)), line)
			}
		}
	}
}

// TestMistakes wants a way out of what people type at three in the morning.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"logs.txt": "2026-09-19T08:26:00Z ERROR something broke\n", "rules.yaml": "version: 1\n", "notes.md": "# no log\nnor this\n",
		"empty.txt": "", "bad.yaml": "version: 1\nbudgts: []\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	if err := os.Mkdir(filepath.Join(dir, "nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string // in standard error
	}{
		{"anlyze", 2, "Did you mean analyze?"},
		{"analyse logs.txt", 2, "Did you mean analyze?"},
		{"frobnicate", 2, "'vdm-logs --help' lists the commands"},
		{"rules chekc", 2, "Did you mean check?"},
		{"logs.txt", 2, "Did you mean 'vdm-logs analyze logs.txt'?"},
		{"--since 24h", 2, "Did you mean 'vdm-logs analyze --since'?"},
		{"analyze -since 24h", 2, "Did you mean --since?"},
		{"help anlyze", 2, "Did you mean analyze?"},
		{"help rules chekc", 2, "Did you mean check?"},
		{"analyze {app=\"portal\"}", 2, "--query '{app=\"portal\"}'"},
		{"analyze http://loki.example:3100", 2, "--loki http://loki.example:3100"},
		{"transfer", 0, ""},
		{"transfer gett", 2, "Did you mean get?"},
		{"config shwo", 2, "'vdm-logs config --help'"},
		{"analyze --sicne 1h logs.txt", 2, "Did you mean --since?"},
		{"analyze --rule rules.yaml logs.txt", 2, "Did you mean --rules?"},
		{"analyze --output-format json logs.txt", 2, "'vdm-logs analyze --help'"},
		{"analyze -x logs.txt", 2, "'vdm-logs analyze --help'"},
		{"analyze --since", 2, "'vdm-logs analyze --help'"},
		{"analyze --top many logs.txt", 2, "'vdm-logs analyze --help'"},
		{"analyze", 2, "vdm-logs analyze --loki http://loki.example:3100"},
		{"analyze --since 24h", 2, "LOKI_ADDR"},
		{"analyze gone.txt", 2, "Name files that exist"},
		{"analyze nothing", 2, "nothing"},
		{"analyze notes.md", 2, "'vdm-logs formats'"},
		{"analyze --since 90 logs.txt", 2, "90s, 90m, 90h or 90d?"},
		{"analyze --since yesterday logs.txt", 2, "90m, 24h"},
		{"analyze --since -1h logs.txt", 2, "90m"},
		{"analyze --from 2026-09-19 logs.txt", 2, "--tz Europe/Berlin"},
		{"analyze --from 10:00 logs.txt", 2, "RFC 3339"},
		{"analyze --from now --to now-1h logs.txt", 2, "swapped"},
		{"analyze --since 1h --from now-2h logs.txt", 2, "Give one of them"},
		{"analyze --around now --since 1h logs.txt", 2, "--window"},
		{"analyze --window 5m logs.txt", 2, "Add --around"},
		{"analyze --tz Berlin logs.txt", 2, "Europe/Berlin"},
		{"analyze -o yaml logs.txt", 2, "The forms are"},
		{"analyze --color blue logs.txt", 2, "auto"},
		{"analyze --fail-on erorr logs.txt", 2, "error"},
		{"analyze --loki loki:3100 logs.txt", 2, "Leave out the files"},
		{"analyze --loki ftp://x --query {a=\"b\"}", 2, "http"},
		{"analyze --loki http://127.0.0.1:1 --query {a=b}", 2, "^"},
		{"analyze --rules gone.yaml logs.txt", 2, "gone.yaml"},
		{"analyze --rules bad.yaml logs.txt", 2, "did you mean \"budgets\""},
		{"analyze --rules logs.txt logs.txt", 2, "rules check logs.txt"},
		{"analyze --max-read lots --loki http://127.0.0.1:1", 2, "size"},
		{"analyze --profile prod logs.txt", 2, "--config"},
		{"analyze --config gone.yaml logs.txt", 2, "--config none"},
		{"analyze --format jsonn logs.txt", 2, "json"},
		{"verify logs.txt", 2, "--issue"},
		{"verify --issue 1 logs.txt", 2, "rolls"},
		{"verify --fingerprint abc --rules rules.yaml logs.txt", 2, "fp1:"},
		{"rules check gone.yaml", 2, "gone.yaml"},
		{"rules diff a", 2, "'vdm-logs rules diff --help'"},
		{"rules fmt gone.yaml", 2, "gone.yaml"},
		{"stage gone.txt", 2, "gone.txt"},
		{"stage -o xml logs.txt", 2, "jsonl"},
		{"period gone.txt", 2, "gone.txt"},
		{"period --zone Moon logs.txt", 2, "Europe"},
		{"period --name x logs.txt", 2, "NAME=DURATION"},
		{"fingerprint --summary=x logs.txt", 2, "--summary=id"},
		{"transfer get", 2, "'vdm-logs transfer get --help'"},
		{"transfer get not-a-url", 2, "http"},
		{"transfer get --max-size big http://127.0.0.1:1", 2, "64KiB"},
		{"man", 2, "'vdm-logs man --help'"},
		{"version -o xml", 2, "-o json"},
		{"docs nonsense", 2, "vdm-logs docs"},
		{"analyze -q -v logs.txt", 2, "one of them"},
	} {
		out, errs, code := ran(t, "", strings.Fields(c.args)...)
		errs += out
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("vdm-logs %s: exit code %d, want %d and %q:\n%s", c.args, code, c.code, c.want, errs)
		}
		if lines := strings.Split(strings.TrimSpace(errs), "\n"); c.code != 0 && len(lines) < 2 {
			t.Errorf("vdm-logs %s: no way out:\n%s", c.args, errs)
		}
		if strings.Contains(errs, "unknown shorthand flag") && !strings.Contains(errs, "--help") {
			t.Errorf("vdm-logs %s: %s", c.args, errs)
		}
	}
}

// exampleLine finds what an example runs: everything after a pipe into the
// program, or the whole line.
var exampleLine = regexp.MustCompile(`^(?:.* \| )?vdm-logs (.*)$`)

// notRun are examples that a test cannot run as they stand, and why.
var notRun = map[string]string{
	"transfer probe --every 10m --count 75 -o json https://registry.example/bundles/index.json": "takes twelve hours",
	"transfer bench":                             "a load test, which has scripts of its own",
	"transfer bench --limiter peek":              "the same",
	"transfer bench --slots 160 --check -o json": "the same",
}

// TestExamples runs every example of every command's help against fixtures: a
// Loki behind a proxy that stands in for loki.example, a server for
// registry.example, and files of the names that the examples have.
func TestExamples(t *testing.T) {
	dir := exampleFiles(t)
	t.Chdir(dir)
	loki := lokitest.New(lokitest.Options{ServiceName: true})
	loki.Push(timeouts(30, ingest.Label{Name: "namespace", Value: "shop"}, ingest.Label{Name: "pod", Value: "web-1"})...)
	proxy := httptest.NewServer(loki)
	defer proxy.Close()
	t.Setenv("LOKI_ADDR", "http://loki.example:3100")
	t.Setenv("LOKI_HTTP_PROXY_URL", proxy.URL)
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("object")) }))
	defer registry.Close()
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("VDM_LOGS_CONFIG", "")
	done := 0
	skipped := 0
	for path, cmd := range commandsOf(t) {
		for line := range strings.Lines(cmd.Example) {
			m := exampleLine.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil || notRun[m[1]] != "" {
				skipped++
				continue
			}
			stdin := ""
			if strings.Contains(line, " | vdm-logs") {
				stdin = exampleLog
				if strings.Contains(line, "logcli") {
					stdin = exampleJSONL
				}
				if path == "period" {
					stdin = exampleTimes
				}
			}
			args := shellWords(strings.ReplaceAll(m[1], "https://registry.example", registry.URL))
			if i := slices.Index(args, ">"); i >= 0 {
				args = args[:i]
			}
			_, errs, code := ran(t, stdin, args...)
			wrongDigest := strings.Contains(line, "...")
			if code != exitOK && code != exitNo && code != exitPartial && !wrongDigest {
				t.Errorf("vdm-logs %s: exit code %d\n%s", strings.Join(args, " "), code, errs)
			}
			done++
		}
	}
	if done < 30 {
		t.Errorf("only %d examples were run, %d were not", done, skipped)
	}
}

const (
	exampleLog   = "2026-09-19T08:26:00Z ERROR timed out\n2026-09-19T08:27:00Z ERROR timed out\n2026-09-19T08:28:00Z INFO fine\n"
	exampleTimes = "2026-09-19T08:26:00Z\n2026-09-19T08:29:00Z\n2026-09-19T08:32:00Z\n2026-09-19T08:35:00Z\n"
	exampleJSONL = `{"timestamp":"2026-09-19T08:26:00Z","labels":{"pod":"web-1"},"line":"fail: Polly[0]\n      Resilience event occurred. EventName: 'OnTimeout', Source: 'plugin-registry-bundles-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"}
{"timestamp":"2026-09-19T08:27:00Z","labels":{"pod":"web-1"},"line":"fail: Polly[0]\n      Resilience event occurred. EventName: 'OnTimeout', Source: 'plugin-registry-bundles-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"}
`
	exampleRules = `version: 1
budgets:
  - {name: TransferStallBudget, duration: 120s, bounds: [no-response], sources: ["plugin-registry-bundles-standard//*"]}
rules:
  - id: shop.lease
    match: {selector: '{namespace="shop"}', pattern: "lost lease '<name>'"}
    identity: {source: "shop/<name>", event: lease}
    tests:
      - {log: "lost lease 'orders'", labels: {namespace: shop}, want: {event: lease}}
      - {log: "lost it", labels: {namespace: shop}, none: true}
rolls:
  - {name: streaming transfer, at: 2026-09-19T08:26:30Z, fixes: [4222]}
issues:
  - {number: 4222, state: closed, closed_at: 2026-09-19T08:20:00Z, sources: ["plugin-registry-bundles-standard//Standard-AttemptTimeout"]}
`
)

// exampleFiles writes the files that the examples name, in a git repository
// whose branch is main.
func exampleFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := string(packer.EncodeAll([]byte(exampleJSONL), nil))
	analysis, _, _ := ran(t, exampleJSONL, "analyze", "-o", "json", "-")
	for name, text := range map[string]string{
		"logs.jsonl": exampleJSONL, "logs.jsonl.zst": packed, "day.jsonl.zst": packed, "logs/a.jsonl": exampleJSONL, "app.log": strings.Repeat(exampleLog, 2000),
		"rules.yaml": exampleRules, "context.yaml": exampleRules, "rules/a.yaml": exampleRules, "times.txt": exampleTimes,
		"cases.jsonl": `{"id":"a","timestamps_ns":[1000000000,2000000000,3000000000]}` + "\n", "events.jsonl": `{"id":"e1","lines":["curl: (28) Connection timed out after 5001 ms"]}` + "\n",
		"got.json": analysis, "config.yaml": "tz: UTC\n", "vdm-logs/config.yaml": "profiles: {staging: {loki: {addr: http://loki.example:3100}}}\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "one"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	return dir
}

// shellWords splits a line as a shell does that knows quotes and no more.
func shellWords(line string) []string {
	var out []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inWord = r, true
		case quote == 0 && r == ' ':
			if inWord {
				out = append(out, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		out = append(out, word.String())
	}
	return out
}

// TestCompletion asks as the shells' scripts do.
func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "config.yaml"), "rules: rules.yaml\nprofiles: {prod: {}, staging: {}}\n")
	write(t, filepath.Join(dir, "rules.yaml"), exampleRules)
	t.Setenv("VDM_LOGS_CONFIG", filepath.Join(dir, "config.yaml"))
	for _, c := range []struct{ args, want, not string }{
		{"anal", "analyze", "verify"},
		{"rules ", "check", "analyze"},
		{"analyze --fail-on ", "issue-do-not-reopen", ""},
		{"analyze --fail-on ", "warning", ""},
		{"analyze --profile ", "staging", "issue-reopen"},
		{"analyze --profile=", "prod", ""},
		{"analyze --config none --profile ", ":4", "staging"},
		{"analyze -o ", "json", "tsv"},
		{"fingerprint -o ", "tsv", "markdown"},
		{"analyze --format ", "lines", ""},
		{"analyze --color ", "never", ""},
		{"analyze --log-format ", "json", ""},
		{"verify --since-roll ", "streaming transfer", ""},
		{"verify --issue ", "4222\tclosed", ""},
		{"rules show ", "shop.lease", ""},
		{"rules show ", "polly.event", ""},
		{"rules check -o ", "sarif", "tsv"},
		{"rules diff --fail-on ", "split", ""},
		{"transfer bench --limiter ", "peek", ""},
		{"docs ", "time", ""},
		{"docs ", "source-folded", ""},
		{"docs ", "budget/inverted", ""},
		{"version -o ", "json", ""},
		{"analyze log", ":0", ""}, // files
	} {
		args := strings.Split(c.args, " ")
		out, errs, code := ran(t, "", append([]string{"__complete"}, args...)...)
		if code != exitOK || !strings.Contains(out, c.want) || c.not != "" && strings.Contains(out, c.not) {
			t.Errorf("%q: exit code %d, want %q and not %q:\n%s%s", c.args, code, c.want, c.not, out, errs)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, _, code := ran(t, "", "completion", shell); code != exitOK || !strings.Contains(out, "__complete") {
			t.Errorf("completion %s: exit code %d", shell, code)
		}
	}
}

// TestMan wants a page of every command, and the same bytes twice.
func TestMan(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		if _, errs, code := ran(t, "", "man", dir); code != exitOK {
			t.Fatalf("exit code %d: %s", code, errs)
		}
	}
	for path := range commandsOf(t) {
		name := strings.TrimSuffix("vdm-logs-"+strings.ReplaceAll(path, " ", "-"), "-") + ".1"
		first, err := os.ReadFile(filepath.Join(a, name))
		if path == "help" {
			continue // the man command's own
		}
		if err != nil {
			t.Error(err)
			continue
		}
		second, err := os.ReadFile(filepath.Join(b, name))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs from run to run (%v)", name, err)
		}
		if !bytes.Contains(first, []byte("Exit codes")) {
			t.Errorf("%s has no exit codes", name)
		}
	}
}

func TestVersion(t *testing.T) {
	out, _, code := ran(t, "", "version")
	if code != exitOK || !regexp.MustCompile(`(?s)^vdm-logs .*\ncommit .*\nbuilt by +go1.*\nfingerprint fp\d+\n$`).MatchString(out) {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	out, _, code = ran(t, "", "version", "-o", "json")
	var b build
	if err := json.Unmarshal([]byte(out), &b); err != nil || code != exitOK || b.FingerprintVersion != "fp1" || b.AnalysisSchemaVersion < 1 {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
}

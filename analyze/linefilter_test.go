package analyze_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/fingerprint"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// recordsOf reads texts of log records, each a list of lines, from the corpora
// of the packages that read them, and from those shared between projects where
// they are at hand.
func recordsOf(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, path := range []string{"stage/testdata/corpus.jsonl", "../../shared/stages/dev.jsonl"} {
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		defer f.Close()
		in := bufio.NewScanner(f)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var r struct {
				ID    string
				Lines []string
			}
			if err := json.Unmarshal(in.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			out[path+" "+r.ID] = r.Lines
		}
	}
	files, _ := filepath.Glob("../ingest/testdata/formats/*.txt")
	more, _ := filepath.Glob("../../shared/loghub/*.log")
	for _, path := range slices.Concat(files, more, []string{"stage/testdata/clients.txt", "stage/testdata/unseen.txt"}) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(b), "\n") {
			if strings.HasSuffix(path, ".log") && i%10 > 0 {
				continue
			}
			if _, text, found := strings.Cut(line, ": "); found {
				out[fmt.Sprintf("%s:%d text", path, i+1)] = []string{text}
			}
			out[fmt.Sprintf("%s:%d", path, i+1)] = []string{line}
		}
	}
	if len(out) < 1000 {
		t.Fatalf("only %d records", len(out))
	}
	return out
}

// variant is a record as it is shipped: one entry a line.
type variant struct {
	name  string
	lines []string
	meta  []ingest.Label
}

// counting tells of each variant whether it is a part of an incident.
func counting(t *testing.T, config analyze.Config, variants []variant) []bool {
	t.Helper()
	a, err := analyze.New(analyze.Options{Config: config, Window: ingest.Window{Start: 0, End: 1e15}, Limits: analyze.Limits{Incidents: 1 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, a.Add)
	index := map[string]int{}
	for i, v := range variants {
		s := ingest.NewStream([]ingest.Label{{Name: "pod", Value: fmt.Sprint("p", i)}})
		index[s.Key] = i
		for k, l := range v.lines {
			e := ingest.Entry{UnixNano: 1e9 + int64(i)*1e6 + int64(k)*1000, Stream: s, Line: []byte(l), Metadata: v.meta, Arrival: uint64(k), Ordered: true}
			if err := asm.Add(&e); err != nil {
				t.Fatal(err)
			}
		}
		if err := asm.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	out := make([]bool, len(variants))
	for _, inc := range a.Finish(analyze.Read{}).Incidents {
		for _, s := range inc.Streams {
			if i, ok := index[s.Stream]; ok {
				out[i] = true
			}
		}
	}
	return out
}

func counts(t *testing.T, config analyze.Config, lines []string, meta []ingest.Label) bool {
	t.Helper()
	return counting(t, config, []variant{{"", lines, meta}})[0]
}

// TestLineFilterKeeps holds the filter against every record of the corpora, bare
// and as loggers would print its message at a level: what counts has a line
// that is kept.
func TestLineFilterKeeps(t *testing.T) {
	var config analyze.Config
	f, err := config.LineFilter()
	if err != nil || f.Whole != "" {
		t.Fatalf("no filter: %v %s", err, f.Whole)
	}
	keeps, err := f.Matcher(true)
	if err != nil {
		t.Fatal(err)
	}
	keepsCut, err := f.Matcher(false)
	if err != nil {
		t.Fatal(err)
	}
	var all []variant
	for name, lines := range recordsOf(t) {
		add := func(lines ...string) { all = append(all, variant{name: name, lines: lines}) }
		add(lines...)
		console := []string{[]string{"warn", "fail"}[len(all)%2] + ": Shop.Client[7]"}
		for _, l := range lines {
			console = append(console, "      "+l)
		}
		add(console...)
		level := []string{"warning", "ERROR", "50", "40"}[len(name)%4]
		b, _ := json.Marshal(map[string]string{"msg": strings.Join(lines, "\n"), "level": level, "component": "shop"})
		add(string(b))
		add(append([]string{"2026-09-19T08:10:16.123Z  WARN 1 --- [main] shop.Client : " + lines[0]}, lines[1:]...)...)
	}
	var part []bool
	kept, counted := 0, 0
	for i := range all {
		const size = 200 // an Analyzer weighs every incident against every stream
		if i%size == 0 {
			part = counting(t, config, all[i:min(i+size, len(all))])
		}
		if !part[i%size] {
			continue
		}
		counted++
		keep := keeps
		if strings.HasPrefix(all[i].lines[0], "      ") {
			keep = keepsCut // a message whose header is not there
		}
		if slices.ContainsFunc(all[i].lines, func(l string) bool { return keep(l, nil) }) {
			kept++
		} else {
			t.Errorf("%s counts, and none of its lines is kept: %q", all[i].name, all[i].lines)
		}
	}
	t.Logf("%d of %d kept", kept, counted)
	if counted < 500 {
		t.Errorf("only %d records count", counted)
	}
}

// TestLineFilterDrops makes sure that harmless lines are left out, whatever
// words of failure they hold.
func TestLineFilterDrops(t *testing.T) {
	f, err := analyze.Config{}.LineFilter()
	if err != nil {
		t.Fatal(err)
	}
	keeps, err := f.Matcher(true)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		"info: Shop.Web[3]":                                               false,
		"      retry after timeout failed, ok now":                        false,
		`{"time":"t","level":"info","msg":"no error"}`:                    false,
		`{"ctx":{"a":1},"LogLevel":"Information","msg":"failed: 0"}`:      false,
		`{"level":30,"msg":"timeout set"}`:                                false,
		"level=debug msg=\"error rate\" x=1":                              false,
		"I1130 04:05:06.000123       1 reflector.go:12] watch timeout ok": false,
		"2026-09-19 08:10:16,123 INFO [main] com.shop.A - timeout=3s":     false,
		"Served item 7": false,
		`{"ctx":{"level":"info"},"level":"error","msg":"x"}`:              true,
		`{"level":50,"msg":"x"}`:                                          true,
		`{"msg":"x","severity":"ERROR"}`:                                  true,
		"E1130 04:05:06.000123       1 reflector.go:12] nothing":          true,
		"<11>Nov 30 04:05:06 host app: nothing":                           true,
		"fail: Shop.Web[3]":                                               true,
		"warn: Shop.Web[3]":                                               true,
		"curl: (28) Operation timed out":                                  true,
		"CURL: (28) OPERATION TIMED OUT":                                  true,
		`10.0.0.1 - - [29/Nov/2026:23:08:56 +0000] "GET / H" 504 1 "-"`:   true,
		"2026-09-19 08:10:16,123 INFO_NOT a level: connection timed out":  true,
		`10.0.0.1 - - [29/Nov/2026:23:08:56 +0000] "GET / H" 200 1504 1`:  false,
		`10.0.0.1 - - [29/Nov/2026:23:08:56 +0000] "GET /a504f H" 200 1`:  false,
		`10.0.0.1 - - [29/Nov/2026:23:08:56 +0000] "GET / H" 200 1 0.504`: false,
		"the answer's status was 504.":                                    true,
		`{"log":"GET\t504\t1\n"}`:                                         true,
		"{\"log\":\"status\\u003d504\"}":                                  true,
		"GET / \x1b[31m504\x1b[0m":                                        true,
	} {
		if got := keeps(line, nil); got != want {
			t.Errorf("kept %v, want %v: %s", got, want, line)
		}
	}
	for _, m := range []ingest.Label{{Name: "severity_text", Value: "Error"}, {Name: "severity_number", Value: "18"}, {Name: "level", Value: "critical"}} {
		if !keeps("nothing", []ingest.Label{m}) || !counts(t, analyze.Config{}, []string{"nothing"}, []ingest.Label{m}) {
			t.Errorf("%v: not kept, or does not count", m)
		}
	}
	if keeps("nothing", []ingest.Label{{Name: "severity_text", Value: "Information"}}) {
		t.Error("a harmless level beside the line is kept")
	}
}

// TestLineFilterRules has rules that make a harmless record count: by their
// text, or not at all.
func TestLineFilterRules(t *testing.T) {
	pattern, err := fingerprint.CompilePattern("Pull of <image> took its time")
	if err != nil {
		t.Fatal(err)
	}
	rule := fingerprint.Rule{ID: "pull", Condition: fingerprint.Condition{Pattern: pattern}}
	config := analyze.Config{Rules: []fingerprint.Rule{rule}, Effects: map[string]analyze.Effect{"pull": {Severity: ingest.LevelError}}}
	f, err := config.LineFilter()
	if err != nil {
		t.Fatal(err)
	}
	keeps, err := f.Matcher(true)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{"info: Shop.Pull[1]", "      Pull of shop/web took its time"}
	if !counts(t, config, lines, nil) || !keeps(lines[1], nil) {
		t.Errorf("a record that counts by a rule has no line that is kept: %q", f.Rules)
	}
	config.Rules[0].Condition = fingerprint.Condition{Regexp: regexp.MustCompile("[a-z]+ [0-9]+")}
	if f, err = config.LineFilter(); err != nil || !strings.Contains(f.Whole, "rule pull") {
		t.Errorf("a rule without a text leaves lines out: %q, %v", f.Whole, err)
	}
	config.Effects["pull"] = analyze.Effect{Stage: stage.NotATimeout}
	if f, err = config.LineFilter(); err != nil || f.Whole != "" || len(f.Rules) > 0 {
		t.Errorf("a rule that makes nothing count is looked for: %q %q, %v", f.Whole, f.Rules, err)
	}
}

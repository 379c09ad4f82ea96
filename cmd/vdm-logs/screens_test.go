package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-runewidth"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// screenLog is a log in logcli's form that a scenario is written in.
type screenLog struct{ b bytes.Buffer }

var screenDay = time.Date(2026, 9, 19, 8, 0, 0, 0, time.UTC)

func (l *screenLog) add(at time.Duration, pod, line string) {
	entry, err := json.Marshal(map[string]any{
		"timestamp": screenDay.Add(at).Format(time.RFC3339Nano), "line": line,
		"labels": map[string]string{"namespace": "shop", "pod": pod},
	})
	if err != nil {
		panic(err) // maps of strings
	}
	l.b.Write(append(entry, '\n'))
}

// hostileLog holds what a log may do to a terminal: in lines, categories, pod
// names and exceptions.
func hostileLog() []byte {
	var l screenLog
	for i, evil := range []string{
		"\x1b[2J\x1b[H\x1b]0;owned\x07 all is well", "\u202eelif lanimret\u202c", "nul\x00 bell\x07 back\b\b\b",
		"<script>alert('x')</script>", "zero\u200bwidth\ufeff\u2060", "carriage\rreturn", "\x1b]8;;http://evil.example/\x1b\\click\x1b]8;;\x1b\\",
		"漢字かな混じり文がここに長く続いている、とても長い行なので切られるはずだ", "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301 👩\u200d👩\u200d👧 ❤\ufe0f 🇩🇪", strings.Repeat("A", 1<<20),
	} {
		for n := range 3 {
			at := time.Duration(i*3+n) * time.Minute
			l.add(at, "pod\x1b[31m-\u202eabcde", fmt.Sprintf("fail: Shop.%s[0]\n      Order failed: %s", []string{"Cart", "Pay\u202eyaP", "漢字.Client"}[i%3], evil))
		}
	}
	return l.b.Bytes()
}

// manyLog holds thirty faults of forty pods over nine days, three of them
// clocks.
func manyLog() []byte {
	var l screenLog
	for step := range 9 * 24 * 4 {
		at := time.Duration(step) * 15 * time.Minute
		for k := range 30 {
			if (step*7+k*13)%(5+k*3) != 0 {
				continue
			}
			p := (step*31 + k) % 40
			pod := fmt.Sprintf("worker-%02d-7c9f6d5b8-%05x", p%4, 0x2a000+p*7919)
			l.add(at+time.Duration(k)*time.Second, pod, fmt.Sprintf("fail: Shop.Worker%02d.Queue[0]\n      Job %d could not be taken from queue %d: the lease was lost", k, step, k))
		}
	}
	return l.b.Bytes()
}

const manyRules = `version: 1
rolls:
  - {name: lease fix, at: 2026-09-20T10:00:00Z, fixes: [71]}
  - {name: queue rewrite, at: 2026-09-24T06:30:00Z}
issues:
  - {number: 71, state: closed, closed_at: 2026-09-21T09:00:00Z, title: Lost leases, sources: ["Shop.Worker00.*"]}
  - {number: 72, state: open, sources: ["Shop.Worker01.*"]}
`

// partialLog is a log that breaks off, with lines that are none.
func partialLog() []byte {
	var l screenLog
	for i := range 40 {
		l.add(time.Duration(i)*90*time.Second, "shop-1", "fail: Shop.Stock[0]\n      Stock of item 4711 is negative")
		if i%20 == 10 {
			l.b.WriteString("{\"timestamp\": \"yesterday\", \"line\": \"x\"\n")
		}
	}
	return l.b.Bytes()
}

type screenCase struct {
	name string
	log  []byte
	rule string
	args []string
	env  map[string]string
}

func screenCases(incidents string) []screenCase {
	seed := []string{"--rules", incidents + "01-masked-source/context.yaml", incidents + "01-masked-source/logs.jsonl.zst"}
	return []screenCase{
		{name: "seed", args: seed},
		{name: "hostile", log: hostileLog()},
		{name: "many", log: manyLog(), rule: manyRules, args: []string{"--top", "12"}},
		{name: "partial", log: partialLog()},
		{name: "quiet", args: []string{incidents + "04-quiet-day/logs.jsonl.zst"}},
		{name: "stages", args: []string{"--rules", incidents + "03-named-stage/context.yaml", incidents + "03-named-stage/logs.jsonl.zst"}},
		{name: "zone", args: append([]string{"--tz", "Europe/Berlin"}, seed...)},
		{name: "ascii", args: seed, env: map[string]string{"LC_ALL": "C"}},
	}
}

// TestScreens compares analyze's text with what testdata/screens holds of every
// scenario and width, and wants of it no row beyond the width, no character
// that a terminal obeys, and the numbers that the JSON of the same run has.
// -update rewrites the files.
func TestScreens(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range screenCases(filepath.Join(here, "../../testdata/incidents") + "/") {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			args := []string{"analyze"}
			if c.rule != "" {
				args = append(args, "--rules", writeTemp(t, "rules.yaml", []byte(c.rule)))
			}
			args = append(args, c.args...)
			if c.log != nil {
				args = append(args, writeTemp(t, "logs.jsonl", c.log))
			}
			for k, v := range map[string]string{"LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "NO_COLOR": ""} {
				if own, ok := c.env[k]; ok {
					v = own
				}
				t.Setenv(k, v)
			}
			var an analyze.Analysis
			if err := json.Unmarshal(screenOutput(t, append(args, "-o", "json")), &an); err != nil {
				t.Fatal(err)
			}
			for _, width := range []int{60, 80, 120, 200} {
				t.Setenv("COLUMNS", fmt.Sprint(width))
				got := screenOutput(t, args)
				checkRows(t, width, string(got), c.env["LC_ALL"] == "C")
				checkNumbers(t, width, string(got), &an)
				golden(t, filepath.Join(here, "testdata", "screens", fmt.Sprintf("%s_%03d.txt", c.name, width)), got)
				painted := screenOutput(t, append(args, "--color", "always"))
				if sgr := regexp.MustCompile("\x1b\\[[0-9;]*m"); !bytes.Equal(sgr.ReplaceAll(painted, nil), got) {
					t.Errorf("width %d: colour changes the rows", width)
				}
			}
		})
	}
}

func writeTemp(t *testing.T, name string, b []byte) string {
	t.Helper()
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func screenOutput(t *testing.T, args []string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != exitOK && code != exitPartial {
		t.Fatalf("%v: exit code %d\n%s", args, code, errs.String())
	}
	return out.Bytes()
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("%s (-want +got), run with -update and look at the difference:\n%s", path, d)
	}
}

func checkRows(t *testing.T, width int, text string, ascii bool) {
	t.Helper()
	for i, l := range strings.Split(text, "\n") {
		if w := runewidth.StringWidth(l); w > width {
			t.Errorf("width %d: row %d takes %d columns: %q", width, i+1, w, l)
		}
		for _, r := range l {
			if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || ascii && r > 0x7f {
				t.Errorf("width %d: row %d holds %U: %q", width, i+1, r, l)
				break
			}
		}
	}
}

func checkNumbers(t *testing.T, width int, text string, an *analyze.Analysis) {
	t.Helper()
	words := strings.ReplaceAll(strings.Join(strings.Fields(text), " "), ",", "")
	want := []any{an.Read.Entries, an.Read.Records, an.Read.Streams}
	for _, inc := range an.Incidents {
		want = append(want, inc.Fingerprint, fmt.Sprintf("%d record", inc.Records), fmt.Sprintf("on %d ", len(inc.Pods)))
		for _, r := range inc.Recurrences {
			want = append(want, r.Period, r.Jitter, fmt.Sprintf("n=%d", r.Events))
		}
		if st := inc.Stage; st != nil && st.BytesReceived.Max != nil {
			want = append(want, *st.BytesReceived.Min, *st.BytesReceived.Max)
		}
		if inc.Issue != nil {
			want = append(want, fmt.Sprintf("#%d", inc.Issue.Number))
		}
	}
	for _, w := range want {
		if !strings.Contains(strings.ReplaceAll(words, "+-", "±"), fmt.Sprint(w)) {
			t.Errorf("width %d: %v of the JSON is nowhere in the text", width, w)
		}
	}
}

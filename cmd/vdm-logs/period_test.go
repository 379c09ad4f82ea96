package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// periodRun runs the period command on input as the program would.
func periodRun(t *testing.T, input string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	std := stdio{in: strings.NewReader(input), out: &out, err: &errs}
	cmd := newPeriodCommand(std)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{}, args...))
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	ctx := context.Background()
	code = exitCode(ctx, cmd.ExecuteContext(ctx))
	return out.String(), errs.String(), code
}

func TestParseEventTime(t *testing.T) {
	const at = 1789844452047000000
	for _, c := range []struct {
		in   string
		want int64
		step time.Duration
	}{
		{"2026-09-19T19:00:52.047Z", at, time.Millisecond},
		{"2026-09-19T21:00:52.047+02:00", at, time.Millisecond},
		{"2026-09-19 19:00:52.047", at, time.Millisecond},
		{"2026-09-19T19:00:52Z", at - 47e6, time.Second},
		{"1789844452.047", at, time.Millisecond},
		{"1789844452047", at, time.Millisecond},
		{"1789844452047.5", at + 5e5, 100 * time.Microsecond},
		{"1789844452047000", at, time.Microsecond},
		{"1789844452047000000", at, 1},
		{"0", 0, time.Second},
	} {
		got, step, err := parseEventTime(c.in)
		if err != nil || got != c.want || step != c.step {
			t.Errorf("parseEventTime(%q) = %d, %v, %v; want %d, %v", c.in, got, step, err, c.want, c.step)
		}
	}
	for _, in := range []string{"", "x", "-5", "+5", "1e9", "12:00:00", "99999999999999999999", "9223372036854775807", "0001-01-01T00:00:00Z", "9999-01-01T00:00:00Z", "17.x"} {
		if got, _, err := parseEventTime(in); err == nil {
			t.Errorf("parseEventTime(%q) = %d, want an error", in, got)
		}
	}
}

func TestSplitTimeLine(t *testing.T) {
	for _, c := range []struct{ in, name string }{
		{"1789844452.047", ""},
		{"1789844452.047 portal-2kcwk", "portal-2kcwk"},
		{"portal-2kcwk 1789844452.047", "portal-2kcwk"},
		{"2026-09-19 19:00:52.047 two words", "two words"},
		{"two words 2026-09-19 19:00:52.047", "two words"},
		{"2026-09-19T19:00:52.047Z 17", "17"},
	} {
		ns, _, name, err := splitTimeLine(c.in)
		if err != nil || name != c.name || ns != 1789844452047000000 {
			t.Errorf("splitTimeLine(%q) = %d, %q, %v; want stream %q", c.in, ns, name, err, c.name)
		}
	}
}

func FuzzPeriodInput(f *testing.F) {
	f.Add("1789844452.047 a\n1789844632.052 a\n1789844812.052 a\n")
	f.Add(`{"id":"a","timestamps_ns":[1,2,3],"streams":["x"],"stream":[0,0,0]}`)
	f.Add("{\n# comment\n\n{}")
	f.Fuzz(func(t *testing.T, in string) {
		_, err := readPeriodCases(strings.NewReader(in), "fuzz", func(c periodCase) error {
			for _, s := range c.series {
				for i := 1; i < len(s.Times); i++ {
					if s.Times[i] < s.Times[i-1] {
						t.Fatalf("times of %q are not in order", s.Stream)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err) // strings.Reader never fails, and nothing is too long
		}
	})
}

// TestPeriodSeed is the reading that the project starts from: three events on
// one pod, five milliseconds of drift in six minutes.
func TestPeriodSeed(t *testing.T) {
	in := "2kcwk 2026-09-19T19:00:52.047Z\n2kcwk 2026-09-19T19:03:52.052Z\n2kcwk 2026-09-19T19:06:52.052Z\n"
	out, errs, code := periodRun(t, in, "-o", "jsonl", "--name", "PerPackageAdoptBudget=3m")
	if code != exitOK || errs != "" {
		t.Fatalf("exit code %d, stderr %q", code, errs)
	}
	var got periodAnswer
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if !got.Periodic || len(got.Periods) != 1 {
		t.Fatalf("got %s", out)
	}
	p := got.Periods[0]
	if p.PeriodNs != 180002500000 || p.Kind != "unknown-kind" || p.Phases[0].NextDue[:17] != "2026-09-19T19:09:" {
		t.Errorf("got %+v", p)
	}
	if len(p.Matches) == 0 || p.Matches[0].Text != "PerPackageAdoptBudget" {
		t.Errorf("matches %+v", p.Matches)
	}
	if diff := cmp.Diff([]string{"2kcwk"}, p.Streams); diff != "" {
		t.Errorf("streams (-want +got):\n%s", diff)
	}
}

func TestPeriodBadLines(t *testing.T) {
	out, errs, code := periodRun(t, "1789844452\nnonsense\n1789844512\n")
	if code != exitPartial || !strings.Contains(errs, `vdm-logs: stdin:2: no time in "nonsense"`) {
		t.Errorf("exit code %d, stderr %q", code, errs)
	}
	if !strings.Contains(out, "nothing recurs") {
		t.Errorf("stdout %q", out)
	}
}

func TestPeriodUsage(t *testing.T) {
	for _, args := range [][]string{
		{"-o", "xml"}, {"--false-alarm", "0"}, {"--false-alarm", "NaN"}, {"--zone", "Mars/Olympus"}, {"--until", "soon"},
		{"--name", "x"}, {"--name", "x=soon"}, {"--resolution", "-1s"}, {"a", "b"}, {"no-such-file"},
	} {
		if _, _, code := periodRun(t, "", args...); code != exitUsage {
			t.Errorf("period %q: exit code %d, want %d", args, code, exitUsage)
		}
	}
}

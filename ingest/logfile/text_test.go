package logfile

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	entry := func(at, line string) got { return got{at, `{filename="app.log"}`, line, true, false} }
	more := func(at, line string) got { return got{at, `{filename="app.log"}`, line, true, true} }
	const t0, t1 = "2026-09-19T12:00:00Z", "2026-09-19T12:00:01.5Z"
	cases := []struct {
		name, content, format string
		opts                  Options
		want                  []got
	}{
		{
			name:    "lines without a time inherit",
			content: "2026-09-19 12:00:00 ERROR x\nSystem.Exception: y\n   at Z()\n\n2026-09-19 12:00:01,500 INFO done\n",
			format:  "text",
			want: []got{entry(t0, "2026-09-19 12:00:00 ERROR x"), more(t0, "System.Exception: y"), more(t0, "   at Z()"),
				entry(t1, "2026-09-19 12:00:01,500 INFO done")},
		},
		{
			name:    "lines before the first time",
			content: "starting\n  up\n2026-09-19 12:00:00 x\n",
			format:  "text",
			want:    []got{more(t0, "starting"), more(t0, "  up"), entry(t0, "2026-09-19 12:00:00 x")},
		},
		{
			name:    "out of order",
			content: "2026-09-19 12:00:01.5 b\n  of b\n2026-09-19 12:00:00 a\n  of a\n",
			format:  "text",
			want: []got{entry(t0, "2026-09-19 12:00:00 a"), more(t0, "  of a"), entry(t1, "2026-09-19 12:00:01.5 b"),
				more(t1, "  of b")},
		},
		{
			name:    "zone",
			content: "2026-09-19 14:00:00 a\n",
			format:  "text",
			opts:    Options{Location: time.FixedZone("x", 7200)},
			want:    []got{entry(t0, "2026-09-19 14:00:00 a")},
		},
		{
			name:    "json lines",
			content: "{\"level\":\"error\",\"ts\":1789819200,\"msg\":\"a\"}\n{\"level\":\"error\",\"ts\":1789819201.5,\"msg\":\"b\"}\n",
			format:  "json-lines",
			want:    []got{entry(t0, `{"level":"error","ts":1789819200,"msg":"a"}`), entry(t1, `{"level":"error","ts":1789819201.5,"msg":"b"}`)},
		},
		{
			name:    "access",
			content: "10.0.0.1 - - [19/Sep/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 504 0\n",
			format:  "access",
			want:    []got{entry(t0, "10.0.0.1 - - [19/Sep/2026:12:00:00 +0000] \"GET / HTTP/1.1\" 504 0")},
		},
		{
			name:    "logfmt",
			content: "ts=2026-09-19T12:00:00Z level=error msg=\"a b\"\nlevel=info ts=2026-09-19T12:00:01.5Z msg=c\n",
			format:  "logfmt",
			want:    []got{entry(t0, `ts=2026-09-19T12:00:00Z level=error msg="a b"`), entry(t1, `level=info ts=2026-09-19T12:00:01.5Z msg=c`)},
		},
		{
			name:    "two-digit years",
			content: "26/09/19 12:00:00 INFO a\n26/09/19 12:00:01.5 INFO b\n",
			format:  "text-short",
			want:    []got{entry(t0, "26/09/19 12:00:00 INFO a"), entry(t1, "26/09/19 12:00:01.5 INFO b")},
		},
		{
			name:    "invalid bytes and NUL are kept",
			content: "2026-09-19 12:00:00 a\xff\x00b\n",
			format:  "text",
			want:    []got{entry(t0, "2026-09-19 12:00:00 a\xff\x00b")},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{write(t, "app.log", c.content), write(t, "app.log.2.gz", gzipped(c.content))} {
				have, r := readAll(t, []string{path}, c.opts)
				if diff := cmp.Diff(c.want, have); diff != "" {
					t.Errorf("entries (-want +got):\n%s", diff)
				}
				if f := r.Sources()[0].Format; f != c.format {
					t.Errorf("format %q, want %q", f, c.format)
				}
				if s := r.Stats(); s.Partial || s.Skipped != 0 {
					t.Errorf("Stats = %+v", s)
				}
			}
		})
	}
}

// TestManyInOneNanosecond reads a file in which nothing but the first line has
// a time, more of it than is held to be put in order.
func TestManyInOneNanosecond(t *testing.T) {
	line := strings.Repeat("z", 1000) + "\n"
	n := tieLimit/1000 + 5000
	have, _ := readAll(t, []string{write(t, "a.log", "2026-09-19 12:00:00 first\n"+strings.Repeat(line, n))}, Options{})
	if len(have) != n+1 || have[0].Line != "2026-09-19 12:00:00 first" {
		t.Fatalf("%d entries, want %d", len(have), n+1)
	}
}

// TestExamples detects the example of every format as that format.
func TestExamples(t *testing.T) {
	for _, f := range formats() {
		if f.Example == "" {
			continue
		}
		chosen, err := detect("x", newHead([]byte(f.Example+"\n"), true))
		if err != nil || chosen.Name != f.Name {
			t.Errorf("the example of %s is taken for %v, %v", f.Name, chosen, err)
		}
	}
}

func TestProse(t *testing.T) {
	_, err := Open(context.Background(), []string{write(t, "letter.txt", "Dear all,\nthe outage of 2026-09-19 is over.\n")}, Options{})
	var fe *FormatError
	if !errors.As(err, &fe) {
		t.Fatalf("error %v, want *FormatError", err)
	}
	if len(fe.Tried) != len(formats()) {
		t.Errorf("%d formats tried, want all %d", len(fe.Tried), len(formats()))
	}
}

func TestLines(t *testing.T) {
	have, _ := readAll(t, []string{"-"}, Options{Format: "lines", Stdin: strings.NewReader("b\n\na 2026-01-01 00:00:00\n"), Reference: noon})
	want := []got{{"2026-09-19T12:00:00Z", `{filename="stdin"}`, "b", true, false},
		{"2026-09-19T12:00:00.000000001Z", `{filename="stdin"}`, "a 2026-01-01 00:00:00", true, false}}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
}

func TestStreamName(t *testing.T) {
	for in, want := range map[string]string{
		"/var/log/app.log": "app.log", "app.log.1": "app.log", "app.log.12.gz": "app.log", "app.log.zst": "app.log",
		"portal-0": "portal-0", "2026.09": "2026.09", "-": "stdin", ".gz": ".gz",
	} {
		if got := streamName(in); got != want {
			t.Errorf("streamName(%q) = %q, want %q", in, got, want)
		}
	}
}

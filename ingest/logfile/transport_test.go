package logfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/wire"
)

func TestTransports(t *testing.T) {
	const t0, t1, t2 = "2026-09-19T12:00:00Z", "2026-09-19T12:00:01.000000001Z", "2026-09-19T12:00:02Z"
	const out, errs = `{filename="app.log", stream="stdout"}`, `{filename="app.log", stream="stderr"}`
	const file = `{filename="app.log"}`
	cases := []struct {
		name, content, format string
		want                  []got
		skipped               int64
	}{
		{
			name: "docker",
			content: `{"log":"fail: A[0]\n","stream":"stderr","time":"2026-09-19T12:00:00Z"}` + "\n" +
				`{"log":"first \u003c","stream":"stdout","time":"2026-09-19T12:00:00Z"}` + "\n" +
				`{"log":"      text\r\n","stream":"stderr","time":"2026-09-19T12:00:01.000000001Z"}` + "\n" +
				`{"log":" second\n","stream":"stdout","attrs":{"tag":"x"},"time":"2026-09-19T12:00:02Z"}` + "\n" +
				`{"log":"no end","stream":"stderr","time":"2026-09-19T12:00:02Z"}` + "\n",
			format: "docker",
			want: []got{{t0, errs, "fail: A[0]", true, false}, {t1, errs, "      text", true, false},
				{t2, errs, "no end", true, false}, {t2, out, "first < second", true, false}},
		},
		{
			name: "cri",
			content: "2026-09-19T12:00:00Z stderr F fail: A[0]\n2026-09-19T12:00:00Z stdout P first\n" +
				"2026-09-19T12:00:01.000000001Z stderr F       text\n2026-09-19T12:00:02Z stdout F  second\n2026-09-19T12:00:02Z stderr F\n" +
				"2026-09-19T12:00:02Z stderr P no end",
			format: "cri",
			want: []got{{t0, errs, "fail: A[0]", true, false}, {t1, errs, "      text", true, false},
				{t2, errs, "", true, false}, {t2, errs, "no end", true, false}, {t2, out, "first second", true, false}},
		},
		{
			name: "kubectl",
			content: "[pod/p-0/app] 2026-09-19T12:00:00.000000000Z fail: A[0]\n[pod/p-1/app] 2026-09-19T12:00:00Z x\n" +
				"[pod/p-0/app] 2026-09-19T12:00:01.000000001Z       text\n",
			format: "kubectl",
			want: []got{{t0, `{container="app", pod="p-0"}`, "fail: A[0]", true, false}, {t0, `{container="app", pod="p-1"}`, "x", true, false},
				{t1, `{container="app", pod="p-0"}`, "      text", true, false}},
		},
		{
			name:    "stern",
			content: "p-0 app 2026-09-19T12:00:00.000000000Z fail: A[0]\np-1 app 2026-09-19T12:00:01.000000001Z y\n",
			format:  "stern",
			want: []got{{t0, `{container="app", pod="p-0"}`, "fail: A[0]", true, false},
				{t1, `{container="app", pod="p-1"}`, "y", true, false}},
		},
		{
			name:    "compose",
			content: "portal-1    | 2026-09-19T12:00:00.000000000Z fail: A[0]\nregistry-1  | 2026-09-19T12:00:01.000000001Z y\n",
			format:  "compose",
			want:    []got{{t0, `{container="portal-1"}`, "fail: A[0]", true, false}, {t1, `{container="registry-1"}`, "y", true, false}},
		},
		{
			name:    "timestamps",
			content: "2026-09-19T12:00:00.000000000Z fail: A[0]\n2026-09-19T12:00:01.000000001Z       text\n",
			format:  "timestamps",
			want:    []got{{t0, file, "fail: A[0]", true, false}, {t1, file, "      text", true, false}},
		},
		{
			name:    "a logger's own timestamps stay",
			content: "2026-09-19T12:00:00.000Z INFO a\n2026-09-19T12:00:02.000Z INFO b\n",
			format:  "text",
			want:    []got{{t0, file, "2026-09-19T12:00:00.000Z INFO a", true, false}, {t2, file, "2026-09-19T12:00:02.000Z INFO b", true, false}},
		},
		{
			name:    "logcli text",
			content: "2026-09-19T14:00:02+02:00 {detected_level=\"error\", pod=\"p\"} fail: \"A}\"\n2026-09-19T12:00:00Z {pod=\"p\"} x {\n",
			format:  "logcli-text",
			want:    []got{{t0, `{pod="p"}`, "x {", true, false}, {t2, `{pod="p"}`, "fail: \"A}\"", true, false}},
		},
		{
			name:    "grafana txt",
			content: "2026-09-19T12:00:00.000Z\tfail: A[0]\n      text\n2026-09-19T12:00:02.000Z\ty\n",
			format:  "grafana-txt",
			want:    []got{{t0, file, "fail: A[0]", true, false}, {t0, file, "      text", true, true}, {t2, file, "y", true, false}},
		},
		{
			name: "grafana json",
			content: `[ {"line":"b","timestamp":"1789819202000000000","date":"x","fields":{"pod":"p","detected_level":"info"}},` +
				`{"line":1,"timestamp":"1"}, {"timestamp":"1789819201000000001"}, {"line":"a","timestamp":1789819200000000000,"fields":{"pod":"p"}} ]`,
			format:  "grafana-json",
			want:    []got{{t0, `{pod="p"}`, "a", true, false}, {t2, `{pod="p"}`, "b", true, false}},
			skipped: 2,
		},
		{
			name: "csv",
			content: "\xef\xbb\xbfTime,labels,Line,tsNs,id\n2026-09-19 12:00:02,\"{\"\"pod\"\":\"\"p\"\"}\",\"two\nlines\",1789819202000000000,1\n" +
				"2026-09-19 12:00:00,\"{pod=\"\"p\"\"}\",a,,2\nsometime,,z,,3\n",
			format:  "csv",
			want:    []got{{t0, `{pod="p"}`, "a", true, false}, {t2, `{pod="p"}`, "two\nlines", true, false}},
			skipped: 1,
		},
		{
			name: "journald",
			content: `{"__REALTIME_TIMESTAMP":"1789819200000000","_HOSTNAME":"n","_SYSTEMD_UNIT":"a.service","PRIORITY":"3","MESSAGE":"x \"y\""}` + "\n" +
				`{"MESSAGE":[104,105,255],"_HOSTNAME":"n","_SYSTEMD_UNIT":"a.service","__REALTIME_TIMESTAMP":"1789819202000000"}` + "\n" +
				`{"__REALTIME_TIMESTAMP":"1789819202000000","_HOSTNAME":"n"}` + "\n",
			format: "journald",
			want:   []got{{t0, `{host="n", unit="a.service"}`, `x "y"`, true, false}, {t2, `{host="n", unit="a.service"}`, "hi\xff", true, false}},
		},
		{
			name: "journal export",
			content: "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1789819202000000\n_HOSTNAME=n\n_SYSTEMD_UNIT=a.service\nPRIORITY=3\nMESSAGE\n\x0d\x00\x00\x00\x00\x00\x00\x00two\nlines\x00=\xffz\n\n" +
				"__REALTIME_TIMESTAMP=1789819200000000\n_HOSTNAME=n\n_SYSTEMD_UNIT=a.service\nMESSAGE=x = y\n\n" +
				"__REALTIME_TIMESTAMP=1789819200000000\n_HOSTNAME=n\n\n" + // no message: nothing was logged
				"_HOSTNAME=n\nMESSAGE=when\n\n",
			format: "journal-export",
			want: []got{{t0, `{host="n", unit="a.service"}`, "x = y", true, false},
				{t2, `{host="n", unit="a.service"}`, "two\nlines\x00=\xffz", true, false}},
			skipped: 1,
		},
		{
			name: "journal export, cut",
			content: "__REALTIME_TIMESTAMP=1789819200000000\n_HOSTNAME=n\nMESSAGE=whole\n\n" +
				"__REALTIME_TIMESTAMP=1789819202000000\n_HOSTNAME=n\nMESSAGE=begun\n_SYSTEMD_UN",
			format:  "journal-export",
			want:    []got{{t0, `{host="n"}`, "whole", true, false}, {t2, `{host="n"}`, "begun", true, false}},
			skipped: 1,
		},
		{
			name: "syslog frames",
			content: frame("<3>1 2026-09-19T12:00:02Z h a - - b") + frame("<3>1 2026-09-19T12:00:00Z h a - - b\nsecond c") + "\n" +
				frame("<3>1 - h a - - no clock") + frame("<3>1 2026-09-19T12:00:02Z h a - - ends"),
			format: "syslog-frames",
			want: []got{{t0, file, "<3>1 2026-09-19T12:00:00Z h a - - b\nsecond c", true, false}, {t0, file, "<3>1 - h a - - no clock", true, false},
				{t2, file, "<3>1 2026-09-19T12:00:02Z h a - - b", true, false}, {t2, file, "<3>1 2026-09-19T12:00:02Z h a - - ends", true, false}},
			skipped: 0,
		},
		{
			name:    "an array of a logger's objects",
			content: `[{"time":"2026-09-19T12:00:02Z","msg":"b [x"},` + "\n  {\n    \"msg\": \"a\",\n    \"time\": \"2026-09-19T12:00:00Z\"\n  }, {\"msg\":\"c\"}]\n",
			format:  "json-values",
			want: []got{{t0, file, `{"msg":"a","time":"2026-09-19T12:00:00Z"}`, true, false}, {t0, file, `{"msg":"c"}`, true, true},
				{t2, file, `{"time":"2026-09-19T12:00:02Z","msg":"b [x"}`, true, false}},
		},
		{
			name:    "objects spread over lines",
			content: "{\n \"time\": \"2026-09-19T12:00:00Z\",\n \"msg\": \"a\"\n}\n{\n \"time\": \"2026-09-19T12:00:02Z\"\n}\n",
			format:  "json-values",
			want:    []got{{t0, file, `{"time":"2026-09-19T12:00:00Z","msg":"a"}`, true, false}, {t2, file, `{"time":"2026-09-19T12:00:02Z"}`, true, false}},
		},
		{
			name: "grafana txt, with what stands above",
			content: "Common labels: {\"pod\":\"p\",\"detected_level\":\"error\"}\nLine limit: \"1000 (2 returned)\"\nTotal bytes processed: \"1.2 kB\"\n\n\n" +
				"2026-09-19T12:00:02.000Z\ty\n2026-09-19T12:00:00.000Z\tCommon labels: none\n",
			format: "grafana-txt",
			want:   []got{{t0, `{pod="p"}`, "Common labels: none", true, false}, {t2, `{pod="p"}`, "y", true, false}},
		},
		{
			name: "otlp",
			content: `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"portal"}},{"key":"k8s.pod.name","value":{"stringValue":"p"}}]},` +
				`"scopeLogs":[{"scope":{"name":"A.B"},"logRecords":[` +
				`{"timeUnixNano":"1789819202000000000","severityNumber":17,"severityText":"Error","body":{"stringValue":"x"},"traceId":"0af7","attributes":[{"key":"n","value":{"intValue":"5"}},{"key":"exception.stacktrace","value":{"stringValue":"E: y\n  at Z()\n"}}]},` +
				`{"observedTimeUnixNano":1789819200000000000,"body":{"kvlistValue":{"values":[]}}},{"body":{}}]}]}]}` + "\n",
			format: "otlp",
			want: []got{{t0, `{k8s_pod_name="p", service_name="portal"}`, `{}`, true, false},
				{t2, `{k8s_pod_name="p", service_name="portal"}`, "x\nE: y\n  at Z()", true, false}},
			skipped: 1,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{write(t, "app.log", c.content), write(t, "app.log.gz", gzipped(c.content))} {
				have, r := readAll(t, []string{path}, Options{})
				if diff := cmp.Diff(c.want, have); diff != "" {
					t.Errorf("entries (-want +got):\n%s", diff)
				}
				if f := r.Sources()[0].Format; f != c.format {
					t.Errorf("format %q, want %q", f, c.format)
				}
				if s := r.Stats(); s.Skipped != c.skipped {
					t.Errorf("Stats = %+v, want %d skipped", s, c.skipped)
				}
			}
		})
	}
}

// frame is a syslog message with its length before it.
func frame(message string) string { return fmt.Sprintf("%d %s", len(message), message) }

// TestTimesWithoutADate puts times of day within the day before the file's
// last change, so that a file written over midnight keeps its order.
func TestTimesWithoutADate(t *testing.T) {
	have, r := readAll(t, []string{"-"}, Options{Reference: noon, Stdin: strings.NewReader("23:59:59.500 [main] ERROR a.B - late\n12:00:00.000 [main] INFO a.B - noon\n")})
	want := []got{{"2026-09-18T23:59:59.5Z", `{filename="stdin"}`, "23:59:59.500 [main] ERROR a.B - late", true, false},
		{"2026-09-19T12:00:00Z", `{filename="stdin"}`, "12:00:00.000 [main] INFO a.B - noon", true, false}}
	if diff := cmp.Diff(want, have); diff != "" || r.Sources()[0].Format != "text-short" {
		t.Errorf("format %s, entries (-want +got):\n%s", r.Sources()[0].Format, diff)
	}
}

// TestCutFrames reads frames that end too early or lie about their length.
func TestCutFrames(t *testing.T) {
	const whole = "<3>1 2026-09-19T12:00:00Z h a - - b"
	for content, want := range map[string]int{
		frame(whole) + "99 " + whole:                2, // the second is kept, as far as it goes
		frame(whole) + "99":                         1,
		frame(whole) + "no length":                  1,
		frame(whole) + "99999999999999999999 x":     1,
		frame(whole) + fmt.Sprintf("999999 %s", ""): 1,
	} {
		have, r := readAll(t, []string{"-"}, Options{Format: "syslog-frames", Stdin: strings.NewReader(content)})
		if len(have) != want || !r.Stats().Partial {
			t.Errorf("%q: %d entries, want %d and a partial answer: %+v", content, len(have), want, r.Stats())
		}
	}
}

func TestPushProtobuf(t *testing.T) {
	body, err := wire.Encode([]wire.Entry{
		{UnixNano: noon.UnixNano() + 1, Labels: []ingest.Label{{Name: "pod", Value: "p"}}, Line: "b"},
		{UnixNano: noon.UnixNano(), Labels: []ingest.Label{{Name: "pod", Value: "p"}}, Line: "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []got{{"2026-09-19T12:00:00Z", `{pod="p"}`, "a", true, false}, {"2026-09-19T12:00:00.000000001Z", `{pod="p"}`, "b", true, false}}
	have, r := readAll(t, []string{write(t, "body", string(body))}, Options{})
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if f := r.Sources()[0].Format; f != "push-protobuf" {
		t.Errorf("format %q", f)
	}
}

func TestOTLPMetadata(t *testing.T) {
	r, err := Open(context.Background(), []string{"-"}, Options{Stdin: strings.NewReader(
		`{"resourceLogs":[{"scopeLogs":[{"scope":{"name":"A.B"},"logRecords":[{"timeUnixNano":"1","severityNumber":17,"body":{"stringValue":"x"},"traceId":"0af7","attributes":[{"key":"http.status","value":{"intValue":"5"}}]}]}]}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var e ingest.Entry
	if err := r.Next(context.Background(), &e); err != nil {
		t.Fatal(err)
	}
	want := []ingest.Label{{Name: "http_status", Value: "5"}, {Name: "scope_name", Value: "A.B"}, {Name: "severity_number", Value: "17"}, {Name: "trace_id", Value: "0af7"}}
	if diff := cmp.Diff(want, e.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

// FuzzFormats reads any bytes as every format: no panic, what comes is in
// order, and what is told of it adds up.
func FuzzFormats(f *testing.F) {
	for i, format := range formats() {
		f.Add(uint8(i), []byte(format.Example+"\n"))
		f.Add(uint8(255), []byte(format.Example+"\n"+format.Example[:len(format.Example)/2]))
	}
	files, _ := filepath.Glob("testdata/formats/*.txt")
	for _, file := range files {
		all, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range strings.Split("\n"+string(all), "\n=== ")[1:] {
			_, rest, _ := strings.Cut(c, "\n")
			input, _, _ := strings.Cut(rest, "--- want\n")
			f.Add(uint8(255), []byte(input))
		}
	}
	f.Fuzz(func(t *testing.T, choice uint8, content []byte) {
		opts := Options{Stdin: strings.NewReader(string(content)), MaxLine: 100, MemoryLimit: 500, TempDir: t.TempDir(), Reference: noon}
		if all := formats(); int(choice) < len(all) {
			opts.Format = all[choice].Name
		}
		r, err := Open(context.Background(), []string{"-"}, opts)
		var unknown *FormatError
		if errors.As(err, &unknown) {
			return
		}
		if err != nil {
			t.Fatalf("Open: %v", err)
		}
		defer r.Close()
		var e ingest.Entry
		last, n := int64(-1<<63), int64(0)
		for {
			err := r.Next(context.Background(), &e)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("Next: %v", err)
			}
			if e.UnixNano < last || e.Stream == nil || !r.Window().Contains(e.UnixNano) && e.UnixNano != 1<<63-1 {
				t.Fatalf("entry %+v after %d, window %v", e, last, r.Window())
			}
			last = e.UnixNano
			n++
		}
		if s := r.Stats(); s.Entries != n {
			t.Fatalf("Stats = %+v after %d entries", s, n)
		}
	})
}

func TestPodPaths(t *testing.T) {
	for path, want := range map[string]string{
		"/var/log/pods/ns_portal-0_0af7651916cd/portal/0.log":                         `{container="portal", namespace="ns", pod="portal-0"}`,
		"/x/pods/ns_portal-0_0af7651916cd/portal/0.log.20260919-081016.gz":            `{container="portal", namespace="ns", pod="portal-0"}`,
		"/var/log/containers/portal-0_ns_portal-" + strings.Repeat("0a", 32) + ".log": `{container="portal", namespace="ns", pod="portal-0"}`,
		"/var/log/app_x_y.log": `{filename="app_x_y.log"}`,
	} {
		env := &environment{in: &input{path: path}, streams: &ingest.StreamTable{}, zone: time.UTC}
		if got := env.fileStream().Key; got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

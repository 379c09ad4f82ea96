package logfile

import (
	"context"
	"errors"
	"io"
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
			name: "otlp",
			content: `{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"portal"}},{"key":"k8s.pod.name","value":{"stringValue":"p"}}]},` +
				`"scopeLogs":[{"scope":{"name":"A.B"},"logRecords":[` +
				`{"timeUnixNano":"1789819202000000000","severityNumber":17,"severityText":"Error","body":{"stringValue":"x"},"traceId":"0af7","attributes":[{"key":"n","value":{"intValue":"5"}},{"key":"exception.stacktrace","value":{"stringValue":"E: y\n  at Z()\n"}}]},` +
				`{"observedTimeUnixNano":1789819200000000000,"body":{"kvlistValue":{"values":[]}}},{"body":{}}]}]}]}` + "\n",
			format: "otlp",
			want: []got{{t0, `{k8s_pod_name="p", service_name="portal"}`, `{"values":[]}`, true, false},
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

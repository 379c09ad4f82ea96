package logfile

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestStreamNameOfRotatedFiles(t *testing.T) {
	for name, want := range map[string]string{
		"-":                                   "stdin",
		"app.log":                             "app.log",
		"/var/log/app.log.1":                  "app.log",
		"app.log.12.gz":                       "app.log",
		"app.log-20260919":                    "app.log",
		"app.log-20260919.gz":                 "app.log",
		"app.log-2026091908.zst":              "app.log",
		"app.log.2026-09-19":                  "app.log",
		"app.log.2026-09-19.3":                "app.log",
		"app-2026-09-19.log":                  "app.log",
		"app-2026-09-19-1.log.gz":             "app.log",
		"app.2026-09-19.0.log":                "app.log",
		"app-2026-09-19T08-10-16.049.log.gz":  "app.log",
		"0.log.20260919-081016":               "0.log",
		"localhost_access_log.2026-09-19.txt": "localhost_access_log.txt",
		"portal-0.log":                        "portal-0.log",
		"portal-20.log":                       "portal-20.log",
		"build-12345678.log":                  "build-12345678.log",
		"2026-09-19.log":                      "2026-09-19.log",
		"10.0.0.1":                            "10.0.0.1",
		"release-2026.log":                    "release-2026.log",
	} {
		if got := streamName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestNameStreams(t *testing.T) {
	for _, c := range []struct{ paths, want []string }{
		{[]string{"a/app.log", "a/app.log.1", "b.log"}, []string{"app.log", "app.log", "b.log"}},
		{[]string{"logs/p-0/app.log", "logs/p-1/app.log", "logs/p-1/app.log.1.gz", "logs/x.log"}, []string{"p-0/app.log", "p-1/app.log", "p-1/app.log", "x.log"}},
		{[]string{"logs/app.log", "logs/old/app.log"}, []string{"app.log", "old/app.log"}},
		{[]string{"app.log", "old/app.log", "-"}, []string{"app.log", "old/app.log", "stdin"}},
		{[]string{"/a/p/app.log", "/b/p/app.log"}, []string{"a/p/app.log", "b/p/app.log"}},
		{[]string{"ab/app.log", "ac/app.log"}, []string{"ab/app.log", "ac/app.log"}},
	} {
		for range 2 {
			var inputs []*input
			for _, p := range c.paths {
				inputs = append(inputs, &input{path: p})
			}
			nameStreams(inputs)
			var got []string
			for _, in := range inputs {
				got = append(got, in.stream)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%q (-want +got):\n%s", c.paths, d)
			}
			slices.Reverse(c.paths)
			slices.Reverse(c.want)
		}
	}
}

func TestPodOfPath(t *testing.T) {
	for path, want := range map[string]string{
		"/var/log/pods/prod_portal-0_0b1c/portal/0.log":                   "prod/portal-0/portal",
		"pods/prod_portal-0_0b1c/portal/0.log.20260919-081016.gz":         "prod/portal-0/portal",
		"mg/namespaces/prod/pods/portal-0/portal/portal/logs/current.log": "prod/portal-0/portal",
		"mg/namespaces/prod/pods/portal-0/portal-0.yaml":                  "",
		"app.log": "",
		"/var/log/containers/portal-0_prod_portal-" + strings.Repeat("0a", 32) + ".log": "prod/portal-0/portal",
	} {
		got := ""
		if labels := podOfPath(path); labels != nil {
			s := ingest.NewStream(labels)
			got = s.Namespace + "/" + s.Pod + "/" + s.Container
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

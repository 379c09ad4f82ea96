package logfile

import "testing"

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

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

const (
	splitRule = `version: 1
rules:
  - id: shop.timeout
    match: {pattern: "Resilience event occurred. EventName: '<event>', Source: '<pipeline>/<instance>/<strategy>', Operation Key: '<_>', Result: '<_>'"}
    identity: {source: "<pipeline>", event: "<event>"}
  - id: shop.lost
    match: {pattern: "lease <_> lost"}
`
	withQuery = `defaults: {query: '{pod="web-2"}'}
`
)

// TestRulesCorpusFromLoki holds rules against what a server holds, with the
// flags of analyze.
func TestRulesCorpusFromLoki(t *testing.T) {
	web := func(pod string) []ingest.Label {
		return []ingest.Label{{Name: "namespace", Value: "shop"}, {Name: "pod", Value: pod}}
	}
	for _, c := range []struct {
		name    string
		options lokitest.Options
		more    string // what stands in the new rules beside splitRule
		args    []string
		code    int
		stdout  string
		stderr  string
	}{
		{
			name: "check", args: []string{"check", "--since", "24h", "new.yaml"},
			stdout: `shop\.lost matches none of 8 records \(rule/dead\)`, stderr: `shop\.timeout decides 8 records: 1 fingerprint, 1 Source`,
		},
		{
			name: "check by a query", args: []string{"check", "--since", "24h", "--query", `{pod="web-1"}`, "new.yaml"},
			stdout: `none of 5 records`, stderr: `query \{pod="web-1"\}`,
		},
		{
			name: "check by the rules' own query", more: withQuery, args: []string{"check", "--since", "24h", "new.yaml"},
			stdout: `none of 3 records`, stderr: `query \{pod="web-2"\}`,
		},
		{
			name: "check over an hour", args: []string{"check", "--query", `{pod="web-1"}`, "new.yaml"}, stdout: `none of 5 records`,
		},
		{
			name: "diff", args: []string{"diff", "old.yaml", "new.yaml", "--since", "24h", "--fail-on", "moved"}, code: 1,
			stdout: `(?s)^moved: .*\+ fp1:[0-9a-f]{16} shop-standard OnTimeout \(shop.timeout, 8 records\)`, stderr: `not accepted: 1 moved`,
		},
		{
			name: "diff by the new rules' query", more: withQuery, args: []string{"diff", "old.yaml", "new.yaml", "--since", "24h"},
			stdout: `1 moved \(3 records\); 3 of 3 records`,
		},
		{
			name: "diff of nothing", args: []string{"diff", "old.yaml", "old.yaml", "--from", "2020-01-01T00:00:00Z", "--to", "2020-01-01T01:00:00Z", "--query", `{pod="web-1"}`},
			stdout: `no record of 0`,
		},
		{
			name: "a window that is none", args: []string{"check", "--since", "soon", "new.yaml"}, code: 2, stderr: `--since "soon"`,
		},
		{
			name: "a selector that is none", args: []string{"check", "--query", `{pod=web}`, "new.yaml"}, code: 2, stderr: `position 6`,
		},
		{
			name: "refused", options: lokitest.Options{Token: "open-sesame"}, args: []string{"check", "--since", "24h", "--query", `{pod="web-1"}`, "new.yaml"}, code: 4,
			stderr: `401`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"old.yaml": "version: 1\n", "new.yaml": splitRule + c.more} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			server := lokitest.New(c.options)
			server.Push(append(timeouts(5, web("web-1")...), timeouts(3, web("web-2")...)...)...)
			t.Setenv("LOKI_ADDR", server.Start(t))
			var out, errs bytes.Buffer
			code := run(t.Context(), append([]string{"rules"}, c.args...), stdio{in: strings.NewReader(""), out: &out, err: &errs})
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, m := range []struct{ where, text, want string }{{"stdout", out.String(), c.stdout}, {"stderr", errs.String(), c.stderr}} {
				if !regexp.MustCompile(m.want).MatchString(m.text) {
					t.Errorf("%s does not match %s:\n%s", m.where, m.want, m.text)
				}
			}
		})
	}
}

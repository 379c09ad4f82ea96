package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// timeouts are n timeouts of one Source, a minute apart, the last a minute ago.
func timeouts(n int, labels ...ingest.Label) []lokitest.Entry {
	var out []lokitest.Entry
	start := time.Now().Add(-time.Duration(n) * time.Minute)
	for i := range n {
		out = append(out, lokitest.Entry{Labels: labels, UnixNano: start.Add(time.Duration(i) * time.Minute).UnixNano(),
			Line: "fail: Polly[0]\n      Resilience event occurred. EventName: 'OnTimeout', Source: 'shop-standard//Standard-AttemptTimeout', Operation Key: '', Result: ''"})
	}
	return out
}

// TestAnalyzeLoki holds what the command says, and with which exit code,
// against a server that gives it reason to.
func TestAnalyzeLoki(t *testing.T) {
	web := []ingest.Label{{Name: "namespace", Value: "shop"}, {Name: "pod", Value: "web-1"}}
	for _, c := range []struct {
		name    string
		options lokitest.Options
		entries []lokitest.Entry
		env     map[string]string
		args    []string
		code    int
		stdout  string // regular expressions, or empty
		stderr  string
	}{
		{
			name: "the user's own command", options: lokitest.Options{ServiceName: true}, entries: timeouts(5, web...),
			args: []string{"--since", "24h"}, code: 0,
			stdout: `5 records, 1.0/min, since`,
			stderr: `reading http://127\.0\.0\.1:\d+, query \{service_name=~"\.\+"\}, window \[.*Z, .*Z\), about .* in 1 streams`,
		},
		{
			name: "no service_name there", entries: append(timeouts(3, web...), timeouts(2, ingest.Label{Name: "namespace", Value: "other"})...),
			args: []string{"--since", "24h"}, stdout: `5 records`, stderr: `query \{namespace=~"\.\+"\}`,
		},
		{
			name: "a query from the environment", entries: timeouts(5, web...), env: map[string]string{"VDM_LOGS_QUERY": `{pod="web-1"}`},
			stdout: `5 records`, stderr: `query \{pod="web-1"\}`,
		},
		{
			name: "a query from the flag beats the environment", entries: timeouts(5, web...), env: map[string]string{"VDM_LOGS_QUERY": `{pod="web-2"}`},
			args: []string{"--query", `{pod="web-1"} |= "OnTimeout"`}, stdout: `5 records`, stderr: `query \{pod="web-1"\} \|= "OnTimeout"`,
		},
		{
			name: "an hour without --since", entries: timeouts(90, web...), args: []string{"--query", `{pod="web-1"}`, "-o", "json"},
			stdout: `"records": (59|60),`,
		},
		{
			name: "nothing there", entries: nil, args: []string{"--since", "24h"}, code: 2, stderr: `has no label in window`,
		},
		{
			name: "a bad selector", args: []string{"--query", `{pod=web}`}, code: 2, stderr: `position 6:`,
		},
		{
			name: "a selector that PromQL takes and Loki does not", args: []string{"--query", `{pod=~".*"}`}, code: 2, stderr: `position 1:.*at least one matcher`,
		},
		{
			name: "too much to read", entries: timeouts(50, web...), args: []string{"--query", `{pod="web-1"}`, "--max-read", "1KiB"}, code: 2,
			stderr: `would read about .*, more than --max-read 1KiB; it reads every line: there is little to read\n(.*\n)*Narrow it`,
		},
		{
			name: "as much as it takes", entries: timeouts(50, web...), args: []string{"--query", `{pod="web-1"}`, "--max-read", "0"}, stdout: `50 records`,
		},
		{
			name: "a size that is none", args: []string{"--query", `{pod="web-1"}`, "--max-read", "lots"}, code: 2, stderr: `"lots" is no size`,
		},
		{
			name: "no credentials", options: lokitest.Options{Token: "open-sesame"}, entries: timeouts(2, web...), args: []string{"--query", `{pod="web-1"}`}, code: 4,
			stderr: `401|403`,
		},
		{
			name: "credentials from the environment", options: lokitest.Options{Token: "open-sesame"}, entries: timeouts(2, web...), args: []string{"--query", `{pod="web-1"}`},
			env: map[string]string{"LOKI_BEARER_TOKEN": "open-sesame"}, stdout: `2 records`,
		},
		{
			name: "no tenant", options: lokitest.Options{NeedTenant: true}, entries: timeouts(2, web...), args: []string{"--query", `{pod="web-1"}`}, code: 4,
			stderr: `LOKI_ORG_ID`,
		},
		{
			name: "not Loki", options: lokitest.Options{Fault: func(int, *http.Request) lokitest.Fault { return lokitest.Fault{HTML: true} }},
			args: []string{"--query", `{pod="web-1"}`}, code: 5, stderr: `is no Loki`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := lokitest.New(c.options)
			server.Push(c.entries...)
			t.Setenv("LOKI_ADDR", server.Start(t))
			for k, v := range c.env {
				t.Setenv(k, v)
			}
			var out, errs bytes.Buffer
			code := run(t.Context(), append([]string{"analyze"}, c.args...), stdio{in: strings.NewReader(""), out: &out, err: &errs})
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, m := range []struct{ where, text, want string }{{"stdout", out.String(), c.stdout}, {"stderr", errs.String(), c.stderr}} {
				if !regexp.MustCompile(m.want).MatchString(m.text) {
					t.Errorf("%s does not match %s:\n%s", m.where, m.want, m.text)
				}
			}
			if strings.Contains(out.String()+errs.String(), "open-sesame") {
				t.Errorf("the token is shown:\n%s%s", out.String(), errs.String())
			}
		})
	}
}

func TestAnalyzeUnreachableLoki(t *testing.T) {
	t.Setenv("LOKI_CLIENT_RETRIES", "0")
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"analyze", "--loki", "http://127.0.0.1:1", "--since", "1h"}, stdio{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitUnreachable || !strings.Contains(errs.String(), "127.0.0.1:1") {
		t.Errorf("exit code %d, want %d and the address:\n%s", code, exitUnreachable, errs.String())
	}
}

// TestAnalyzeInterrupted interrupts reading half-way: what is known is
// printed, marked partial, with exit code 130.
func TestAnalyzeInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ranges := 0
	server := lokitest.New(lokitest.Options{Fault: func(_ int, r *http.Request) lokitest.Fault {
		if strings.HasSuffix(r.URL.Path, "/query_range") && strings.HasPrefix(r.FormValue("query"), "{") {
			if ranges++; ranges == 6 {
				cancel()
			}
		}
		return lokitest.Fault{}
	}})
	server.Push(timeouts(600, ingest.Label{Name: "pod", Value: "web-1"})...)
	var out, errs bytes.Buffer
	code := run(ctx, []string{"analyze", "-o", "json", "--loki", server.Start(t), "--since", "24h", "--query", `{pod="web-1"}`, "--batch", "20", "--parallel", "1"},
		stdio{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	var an analyze.Analysis
	if err := json.Unmarshal(out.Bytes(), &an); err != nil {
		t.Fatalf("what was known is not printed: %v\n%s", err, errs.String())
	}
	if !an.Read.Partial || an.Read.Entries == 0 || an.Read.Entries >= 600 || len(an.Incidents) != 1 {
		t.Errorf("partial %v after %d entries, %d incidents; want true, some of 600, and 1", an.Read.Partial, an.Read.Entries, len(an.Incidents))
	}
}

func TestExitCodePrecedence(t *testing.T) {
	all := []int{exitPartial, exitNo, exitUnreachable, exitRefused, exitUsage}
	for i := range all {
		var err error
		for _, code := range all[:i+1] {
			err = fmt.Errorf("while testing: %w", joined{err, codeError{code: code}})
		}
		if got := exitCode(t.Context(), err); got != all[i] {
			t.Errorf("of %v the exit code is %d, want %d", all[:i+1], got, all[i])
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got := exitCode(ctx, err); got != exitInterrupted {
			t.Errorf("interrupted, with %v: %d, want %d", all[:i+1], got, exitInterrupted)
		}
	}
	if got := exitCode(t.Context(), nil); got != exitOK {
		t.Errorf("no error: exit code %d", got)
	}
}

// joined is an error of several, as errors.Join makes, that may hold nil.
type joined []error

func (j joined) Error() string { return fmt.Sprint([]error(j)) }
func (j joined) Unwrap() []error {
	var out []error
	for _, err := range j {
		if err != nil {
			out = append(out, err)
		}
	}
	return out
}

func TestSpoken(t *testing.T) {
	a, b := errors.New("a"), usageError{err: errors.New("b")}
	err := errors.Join(errors.Join(a, codeError{code: exitPartial}), nil, b, codeError{code: exitNo})
	if got := fmt.Sprint(spoken(err)); got != "[a b]" {
		t.Errorf("spoken: %s, want [a b]", got)
	}
}

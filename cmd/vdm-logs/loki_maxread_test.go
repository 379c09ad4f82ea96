package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestMaxRead judges what each way of reading Loki would read against
// --max-read: a log that is too large to be read whole may well be filtered or
// counted.
func TestMaxRead(t *testing.T) {
	narrowly(t)
	s := lokitest.New(lokitest.Options{ServiceName: true})
	s.Push(quietDay(12000)...)
	addr := s.Start(t)
	for _, c := range []struct {
		mode, query, bound string
		code               int
		stderr             string // regular expression
		incidents          int
	}{
		// The day has 774 KiB, of which filters leave 8 lines.
		{"--no-push-filters", "", "1MiB", exitOK, "", 1},
		{"--no-push-filters", "", "100KiB", exitUsage, `would read about \d+\.\d KiB, more than --max-read 100KiB; it reads every line: --no-push-filters\n(.*\n)*Or allow it: --max-read 9\d\d\.\dKiB`, 0},
		{"--no-push-filters", ` |= "TimeoutException"`, "100KiB", exitOK, "", 1},
		{"--no-push-filters", ` |= "served"`, "100KiB", exitUsage, `would read about \d+\.\d KiB`, 0},
		{"--pushdown=false", "", "100KiB", exitOK, "", 1},
		{"--pushdown=false", "", "4KiB", exitOK, "", 1},
		{"--pushdown=false", "", "1000", exitPartial, `after the entry of 2027-03-09T\d\d:\d\d:\d\d.*may be read\n(.*\n)*Or allow it: --max-read 3\.9KiB`, 1},
		{"--pushdown=false", "", "100", exitUsage, `more lines that may matter than --max-read 100\n(.*\n)*Or allow it: --max-read 400B`, 0},
		{"--pushdown=false", "", "250", exitUsage, `would read about .*, more than --max-read 250; it reads the lines that may matter and what stands around them`, 0},
		{"--pushdown", "", "100KiB", exitOK, "", 1},
		{"--pushdown", "", "100", exitUsage, `more lines that may matter than --max-read 100`, 0},
		{"--pushdown", "", "0", exitOK, "", 1},
	} {
		t.Run(fmt.Sprint(c.mode, c.query, " ", c.bound), func(t *testing.T) {
			args := []string{"analyze", "-o", "json", "--loki", addr, "--query", `{namespace="shop"}` + c.query, "--from", "2027-03-09T00:00:00Z", "--to", "2027-03-10T00:00:00Z", "--max-read", c.bound, c.mode}
			var out, errs bytes.Buffer
			if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != c.code {
				t.Fatalf("exit code %d, want %d:\n%s", code, c.code, errs.String())
			}
			if !regexp.MustCompile(c.stderr).MatchString(errs.String()) {
				t.Errorf("standard error does not match %s:\n%s", c.stderr, errs.String())
			}
			var an analyze.Analysis
			json.Unmarshal(out.Bytes(), &an)
			// What is partial may end inside a record, which is another then.
			if n := len(an.Incidents); n != c.incidents && !(c.code == exitPartial && n == c.incidents+1) {
				t.Errorf("%d incidents, want %d", n, c.incidents)
			}
		})
	}
}

// TestMaxReadOnTheWay has a server that knows no size, so that the bound is
// only met while reading: what lies before is told, as partial.
func TestMaxReadOnTheWay(t *testing.T) {
	s := lokitest.New(lokitest.Options{ServiceName: true, Fault: noStats})
	s.Push(quietDay(12000)...)
	args := []string{"analyze", "-o", "json", "--loki", s.Start(t), "--query", `{namespace="shop"}`, "--from", "2027-03-09T00:00:00Z", "--to", "2027-03-10T00:00:00Z", "--max-read", "300KiB", "--no-push-filters"}
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != exitPartial {
		t.Errorf("exit code %d, want %d", code, exitPartial)
	}
	var an analyze.Analysis
	if err := json.Unmarshal(out.Bytes(), &an); err != nil {
		t.Fatal(err)
	}
	if an.Read.Bytes > 300<<10 || an.Read.Bytes < 299<<10 || len(an.Incidents) == 0 || !an.Read.Partial || len(an.Read.Gaps) != 1 {
		t.Errorf("%d bytes, %d incidents, partial %v, gaps %+v", an.Read.Bytes, len(an.Incidents), an.Read.Partial, an.Read.Gaps)
	}
	if !strings.Contains(errs.String(), "Or allow it: --max-read") {
		t.Errorf("no way out is told:\n%s", errs.String())
	}
}

// noStats answers as a server that has no index statistics.
func noStats(_ int, r *http.Request) lokitest.Fault {
	if strings.HasSuffix(r.URL.Path, "/index/stats") {
		return lokitest.Fault{Status: http.StatusNotFound}
	}
	return lokitest.Fault{}
}

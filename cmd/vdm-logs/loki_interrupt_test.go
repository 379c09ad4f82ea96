package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// interruptedAt runs analyze and interrupts it at a request, counted from 0,
// which is held back until the client gives up. It returns how many requests
// there were.
func interruptedAt(t *testing.T, at int64, logs []lokitest.Entry, args ...string) (code int, out, errs string, requests int64, asked string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var seen atomic.Int64
	var what atomic.Value
	what.Store("")
	s := lokitest.New(lokitest.Options{ServiceName: true, Fault: func(_ int, r *http.Request) lokitest.Fault {
		if seen.Add(1)-1 != at {
			return lokitest.Fault{}
		}
		what.Store(r.URL.Path + " " + r.FormValue("query"))
		cancel()
		return lokitest.Fault{Late: true}
	}})
	s.Push(logs...)
	var stdout, stderr bytes.Buffer
	code = run(ctx, append(args, "--loki", s.Start(t)), stdio{in: strings.NewReader(""), out: &stdout, err: &stderr})
	return code, stdout.String(), stderr.String(), seen.Load(), what.Load().(string)
}

// TestInterrupt interrupts each way of reading Loki at requests spread over
// its run, and wants what is known until then, marked as partial, with what was
// not read and exit code 130, and nothing said twice.
func TestInterrupt(t *testing.T) {
	narrowly(t)
	logs := quietDay(2400)
	args := []string{"analyze", "-o", "json", "--query", `{namespace="shop"}`, "--from", "2027-03-09T00:00:00Z", "--to", "2027-03-10T00:00:00Z"}
	for _, mode := range []string{"--no-push-filters", "--pushdown=false", "--pushdown"} {
		t.Run(mode, func(t *testing.T) {
			args := append(args, mode)
			code, _, errs, all, _ := interruptedAt(t, -1, logs, args...)
			if code != exitOK {
				t.Fatalf("exit code %d: %s", code, errs)
			}
			places := map[int64]bool{0: true, 1: true, 2: true, 3: true, all - 1: true}
			for i := range int64(12) {
				places[i*all/12] = true
			}
			told := 0
			for at := range places {
				code, out, errs, _, asked := interruptedAt(t, at, logs, args...)
				if asked == "" {
					continue // requests that run at once are not always as many
				}
				t.Run(fmt.Sprintf("%d of %d", at, all), func(t *testing.T) {
					told += checkInterrupted(t, logs, code, out, errs)
					if t.Failed() {
						t.Logf("interrupted at %s\n%s%.2000s", asked, errs, out)
					}
				})
			}
			if told < len(places)/3 {
				t.Errorf("of %d interrupted runs, %d say what is known", len(places), told)
			}
		})
	}
}

// checkInterrupted holds what an interrupted run says against the logs. It
// returns 1 if it says anything but that it was interrupted.
func checkInterrupted(t *testing.T, logs []lokitest.Entry, code int, out, errs string) int {
	if code != exitInterrupted {
		t.Errorf("exit code %d, want %d", code, exitInterrupted)
	}
	if strings.Contains(out+errs, "context canceled") {
		t.Error("it says how the program works inside")
	}
	said := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(errs), "\n") {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "vdm-logs: "), "not read: ")
		if said[line] {
			t.Errorf("said twice: %s", line)
		}
		said[line] = true
	}
	if !strings.Contains(errs, "interrupted") {
		t.Error("standard error does not say that it was interrupted")
	}
	if out == "" {
		return 0 // nothing is known before the server has told its size
	}
	var an analyze.Analysis
	if err := json.Unmarshal([]byte(out), &an); err != nil {
		t.Fatal(err)
	}
	if !an.Read.Partial || len(an.Read.Gaps) == 0 {
		t.Fatalf("partial %v, gaps %v", an.Read.Partial, an.Read.Gaps)
	}
	last := an.Read.Gaps[len(an.Read.Gaps)-1]
	if last.Reason != "interrupted" || !last.End.Equal(an.Window.End.Time) {
		t.Errorf("the last gap is %+v of the window %+v", last, an.Window)
	}
	first := an.Read.Gaps[0].Start.UnixNano()
	red, before := int64(0), int64(0)
	for _, e := range logs {
		if e.UnixNano < first {
			before++
			if strings.HasPrefix(e.Line, "fail: ") && e.UnixNano < first-int64(time.Second) {
				red++
			}
		}
	}
	if an.Read.Server.Mode == analyze.ServerWhole && an.Read.Entries < before {
		t.Errorf("%d entries, where %d lie before the first gap", an.Read.Entries, before)
	}
	if s := an.Read.Server; s.Mode == analyze.ServerPushdown && s.HitLines > 0 && len(an.Incidents) == 0 && !strings.Contains(strings.Join(an.Read.Problems, " "), "records were found by their lines") {
		t.Errorf("%d lines that matter were fetched, and nothing is said of them", s.HitLines)
	}
	records := int64(0)
	for _, i := range an.Incidents {
		records += i.Records
	}
	if records < red {
		t.Errorf("%d records of incidents, where %d lie before the first gap", records, red)
	}
	return 1
}

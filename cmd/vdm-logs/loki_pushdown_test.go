package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// pushedIncident is what of an incident the server can count without reading it.
type pushedIncident struct {
	Fingerprint, Source, Level string
	Records                    int64
	First, Last                string
	Pods                       []string
	Timeline                   []int64
	Recurrences                []analyze.Recurrence
}

func pushedIncidents(an *analyze.Analysis) map[string]pushedIncident {
	out := map[string]pushedIncident{}
	for _, i := range an.Incidents {
		out[i.Fingerprint] = pushedIncident{i.Fingerprint, i.Source, i.Level, i.Records, i.FirstSeen.String(), i.LastSeen.String(), i.Pods, i.Timeline, i.Recurrences}
	}
	return out
}

// TestPushdownEqualsWhole wants the incidents, their counts and times and their
// recurrences from a server that counted them, as from reading every line.
func TestPushdownEqualsWhole(t *testing.T) {
	type source struct {
		name string
		args []string
		logs string
	}
	var all []source
	for _, s := range scenarios(t) {
		all = append(all, source{s.name, s.args, s.logs})
	}
	for _, kind := range []struct {
		name string
		draw func(seed uint64) (w *world, parameters string)
	}{{"masked", drawMasked}, {"outer", drawOuter}, {"several", drawSeveral}, {"stage", drawStage}} {
		for seed := range max(*sweep, 4) {
			w, _ := kind.draw(seed + 2000)
			args, logs := w.files(t)
			all = append(all, source{fmt.Sprintf("%s/%d", kind.name, seed), args, logs})
		}
	}
	pushed, read, total := 0, int64(0), int64(0)
	for i, c := range all {
		t.Run(c.name, func(t *testing.T) {
			addr, _ := serve(t, c.logs, lokitest.Options{ServiceName: true, Shuffle: uint64(i)})
			file, _ := analyzed(t, append(slices.Clone(c.args), c.logs)...)
			args := append(slices.Clone(c.args), "--loki", addr, "--query", `{namespace=~".+"}`,
				"--from", file.Window.Start.String(), "--to", file.Window.End.String())
			whole, _ := analyzed(t, append(args, "--no-push-filters")...)
			an, _ := analyzed(t, append(args, "--pushdown")...)
			s := an.Read.Server
			if s.Mode != analyze.ServerPushdown {
				t.Logf("not pushed down: %s %q", s.Reason, s.Notes)
				return
			}
			want, got := pushedIncidents(whole), pushedIncidents(an)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("incidents (-whole +pushed down):\n%s", diff)
			}
			if i := slices.IndexFunc(s.Notes, func(n string) bool { return strings.Contains(n, "another Source") }); i >= 0 {
				t.Error(s.Notes[i])
			}
			if len(s.Counts) == 0 || len(s.Notes) == 0 {
				t.Errorf("it does not say what was counted: %+v", s)
			}
			pushed++
			read, total = read+s.HitBytes+an.Read.Bytes, total+whole.Read.Bytes
		})
	}
	t.Logf("%d of %d pushed down: %d bytes read instead of %d", pushed, len(all), read, total)
	if pushed < len(all)/2 {
		t.Errorf("only %d of %d were pushed down", pushed, len(all))
	}
}

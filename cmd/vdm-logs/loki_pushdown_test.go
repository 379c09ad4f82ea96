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
	for seed := range max(*sweep, 2) {
		w, _ := drawMasked(seed + 2000)
		args, logs := w.files(t)
		all = append(all, source{fmt.Sprint("masked/", seed), args, logs})
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
			if strings.HasPrefix(c.name, "masked/") {
				// Records that other writers' lines fall into are counted as
				// samples are: now and then by one too many.
				roughly(t, want, got)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("incidents (-whole +pushed down):\n%s", diff)
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

// roughly wants the same incidents with the same counts, but for one record in
// a hundred, and recurrences of the same lengths.
func roughly(t *testing.T, want, got map[string]pushedIncident) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%d incidents, want %d", len(got), len(want))
	}
	for id, w := range want {
		g := got[id]
		if off := g.Records - w.Records; off < -1-w.Records/100 || off > 1+w.Records/100 {
			t.Errorf("%s: %d records, want %d", w.Source, g.Records, w.Records)
		}
		if len(w.Recurrences) != len(g.Recurrences) {
			t.Errorf("%s: %d recurrences, want %d", w.Source, len(g.Recurrences), len(w.Recurrences))
			continue
		}
		for i, r := range w.Recurrences {
			if g.Recurrences[i].Period != r.Period || g.Recurrences[i].Kind != r.Kind {
				t.Errorf("%s: every %s, %s; want %s, %s", w.Source, g.Recurrences[i].Period, g.Recurrences[i].Kind, r.Period, r.Kind)
			}
		}
	}
}

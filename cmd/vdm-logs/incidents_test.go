package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

// truth is what must be found in a scenario of testdata/incidents. Everything
// in it is a closed set: what it neither asks for nor allows is a fault.
type truth struct {
	Incidents []wantIncident `json:"incidents"`
	Folds     []struct {
		MaskedID  string `json:"masked_id"`
		Records   int64  `json:"records"`
		Incidents []int  `json:"incidents"`
	} `json:"masked_folds"`
	Findings []string `json:"findings"`
	Allowed  []string `json:"findings_allowed"`
	// Recurrences are those of incidents that have several. Where there are
	// any, they are all there are.
	Recurrences []wantRecurrence `json:"recurrences"`
}

type wantRecurrence struct {
	Source   string `json:"source"`
	Pod      string `json:"pod"`
	PeriodNs int64  `json:"period_ns"`
	Kind     string `json:"kind"`
}

type wantIncident struct {
	Source     string   `json:"source"`
	Records    int64    `json:"records"`
	Pods       []string `json:"pods"`
	First      string   `json:"first_seen"`
	Last       string   `json:"last_seen"`
	PeriodNs   int64    `json:"period_ns"`
	Kinds      []string `json:"period_kinds"`
	AlsoNs     []int64  `json:"also_periods_ns"`
	Match      string   `json:"recurrence_match"`
	Stage      string   `json:"stage"`
	Budget     string   `json:"stage_budget"`
	BytesMax   *int64   `json:"bytes_received_max"`
	Duplicates *int64   `json:"duplicate_records"`

	several bool // recurrences are judged by truth.Recurrences
}

// scenario is one folder of testdata/incidents.
type scenario struct {
	name string
	dir  string
	args []string // analyze -o json with its rules, without input
	logs string
	want truth
}

func scenarios(t testing.TB) []scenario {
	dirs, err := filepath.Glob("../../testdata/incidents/*/truth.json")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	var out []scenario
	for _, path := range dirs {
		dir := filepath.Dir(path)
		s := scenario{name: filepath.Base(dir), dir: dir, args: []string{"analyze", "-o", "json"}, logs: filepath.Join(dir, "logs.jsonl.zst")}
		b, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(b, &s.want)
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if context := filepath.Join(dir, "context.yaml"); exists(context) {
			s.args = append(s.args, "--rules", context)
		}
		out = append(out, s)
	}
	return out
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// analyzed runs the command and returns its result.
func analyzed(t testing.TB, args ...string) (*analyze.Analysis, []byte) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, stdio{in: strings.NewReader(""), out: &out, err: &errs}); code != 0 {
		t.Fatalf("vdm-logs %s: exit code %d\n%s", strings.Join(args, " "), code, errs.String())
	}
	var an analyze.Analysis
	if err := json.Unmarshal(out.Bytes(), &an); err != nil {
		t.Fatalf("output of vdm-logs %s: %v", strings.Join(args, " "), err)
	}
	return &an, out.Bytes()
}

func TestScenarios(t *testing.T) {
	for _, s := range scenarios(t) {
		t.Run(s.name, func(t *testing.T) {
			an, _ := analyzed(t, append(s.args, s.logs)...)
			for _, fault := range s.want.faults(an) {
				t.Error(fault)
			}
		})
	}
}

// faults lists everything in which an analysis differs from the truth.
func (w *truth) faults(an *analyze.Analysis) []string {
	var out []string
	fault := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	index := make([]int, len(w.Incidents))
	matched := map[int]bool{}
	for i, wi := range w.Incidents {
		first, _ := time.Parse(time.RFC3339Nano, wi.First)
		index[i] = slices.IndexFunc(an.Incidents, func(g analyze.Incident) bool { return g.Source == wi.Source && g.FirstSeen.Equal(first) })
		if index[i] < 0 {
			fault("no incident of Source %q first seen %s", wi.Source, wi.First)
			continue
		}
		matched[index[i]] = true
		wi.several = len(w.Recurrences) > 0
		for _, f := range wi.faults(&an.Incidents[index[i]]) {
			fault("%s (%s): %s", wi.Source, wi.First, f)
		}
	}
	for i, g := range an.Incidents {
		if !matched[i] && (g.Occurrences > 0 || g.DuplicateOf == "") {
			fault("incident that is none: %s %s, %d occurrences", g.Source, g.Template, g.Occurrences)
		}
	}
	out = append(out, w.recurrenceFaults(an)...)
	for _, f := range w.Folds {
		i := slices.IndexFunc(an.MaskedFolds, func(g analyze.MaskedFold) bool { return f.MaskedID == "" || g.MaskedID == f.MaskedID })
		if i < 0 || an.MaskedFolds[i].Records != f.Records || len(an.MaskedFolds[i].Fingerprints) != len(f.Incidents) {
			fault("masked fold %s of %d records: got %+v", f.MaskedID, f.Records, an.MaskedFolds)
			continue
		}
		for _, wi := range f.Incidents {
			if index[wi] >= 0 && !slices.Contains(an.MaskedFolds[i].Fingerprints, an.Incidents[index[wi]].Fingerprint) {
				fault("masked fold %s lacks %s", f.MaskedID, w.Incidents[wi].Source)
			}
		}
	}
	if len(an.MaskedFolds) != len(w.Folds) {
		fault("%d masked folds, want %d", len(an.MaskedFolds), len(w.Folds))
	}
	for _, f := range w.Findings {
		kind, subject, _ := strings.Cut(f, " ")
		if !slices.ContainsFunc(an.Findings, func(g analyze.Finding) bool {
			return string(g.Kind) == kind && g.Subject == subject && g.Message != ""
		}) {
			fault("no finding %s", f)
		}
	}
	may := append(slices.Clone(w.Findings), w.Allowed...)
	for _, g := range an.Findings {
		if !slices.Contains(may, string(g.Kind)) && !slices.Contains(may, string(g.Kind)+" "+g.Subject) {
			fault("finding that is none: %s %s: %s", g.Kind, g.Subject, g.Message)
		}
	}
	return out
}

// recurrenceFaults holds the recurrences of a truth that lists them.
func (w *truth) recurrenceFaults(an *analyze.Analysis) []string {
	if len(w.Recurrences) == 0 {
		return nil
	}
	var out []string
	same := func(want wantRecurrence, g *analyze.Incident, r analyze.Recurrence) bool {
		return want.Source == g.Source && slices.Contains(r.Pods, want.Pod) && max(r.PeriodNs-want.PeriodNs, want.PeriodNs-r.PeriodNs)*100 <= want.PeriodNs
	}
	for _, want := range w.Recurrences {
		if !slices.ContainsFunc(an.Incidents, func(g analyze.Incident) bool {
			return slices.ContainsFunc(g.Recurrences, func(r analyze.Recurrence) bool { return same(want, &g, r) && r.Kind == want.Kind })
		}) {
			out = append(out, fmt.Sprintf("%s on %s: no recurrence of %s, %s", want.Source, want.Pod, time.Duration(want.PeriodNs), want.Kind))
		}
	}
	for _, g := range an.Incidents {
		for _, r := range g.Recurrences {
			if !slices.ContainsFunc(w.Recurrences, func(want wantRecurrence) bool { return same(want, &g, r) }) {
				out = append(out, fmt.Sprintf("%s: recurrence of %s, %s, on %v that is none", g.Source, r.Period, r.Kind, r.Pods))
			}
		}
	}
	return out
}

func (w *wantIncident) faults(g *analyze.Incident) []string {
	var out []string
	expect := func(ok bool, format string, args ...any) {
		if !ok {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	last, _ := time.Parse(time.RFC3339Nano, w.Last)
	expect(g.Records == w.Records, "records %d, want %d", g.Records, w.Records)
	expect(g.LastSeen.Equal(last), "last seen %s, want %s", g.LastSeen, w.Last)
	expect(slices.Equal(g.Pods, w.Pods), "pods %v, want %v", g.Pods, w.Pods)
	expect(len(g.Samples) > 0 && len(g.Samples) <= 10 && g.Samples[0].Line != "", "samples %d", len(g.Samples))
	close := func(a, b int64) bool { return max(a-b, b-a)*100 <= b }
	found := w.PeriodNs == 0 || w.several
	for _, r := range g.Recurrences {
		if w.several {
			break
		}
		known := w.PeriodNs > 0 && close(r.PeriodNs, w.PeriodNs) || slices.ContainsFunc(w.AlsoNs, func(ns int64) bool { return close(r.PeriodNs, ns) })
		expect(known, "recurrence of %s that is none", r.Period)
		named := w.Match == "" || slices.ContainsFunc(r.Matches, func(m analyze.Match) bool { return m.Name == w.Match })
		found = found || close(r.PeriodNs, w.PeriodNs) && slices.Contains(w.Kinds, r.Kind) && named
	}
	expect(found, "no recurrence of %s, kind in %v, matching %q: got %+v", time.Duration(w.PeriodNs), w.Kinds, w.Match, g.Recurrences)
	if w.Stage != "" {
		expect(g.Stage != nil && g.Stage.Name == w.Stage, "stage %+v, want %s", g.Stage, w.Stage)
	}
	if w.Budget != "" {
		expect(g.Stage != nil && g.Stage.Budget == w.Budget, "stage %+v, want budget %s", g.Stage, w.Budget)
	}
	if w.BytesMax != nil {
		expect(g.Stage != nil && g.Stage.BytesReceived.Max != nil && *g.Stage.BytesReceived.Max == *w.BytesMax, "stage %+v, want at most %d bytes received", g.Stage, *w.BytesMax)
	}
	if w.Duplicates != nil {
		expect(g.Duplicates == *w.Duplicates, "%d duplicates, want %d", g.Duplicates, *w.Duplicates)
	}
	return out
}

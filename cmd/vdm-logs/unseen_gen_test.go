package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// world is a log in the making together with its truth: what is told to it as
// a fault is counted where the truth wants it counted.
type world struct {
	rng     *rand.Rand
	pods    []genPod
	entries []genEntry
	want    truth
	index   map[string]int // of want.Incidents, by key
	format  format
	// tie puts all lines of a record on one time, cut to this resolution.
	tie time.Duration
	// whole ships a record as one entry with line breaks in it.
	whole bool
	rules string
}

type genPod struct{ namespace, app, name string }

type genEntry struct {
	t    time.Time
	pod  genPod
	line string
}

var dawn = time.Date(2027, 3, 9, 5, 0, 0, 0, time.UTC)

func newWorld(seed uint64, f format) *world {
	w := &world{rng: rand.New(rand.NewPCG(seed, 7)), index: map[string]int{}, format: f}
	for _, p := range []string{"shop-api-5d9c7b7f4-abcde", "shop-api-5d9c7b7f4-q2w4r", "shop-api-5d9c7b7f4-zz9pl"} {
		w.pods = append(w.pods, genPod{"shop", "shop-api", p})
	}
	w.pods = append(w.pods, genPod{"shop-eu", "shop-eu-api", "shop-eu-api-0"}, genPod{"shop-eu", "shop-eu-api", "shop-eu-api-1"})
	return w
}

// emit writes a record.
func (w *world) emit(p genPod, at time.Time, r rec) time.Time {
	if w.tie > 0 {
		at = at.Truncate(w.tie)
	}
	lines := w.format(r, at)
	if w.whole {
		lines = []string{strings.Join(lines, "\n")}
	}
	for i, l := range lines {
		t := at
		if w.tie == 0 {
			t = at.Add(time.Duration(i) * 31 * time.Microsecond)
		}
		w.entries = append(w.entries, genEntry{t, p, l})
	}
	return at
}

// fault writes a record that belongs to the incident of this key and source.
func (w *world) fault(key, source string, p genPod, at time.Time, r rec) {
	at = w.emit(p, at, r)
	i, ok := w.index[key]
	if !ok {
		i = len(w.want.Incidents)
		w.index[key] = i
		w.want.Incidents = append(w.want.Incidents, wantIncident{Source: source, First: at.Format(time.RFC3339Nano), Last: at.Format(time.RFC3339Nano)})
	}
	inc := &w.want.Incidents[i]
	inc.Records++
	if !slices.Contains(inc.Pods, p.name) {
		inc.Pods = append(inc.Pods, p.name)
		slices.Sort(inc.Pods)
	}
	if first, _ := time.Parse(time.RFC3339Nano, inc.First); at.Before(first) {
		inc.First = at.Format(time.RFC3339Nano)
	}
	if last, _ := time.Parse(time.RFC3339Nano, inc.Last); at.After(last) {
		inc.Last = at.Format(time.RFC3339Nano)
	}
}

// incident returns the truth about a key.
func (w *world) incident(key string) *wantIncident { return &w.want.Incidents[w.index[key]] }

// expect adds findings that must be there, allow such as may be.
func (w *world) expect(findings ...string) { w.want.Findings = append(w.want.Findings, findings...) }
func (w *world) allow(findings ...string)  { w.want.Allowed = append(w.want.Allowed, findings...) }

// fold says that the incidents of these keys are counted under one masked id.
func (w *world) fold(id string, keys ...string) {
	f := struct {
		MaskedID  string `json:"masked_id"`
		Records   int64  `json:"records"`
		Incidents []int  `json:"incidents"`
	}{MaskedID: id}
	for _, k := range keys {
		f.Incidents = append(f.Incidents, w.index[k])
		f.Records += w.incident(k).Records
	}
	w.want.Folds = append(w.want.Folds, f)
	w.expect("source-folded " + id)
}

// foldAny is fold under whatever masked id these records have, of which the
// truth knows no more than that it is one.
func (w *world) foldAny(keys ...string) {
	w.fold("", keys...)
	w.want.Findings = w.want.Findings[:len(w.want.Findings)-1]
	w.allow("source-folded")
}

func (w *world) pick() genPod { return w.pods[w.rng.IntN(len(w.pods))] }

func (w *world) uniform(from, to time.Time) time.Time {
	return from.Add(time.Duration(w.rng.Int64N(int64(to.Sub(from)))))
}

func (w *world) jitter(d time.Duration) time.Duration {
	return time.Duration(w.rng.NormFloat64() * float64(d))
}

// uuid returns a random one.
func (w *world) uuid() string {
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", w.rng.Uint32(), w.rng.IntN(1<<16), w.rng.IntN(1<<12), w.rng.IntN(1<<12), w.rng.Int64N(1<<48))
}

// files writes the logs and the rules, and returns the command's arguments.
func (w *world) files(t testing.TB) (args []string, logs string) {
	t.Helper()
	slices.SortStableFunc(w.entries, func(a, b genEntry) int { return a.t.Compare(b.t) })
	dir := t.TempDir()
	var b strings.Builder
	for _, e := range w.entries {
		line, err := json.Marshal(map[string]any{
			"labels": map[string]string{"namespace": e.pod.namespace, "app": e.pod.app, "container": e.pod.app, "pod": e.pod.name},
			"line":   e.line, "timestamp": e.t.Format(time.RFC3339Nano),
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	logs = filepath.Join(dir, "logs.jsonl")
	if err := os.WriteFile(logs, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args = []string{"analyze", "-o", "json"}
	if w.rules != "" {
		rules := filepath.Join(dir, "context.yaml")
		if err := os.WriteFile(rules, []byte("version: 1\n"+w.rules), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--rules", rules)
	}
	return args, logs
}

// check analyzes the world and holds the result against its truth.
func (w *world) check(t testing.TB) {
	t.Helper()
	args, logs := w.files(t)
	an, _ := analyzed(t, append(args, logs)...)
	for _, fault := range w.want.faults(an) {
		t.Error(fault)
	}
}

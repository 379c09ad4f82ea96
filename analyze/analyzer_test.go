package analyze

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
	"github.com/vdm-logs/vdm-logs/ingest"
)

// script is a log in the making: records of several pods as a console writes
// them.
type script struct {
	t       *testing.T
	streams map[string]*ingest.Stream
	entries []ingest.Entry
	read    Read
}

var day = time.Date(2026, 9, 20, 8, 0, 0, 0, time.UTC)

func newScript(t *testing.T) *script {
	return &script{t: t, streams: map[string]*ingest.Stream{}}
}

// log adds a record: its first line, then continuation lines.
func (s *script) log(pod string, at time.Duration, lines ...string) {
	st := s.streams[pod]
	if st == nil {
		st = ingest.NewStream([]ingest.Label{{Name: "namespace", Value: "ns"}, {Name: "pod", Value: pod}})
		s.streams[pod] = st
	}
	for i, l := range lines {
		s.entries = append(s.entries, ingest.Entry{
			UnixNano: day.Add(at).UnixNano() + int64(i)*1000, Stream: st, Line: []byte(l),
			Arrival: uint64(len(s.entries)), Ordered: true,
		})
	}
}

// timeout logs what a resilience pipeline's attempt timer logs.
func (s *script) timeout(pod string, at time.Duration, source string) {
	s.log(pod, at, "fail: Polly[0]",
		fmt.Sprintf("      Resilience event occurred. EventName: 'OnTimeout', Source: '%s', Operation Key: '', Result: ''", source))
}

// refused logs what a client of the seed's kind logs about a refusal.
func (s *script) refused(pod string, at time.Duration, received int, cause string) {
	s.log(pod, at, "warn: Shop.Client[0]",
		fmt.Sprintf("      Parcel over HTTP from https://shop.example/parcel did NOT complete after 120000 ms — %d of an undeclared number of byte(s) had arrived. Cause: Parcel: %s", received, cause))
}

const (
	neverBegan = "the registry at https://shop.example did not begin a response within 120 s"
	wentSilent = "the registry at https://shop.example went silent for 120 s"
)

func (s *script) analyze(o Options) *Analysis {
	s.t.Helper()
	slices.SortStableFunc(s.entries, func(a, b ingest.Entry) int { return int(min(max(a.UnixNano-b.UnixNano, -1), 1)) })
	if o.Window == (ingest.Window{}) && len(s.entries) > 0 {
		o.Window = ingest.Window{Start: s.entries[0].UnixNano, End: s.entries[len(s.entries)-1].UnixNano + 1}
	}
	a, err := New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, a.Add)
	for i := range s.entries {
		if err := asm.Add(&s.entries[i]); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := asm.Flush(); err != nil {
		s.t.Fatal(err)
	}
	s.read.Entries = int64(len(s.entries))
	an := a.Finish(s.read)
	if _, err := json.Marshal(an); err != nil {
		s.t.Fatal(err)
	}
	return an
}

// told lists an analysis' findings as "kind subject".
func told(an *Analysis) []string {
	var out []string
	for _, f := range an.Findings {
		out = append(out, string(f.Kind)+" "+f.Subject)
	}
	return out
}

func has(an *Analysis, finding string) bool { return slices.Contains(told(an), finding) }

func (a *Analysis) of(t *testing.T, source string) *Incident {
	t.Helper()
	for i := range a.Incidents {
		if a.Incidents[i].Source == source {
			return &a.Incidents[i]
		}
	}
	t.Fatalf("no incident of Source %s among %d", source, len(a.Incidents))
	return nil
}

const (
	shop  = "shop-standard//Standard-AttemptTimeout"
	depot = "depot-standard//Standard-AttemptTimeout"
)

// irregular are gaps that no clock makes.
var irregular = []time.Duration{17 * time.Minute, 3 * time.Minute, 41 * time.Minute, 8 * time.Minute, 29 * time.Minute, 64 * time.Minute, 13 * time.Minute}

func (s *script) timeouts(pod string, from time.Duration, n int, source string) time.Duration {
	at := from
	for i := range n {
		s.timeout(pod, at, source)
		at += irregular[i%len(irregular)] + time.Duration(i*i)*time.Second
	}
	return at
}

// steadyUntil logs a timeout every ten minutes for some hours, and other
// records of the pod each hour until another.
func (s *script) steadyUntil(hours int, source string, alive int) {
	for i := range 6 * hours {
		s.timeouts("p", time.Duration(i)*10*time.Minute, 1, source)
	}
	for i := range alive {
		s.log("p", time.Duration(i)*time.Hour+time.Minute, "info: Shop.Web[1]", "      still here")
	}
}

// fetches logs transfers of the client that completed in a second each.
func (s *script) fetches(n, bytes int) {
	for i := range n {
		s.log("p", time.Duration(i)*time.Minute, "info: Shop.Client[0]", fmt.Sprintf("      fetched %d bytes in 1 s", bytes))
	}
}

// cut logs a transfer that was cut at 35 kB a second.
func (s *script) cut() {
	s.log("p", time.Hour, "fail: Shop.Client[0]", "      https://shop.example/parcel: curl: (28) Operation timed out after 30001 milliseconds with 1048576 out of 9437184 bytes received")
}

// waits logs what an outer wait of three minutes logs.
func (s *script) waits(pod string, n int) {
	for i := range n {
		s.log(pod, time.Duration(i*i)*47*time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
	}
}

func TestDuplicatesAreCountedOnce(t *testing.T) {
	s := newScript(t)
	for i := range 6 {
		at := time.Duration(i*i) * 7 * time.Minute
		s.refused("p", at, 0, neverBegan)
		if i < 4 {
			s.timeout("p", at+3*time.Millisecond, shop)
		}
	}
	an := s.analyze(Options{})
	client, timer := an.of(t, "Shop.Client"), an.of(t, shop)
	if client.Records != 6 || client.Occurrences != 6 || client.Duplicates != 4 || client.DuplicateOf != "" {
		t.Errorf("client: %d records, %d occurrences, %d duplicates, duplicate of %q; want 6, 6, 4, none", client.Records, client.Occurrences, client.Duplicates, client.DuplicateOf)
	}
	if timer.Records != 4 || timer.Occurrences != 0 || timer.DuplicateOf != client.Fingerprint {
		t.Errorf("timer: %d records, %d occurrences, duplicate of %q; want 4, 0, %s", timer.Records, timer.Occurrences, timer.DuplicateOf, client.Fingerprint)
	}

	s.timeout("q", 9*time.Hour, shop)
	an = s.analyze(Options{})
	if timer := an.of(t, shop); timer.Occurrences != 1 || timer.DuplicateOf != "" {
		t.Errorf("a timer with one event of its own: %d occurrences, duplicate of %q; want 1, none", timer.Occurrences, timer.DuplicateOf)
	}
}

func TestBudgetsJudgeStages(t *testing.T) {
	bounds := func(stages ...stage.Name) Budget {
		return Budget{Name: "B", Duration: 2 * time.Minute, Attempts: 1, Bounds: stages, Sources: []Glob{shop, "Shop.Client", "Shop.Reconciler"}}
	}
	contains := bounds()
	contains.Contains = []string{"Other"}
	other := Budget{Name: "Other", Duration: time.Minute, Attempts: 1}
	timer := func(s *script) { s.timeout("p", 0, shop) }
	client := func(s *script) { s.refused("p", 0, 17, wentSilent) }
	caller := func(s *script) {
		s.log("p", 0, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
	}
	for _, c := range []struct {
		name       string
		budgets    []Budget
		log        func(*script)
		stage      string
		budget     string
		candidates int
	}{
		{"built-in knowledge alone", nil, timer, "no-response", "", 0},
		{"one bound", []Budget{bounds(stage.NoResponse)}, timer, "no-response", "B", 0},
		{"one bound beats built-in knowledge", []Budget{bounds(stage.BodyStalled)}, timer, "body-stalled", "B", 0},
		{"several bounds", []Budget{bounds(stage.NoResponse, stage.BodyStalled)}, timer, "total-deadline", "B", 2},
		{"a container", []Budget{contains, other}, caller, "outer-cancelled", "B", 0},
		{"the line itself beats several bounds", []Budget{bounds(stage.NoResponse, stage.BodyStalled)}, client, "body-stalled", "B", 0},
		{"the line itself beats a bound", []Budget{bounds(stage.NoResponse)}, client, "body-stalled", "", 0},
	} {
		s := newScript(t)
		c.log(s)
		got := s.analyze(Options{Config: Config{Budgets: c.budgets}}).Incidents[0].Stage
		if got == nil || got.Name != c.stage || got.Budget != c.budget || len(got.Candidates) != c.candidates {
			t.Errorf("%s: stage %+v, want %s by %q with %d candidates", c.name, got, c.stage, c.budget, c.candidates)
		}
	}
}

// TestWhatIsNoIncident holds the rule of what counts as one.
func TestWhatIsNoIncident(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"an error", []string{"fail: A[0]", "      broken"}, 1},
		{"a critical error", []string{"crit: A[0]", "      broken"}, 1},
		{"a warning", []string{"warn: A[0]", "      odd"}, 0},
		{"a warning about a setting", []string{"warn: A[0]", "      HttpClient timeout set to 00:02:00"}, 0},
		{"information", []string{"info: A[0]", "      The operation has timed out waiting is not what this says"}, 0},
		{"a warning of a failed transfer", []string{"warn: Shop.Client[0]", "      Parcel over HTTP from https://shop.example/parcel did NOT complete after 120000 ms — 0 of an undeclared number of byte(s) had arrived. Cause: Parcel: " + neverBegan}, 1},
		{"a failed transfer without its header", []string{"      Resilience event occurred. EventName: 'OnTimeout', Source: '" + shop + "', Operation Key: '', Result: ''"}, 1},
	} {
		s := newScript(t)
		s.log("p", 0, c.lines...)
		if an := s.analyze(Options{}); len(an.Incidents) != c.want {
			t.Errorf("%s: %d incidents, want %d", c.name, len(an.Incidents), c.want)
		}
	}
}

func TestNarrowing(t *testing.T) {
	s := newScript(t)
	s.timeouts("web-1", 0, 4, shop)
	s.timeouts("web-2", time.Minute, 2, depot)
	s.log("job-1", time.Hour, "fail: Shop.Job[0]", "      broken")
	for _, c := range []struct {
		name    string
		options Options
		want    []string
	}{
		{"nothing", Options{}, []string{shop, depot, "Shop.Job"}},
		{"pod", Options{Pod: "web-*"}, []string{shop, depot}},
		{"namespace", Options{Namespace: "other"}, nil},
		{"source", Options{Source: "Shop.*"}, []string{"Shop.Job"}},
		{"top", Options{Top: 1}, []string{shop}},
	} {
		an := s.analyze(c.options)
		var got []string
		for _, inc := range an.Incidents {
			got = append(got, inc.Source)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("narrowed by %s: %q, want %q", c.name, got, c.want)
		}
		for _, f := range an.Findings {
			if f.Fingerprint != "" && !slices.ContainsFunc(an.Incidents, func(inc Incident) bool { return inc.Fingerprint == f.Fingerprint }) {
				t.Errorf("narrowed by %s: finding about an incident that is not shown: %s", c.name, f.Message)
			}
		}
	}
}

// TestNodes: the counter of an incident node is known, its occurrences are not.
func TestNodes(t *testing.T) {
	s := newScript(t)
	s.timeouts("p", 0, 4, shop)
	s.timeouts("p", time.Minute, 3, depot)
	slices.SortStableFunc(s.entries, func(a, b ingest.Entry) int { return int(min(max(a.UnixNano-b.UnixNano, -1), 1)) })
	a, err := New(Options{Window: ingest.Window{Start: day.UnixNano(), End: day.Add(24 * time.Hour).UnixNano()}, Config: Config{Issues: []Issue{
		{Number: 7, State: "closed", ClosedAt: day.Add(-time.Hour), Sources: []Glob{"gone//x"}}, {Number: 8, State: "open", Sources: []Glob{shop}}}}})
	if err != nil {
		t.Fatal(err)
	}
	asm := ingest.NewAssembler(ingest.AssemblerOptions{}, a.Add)
	for i := range s.entries {
		asm.Add(&s.entries[i])
	}
	asm.Flush()
	a.AddNode(Node{MaskedID: "4c7856a2414c6b32", Occurrences: 397, Samples: 7, IssueNumber: 7})
	an := a.Finish(Read{})
	if !an.Read.Partial {
		t.Error("a node's samples are presented as all there is")
	}
	if len(an.MaskedFolds) != 1 || an.MaskedFolds[0].Counter == nil || *an.MaskedFolds[0].Counter != 397 || an.MaskedFolds[0].Records != 7 {
		t.Errorf("folds %+v, want one of 7 records with a counter of 397", an.MaskedFolds)
	}
	for _, want := range []string{"issue-do-not-reopen 7", "issue-repoint 8"} {
		if !has(an, want) {
			t.Errorf("no finding %q; got %q", want, told(an))
		}
	}
}

// TestTraces: records of one trace tell of one operation, whatever stream
// they are on, and its later attempts are no occurrences of their own.
func TestTraces(t *testing.T) {
	const trace, other = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7a3ce929d0e0e4736"
	client := func(s *script, pod string, at time.Duration, trace string) {
		s.log(pod, at, fmt.Sprintf(`{"level":"warn","logger":"shop.client","msg":"GET https://shop.example/parcel: the server did not begin a response within 30s, 0 bytes received","trace_id":%q}`, trace))
	}
	timer := func(s *script, pod string, at time.Duration, trace string) {
		s.log(pod, at, fmt.Sprintf(`{"level":"error","logger":"edge.caller","msg":"the operation has timed out","trace_id":%q}`, trace))
	}

	s := newScript(t)
	client(s, "client-1", 0, trace)
	timer(s, "edge-1", 5*time.Millisecond, trace)
	an := s.analyze(Options{})
	if got := an.of(t, "edge.caller"); got.Occurrences != 0 || got.DuplicateOf != an.of(t, "shop.client").Fingerprint {
		t.Errorf("another pod, one trace: %d occurrences, duplicate of %q", got.Occurrences, got.DuplicateOf)
	}

	s = newScript(t)
	client(s, "client-1", 0, trace)
	timer(s, "client-1", 5*time.Millisecond, other)
	if got := s.analyze(Options{}).of(t, "edge.caller"); got.Occurrences != 1 {
		t.Errorf("one pod, two traces: %d occurrences, want 1", got.Occurrences)
	}

	s = newScript(t)
	for i := range 3 {
		client(s, "client-1", time.Duration(i)*31*time.Second, trace)
	}
	client(s, "client-1", time.Hour, other)
	if got := s.analyze(Options{}).of(t, "shop.client"); got.Records != 4 || got.Occurrences != 2 || got.Attempts != 2 {
		t.Errorf("three attempts and another operation: %d records, %d occurrences, %d attempts; want 4, 2, 2", got.Records, got.Occurrences, got.Attempts)
	}
}

// TestCountsSinceAMomentAreExact: of a busy stream not all times are kept, yet
// what happened since an issue was closed or a roll came is counted.
func TestCountsSinceAMomentAreExact(t *testing.T) {
	s := newScript(t)
	for i := range 1000 {
		s.timeout("p", time.Duration(i)*time.Minute+time.Duration(i*i%977)*time.Millisecond, shop)
	}
	an := s.analyze(Options{
		Limits: Limits{Times: 256},
		Config: Config{
			Issues: []Issue{{Number: 7, State: "closed", ClosedAt: day.Add(100*time.Minute + 30*time.Second), Sources: []Glob{shop}}},
			Rolls:  []Roll{{Name: "fix", At: day.Add(200*time.Minute + 30*time.Second), Fixes: []int{7}}},
		},
	})
	if !has(an, "issue-reopen 7") || !has(an, "limit-reached times") {
		t.Fatalf("findings %q", told(an))
	}
	for _, f := range an.Findings {
		if f.Kind == KindIssueReopen && !strings.Contains(f.Message, "899 times since") {
			t.Errorf("899 records since closing, told as: %s", f.Message)
		}
	}
	// Ten minutes after the roll belong to what was still under way.
	if f := an.Fixes[0]; f.Before != 201 || f.After != 789 {
		t.Errorf("%d before and %d after the roll, want 201 and 789", f.Before, f.After)
	}
}

// TestNextDue: a clock that still ticks has a next event, one that stopped
// hours ago has none.
func TestNextDue(t *testing.T) {
	s := newScript(t)
	for i := range 40 {
		s.timeout("p", time.Duration(i)*3*time.Minute, shop)
	}
	an := s.analyze(Options{})
	want := day.Add(40 * 3 * time.Minute)
	if r := an.of(t, shop).Recurrences; len(r) != 1 || r[0].NextDue == nil || r[0].NextDue.Sub(want).Abs() > time.Second {
		t.Errorf("a clock that ticks: %+v, want one that is due at %s", r, want)
	}
	s.log("p", 9*time.Hour, "info: Shop.Web[1]", "      still here")
	an = s.analyze(Options{})
	if r := an.of(t, shop).Recurrences; len(r) != 1 || r[0].NextDue != nil {
		t.Errorf("a clock that stopped: %+v, want one that is due no more", r)
	}
}

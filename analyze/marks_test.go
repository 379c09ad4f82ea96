package analyze

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/ingest"
)

func TestMarksReachTheIncidentsTheyConcern(t *testing.T) {
	s := newScript(t)
	s.timeout("a-1", time.Minute, "red//T")
	s.timeout("b-1", 2*time.Minute, "blue//T")
	an := s.analyze(Options{Config: Config{
		Rolls: []Roll{
			{Name: "late", At: day.Add(3 * time.Hour)},
			{Name: "to a", At: day.Add(-time.Hour), Match: func(st *ingest.Stream) bool { return st.Pod == "a-1" }},
		},
		Issues: []Issue{
			{Number: 7, State: "closed", ClosedAt: day.Add(time.Hour), Title: "Blue", Sources: []Glob{"blue//*"}},
			{Number: 8, State: "open", Sources: []Glob{"red//*"}},
		},
	}})
	want := []Mark{
		{At: Time{day.Add(-time.Hour)}, Kind: MarkRoll, Name: "to a"},
		{At: Time{day.Add(time.Hour)}, Kind: MarkIssueClosed, Name: "Blue", Issue: 7},
		{At: Time{day.Add(3 * time.Hour)}, Kind: MarkRoll, Name: "late"},
	}
	if d := cmp.Diff(want, an.Marks); d != "" {
		t.Errorf("marks (-want +got):\n%s", d)
	}
	got := map[string][]int{}
	for _, inc := range an.Incidents {
		got[inc.Source] = inc.Marks
	}
	if d := cmp.Diff(map[string][]int{"red//T": {0, 2}, "blue//T": {1, 2}}, got); d != "" {
		t.Errorf("marks of the incidents (-want +got):\n%s", d)
	}
}

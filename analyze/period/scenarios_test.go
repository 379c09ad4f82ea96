package period

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"
)

// TestScenarios holds Find against the incidents that the project starts
// from: the event times of one incident each, pod by pod. A pass of items cut
// one period apart, that comes again after a pause, is one recurrence of the
// spacing inside it.
func TestScenarios(t *testing.T) {
	data, err := os.ReadFile("testdata/scenarios.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var c struct {
			Name     string
			PeriodNs int64
			Kinds    []Kind
			Pass     bool
			Streams  []struct {
				Stream string
				Times  []int64
			}
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		var series []Series
		for _, s := range c.Streams {
			series = append(series, Series{Stream: s.Stream, Times: s.Times})
		}
		got := Find(series, Options{})
		if c.PeriodNs == 0 {
			if len(got) > 0 {
				t.Errorf("%s: recurrence of %s that is none", c.Name, got[0].Period)
			}
			continue
		}
		if len(got) != 1 {
			t.Errorf("%s: %d recurrences, want one of %s", c.Name, len(got), time.Duration(c.PeriodNs))
		}
		for _, r := range got {
			off := max(int64(r.Period)-c.PeriodNs, c.PeriodNs-int64(r.Period))
			if off*1000 > c.PeriodNs || !slices.Contains(c.Kinds, r.Kind) || c.Pass != (r.Pass != nil) && c.Pass {
				t.Errorf("%s: period %s %s, pass %+v; want %s, one of %v, pass %v", c.Name, r.Period, r.Kind, r.Pass, time.Duration(c.PeriodNs), c.Kinds, c.Pass)
			}
		}
	}
}

package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCorpusKeysAndCosts: what rules make of a corpus, and what those cost
// that nothing guards, by a clock that moves a microsecond each time it is
// looked at.
func TestCorpusKeysAndCosts(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.yaml")
	if err := os.WriteFile(name, []byte(`version: 1
defaults: {query: '{app="x"}'}
rules:
  - id: lost
    match: {pattern: "lost <what>, <_>"}
    identity: {source: "<what>"}
  - id: sum
    match: {regexp: '\d+/\d+'}
  - id: dead
    match: {pattern: "found <_>"}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	x := NewCorpus([]string{name})
	if x.Costs(time.Now) != nil {
		t.Error("costs without a record")
	}
	for i := range 5000 {
		for _, text := range []string{fmt.Sprintf("lost %d, once", i%3), fmt.Sprintf("lost %d, for the %dth time", i, i), "1/2", "dial tcp 10.0.0.1:80: i/o timeout"} {
			records, err := RecordsOf("fail: S[0]\n      "+text, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Add(records[0]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if x.Query() != `{app="x"}` {
		t.Errorf("query %q", x.Query())
	}
	var got []string
	for _, k := range x.Keys() {
		if !k.Exact {
			if k.Sources < 4900 || k.Sources > 5100 {
				t.Errorf("%d Sources of 5000", k.Sources)
			}
			k.Sources = 5000
			k.Fingerprints = 5000
		}
		got = append(got, fmt.Sprintf("%s %d %d %d %v", k.Rule.ID, k.Records, k.Sources, k.Fingerprints, k.Exact))
	}
	if d := cmp.Diff([]string{"lost 10000 5000 5000 false", "sum 5000 1 1 true"}, got); d != "" {
		t.Error(d)
	}
	if u := x.Unmatched(); u != nil {
		t.Errorf("a built-in rule decides, and it is told of: %+v", u)
	}
	if n := len(x.timed); n < timedRecords/2 || n > timedRecords {
		t.Errorf("%d records are kept to time rules with", n)
	}
	clock := time.Unix(0, 0)
	costs := x.Costs(func() time.Time { clock = clock.Add(time.Microsecond); return clock })
	if len(costs) != 1 || costs[0].Rule.ID != "sum" || costs[0].PerRecord <= 0 || costs[0].PerRecord > time.Microsecond {
		t.Errorf("%+v", costs)
	}
}

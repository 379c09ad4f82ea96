package transfer

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name    string
		budgets []Budget
		want    []string
	}{
		{"the seed's inversion", []Budget{
			{Name: "T", Duration: 120 * s, Attempts: 3, Bounds: []string{"no-response"}},
			{Name: "Adopt", Duration: 180 * s, Contains: []string{"T"}},
		}, []string{"inverted: Adopt (3m0s) is not longer than T inside it (3 × 2m0s = 6m0s): it cuts first, and the inner cause leaves no line"}},
		{"derived", []Budget{{Name: "T", Duration: 120 * s}, {Name: "Adopt", Duration: 180 * s, Contains: []string{"T"}}}, nil},
		{"equal is inverted", []Budget{{Name: "T", Duration: s}, {Name: "O", Duration: s, Contains: []string{"T"}}},
			[]string{"inverted: O (1s) is not longer than T inside it (1s): it cuts first, and the inner cause leaves no line"}},
		{"attempts of the outermost", []Budget{{Name: "O", Duration: 60 * s, Attempts: 3, Contains: []string{"T"}}, {Name: "T", Duration: 30 * s}},
			[]string{"inverted: O (1m0s) is not longer than T inside it (3 × 30s = 1m30s): it cuts first, and the inner cause leaves no line"}},
		{"two levels", []Budget{
			{Name: "O", Duration: 100 * s, Contains: []string{"M"}},
			{Name: "M", Duration: 45 * s, Attempts: 2, Contains: []string{"T"}},
			{Name: "T", Duration: 20 * s, Attempts: 3},
		}, []string{
			"inverted: O (1m40s) is not longer than T inside it (6 × 20s = 2m0s): it cuts first, and the inner cause leaves no line",
			"inverted: M (45s) is not longer than T inside it (3 × 20s = 1m0s): it cuts first, and the inner cause leaves no line",
		}},
		{"streamed body", []Budget{{Name: "T", Duration: 120 * s, Bounds: []string{"no-response", "body-stalled"}}, {Name: "Adopt", Duration: 180 * s, Contains: []string{"T"}}},
			[]string{"total-over-body: Adopt (3m0s) bounds total time around T (2m0s), which bounds silence in a streamed body: a body that still moves is cut after 3m0s"}},
		{"unknown", []Budget{{Name: "O", Duration: s, Contains: []string{"Nobody"}}}, []string{"unknown-name: O contains Nobody, which is no known budget"}},
		{"self", []Budget{{Name: "O", Duration: s, Contains: []string{"O"}}}, []string{"cycle: the budgets contain each other: O > O"}},
		{"cycle below", []Budget{
			{Name: "R", Duration: 9 * s, Contains: []string{"A"}},
			{Name: "A", Duration: 2 * s, Attempts: 2, Contains: []string{"B"}},
			{Name: "B", Duration: s, Contains: []string{"A"}},
		}, []string{
			"cycle: the budgets contain each other: A > B > A",
			"inverted",
		}},
		{"diamond counts the worse way", []Budget{
			{Name: "O", Duration: 100 * s, Contains: []string{"A", "B"}},
			{Name: "A", Duration: 60 * s, Contains: []string{"C"}},
			{Name: "B", Duration: 45 * s, Attempts: 2, Contains: []string{"C"}},
			{Name: "C", Duration: 52 * s},
		}, []string{
			"inverted: O (1m40s) is not longer than C inside it (2 × 52s = 1m44s): it cuts first, and the inner cause leaves no line",
			"inverted: B (45s) is not longer than C inside it (52s): it cuts first, and the inner cause leaves no line",
		}},
		{"twice", []Budget{{Name: "O", Duration: s}, {Name: "O", Duration: s}}, []string{"duplicate-name: two budgets are named O"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Check(tt.budgets) {
				got = append(got, fmt.Sprintf("%s: %s", f.Kind, f))
			}
			if tt.name == "cycle below" {
				if len(got) == 0 || got[0] == "" {
					t.Fatal("no flaw")
				}
				cycles := 0
				for _, g := range got {
					if g == tt.want[0] {
						cycles++
					}
				}
				if cycles != 1 {
					t.Errorf("the cycle is told %d times:\n%q", cycles, got)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Check (-want +got):\n%s", diff)
			}
		})
	}
}

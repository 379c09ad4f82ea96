package period

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMatches(t *testing.T) {
	budgets := []Named{
		{Name: "TransferStallBudget", Length: 120 * time.Second},
		{Name: "PerPackageAdoptBudget", Expression: "TransferStallBudget + 1m", Length: 180 * time.Second},
	}
	for _, c := range []struct {
		name   string
		period time.Duration
		half   time.Duration
		named  []Named
		want   []string
	}{
		{"the budget itself", 180 * time.Second, time.Millisecond, budgets, []string{"PerPackageAdoptBudget"}},
		{"only its part is known", 180 * time.Second, time.Millisecond, budgets[:1], []string{"TransferStallBudget + 1m"}},
		{"a multiple", 360 * time.Second, time.Millisecond, budgets[:1], []string{"3 × TransferStallBudget"}},
		{"a sum of two", 300 * time.Second, time.Millisecond, budgets, []string{"PerPackageAdoptBudget + TransferStallBudget", "TransferStallBudget + PerPackageAdoptBudget"}},
		{"a little work after the delay", 180600 * time.Millisecond, time.Millisecond, budgets, []string{"PerPackageAdoptBudget"}},
		{"none", 187 * time.Second, time.Millisecond, budgets, nil},
		{"nothing named", 180 * time.Second, time.Millisecond, nil, nil},
	} {
		got := Matches(c.period, c.period-c.half, c.period+c.half, c.named)
		switch {
		case c.want == nil && len(got) > 0:
			t.Errorf("%s: got %+v", c.name, got)
		case c.want == nil:
		case len(got) == 0:
			t.Errorf("%s: no match", c.name)
		default:
			found := false
			for _, m := range got {
				found = found || slices.Contains(c.want, m.Text)
			}
			if !found || got[0].Error != c.period-got[0].Length {
				t.Errorf("%s: got %+v, want one of %q", c.name, got[0], c.want)
			}
		}
	}
}

// TestMatchChance: the closer a match and the fewer the names, the less it is
// a coincidence; a period known to a tenth fits something always.
func TestMatchChance(t *testing.T) {
	few := []Named{{Name: "a", Length: 180 * time.Second}}
	var many []Named
	for s := 60; s < 540; s += 7 {
		many = append(many, Named{Name: "b", Length: time.Duration(s) * time.Second})
	}
	chance := func(off, half time.Duration, named []Named) float64 {
		p := 180*time.Second + off
		m := Matches(p, p-half, p+half, named)
		if len(m) == 0 {
			t.Fatalf("no match %v off", off)
		}
		return m[0].Chance
	}
	exact := chance(0, time.Millisecond, few)
	near := chance(500*time.Millisecond, time.Millisecond, few)
	crowd := chance(0, time.Millisecond, append(many, few...))
	vague := chance(0, 18*time.Second, append(many, few...))
	if !(exact < 1e-4 && exact < near && exact < crowd && vague > 0.9) {
		t.Errorf("chances: exact %g, near %g, among many %g, vague among many %g", exact, near, crowd, vague)
	}
	if diff := cmp.Diff([]string{"a"}, Matches(180*time.Second, 180*time.Second, 180*time.Second, few)[0].Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

package analyze

import (
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze/stage"
)

// TestRetriesRepeatTheirTimer: what a pipeline reports of the attempt that its
// timer ended, and of the retry that follows, is no further occurrence; what
// another pipeline reports at that time is.
func TestRetriesRepeatTheirTimer(t *testing.T) {
	const handled = "      Execution attempt. Source: 'shop-standard//Standard-Retry', Operation Key: '', Result: 'The operation didn't complete within the allowed timeout of '00:02:00'.', Handled: 'True', Attempt: '0', Execution Time: 120001.5ms"
	const retried = "      Resilience event occurred. EventName: 'OnRetry', Source: 'shop-standard//Standard-Retry', Operation Key: '', Result: 'The operation didn't complete within the allowed timeout of '00:02:00'.'"
	s := newScript(t)
	at := time.Duration(0)
	for i := range 5 {
		at += irregular[i]
		s.timeout("p", at, shop)
		s.log("p", at+2*time.Millisecond, "warn: Polly[3]", handled)
		s.log("p", at+4*time.Millisecond, "warn: Polly[0]", retried)
		s.timeout("p", at+6*time.Millisecond, depot)
	}
	an := s.analyze(Options{})
	if got := an.of(t, shop); got.Occurrences != 5 || got.Duplicates != 10 {
		t.Errorf("%s: %d occurrences, %d duplicates; want 5 and 10", shop, got.Occurrences, got.Duplicates)
	}
	if got := an.of(t, depot); got.Occurrences != 5 || got.Duplicates != 0 {
		t.Errorf("%s: %d occurrences, %d duplicates; want 5 and none", depot, got.Occurrences, got.Duplicates)
	}
	for i := range an.Incidents {
		if inc := &an.Incidents[i]; inc.Source == "shop-standard//Standard-Retry" && (inc.Occurrences != 0 || inc.DuplicateOf != an.of(t, shop).Fingerprint) {
			t.Errorf("%s %s: %d occurrences, duplicate of %q", inc.Source, inc.Event, inc.Occurrences, inc.DuplicateOf)
		}
	}
}

// TestOuterRepeatsTheCause: of a client's line and its timer, the outer wait
// goes with the client's line, of which the timer is the duplicate.
func TestOuterRepeatsTheCause(t *testing.T) {
	inner := Budget{Name: "Inner", Duration: 2 * time.Minute, Attempts: 1, Bounds: []stage.Name{stage.NoResponse, stage.BodyStalled}, Sources: []Glob{shop, "Shop.Client"}}
	outer := Budget{Name: "Outer", Duration: 3 * time.Minute, Attempts: 1, Contains: []string{"Inner"}, Sources: []Glob{"Shop.Reconciler"}}
	s := newScript(t)
	at := time.Duration(0)
	for i := range 5 {
		at += irregular[i]
		s.timeout("p", at, shop)
		s.refused("p", at+time.Millisecond, 0, neverBegan)
		s.log("p", at+time.Minute, "fail: Shop.Reconciler[0]", "      Adopting failed", "      System.TimeoutException: The operation has timed out.")
	}
	an := s.analyze(Options{Config: Config{Budgets: []Budget{inner, outer}}})
	for source, want := range map[string][2]int64{"Shop.Client": {5, 10}, shop: {0, 0}, "Shop.Reconciler": {5, 5}} {
		if got := an.of(t, source); got.Occurrences != want[0] || got.Duplicates != want[1] {
			t.Errorf("%s: %d occurrences, %d duplicates; want %d", source, got.Occurrences, got.Duplicates, want)
		}
	}
}

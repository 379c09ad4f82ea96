package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestFixes(t *testing.T) {
	at := analyze.Time{Time: time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)}
	fixes := []analyze.Fix{
		{Verdict: analyze.NotFixed, Source: "Shop\x1b[31m.Depot", Reason: "1 record since the roll, the last at 2026-09-19T17:30:00Z", Roll: "fix", At: at, Before: 1234, After: 1, Fingerprint: "fp1:0"},
		{Verdict: analyze.Undecided, DecidableAt: &at, Source: "Shop.Client", Reason: "silent", Roll: "fix", At: at},
	}
	zone := time.FixedZone("", 2*3600)
	for _, c := range []struct {
		screen Screen
		want   string
	}{
		{Screen{Width: 80}, "" +
			"not fixed: Shop\\x1b[31m.Depot\n" +
			"  1 record since the roll, the last at 2026-09-19T17:30:00Z\n" +
			"  roll \"fix\" at 2026-09-19T12:00:00Z: 1,234 before, 1 after; fp1:0\n" +
			"undecided until 2026-09-19T12:00:00Z: Shop.Client\n" +
			"  silent\n" +
			"  roll \"fix\" at 2026-09-19T12:00:00Z: 0 before, 0 after;\n"},
		{Screen{Width: 44, Zone: zone}, "" +
			"not fixed: Shop\\x1b[31m.Depot\n" +
			"  1 record since the roll, the last at\n" +
			"  2026-09-19T19:30:00+02:00\n" +
			"  roll \"fix\" at 2026-09-19T14:00:00+02:00:\n" +
			"  1,234 before, 1 after; fp1:0\n" +
			"undecided until 2026-09-19T14:00:00+02:00:\n" +
			"Shop.Client\n" +
			"  silent\n" +
			"  roll \"fix\" at 2026-09-19T14:00:00+02:00: 0\n" +
			"  before, 0 after;\n"},
	} {
		var b strings.Builder
		if err := Fixes(&b, fixes, c.screen); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, b.String()); d != "" {
			t.Errorf("width %d (-want +got):\n%s", c.screen.Width, d)
		}
	}
	var none strings.Builder
	if err := Fixes(&none, nil, Screen{Width: 80, Color: true}); err != nil || !strings.HasPrefix(none.String(), "\x1b[33mundecided:\x1b[0m none of its records") {
		t.Errorf("no verdict: %q, %v", none.String(), err)
	}
}

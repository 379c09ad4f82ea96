package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// TestBuiltinIDs freezes the fingerprints of every log that a test of the
// built-in pack has, those in which a rule must not match included. The pack
// is part of what a fingerprint is: a rule that would change one of these, or
// the ids of records that no rule knew, needs another version of fingerprints,
// as a change of masks does.
func TestBuiltinIDs(t *testing.T) {
	set, err := LoadWithBuiltin(nil)
	if err != nil {
		t.Fatal(err)
	}
	x := fingerprint.NewIdentifier(fingerprint.Options{Rules: set.Config.Rules})
	var b strings.Builder
	for _, rule := range set.Rules {
		for i := range rule.Tests {
			records, err := rule.Tests[i].records()
			if err != nil {
				t.Fatal(err)
			}
			var d fingerprint.Identity
			id := x.Identify(records[0], &d)
			fmt.Fprintf(&b, "%s %d %s %s %q\n", rule.ID, i+1, id, d.Source, d.Event)
		}
	}
	const golden = "testdata/builtin-ids.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); d != "" {
		t.Errorf("fingerprints change:\n%s", d)
	}
}

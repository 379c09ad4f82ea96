package analyze

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnly(t *testing.T) {
	an := &Analysis{
		SchemaVersion: 1, Read: Read{Entries: 9}, Marks: []Mark{{Name: "roll"}},
		Incidents: []Incident{{Fingerprint: "a", MaskedIDs: []string{"m"}}, {Fingerprint: "b", MaskedIDs: []string{"n"}}},
		Findings: []Finding{
			{Kind: KindBlame, Fingerprint: "a"}, {Kind: KindBlame, Fingerprint: "b"},
			{Kind: KindSourceFolded, Subject: "m"}, {Kind: KindSourceFolded, Subject: "n"}, {Kind: KindLimitReached, Subject: "m"},
		},
		MaskedFolds: []MaskedFold{{MaskedID: "m", Fingerprints: []string{"a", "c"}}, {MaskedID: "n", Fingerprints: []string{"b"}}},
		Fixes:       []Fix{{Fingerprint: "a", Roll: "one"}, {Fingerprint: "b"}},
	}
	got := an.Only(&an.Incidents[0])
	want := &Analysis{
		SchemaVersion: 1, Read: an.Read, Marks: an.Marks, Incidents: an.Incidents[:1],
		Findings:    []Finding{{Kind: KindBlame, Fingerprint: "a"}, {Kind: KindSourceFolded, Subject: "m"}},
		MaskedFolds: an.MaskedFolds[:1], Fixes: an.Fixes[:1],
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(an.Incidents) != 2 || len(an.Findings) != 5 {
		t.Error("the whole was changed")
	}
}

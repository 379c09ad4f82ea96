package rules

import (
	"fmt"
	"testing"

	"github.com/vdm-logs/vdm-logs/fingerprint"
)

// TestPollyTwin holds the pack's rule against what fingerprint itself reads:
// where the rule matches, a copy of it in a user's file changes nothing.
func TestPollyTwin(t *testing.T) {
	pack, err := LoadWithBuiltin(nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := NewRunner(pack)
	if err != nil {
		t.Fatal(err)
	}
	twin := x.byID[pollyTwin]
	set, err := LoadSources([]Source{{Name: "mine.yaml", Data: []byte("version: 1\nrules:\n" + twin.Text)}})
	if err != nil {
		t.Fatal(err)
	}
	mine := fingerprint.NewIdentifier(fingerprint.Options{Rules: set.Config.Rules})
	plain := fingerprint.NewIdentifier(fingerprint.Options{})
	matched, passed := 0, 0
	for _, event := range []string{"OnTimeout", "OnRetry", "OnCircuitOpened", ""} {
		for _, source := range []string{"shop-standard//Standard-AttemptTimeout", "(null)/(null)/Retry", "hedge/https://a.example:443/x/Retry",
			"a/7f3c9a51-3f0e-4f0e-9d6b-0a1b2c3d4e5f/b", "a/b", "a/it's/b", `"a"/null/"b"`, "//", "{PipelineName}/{PipelineInstance}/{StrategyName}"} {
			for _, key := range []string{"", "(null)", "GET-orders", "it's a key", `"k"`} {
				for _, result := range []string{", Result: ''", ", Result: '504'", ", Result: 'The operation didn't complete within the allowed timeout of '00:00:10'.'",
					", Result: 'System.Net.Sockets.SocketException (111): Connection refused'", `, Result: '"200"'`, ", Result: 'a\n      b'", ", Result: 'cut off", "", ", Result: 'x', Result: 'y'"} {
					text := fmt.Sprintf("fail: Polly[3]\n      Resilience event occurred. EventName: '%s', Source: '%s', Operation Key: '%s'%s", event, source, key, result)
					records, err := RecordsOf(text, nil)
					if err != nil {
						t.Fatal(err)
					}
					var got, want fingerprint.Identity
					id := mine.Identify(records[0], &got)
					if got.Rule != pollyTwin {
						passed++
						continue
					}
					matched++
					if wantID := plain.Identify(records[0], &want); id != wantID || want.Rule != fingerprint.RulePolly || string(got.Source) != string(want.Source) ||
						string(got.Event) != string(want.Event) || string(got.Template) != string(want.Template) {
						t.Errorf("%s\n the rule: %s %s %s %q\nbuilt in: %s %s %s %q (%s)", text, id, got.Source, got.Event, got.Template, wantID, want.Source, want.Event, want.Template, want.Rule)
					}
				}
			}
		}
	}
	if matched < 500 || passed < 200 {
		t.Errorf("the rule matches %d events and passes over %d: the test does not show much", matched, passed)
	}
}

package stage

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestScenarioLines holds the classifier against what the client of the
// project's third scenario writes: the line names the stage itself.
func TestScenarioLines(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		line               string
		stage              Name
		received, declared int64
	}{
		{"Bundle index over HTTP from https://registry.example/api/plugins/bundles/index.json did NOT complete after 120000 ms — 0 of an undeclared number of byte(s) had arrived. Cause: Bundle index: the registry at https://registry.example did not begin a response within 120 s", NoResponse, 0, Unknown},
		{"Parts index over HTTP from https://packages.example/api/index did NOT complete after 120000 ms — 0 of an undeclared number of byte(s) had arrived. Cause: Parts index: the server at https://packages.example did not begin a response within 120 s", NoResponse, 0, Unknown},
		{"Bundle acme.huge over HTTP from https://mirror.example/api/plugins/bundles/acme.huge did NOT complete after 212 ms — 0 of 5368709120 byte(s) had arrived. Cause: Bundle acme.huge: the registry at https://mirror.example declared 5368709120 byte(s), over the bound of 2147483647", SizeExceeded, 0, 5368709120},
		{`level=warn msg="Parts north.maps over HTTP from https://eu.example/x did NOT complete after 115114 ms — 248673970 of 412316860 byte(s) had arrived. Cause: Parts north.maps: the depot at https://eu.example went silent for 30 s" Received=248673970 Declared=412316860`, BodyStalled, 248673970, 412316860},
	} {
		var a Attribution
		r := &ingest.Record{Stream: ingest.NewStream(nil), Level: ingest.LevelWarn, Message: []byte(k.line), Text: []byte(k.line)}
		if !c.Classify(r, &a) || a.Stage != k.stage || a.BytesReceived != k.received || a.BytesDeclared != k.declared || a.Confidence < 0.75 {
			t.Errorf("%s\n got %+v\nwant %s, %d of %d bytes, said outright", k.line, a, k.stage, k.received, k.declared)
		}
	}
}

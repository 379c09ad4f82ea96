package stage

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestHarmless holds sentences that tell of no failed transfer against twins
// that do.
func TestHarmless(t *testing.T) {
	c, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct{ harmless, failed string }{
		{"Option 'ConnectTimeout' is deprecated, use 'DialTimeout'", "ConnectTimeout: connection to 10.0.0.1 timed out; option 'Retry' is deprecated"},
		{"setting 'BodyStallTimeout' is unknown and ignored", "BodyStallTimeout: no bytes for 30 s"},
		{"ReadTimeout and WriteTimeout are not set; connections may stay open forever", "request timed out; no ReadTimeout is set"},
		{"the default of read_timeout changes from 30s to 60s in version 4", "read timed out after the default of 30s"},
		{"GET /items/3 succeeded after 2 retries; the first attempt had timed out", "GET /items/3 never succeeded in 2 attempts: timed out"},
		{"waited 2 ms for a download slot, 3 of 16 in use", "waited 30 s for a download slot, gave up"},
		{"no new bytes in app.log since the last poll", "no new bytes for 30 s, giving the download up"},
		{"fetching with --retry-connrefused --fail-early", "fetching with --fail-early: connection refused"},
		{"git fetch origin main took 3 s", "git fetch origin main failed timeout after 1m30s"},
		{"PASSED tests/test_fetch.py::test_connection_refused_is_retried", "FAILED tests/test_fetch.py: connection refused"},
		{"Connection <http://node-3:9200> has failed for 2 times in a row, putting on 60 second timeout", "Connection to node-3:9200 has failed: timed out"},
		{"connection to node-3 restored after timeout", "connection to node-3 not restored: timed out"},
		{"deadline_exceeded=0 ok=14", "deadline_exceeded=14 ok=3"},
		{"timed_out=0 ok=14", "request timed out: 0 bytes received"},
		{"skipped: Times_out_when_the_server_stalls", "the request times out when the server stalls"},
		{"a timeout will surface at once", "a timeout surfaced"},
		{"lease timeout of 60 s not reached", "read timeout of 60 s reached"},
		{"flag is on: body stall timeout 120 s, headers timeout 120 s", "body stall: headers came, then nothing for 120 s, timed out"},
		{"Session 5f0c7a1e-1b7d-4c1f-9a55-0d4e6c1b2a3f timed out after 30 minutes, user logged out", "Request 5f0c7a1e-1b7d-4c1f-9a55-0d4e6c1b2a3f timed out after 30 s"},
		{"response body truncated for logging: 4096 of 9123 bytes shown", "response body truncated: 4096 of 9123 bytes received"},
		{"payment of order 7 failed: refused, card expired", "dial tcp payment:8080: connect: connection refused"},
		{"order 7 failed: refused by policy", "POST https://orders.example/policy: connection refused"},
		{"http2: no cached connection was available", "request dropped: no connection was available"},
		{"login of customer 7 refused: password expired", "connect to 10.0.0.1:443: connection refused"},
	} {
		for message, want := range map[string]bool{p.harmless: false, p.failed: true} {
			var a Attribution
			got := c.Classify(&ingest.Record{Message: []byte(message), Text: []byte(message), Level: ingest.LevelWarn}, &a) && a.Stage != NotATimeout
			if got != want {
				t.Errorf("%q: failed transfer %v (%s by %s), want %v", message, got, a.Stage, a.Rule, want)
			}
		}
	}
}

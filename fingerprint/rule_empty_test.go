package fingerprint

import (
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// TestEmptyCaptures: a capture that is empty in a record parts what stands on
// both sides of it, kept or masked, and ends.
func TestEmptyCaptures(t *testing.T) {
	pattern, err := CompilePattern("Source: '<pipeline>/<instance>/<strategy>', Result: '<result>'")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		rule Rule
		want string
	}{
		{"kept as parts of the Source", Rule{Source: "<pipeline>/<instance>/<strategy>"}, "Source: 'shop//Timeout', Result: '"},
		{"masked by name", Rule{Source: "<pipeline>", Mask: []string{"instance", "strategy", "result"}}, "Source: 'shop/<instance>/<strategy>', Result: '<result>'"},
	} {
		c.rule.ID = "r"
		c.rule.Pattern = pattern
		x := NewIdentifier(Options{Rules: []Rule{c.rule}})
		message := []byte("Source: 'shop//Timeout', Result: ''")
		done := make(chan string, 1)
		go func() {
			var d Identity
			x.Identify(&ingest.Record{Message: message, Text: message}, &d)
			done <- string(d.Template)
		}()
		select {
		case got := <-done:
			if len(got) < len(c.want) || got[:len(c.want)] != c.want {
				t.Errorf("%s: template %q, want it to begin with %q", c.name, got, c.want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: it does not end", c.name)
		}
	}
}

package pushdown

import (
	"fmt"
	"testing"
	"time"
)

// TestStreamWithoutLabels has a stream without the labels by which the others
// are told apart, and a server that does not count by so many: none is taken
// for the one that has all the lines.
func TestStreamWithoutLabels(t *testing.T) {
	for _, most := range []int{0, 8} {
		f := &fake{most: most}
		for i := range 9 {
			pod := stream("namespace", "prod", "app", "portal", "pod", fmt.Sprintf("portal-%d", i))
			f.push(pod, time.Duration(i)*3*time.Minute, "unknown", timeout("bundles//Timeout")...)
		}
		f.push(stream("namespace", "prod", "job", "cron"), 5*time.Minute, "info", "info: Portal[1]", "      Served, no error")
		r, err := ask(t, t.Context(), f)
		if err != nil || r.Reason != "" || len(r.Records) != 9 {
			t.Errorf("at most %d groups: %d records, want 9: %s %v", most, len(r.Records), r.Reason, err)
		}
	}
}

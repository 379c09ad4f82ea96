package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

func TestGapsOf(t *testing.T) {
	got := gapsOf([]loki.Gap{
		{Window: ingest.Window{Start: 1e9, End: 2e9}, Counted: -1, Received: 3, Err: errors.New("GET http://u:hunter2@loki/x: status 502")},
		{Window: ingest.Window{Start: 2e9, End: 3e9}, Counted: 9, Received: 4},
	})
	if len(got) != 2 || got[0].Counted != nil || got[1].Counted == nil || *got[1].Counted != 9 || got[1].Received != 4 {
		t.Fatalf("an unknown count is not 0, a known one is kept: %+v", got)
	}
	if !strings.Contains(got[0].Reason, "status 502") || strings.Contains(got[0].Reason, "hunter2") {
		t.Errorf("the reason is %q; it must tell what happened and no secret", got[0].Reason)
	}
	if got[1].Reason == "" || !got[1].Start.Before(got[1].End.Time) {
		t.Errorf("a gap without an error has a reason all the same: %+v", got[1])
	}
}

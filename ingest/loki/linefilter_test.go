package loki_test

import (
	"testing"

	"github.com/vdm-logs/vdm-logs/ingest"
	"github.com/vdm-logs/vdm-logs/ingest/loki"
)

func TestLinesWith(t *testing.T) {
	got := loki.LinesWith([]string{`^info: `}, []string{"timeout", "no route", "err", "timeouts"}, []string{"E1", " E1x"})
	want := `!~ "^info: " |= "E1" or "ERR" or "Err" or "err" or "imeout" or "TIMEOUT" or "o route"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	labels := loki.LinesLabelled([]ingest.Label{{Name: "level", Value: "e.*"}, {Name: "severity_number", Value: "1[7-9]"}})
	if want := `| level=~"e.*" or severity_number=~"1[7-9]"`; labels != want {
		t.Errorf("got %s, want %s", labels, want)
	}
}

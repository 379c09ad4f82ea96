package loki_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestReadAroundSamples reads logs whose hits stand everywhere, nowhere or in
// one wave: only where they stand everywhere, no hit is read before
// everything is.
func TestReadAroundSamples(t *testing.T) {
	const lines = 6000
	for _, tt := range []struct {
		name  string
		hit   func(i int) bool
		whole bool
	}{
		{"everywhere", func(i int) bool { return i%4 == 0 }, true},
		{"few", func(i int) bool { return i%2500 == 100 }, false},
		{"one wave", func(i int) bool { return i > lines/8-40 && i < lines/8+40 }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := lokitest.New(lokitest.Options{})
			step := (window.End - window.Start) / lines
			for i := range lines {
				line := "ordinary"
				if tt.hit(i) {
					line = "OnTimeout"
				}
				s.Push(lokitest.Entry{Labels: labels("app", "portal"), UnixNano: window.Start + int64(i)*step, Line: fmt.Sprint(line, " ", i)})
			}
			a := loki.Around{Patterns: []string{"OnTimeout"}, Before: time.Second, After: time.Second, Worth: 100}
			_, _, hits := readAround(t, client(t, s.Start(t)), window, a, loki.ReadOptions{})
			if hits.Whole != tt.whole {
				t.Errorf("%+v", hits)
			}
			if tt.whole && hits.Lines != 0 {
				t.Errorf("%d hits read for nothing", hits.Lines)
			}
			counted := 0
			for _, q := range s.Queries() {
				if strings.Contains(q, "OnTimeout") && strings.Contains(q, "count_over_time") {
					counted++
				}
			}
			if counted < 4 {
				t.Errorf("%d queries count hits, want one a sample", counted)
			}
		})
	}
}

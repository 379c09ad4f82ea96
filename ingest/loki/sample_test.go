package loki_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/ingest/loki"
	"github.com/vdm-logs/vdm-logs/ingest/loki/lokitest"
)

// TestReadAroundWave reads a log whose hits stand in one wave, where one of
// the samples falls: the rest of the window is still left out.
func TestReadAroundWave(t *testing.T) {
	const lines = 6000
	s := lokitest.New(lokitest.Options{})
	step := (window.End - window.Start) / lines
	for i := range lines {
		line := "ordinary"
		if i > lines/8-40 && i < lines/8+40 {
			line = "OnTimeout"
		}
		s.Push(lokitest.Entry{Labels: labels("app", "portal"), UnixNano: window.Start + int64(i)*step, Line: fmt.Sprint(line, " ", i)})
	}
	a := loki.Around{Patterns: []string{"OnTimeout"}, Before: time.Second, After: time.Second, Worth: 100}
	got, _, hits := readAround(t, client(t, s.Start(t)), window, a, loki.ReadOptions{})
	if hits.Whole || hits.Lines != 79 || len(got) > 200 {
		t.Errorf("%d lines read, %+v", len(got), hits)
	}
}

// TestReadAroundTexts reads a log without hits whose lines must all be searched
// for many texts: that costs more than reading them, unless a part of them only
// is searched.
func TestReadAroundTexts(t *testing.T) {
	const lines = 6000
	s := lokitest.New(lokitest.Options{})
	step := (window.End - window.Start) / lines
	for i := range lines {
		s.Push(lokitest.Entry{Labels: labels("app", "portal"), UnixNano: window.Start + int64(i)*step, Line: fmt.Sprint([]string{"INFO", "access"}[i%2], " ordinary ", i)})
	}
	c := client(t, s.Start(t))
	for _, k := range []struct {
		texts    int
		searched string
		whole    bool
	}{
		{texts: 1000, searched: `!~ "^INFO"`, whole: true},
		{texts: 1000, searched: `!~ "^INFO" !~ "^access"`},
		{texts: 10, searched: `!~ "^INFO"`},
		{},
	} {
		a := loki.Around{Patterns: []string{"OnTimeout"}, Before: time.Second, After: time.Second, Worth: 100, Texts: k.texts, Searched: k.searched}
		got, _, hits := readAround(t, c, window, a, loki.ReadOptions{})
		if hits.Whole != k.whole || k.whole != (len(got) == lines) {
			t.Errorf("%d texts in lines %s: %d lines read, %+v", k.texts, k.searched, len(got), hits)
		}
	}
}

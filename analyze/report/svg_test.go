package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestSVGTimeAxis(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		u, err := time.Parse("2006-01-02T15:04:05.999", s)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	for _, c := range []struct {
		start time.Time
		span  time.Duration
		want  string
	}{
		{at("2026-09-19T08:10:16"), 11 * time.Hour, "10:00@16.63 12:00@34.81 14:00@52.99 16:00@71.17 18:00@89.35"},
		{at("2026-09-19T22:30:00"), 4 * time.Hour, "23:00@12.5 23:30@25 09-20@37.5 00:30@50 01:00@62.5 01:30@75 02:00@87.5"},
		{at("2026-09-19T08:00:00"), 90 * time.Second, "08:00:10@11.11 08:00:20@22.22 08:00:30@33.33 08:00:40@44.44 08:00:50@55.56 08:01:00@66.67 08:01:10@77.78 08:01:20@88.89"},
		{at("2026-09-01T00:00:00"), 30 * 24 * time.Hour, "09-08@23.33 09-15@46.67 09-22@70 09-29@93.33"},
		// Over the change to winter time every label is the wall clock's.
		{at("2026-10-24T20:00:00").In(berlin), 8 * time.Hour, "23:00@12.5 10-25@25 01:00@37.5 02:00@50 02:00@62.5 03:00@75 04:00@87.5"},
		{at("1970-01-01T00:00:00"), 200 * 365 * 24 * time.Hour, ""},
		{at("2026-09-19T08:00:00"), 0, ""},
		{at("2026-09-19T08:00:00"), 5, ""},
	} {
		ticks := svgTimeAxis(c.start, c.start.Add(c.span))
		var parts []string
		for _, k := range ticks {
			parts = append(parts, k.Label+"@"+strings.TrimSuffix(k.X, "%"))
		}
		if got := strings.Join(parts, " "); got != c.want && c.want != "" {
			t.Errorf("%s and %s:\n got %s\nwant %s", c.start, c.span, got, c.want)
		}
		if len(ticks) > svgTicksMost+1 {
			t.Errorf("%s and %s: %d ticks", c.start, c.span, len(ticks))
		}
	}
}

func TestSVGTimeAxisKeepsDatesOnNarrowScreens(t *testing.T) {
	for hour := range 24 {
		start := time.Date(2026, 9, 19, hour, 30, 0, 0, time.UTC)
		dates := 0
		for _, k := range svgTimeAxis(start, start.Add(39*time.Hour)) {
			if k.Label == "09-20" || k.Label == "09-21" {
				dates++
				if k.Wide {
					t.Errorf("from %s: %s is left out", start, k.Label)
				}
			}
		}
		if dates == 0 {
			t.Errorf("from %s: no date", start)
		}
	}
}

func TestSVGPaths(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{svgUpright([]int64{0, 4, 1, 0, 2}, 20), "M1 20v-20M2 20v-5M4 20v-10"},
		{svgUpright([]int64{1, 1_000_000}, 20), "M0 20v-1M1 20v-20"}, // what happened is seen
		{svgUpright(nil, 20), ""},
		{svgOutline([]int64{0, 4, 4, 0, 2}, 20), "M0 20H1V0H3V20H4V10H5V20Z"},
		{svgOutline([]int64{1, 1_000_000}, 20), "M0 20V19H1V0H2V20Z"},
		{strings.Join(svgStacked([][]int64{{0, 6}, {3, 4}, {0, 0}}, 103), " | "), "M1 103v-60 | M0 103v-30M1 43v-40 | "},
		{svgNumber(12.504), "12.5"}, {svgNumber(100), "100"}, {svgNumber(-0.001), "0"}, {svgNumber(0.126), ".13"}, {svgNumber(-0.5), "-.5"}, {svgNumber(10.5), "10.5"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if d := cmp.Diff([]int64{3, 7, 5}, svgCells([]int64{1, 2, 3, 4, 5}, 3)); d != "" {
		t.Error(d)
	}
}

// phaseOf makes a phase whose events are given in seconds after 08:00.
func phaseOf(stream string, members, others, missed []float64) analyze.Phase {
	from := time.Date(2026, 9, 19, 8, 0, 0, 0, time.UTC)
	ns := func(list []float64) []int64 {
		var out []int64
		for _, s := range list {
			out = append(out, int64(s*1e9))
		}
		return out
	}
	return analyze.Phase{
		Stream: stream, Events: int64(len(members)), Slots: int64(len(members) + len(missed)), Missed: int64(len(missed)),
		Ticks: analyze.Ticks{From: analyze.Time{Time: from}, MembersNs: ns(members), OthersNs: ns(others), MissedNs: ns(missed), Complete: true},
	}
}

func TestSVGStripsFoldAClock(t *testing.T) {
	p := newPage(&analyze.Analysis{Window: analyze.Window{Start: analyze.Time{Time: htmlDay}, End: analyze.Time{Time: htmlDay.Add(time.Hour)}}}, HTMLOptions{}.withDefaults())
	r := &analyze.Recurrence{PeriodNs: 100e9, Period: "100 s", Phases: []analyze.Phase{
		phaseOf("a", []float64{5, 105, 305}, []float64{155}, []float64{205}),
		phaseOf("b", []float64{55, 155}, nil, nil),
		phaseOf("none", nil, nil, nil),
	}}
	got := p.foldStrips(r, 10)
	// Of the two stretches without events of 50 s each the first is cut in the
	// middle of its tenth: rows begin 10 s before the first event.
	type path struct{ stream, box, members, others, missed, pauses string }
	var paths []path
	for _, s := range got.Strips {
		paths = append(paths, path{s.Head + s.Tail, s.Box, s.Members, s.Others, s.Missed, s.Pauses})
	}
	want := []path{
		{"a", "0 0 1000 4", "M100 0v.8M100 1v.8M100 3v.8", "M600 1v.8", "M90 2.4h20", ""},
		{"b", "0 0 1000 2", "M600 0v.8M600 1v.8", "", "", ""},
	}
	if d := cmp.Diff(want, paths, cmp.AllowUnexported(path{})); d != "" {
		t.Error(d)
	}
	if got.Base != "07:59:55.000Z" || got.More != 1 || !got.Missed || !got.Others || got.Cut || got.Pauses || got.Length != "100 s" {
		t.Errorf("%+v", got)
	}
}

func TestSVGStripsNameStreamsByTheirEnds(t *testing.T) {
	p := newPage(&analyze.Analysis{}, HTMLOptions{}.withDefaults())
	for name, want := range map[string][2]string{
		"portal-0":                           {"", "portal-0"},
		"memex-portal-abc":                   {"memex-p", "ortal-abc"},
		"memex-cloud-portal-78d4bb9c6-9vq7r": {"…-portal-78d4bb", "9c6-9vq7r"},
	} {
		ph := phaseOf(name, []float64{1, 2}, nil, nil)
		if s := p.stripOf(&ph, 0, 60e9); s.Head != want[0] || s.Tail != want[1] || s.Whole != name {
			t.Errorf("%s: %q and %q, want %q", name, s.Head, s.Tail, want)
		}
	}
}

func TestSVGStripsOfAPassShowPauses(t *testing.T) {
	p := newPage(&analyze.Analysis{}, HTMLOptions{}.withDefaults())
	var members []float64
	for _, run := range []float64{0, 1000, 4000} {
		members = append(members, run, run+60, run+120)
	}
	r := &analyze.Recurrence{PeriodNs: 60e9, Period: "60 s", Pass: &analyze.Pass{CycleNs: 1000e9, Cycle: "16m40s", RunLength: 3}, Phases: []analyze.Phase{phaseOf("a", members, nil, nil)}}
	got := p.foldStrips(r, 1)
	if s := got.Strips[0]; s.Box != "0 0 1000 3" || s.Pauses != "M0 2h1000" || !got.Pauses || strings.Count(s.Members, "M") != 9 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(got.Row, "one cycle, 16m40s") {
		t.Errorf("a row is %q", got.Row)
	}
}

func TestSVGStripsKeepTheFullestStreams(t *testing.T) {
	p := newPage(&analyze.Analysis{}, HTMLOptions{}.withDefaults())
	r := &analyze.Recurrence{PeriodNs: 60e9}
	for i := range 30 {
		var members []float64
		for k := range 3 + i%7 {
			members = append(members, float64(60*k))
		}
		r.Phases = append(r.Phases, phaseOf(fmt.Sprint(i), members, nil, nil))
	}
	got := p.foldStrips(r, 4)
	var names []string
	for _, s := range got.Strips {
		names = append(names, s.Head+s.Tail)
	}
	if d := cmp.Diff([]string{"6", "13", "20", "27"}, names); d != "" || got.More != 26 {
		t.Errorf("%d more, %s", got.More, d)
	}
}

func TestSVGMarksDoNotTouch(t *testing.T) {
	an := &analyze.Analysis{Window: analyze.Window{Start: analyze.Time{Time: htmlDay}, End: analyze.Time{Time: htmlDay.Add(1000 * time.Second)}}}
	for _, s := range []int{-5, 100, 110, 500, 2000} {
		an.Marks = append(an.Marks, analyze.Mark{At: analyze.Time{Time: htmlDay.Add(time.Duration(s) * time.Second)}, Kind: analyze.MarkRoll})
	}
	p := newPage(an, HTMLOptions{}.withDefaults())
	marks, rows := p.marked([]int{0, 1, 2, 3, 4, 99, -1})
	if rows != 2 || len(marks) != 3 {
		t.Fatalf("%d rows of %+v; want the three marks in the window in two rows", rows, marks)
	}
	if marks[0].Letter != "B" || marks[0].X != "10%" || marks[0].Y == marks[1].Y || marks[0].Y != marks[2].Y {
		t.Errorf("%+v", marks)
	}
}

package report

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestBucketsAreEqual(t *testing.T) {
	for _, room := range []int{1, 7, 30, 59, 60, 75, 119, 120, 200} {
		even := make([]int64, 120)
		for i := range even {
			even[i] = 1
		}
		sums, each := buckets(even, room)
		if len(sums) > room {
			t.Errorf("room %d: %d buckets", room, len(sums))
		}
		total := int64(0)
		for i, n := range sums {
			total += n
			if n != int64(each) && i < len(sums)-1 {
				t.Errorf("room %d: bucket %d holds %d slices, the others %d", room, i, n, each)
			}
		}
		if total != 120 {
			t.Errorf("room %d: %d of 120 records", room, total)
		}
	}
}

func TestBars(t *testing.T) {
	for _, c := range []struct {
		counts      []int64
		holes       []bool
		want, ascii string
	}{
		{[]int64{0, 1, 2, 3, 4, 0}, nil, "·▂▄▆█·", "_:=*@_"},
		{[]int64{1, 0, 800, 400, 100}, nil, "▁·█▄▁", "._@=."},
		{[]int64{0, 0, 1}, []bool{false, true, true}, "·?▂", "_?:"},
	} {
		if got := (Screen{}).bars(c.counts, c.holes); got != c.want {
			t.Errorf("bars of %v: %s, want %s", c.counts, got, c.want)
		}
		if got := (Screen{ASCII: true}).bars(c.counts, c.holes); got != c.ascii {
			t.Errorf("bars of %v in ASCII: %s, want %s", c.counts, got, c.ascii)
		}
	}
}

func axisOf(t *testing.T, zone, start string, span time.Duration, buckets, room int) (*axis, Screen) {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	from, err := time.Parse(time.RFC3339, start)
	if err != nil {
		t.Fatal(err)
	}
	s := Screen{Zone: loc}
	return &axis{start: from, end: from.Add(span), buckets: buckets, room: room, face: newClockFace(s, from, from.Add(span))}, s
}

func TestAxisShowsRoundTimesOfTheZone(t *testing.T) {
	for _, c := range []struct {
		zone, start   string
		span          time.Duration
		buckets, room int
		want          string
	}{
		{"UTC", "2026-09-19T08:10:00Z", 11 * time.Hour, 60, 77, "08:10Z     ╵10:00Z   ╵12:00Z    ╵14:00Z    ╵16:00Z      19:10Z"},
		{"Asia/Kolkata", "2026-09-19T08:10:00Z", 11 * time.Hour, 120, 197,
			"09-19 13:40+05:30         ╵16:00+05:30          ╵18:00+05:30          ╵20:00+05:30         ╵22:00+05:30  09-20 00:40+05:30"},
		{"UTC", "2026-09-19T08:10:00Z", 5 * time.Minute, 60, 77, "08:10:00Z                ╵08:12:00Z                  08:15:00Z"},
		{"UTC", "2026-09-19T20:00:00Z", 3 * 24 * time.Hour, 60, 77, "09-19 20:00Z  ╵12:00Z   ╵09-21    ╵12:00Z         09-22 20:00Z"},
		{"Europe/Berlin", "2026-10-24T22:00:00Z", 25 * time.Hour, 120, 197, "10-25 00:00+02:00        ╵04:00+01:00       ╵08:00+01:00       ╵12:00+01:00       ╵16:00+01:00           10-26 00:00+01:00"},
		{"UTC", "2026-09-19T08:10:00Z", 11 * time.Hour, 8, 10, "08:10Z"},
	} {
		ax, s := axisOf(t, c.zone, c.start, c.span, c.buckets, c.room)
		got := ax.line(s)
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s from %s for %s:\n%s, want it to begin with\n%s", c.zone, c.start, c.span, got, c.want)
		}
	}
}

func TestMarksStandAtTheirTime(t *testing.T) {
	at := func(h, m int) analyze.Time { return analyze.Time{Time: time.Date(2026, 9, 19, h, m, 0, 0, time.UTC)} }
	all := []analyze.Mark{
		{At: at(1, 0), Kind: analyze.MarkRoll, Name: "much earlier"},
		{At: at(7, 0), Kind: analyze.MarkRoll, Name: "before"},
		{At: at(9, 0), Kind: analyze.MarkRoll, Name: "first"},
		{At: at(9, 30), Kind: analyze.MarkIssueClosed, Issue: 42, Name: "Title"},
		{At: at(13, 50), Kind: analyze.MarkRoll, Name: "a late by long name"},
		{At: at(15, 0), Kind: analyze.MarkRoll, Name: "after"},
	}
	ax, s := axisOf(t, "UTC", "2026-09-19T08:00:00Z", 6*time.Hour, 60, 64)
	want := []string{
		"◂ 07:00Z before                 13:50Z a late by long name ▲",
		"           ▲ 09:00Z first",
		"                ▲ 09:30Z #42 closed",
	}
	if d := cmp.Diff(want, ax.marks(s, all, []int{0, 1, 2, 3, 4, 5, 99})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := ax.marks(s, all, nil); len(got) != 0 {
		t.Errorf("marks that concern nothing: %q", got)
	}
	many := ax.marks(s, all, []int{1, 2, 3, 4, 2, 3, 4})
	if len(many) < 2 || strings.Count(many[0], "▲") != 3 || !strings.Contains(many[0], "◂") || !strings.Contains(strings.Join(many[1:], " "), "09:30Z #42 closed") {
		t.Errorf("many marks: %q", many)
	}
}

package report

import (
	"testing"
	"time"

	"github.com/vdm-logs/vdm-logs/analyze"
)

func TestRate(t *testing.T) {
	for _, c := range []struct {
		n    int64
		d    time.Duration
		want string
	}{
		{2, time.Hour, ""}, {1, 0, ""}, {3, 0, ""},
		{3, time.Hour, "2.0/h"}, {349, 10*time.Hour + 41*time.Minute, "33/h"},
		{10_001, time.Second, "10,000/s"}, {61, time.Minute, "1.0/s"}, {60, time.Minute, "59/min"},
		{3, 30 * 24 * time.Hour, "0.1/d"}, {25, 24 * time.Hour, "1.0/h"}, {24, 24 * time.Hour, "23/d"},
	} {
		if got := rate(c.n, c.d); got != c.want {
			t.Errorf("rate(%d, %s) = %q, want %q", c.n, c.d, got, c.want)
		}
	}
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		16*time.Minute + 25*time.Second: "16m", 2 * time.Hour: "2h", 125 * time.Minute: "2h05m", 72 * time.Hour: "3d", 73 * time.Hour: "3d1h",
		65 * time.Second: "1m05s", 2 * time.Minute: "2m", 1234 * time.Millisecond: "1.2s", 0: "0s",
	} {
		if got := about(d); got != want {
			t.Errorf("about(%s) = %q, want %q", d, got, want)
		}
	}
}

func TestTimesCarryTheirOffset(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const said = "seen at 2026-09-19T22:02:41Z, and 2026-09-19T22:02:41.050Z"
	for _, c := range []struct {
		zone              *time.Location
		start, end        string
		wantSpan, wantSay string
	}{
		{nil, "2026-09-19T08:00:00Z", "2026-09-19T23:00:00Z", "2026-09-19 08:00:00Z > 23:00:00Z", "seen at 22:02:41Z, and 22:02:41.050Z"},
		{nil, "2026-09-20T08:00:00Z", "2026-09-20T23:00:00Z", "2026-09-20 08:00:00Z > 23:00:00Z", "seen at 09-19 22:02:41Z, and 09-19 22:02:41.050Z"},
		{berlin, "2026-09-19T08:00:00Z", "2026-09-19T23:00:00Z", "2026-09-19 10:00:00+02:00 > 2026-09-20 01:00:00+02:00", "seen at 09-20 00:02:41+02:00, and 09-20 00:02:41.050+02:00"},
		{berlin, "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00+02:00 > 02:30:00+01:00", "seen at 09-20 00:02:41+02:00, and 09-20 00:02:41.050+02:00"},
		{nil, "2027-01-01T00:00:00Z", "2027-01-01T01:30:00Z", "2027-01-01 00:00:00Z > 01:30:00Z", "seen at 2026-09-19 22:02:41Z, and 2026-09-19 22:02:41.050Z"},
	} {
		face := newClockFace(Screen{Zone: c.zone}, at(c.start), at(c.end))
		if got := face.span(at(c.start), at(c.end), ">"); got != c.wantSpan {
			t.Errorf("window: %q, want %q", got, c.wantSpan)
		}
		if got := face.retell(said); got != c.wantSay {
			t.Errorf("%s: %q, want %q", c.start, got, c.wantSay)
		}
	}
}

func TestPodNamesTellPodsApart(t *testing.T) {
	an := &analyze.Analysis{Incidents: []analyze.Incident{
		{Pods: []string{"portal-6f9c-2kcwk", "portal-6f9c-h8x2q", "other-77aa-h8x2q", "web-0"}},
		{Pods: []string{"portal-6f9c-2kcwk", "web-1", "single"}},
	}}
	got := podNames(an, Screen{})
	for pod, want := range map[string]string{
		"portal-6f9c-2kcwk": "…-2kcwk", "portal-6f9c-h8x2q": "…-6f9c-h8x2q", "other-77aa-h8x2q": "…-77aa-h8x2q",
		"web-0": "web-0", "web-1": "web-1", "single": "single",
	} {
		if got[pod] != want {
			t.Errorf("%s is called %q, want %q", pod, got[pod], want)
		}
	}
}

func TestExcerptKeepsTheWordsThatDecide(t *testing.T) {
	const line = "Bundle index over HTTP from https://registry.example/a/very/long/path did NOT complete: the registry did not begin a response within 120 s"
	st := &analyze.Stage{Evidence: []string{"stands elsewhere", "did not begin a response"}}
	for _, c := range []struct {
		width int
		st    *analyze.Stage
		want  string
	}{
		{200, st, line},
		{60, st, "Bundle index over HTTP…did not begin a response within 120 s"},
		{50, st, "Bundle index ove…did not begin a response within …"},
		{60, nil, "Bundle index over HTTP from https://registry.example/a/very…"},
		{24, st, "Bundle index over HTTP …"},
	} {
		if got := (Screen{}).excerpt(line, c.st, c.width); got != c.want {
			t.Errorf("in %d columns: %q, want %q", c.width, got, c.want)
		}
	}
}

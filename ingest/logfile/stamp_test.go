package logfile

import (
	"testing"
	"time"
)

func TestStamps(t *testing.T) {
	near := time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		berlin = time.FixedZone("CEST", 7200)
	}
	cases := []struct {
		line string
		find finder
		want string // RFC 3339 in UTC; "" for none
		zone *time.Location
	}{
		{"2026-09-19T08:10:16.049626825Z x", atStart, "2026-09-19T08:10:16.049626825Z", nil},
		{"2026-09-19T08:10:16.049+02:00 x", atStart, "2026-09-19T06:10:16.049Z", nil},
		{"2026-09-19T08:10:16-0530", atStart, "2026-09-19T13:40:16Z", nil},
		{"2026-09-19 08:10:16,049 x", atStart, "2026-09-19T08:10:16.049Z", nil},
		{"2026-09-19 08:10:16 +0200 x", atStart, "2026-09-19T06:10:16Z", nil},
		{"2026-09-19 08:10:16 UTC x", atStart, "2026-09-19T08:10:16Z", nil},
		{"2026-09-19 08:10:16 x", atStart, "2026-09-19T06:10:16Z", berlin},
		{"2026-12-19 08:10:16Z x", atStart, "2026-12-19T08:10:16Z", berlin},
		{"2026/09/19 08:10:16.5 x", atStart, "2026-09-19T08:10:16.5Z", nil},
		{"2026-09-19_08:10:16 x", atStart, "2026-09-19T08:10:16Z", nil},
		{"[2026-09-19 08:10:16] x", atStart, "2026-09-19T08:10:16Z", nil},
		{"\x1b[90m2026-09-19 08:10:16\x1b[0m x", atStart, "2026-09-19T08:10:16Z", nil},
		{"Sep 19 08:10:16 host app: x", atStart, "2026-09-19T08:10:16Z", nil},
		{"Sep  9 08:10:16.5 host app: x", atStart, "2026-09-09T08:10:16.5Z", nil},
		{"Dec 31 23:59:59 host app: x", atStart, "2025-12-31T23:59:59Z", nil},
		{"Feb 29 08:10:16 host app: x", atStart, "2024-02-29T08:10:16Z", nil},
		{"[Sat Sep 19 08:10:16.25 2026] [error] x", atStart, "2026-09-19T08:10:16.25Z", nil},
		{"Sep 19, 2026 8:10:16 PM java.util", atStart, "2026-09-19T20:10:16Z", nil},
		{"Sep 19, 2026 12:10:16 AM java.util", atStart, "2026-09-19T00:10:16Z", nil},
		{"19/Sep/2026:08:10:16 +0200 x", atStart, "2026-09-19T06:10:16Z", nil},
		{"19-Sep-2026 08:10:16.049 INFO [main]", atStart, "2026-09-19T08:10:16.049Z", nil},
		{"20260919-08:10:16:049|x", atStart, "2026-09-19T08:10:16.049Z", nil},
		{"20260919T081016Z x", atStart, "2026-09-19T08:10:16Z", nil},
		{"19.09.2026 08:10:16 x", atStart, "2026-09-19T08:10:16Z", nil},
		{"09/19/2026 08:10:16 x", atStart, "2026-09-19T08:10:16Z", nil},
		{"E0919 08:10:16.049626       1 x.go:1] y", atStart, "2026-09-19T08:10:16.049626Z", nil},
		{"<134>Sep 19 08:10:16 host app: x", syslogStart, "2026-09-19T08:10:16Z", nil},
		{"<134>1 2026-09-19T08:10:16.049Z host app 1 - - x", syslogStart, "2026-09-19T08:10:16.049Z", nil},
		{"26/09/19 08:10:16 x", weakAtStart, "2026-09-19T08:10:16Z", nil},
		{"260919 081016 13 INFO x", weakAtStart, "2026-09-19T08:10:16Z", nil},
		{"1789805416 x", weakAtStart, "2026-09-19T08:10:16Z", nil},
		{"[1789805416.049] x", weakAtStart, "2026-09-19T08:10:16.049Z", nil},
		{"1789805416049 x", weakAtStart, "2026-09-19T08:10:16.049Z", nil},
		{"1789805416049626825\tx", weakAtStart, "2026-09-19T08:10:16.049626825Z", nil},
		{`10.0.0.1 - - [19/Sep/2026:08:10:16 +0000] "GET / HTTP/1.1" 200 5`, inAccess, "2026-09-19T08:10:16Z", nil},
		{`{"level":"error","ts":1789805416.5,"msg":"x"}`, inJSON, "2026-09-19T08:10:16.5Z", nil},
		{`{"time":30,"@timestamp":"2026-09-19T08:10:16.049Z"}`, inJSON, "2026-09-19T08:10:16.049Z", nil},
		{`{"Timestamp":"2026-09-19 08:10:16 ","EventId":0}`, inJSON, "2026-09-19T08:10:16Z", nil},
		{`level=error ts=2026-09-19T08:10:16.049Z caller=x.go:1 msg="a b"`, inLogfmt, "2026-09-19T08:10:16.049Z", nil},
		{`time="2026-09-19T08:10:16Z" level=error`, inLogfmt, "2026-09-19T08:10:16Z", nil},
		{"nova.log.2026-01-01_10:00:00 2026-09-19 08:10:16.5 1 INFO", atToken, "2026-09-19T08:10:16.5Z", nil},
		{"[INFO] 2026-09-19 08:10:16 x", atToken, "2026-09-19T08:10:16Z", nil},

		{"", atStart, "", nil},
		{"   at 2026-09-19 08:10:16", atStart, "", nil},
		{"   at 2026-09-19 08:10:16", atToken, "", nil},
		{"2026-13-19 08:10:16", atStart, "", nil},
		{"2026-02-29 08:10:16", atStart, "", nil},
		{"2026-09-19 24:10:16", atStart, "", nil},
		{"9999-09-19 08:10:16", atStart, "", nil},
		{"Sep 31 08:10:16 x", atStart, "", nil},
		{"System.Exception: x", atStart, "", nil},
		{"1234567890123 x", weakAtStart, "2009-02-13T23:31:30.123Z", nil},
		{"0000000001 x", weakAtStart, "", nil},
		{"12345678901 x", weakAtStart, "", nil},
		{`{"time":30}`, inJSON, "", nil},
		{`{"msg":{"time":"2026-09-19T08:10:16Z"}}`, inJSON, "", nil},
		{`msg="time of flight" uptime=2026-09-19T08:10:16Z`, inLogfmt, "", nil},
		{"I0231 08:10:16.049626 x", klogStart, "", nil},
	}
	for _, c := range cases {
		cal := calendar{zone: time.UTC, near: near}
		if c.zone != nil {
			cal.zone = c.zone
		}
		have := ""
		if s, ok := c.find([]byte(c.line)); ok {
			if ns, ok := cal.nanos(s); ok {
				have = timeText(ns)
			}
		}
		if have != c.want {
			t.Errorf("%q: %q, want %q", c.line, have, c.want)
		}
	}
}

// TestDaysTo compares every day of the range with package time.
func TestDaysTo(t *testing.T) {
	day := time.Date(minYear, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() <= maxYear; day = day.AddDate(0, 0, 1) {
		y, m, d := day.Date()
		if !validDate(y, int(m), d) {
			t.Fatalf("%v is refused", day)
		}
		if got, want := daysTo(y, int(m), d), day.Unix()/86400; got*86400 != day.Unix() {
			t.Fatalf("daysTo(%v) = %d, want %d", day, got, want)
		}
	}
}

func FuzzStamps(f *testing.F) {
	for _, s := range []string{"2026-09-19T08:10:16.049626825Z", "Sep 19, 2026 8:10:16 PM", "[Sat Sep 19 08:10:16 2026]", "<1>1 2026-09-19T08:10:16Z a b", "1789805416.049", "20260919-08:10:16:049", `{"ts":1,"time":"x"}`, "time=\"", "I0919 08:10:16.0", "260919 081016"} {
		f.Add([]byte(s))
	}
	cal := calendar{zone: time.UTC, near: noon}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, find := range []finder{atStart, weakAtStart, atToken, inAccess, klogStart, syslogStart, inJSON, inLogfmt, nginxError} {
			if s, ok := find(line); ok {
				cal.nanos(s)
			}
		}
		// A time that both read is the same for both.
		if ns, ok := rfc3339(line); ok {
			want, err := time.Parse(time.RFC3339Nano, string(line))
			if err == nil && want.UnixNano() != ns && want.Second() < 60 {
				t.Errorf("rfc3339(%q) = %s, want %s", line, timeText(ns), want.UTC())
			}
		}
	})
}

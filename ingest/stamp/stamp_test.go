package stamp

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
		find Finder
		want string // RFC 3339 in UTC; "" for none
		zone *time.Location
	}{
		{"2026-09-19T08:10:16.049626825Z x", AtStart, "2026-09-19T08:10:16.049626825Z", nil},
		{"2026-09-19T08:10:16.049+02:00 x", AtStart, "2026-09-19T06:10:16.049Z", nil},
		{"2026-09-19T08:10:16-0530", AtStart, "2026-09-19T13:40:16Z", nil},
		{"2026-09-19 08:10:16,049 x", AtStart, "2026-09-19T08:10:16.049Z", nil},
		{"2026-09-19 08:10:16 +0200 x", AtStart, "2026-09-19T06:10:16Z", nil},
		{"2026-09-19 08:10:16 UTC x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"2026-09-19 08:10:16 x", AtStart, "2026-09-19T06:10:16Z", berlin},
		{"2026-12-19 08:10:16Z x", AtStart, "2026-12-19T08:10:16Z", berlin},
		{"2026/09/19 08:10:16.5 x", AtStart, "2026-09-19T08:10:16.5Z", nil},
		{"2026-09-19_08:10:16 x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"[2026-09-19 08:10:16] x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"\x1b[90m2026-09-19 08:10:16\x1b[0m x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"Sep 19 08:10:16 host app: x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"Sep  9 08:10:16.5 host app: x", AtStart, "2026-09-09T08:10:16.5Z", nil},
		{"Dec 31 23:59:59 host app: x", AtStart, "2025-12-31T23:59:59Z", nil},
		{"Feb 29 08:10:16 host app: x", AtStart, "2024-02-29T08:10:16Z", nil},
		{"[Sat Sep 19 08:10:16.25 2026] [error] x", AtStart, "2026-09-19T08:10:16.25Z", nil},
		{"Sep 19, 2026 8:10:16 PM java.util", AtStart, "2026-09-19T20:10:16Z", nil},
		{"Sep 19, 2026 12:10:16 AM java.util", AtStart, "2026-09-19T00:10:16Z", nil},
		{"19/Sep/2026:08:10:16 +0200 x", AtStart, "2026-09-19T06:10:16Z", nil},
		{"19-Sep-2026 08:10:16.049 INFO [main]", AtStart, "2026-09-19T08:10:16.049Z", nil},
		{"20260919-08:10:16:049|x", AtStart, "2026-09-19T08:10:16.049Z", nil},
		{"20260919T081016Z x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"19.09.2026 08:10:16 x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"09/19/2026 08:10:16 x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"E0919 08:10:16.049626       1 x.go:1] y", AtStart, "2026-09-19T08:10:16.049626Z", nil},
		{"<134>Sep 19 08:10:16 host app: x", Syslog, "2026-09-19T08:10:16Z", nil},
		{"<134>1 2026-09-19T08:10:16.049Z host app 1 - - x", Syslog, "2026-09-19T08:10:16.049Z", nil},
		{"26/09/19 08:10:16 x", WeakAtStart, "2026-09-19T08:10:16Z", nil},
		{"260919 081016 13 INFO x", WeakAtStart, "2026-09-19T08:10:16Z", nil},
		{"1789805416 x", WeakAtStart, "2026-09-19T08:10:16Z", nil},
		{"[1789805416.049] x", WeakAtStart, "2026-09-19T08:10:16.049Z", nil},
		{"1789805416049 x", WeakAtStart, "2026-09-19T08:10:16.049Z", nil},
		{"1789805416049626825\tx", WeakAtStart, "2026-09-19T08:10:16.049626825Z", nil},
		{`10.0.0.1 - - [19/Sep/2026:08:10:16 +0000] "GET / HTTP/1.1" 200 5`, InAccess, "2026-09-19T08:10:16Z", nil},
		{`{"level":"error","ts":1789805416.5,"msg":"x"}`, InJSON, "2026-09-19T08:10:16.5Z", nil},
		{`{"time":30,"@timestamp":"2026-09-19T08:10:16.049Z"}`, InJSON, "2026-09-19T08:10:16.049Z", nil},
		{`{"Timestamp":"2026-09-19 08:10:16 ","EventId":0}`, InJSON, "2026-09-19T08:10:16Z", nil},
		{`level=error ts=2026-09-19T08:10:16.049Z caller=x.go:1 msg="a b"`, InLogfmt, "2026-09-19T08:10:16.049Z", nil},
		{`time="2026-09-19T08:10:16Z" level=error`, InLogfmt, "2026-09-19T08:10:16Z", nil},
		{"nova.log.2026-01-01_10:00:00 2026-09-19 08:10:16.5 1 INFO", AtToken, "2026-09-19T08:10:16.5Z", nil},
		{"[INFO] 2026-09-19 08:10:16 x", AtToken, "2026-09-19T08:10:16Z", nil},

		{"", AtStart, "", nil},
		{"   at 2026-09-19 08:10:16", AtStart, "", nil},
		{"   at 2026-09-19 08:10:16", AtToken, "", nil},
		{"2026-13-19 08:10:16", AtStart, "", nil},
		{"2026-02-29 08:10:16", AtStart, "", nil},
		{"2026-09-19 24:10:16", AtStart, "", nil},
		{"9999-09-19 08:10:16", AtStart, "", nil},
		{"Sep 31 08:10:16 x", AtStart, "", nil},
		{"System.Exception: x", AtStart, "", nil},
		{"1234567890123 x", WeakAtStart, "2009-02-13T23:31:30.123Z", nil},
		{"0000000001 x", WeakAtStart, "", nil},
		{"12345678901 x", WeakAtStart, "", nil},
		{`{"time":30}`, InJSON, "", nil},
		{`{"msg":{"time":"2026-09-19T08:10:16Z"}}`, InJSON, "", nil},
		{`msg="time of flight" uptime=2026-09-19T08:10:16Z`, InLogfmt, "", nil},
		{"E, [2026-09-19T08:10:16.049626 #12] ERROR -- portal: x", AtStart, "2026-09-19T08:10:16.049626Z", nil},
		{"<189>45: *Sep 19 08:10:16.123: %LINK-3-UPDOWN: Interface Fa0/1, changed state", Syslog, "2026-09-19T08:10:16.123Z", nil},
		{"<189>46: Sep 19 2026 08:10:17 UTC: %SYS-5-CONFIG_I: Configured", Syslog, "2026-09-19T08:10:17Z", nil},
		{"09-19 08:10:16.123  1234  1240 E Tag: x", WeakAtStart, "2026-09-19T08:10:16.123Z", nil},
		{"12-31 23:59:59.123  1234  1240 E Tag: x", WeakAtStart, "2025-12-31T23:59:59.123Z", nil},
		{"08:10:16.123 [main] ERROR com.Foo - x", WeakAtStart, "2026-09-19T08:10:16.123Z", nil},
		{"23:59:59,5 x", WeakAtStart, "2026-09-19T23:59:59.5Z", nil},
		{"00:00:00 x", WeakAtStart, "2026-09-20T00:00:00Z", nil},
		{"01:59:59 x", WeakAtStart, "2026-09-19T23:59:59Z", berlin},
		{"08:10:16abc", WeakAtStart, "", nil},
		{"2026-09-19 10:10:16.049 CEST [12] LOG", AtStart, "2026-09-19T08:10:16.049Z", nil},
		{"2026-09-19 01:10:16 PDT x", AtStart, "2026-09-19T08:10:16Z", berlin},
		{"2026-09-19 17:40:16 ACST x", AtStart, "2026-09-19T08:10:16Z", berlin},
		{"2026-09-19 10:10:16 CST x", AtStart, "2026-09-19T08:10:16Z", berlin},
		{"2026-09-19 08:10:16 CESTUS x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"2026-09-19 08:10:16 INFO x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"[19-Sep-2026 10:10:16 Europe/Berlin] PHP Warning", AtStart, "2026-09-19T08:10:16Z", nil},
		{"[19-Sep-2026 08:10:16 Mars/Phobos] PHP Warning", AtStart, "2026-09-19T08:10:16Z", nil},
		{"2026-09-19 08:10:16 Get/Set x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"Sat Sep 19 10:10:16 CEST 2026 x", AtStart, "2026-09-19T08:10:16Z", nil},
		{"Sat, 19 Sep 2026 08:10:16 GMT x", AtStart, "2026-09-19T08:10:16Z", berlin},
		{"1:M 19 Sep 2026 08:10:16.049 * Ready", AtToken, "2026-09-19T08:10:16.049Z", nil},
		{"Sat 2026-09-19 10:10:16 CEST node-1 a[1]: x", AtToken, "2026-09-19T08:10:16Z", nil},
		{"E20260919 08:10:16.049626  1234 x.cc:12] y", AtStart, "2026-09-19T08:10:16.049626Z", nil},
		{"2026-09-19\t08:10:16\tFRA2", AtStart, "2026-09-19T08:10:16Z", nil},
		{"Sep 19, 2026 @ 08:10:16.049", cell, "2026-09-19T08:10:16.049Z", nil},
		{"9/19/2026, 8:10:16.049 AM", cell, "2026-09-19T08:10:16.049Z", nil},
		{"12/9/2026, 12:10:16 AM", cell, "2026-12-09T00:10:16Z", nil},
		{"13/9/2026, 8:10:16 AM", cell, "", nil},
		{"19.09.2026 08:10:16", cell, "2026-09-19T08:10:16Z", nil},
		{"8 AM", cell, "", nil},
		{`{"instant":{"epochSecond":1789805416,"nanoOfSecond":49626825},"level":"INFO"}`, InJSON, "2026-09-19T08:10:16.049626825Z", nil},
		{`{"t":{"$date":"2026-09-19T08:10:16.049+00:00"},"s":"I"}`, InJSON, "2026-09-19T08:10:16.049Z", nil},
		{`{"timestamp":{"seconds":1789805416,"nanos":49626825},"severity":"ERROR"}`, InJSON, "2026-09-19T08:10:16.049626825Z", nil},
		{`{"timestamp":{"seconds":"x","nanos":49626825},"severity":"ERROR"}`, InJSON, "", nil},
		{"I0231 08:10:16.049626 x", Klog, "", nil},
	}
	for _, c := range cases {
		cal := Calendar{Zone: time.UTC, Near: near}
		if c.zone != nil {
			cal.Zone = c.zone
		}
		have := ""
		if s, ok := c.find([]byte(c.line)); ok {
			if ns, ok := cal.Nanos(s); ok {
				have = text(ns)
			}
		}
		if have != c.want {
			t.Errorf("%q: %q, want %q", c.line, have, c.want)
		}
	}
}

func cell(b []byte) (Stamp, bool) { return Cell(b) }

// TestDaysTo compares every day of the range with package time.
func TestDaysTo(t *testing.T) {
	day := time.Date(MinYear, 1, 1, 0, 0, 0, 0, time.UTC)
	for ; day.Year() <= MaxYear; day = day.AddDate(0, 0, 1) {
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
	cal := Calendar{Zone: time.UTC, Near: time.Date(2026, 9, 19, 12, 0, 0, 0, time.UTC)}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, find := range []Finder{Any, AtLineStart, cell, AtStart, WeakAtStart, AtToken, InAccess, Klog, Syslog, InJSON, InLogfmt, NginxError} {
			if s, ok := find(line); ok {
				cal.Nanos(s)
			}
		}
		// A time that both read is the same for both.
		if ns, ok := RFC3339(line); ok {
			want, err := time.Parse(time.RFC3339Nano, string(line))
			if err == nil && want.UnixNano() != ns && want.Second() < 60 {
				t.Errorf("RFC3339(%q) = %s, want %s", line, text(ns), want.UTC())
			}
		}
	})
}

func text(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

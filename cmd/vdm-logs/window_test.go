package main

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// testNow is "now" in the tests of times.
var testNow = time.Date(2026, 9, 19, 19, 8, 0, 0, time.UTC)

func TestParseInstant(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		loc  *time.Location
		want string // RFC 3339, or the error's words when it has no digits first
		hint string
	}{
		{text: "2026-09-19T08:00:00Z", want: "2026-09-19T08:00:00Z"},
		{text: "2026-09-19t08:00:00z", want: "2026-09-19T08:00:00Z"},
		{text: "2026-09-19T10:00:00.123456789+02:00", want: "2026-09-19T08:00:00.123456789Z"},
		{text: "2026-09-19 10:00:00+02:00", want: "2026-09-19T08:00:00Z"},
		{text: "2026-09-19 10:00 +02:00", want: "2026-09-19T08:00:00Z"},
		{text: "2026-09-19T08:00Z", want: "2026-09-19T08:00:00Z"},
		{text: "2026-09-19T08:00:00Z", loc: berlin, want: "2026-09-19T08:00:00Z"},
		{text: "now", want: "2026-09-19T19:08:00Z"},
		{text: "now-90m", want: "2026-09-19T17:38:00Z"},
		{text: "now - 1d", want: "now", hint: "now-1d"},
		{text: "now-1d", want: "2026-09-18T19:08:00Z"},
		{text: "now-1.5h", want: "2026-09-19T17:38:00Z"},
		{text: "now+5m", want: "2026-09-19T19:13:00Z"},
		{text: "now--5m", want: "is no time", hint: "now-90m"},
		{text: "now5m", want: "is no time", hint: "now-90m"},
		{text: "nowadays", want: "is no time", hint: "now-90m"},
		{text: "1789804800", want: "2026-09-19T08:00:00Z"},
		{text: "1789804800123", want: "2026-09-19T08:00:00.123Z"},
		{text: "1789804800123456", want: "2026-09-19T08:00:00.123456Z"},
		{text: "1789804800123456789", want: "2026-09-19T08:00:00.123456789Z"},
		{text: "20260919", want: "is no time", hint: "RFC 3339"},
		{text: "2026-09-19T08:00:00", want: "names no time zone", hint: "Write 2026-09-19T08:00:00Z for UTC, or another offset; or say with --tz"},
		{text: "2026-09-19", want: "names no time zone", hint: "--tz Europe/Berlin"},
		{text: "2026-09-19", loc: time.UTC, want: "2026-09-19T00:00:00Z"},
		{text: "2026-09-19", loc: berlin, want: "2026-09-18T22:00:00Z"},
		{text: "2026-09-19T08:00", loc: berlin, want: "2026-09-19T06:00:00Z"},
		{text: "2026-09-19 08:00:00.25", loc: berlin, want: "2026-09-19T06:00:00.25Z"},
		{text: "2026-10-25T02:30", loc: berlin, want: "happened twice", hint: "2026-10-25T02:30:00+02:00 for the first or 2026-10-25T02:30:00+01:00"},
		{text: "2026-03-29T02:30", loc: berlin, want: "does not exist", hint: "offset"},
		{text: "2026-10-25T03:00", loc: berlin, want: "2026-10-25T02:00:00Z"},
		{text: "2026-10-25T01:59:59", loc: berlin, want: "2026-10-24T23:59:59Z"},
		{text: "2026-03-29T03:00", loc: berlin, want: "2026-03-29T01:00:00Z"},
		{text: "2026-02-30", loc: time.UTC, want: "is no time", hint: "RFC 3339"},
		{text: "1066-10-14T09:00:00Z", want: "outside of the years", hint: "year"},
		{text: "noon", want: "is no time", hint: "2026-09-19T08:00:00Z"},
		{text: " ", want: "is no time", hint: "RFC 3339"},
	} {
		got, err := parseInstant("--from", c.text, c.loc, testNow)
		if err == nil {
			if s := got.Format(time.RFC3339Nano); s != c.want {
				t.Errorf("%q in %v: %s, want %s", c.text, c.loc, s, c.want)
			}
			continue
		}
		var ue usageError
		if !errors.As(err, &ue) || !strings.Contains(err.Error(), c.want) || !strings.Contains(ue.hint, c.hint) || c.hint == "" {
			t.Errorf("%q in %v: %v, hint %q; want %q and the hint %q", c.text, c.loc, err, ue.hint, c.want, c.hint)
		}
	}
}

func TestWindowFlags(t *testing.T) {
	for _, c := range []struct {
		flags windowFlags
		want  string // from, to and since, or the error's words
	}{
		{windowFlags{}, "-, -, 0s"},
		{windowFlags{since: "1d"}, "-, -, 24h0m0s"},
		{windowFlags{since: "1h", to: "now-1h"}, "-, 18:08:00, 1h0m0s"},
		{windowFlags{from: "now-1h", to: "now"}, "18:08:00, 19:08:00, 0s"},
		{windowFlags{around: "now-1h"}, "18:03:00, 18:13:00, 0s"},
		{windowFlags{around: "2026-09-19T18:08:00Z", width: "30m"}, "17:53:00, 18:23:00, 0s"},
		{windowFlags{width: "30m"}, "--around"},
		{windowFlags{around: "now", since: "1h"}, "both ends"},
		{windowFlags{around: "now", to: "now"}, "both ends"},
		{windowFlags{around: "now", width: "0s"}, "--window 0s is not positive"},
		{windowFlags{around: "noon"}, `--around "noon" is no time`},
		{windowFlags{since: "1h", from: "now-2h"}, "both say"},
		{windowFlags{from: "now", to: "now-1h"}, "is not before"},
		{windowFlags{since: "90"}, "is no duration"},
		{windowFlags{since: "-1h"}, "not positive"},
	} {
		show := func(t time.Time) string {
			if t.IsZero() {
				return "-"
			}
			return t.Format(time.TimeOnly)
		}
		w, err := c.flags.parse(nil, testNow)
		if err != nil {
			var ue usageError
			if !errors.As(err, &ue) || !strings.Contains(err.Error(), c.want) || ue.hint == "" {
				t.Errorf("%+v: %v (hint %q), want %s", c.flags, err, ue.hint, c.want)
			}
			continue
		}
		if got := show(w.from) + ", " + show(w.to) + ", " + w.since.String(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.flags, got, c.want)
		}
	}
}

func TestParseZone(t *testing.T) {
	for text, want := range map[string]string{
		"": "none", "UTC": "UTC", "utc": "UTC", "Z": "UTC", "Local": "Local", "Europe/Berlin": "Europe/Berlin",
		"+02:00": "+02:00", "-0330": "-03:30", "+5": "error", "Moon/Crater": "error", "../../etc/passwd": "error", "+25:00": "error",
	} {
		loc, err := parseZone(text)
		got := "none"
		switch {
		case err != nil:
			got = "error"
		case loc != nil:
			got = loc.String()
		}
		if got != want {
			t.Errorf("parseZone(%q) = %s, %v; want %s", text, got, err, want)
		}
	}
}

// FuzzInstant wants every time that is taken to mean the same when it is
// written in full, and every refusal to name a way out.
func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2026-09-19T08:00:00Z", "now-90m", "2026-10-25T02:30", "2026-03-29", "1789804800", "now+9999999h", "9999-12-31T23:59:59Z", "２０２６-09-19", "now-"} {
		f.Add(s)
	}
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, loc := range []*time.Location{nil, berlin} {
			got, err := parseInstant("--from", s, loc, testNow)
			if err != nil {
				var ue usageError
				if !errors.As(err, &ue) || ue.hint == "" {
					t.Errorf("%q: %v has no hint", s, err)
				}
				continue
			}
			if s == "" {
				continue
			}
			again, err := parseInstant("--from", got.Format(time.RFC3339Nano), nil, testNow)
			if err != nil || !again.Equal(got) {
				t.Errorf("%q is %v, which is %v, %v", s, got, again, err)
			}
			if nanos := time.Unix(0, got.UnixNano()); !nanos.Equal(got) {
				t.Errorf("%q is %v, and in nanoseconds %v", s, got, nanos)
			}
			if loc == nil {
				if other, err := parseInstant("--from", s, berlin, testNow); err != nil || !other.Equal(got) {
					t.Errorf("%q names its zone, but is %v in another (%v)", s, other, err)
				}
			}
		}
	})
}

package main

import "testing"

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "1048576": 1 << 20, "5GiB": 5 << 30, "1.5 KiB": 1536, "500MB": 500e6, "7B": 7, "2kB": 2000, "1TiB": 1 << 40,
	} {
		if got, err := parseBytes(s); err != nil || got != want {
			t.Errorf("parseBytes(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "GiB", "-1GiB", "5XB", "NaN", "1e300GiB", "five"} {
		if got, err := parseBytes(s); err == nil {
			t.Errorf("parseBytes(%q) = %d, want an error", s, got)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1536: "1.5 KiB", 5 << 30: "5.0 GiB"} {
		if got := formatBytes(n); got != want {
			t.Errorf("formatBytes(%d) = %q, want %q", n, got, want)
		}
	}
}

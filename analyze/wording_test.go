package analyze

import (
	"testing"
	"time"
)

func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		d, uncertainty time.Duration
		want           string
	}{
		{179999900 * time.Microsecond, 100 * time.Microsecond, "180.000 s"},
		{179999900 * time.Microsecond, time.Second, "180 s"},
		{179200 * time.Millisecond, 200 * time.Millisecond, "179.2 s"},
		{1404 * time.Microsecond, 300 * time.Microsecond, "1.4 ms"},
		{750 * time.Microsecond, 0, "750.000 µs"},
		{3 * time.Hour, time.Millisecond, "3h"},
		{3*time.Hour + 70*time.Second, 2 * time.Minute, "3h1m"},
		{48 * time.Minute, time.Second, "2880 s"},
		{0, 0, "0 ns"},
		{12, 4, "12 ns"},
	} {
		if got := measured(c.d, c.uncertainty); got != c.want {
			t.Errorf("measured(%d, %d) = %q, want %q", c.d, c.uncertainty, got, c.want)
		}
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		48 * time.Minute: "48m", 3 * time.Hour: "3h", 90 * time.Second: "1m30s", 150 * time.Minute: "2h30m",
		10 * time.Second: "10s", 100 * time.Millisecond: "100ms", time.Hour + time.Second: "1h0m1s",
	} {
		if got := span(d); got != want {
			t.Errorf("span(%d) = %q, want %q", d, got, want)
		}
	}
}

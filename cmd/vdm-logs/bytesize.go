package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// byteSize is a flag that holds a number of bytes: 4096, 64KiB, 1.5G, 10MB.
// K, M, G and T alone, and with iB, are powers of 1024; with B of 1000. A
// trailing /s is allowed, for rates.
type byteSize int64

var byteUnits = map[string]float64{
	"": 1, "b": 1,
	"k": 1 << 10, "kib": 1 << 10, "kb": 1e3,
	"m": 1 << 20, "mib": 1 << 20, "mb": 1e6,
	"g": 1 << 30, "gib": 1 << 30, "gb": 1e9,
	"t": 1 << 40, "tib": 1 << 40, "tb": 1e12,
}

// Set reads the flag's value.
func (b *byteSize) Set(s string) error {
	text := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "/s")
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	unit, known := byteUnits[strings.TrimSpace(text[len(digits):])]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !known || n < 0 || math.IsNaN(n) || n*unit >= math.MaxInt64 {
		return fmt.Errorf("%q is no size; write 65536, 64KiB, 1.5GiB or 10MB", s)
	}
	*b = byteSize(n * unit)
	return nil
}

// Type names the value in help.
func (b *byteSize) Type() string { return "size" }

// String returns the size with the largest unit that divides it.
func (b *byteSize) String() string {
	n := int64(*b)
	for _, u := range []struct {
		name string
		size int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if n != 0 && n%u.size == 0 {
			return fmt.Sprintf("%d%s", n/u.size, u.name)
		}
	}
	return strconv.FormatInt(n, 10)
}

// formatBytes writes a number of bytes for people: 3 digits and a unit.
func formatBytes(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n)/(1<<10), 0
	for f >= 1023.5 && unit < 3 {
		f /= 1 << 10
		unit++
	}
	precision := 2
	switch {
	case f >= 99.95:
		precision = 0
	case f >= 9.995:
		precision = 1
	}
	return strconv.FormatFloat(f, 'f', precision, 64) + [...]string{" KiB", " MiB", " GiB", " TiB"}[unit]
}

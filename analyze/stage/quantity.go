package stage

import "strconv"

// durationUnits are the units of time as programs print them.
var durationUnits = map[string]float64{
	"ns": 1, "nanosecond": 1, "nanoseconds": 1, "nanos": 1,
	"us": 1e3, "µs": 1e3, "microsecond": 1e3, "microseconds": 1e3, "usec": 1e3, "micros": 1e3,
	"ms": 1e6, "msec": 1e6, "msecs": 1e6, "millis": 1e6, "millisecond": 1e6, "milliseconds": 1e6,
	"s": 1e9, "sec": 1e9, "secs": 1e9, "second": 1e9, "seconds": 1e9,
	"m": 60e9, "min": 60e9, "mins": 60e9, "minute": 60e9, "minutes": 60e9,
	"h": 3600e9, "hour": 3600e9, "hours": 3600e9,
}

// byteUnits are the units of size. Letters without an i count in thousands,
// as most clients mean them; where a client means 1024 the value is still
// within the roundness of what it prints.
var byteUnits = map[string]float64{
	"b": 1, "byte": 1, "bytes": 1,
	"k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

func (f field) isTime() bool { return f == fieldElapsed || f == fieldBudget || f == fieldAfter }

// quantity reads the number at token i as a value of the field: nanoseconds
// for times, bytes for sizes. The unit is the one attached to the number, else
// the next word, else def; a time without any unit is no value. It returns the
// token after number and unit.
func (v *view) quantity(i int, f field, def string) (value float64, end int, ok bool) {
	value, end, ok = v.anyQuantity(i, f, def)
	return value, end, ok && value < maxQuantity
}

// maxQuantity bounds what is believed: 292 years, or 9 exabytes.
const maxQuantity = 9e18

func (v *view) anyQuantity(i int, f field, def string) (value float64, end int, ok bool) {
	t := &v.tokens[i]
	if t.kind == kindSpan {
		if !f.isTime() {
			return 0, 0, false
		}
		ns, ok := parseSpan(v.word(i))
		return ns, i + 1, ok
	}
	x, err := strconv.ParseFloat(string(v.word(i)), 64)
	if err != nil {
		return 0, 0, false
	}
	units := durationUnits
	if !f.isTime() {
		units = byteUnits
	}
	if t.unitEnd > t.end {
		u, ok := units[lowerString(v.text[t.end:t.unitEnd])]
		if !ok {
			return 0, 0, false
		}
		x *= u
		end = i + 1
		if f.isTime() {
			x, end = v.restOfGoDuration(i, x)
		}
		return x, end, true
	}
	if i+1 < len(v.tokens) && v.tokens[i+1].line == t.line && v.tokens[i+1].kind == kindWord {
		if u, ok := units[lowerString(v.word(i+1))]; ok {
			return x * u, i + 2, true
		}
	}
	if def == "" {
		if f.isTime() {
			return 0, 0, false
		}
		return x, i + 1, true
	}
	return x * units[def], i + 1, true
}

// restOfGoDuration adds the parts of a duration such as 1m30s, which the
// tokenizer takes apart; x is the value of its first part.
func (v *view) restOfGoDuration(i int, x float64) (float64, int) {
	for i+1 < len(v.tokens) {
		t := &v.tokens[i+1]
		if t.kind != kindNumber || t.start != v.tokens[i].unitEnd || t.unitEnd == t.end {
			break
		}
		u, ok := durationUnits[lowerString(v.text[t.end:t.unitEnd])]
		if !ok {
			break
		}
		y, err := strconv.ParseFloat(string(v.word(i+1)), 64)
		if err != nil {
			break
		}
		x += y * u
		i++
	}
	return x, i + 1
}

// lowerString returns b in lower case; longer than any unit gives "".
func lowerString(b []byte) string {
	var a [16]byte
	if len(b) > len(a) {
		return ""
	}
	for i, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		a[i] = c
	}
	return string(a[:len(b)])
}

// parseSpan reads 00:01:40, 00:00:10.5 and 1:40 (minutes and seconds).
func parseSpan(b []byte) (ns float64, ok bool) {
	var parts [3]float64
	n, start := 0, 0
	for i := 0; i <= len(b); i++ {
		if i < len(b) && b[i] != ':' {
			continue
		}
		if n == len(parts) {
			return 0, false
		}
		x, err := strconv.ParseFloat(string(b[start:i]), 64)
		if err != nil {
			return 0, false
		}
		parts[n] = x
		n, start = n+1, i+1
	}
	var s float64
	for _, x := range parts[:n] {
		s = s*60 + x
	}
	return s * 1e9, n >= 2
}

package stage

import (
	"bytes"
	"strconv"
)

// timeUnit returns the nanoseconds of a unit of time as programs print it.
func timeUnit(u []byte) (float64, bool) {
	switch string(u) {
	case "ns", "nanosecond", "nanoseconds", "nanos":
		return 1, true
	case "us", "µs", "usec", "micros", "microsecond", "microseconds":
		return 1e3, true
	case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
		return 1e6, true
	case "s", "sec", "secs", "second", "seconds":
		return 1e9, true
	case "m", "min", "mins", "minute", "minutes":
		return 60e9, true
	case "h", "hour", "hours":
		return 3600e9, true
	}
	return 0, false
}

// byteUnit returns the bytes of a unit of size. Letters without an i count in
// thousands, as most clients mean them; where a client means 1024 the value is
// still within the roundness of what it prints.
func byteUnit(u []byte) (float64, bool) {
	switch string(u) {
	case "b", "byte", "bytes":
		return 1, true
	case "k", "kb":
		return 1e3, true
	case "m", "mb":
		return 1e6, true
	case "g", "gb":
		return 1e9, true
	case "t", "tb":
		return 1e12, true
	case "kib":
		return 1 << 10, true
	case "mib":
		return 1 << 20, true
	case "gib":
		return 1 << 30, true
	case "tib":
		return 1 << 40, true
	}
	return 0, false
}

func (f field) isTime() bool { return f == fieldElapsed || f == fieldBudget || f == fieldAfter }

// startsUnit are the letters that units of time and of size start with, and the
// bytes of a Greek one.
var startsUnit = func() (starts [2][256]bool) {
	for k, letters := range []string{"numshNUMSH\xc2\xb5", "bkmgtBKMGT"} {
		for i := range len(letters) {
			starts[k][letters[i]] = true
		}
	}
	return starts
}()

// mayBe reports whether a unit of the field's kind starts with c.
func (f field) mayBe(c byte) bool {
	if f.isTime() {
		return startsUnit[0][c]
	}
	return startsUnit[1][c]
}

// factor returns what a unit of the field's kind counts, in any letter case.
func (f field) factor(unit []byte) (float64, bool) {
	if len(unit) == 0 || len(unit) > maxUnit || !f.mayBe(unit[0]) {
		return 0, false
	}
	var buf [maxUnit]byte
	if f.isTime() {
		return timeUnit(lower(&buf, unit))
	}
	return byteUnit(lower(&buf, unit))
}

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
	if t.kind != kindNumber {
		return 0, 0, false
	}
	x, ok := parseNumber(v.word(i))
	if !ok {
		return 0, 0, false
	}
	if t.unitEnd > t.end {
		u, ok := f.factor(v.text[t.end:t.unitEnd])
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
	if i+1 < len(v.tokens) && v.tokens[i+1].line == t.line && v.tokens[i+1].kind == kindWord && f.mayBe(v.text[v.tokens[i+1].start]) {
		_, last := v.joined(i + 1) // MiB and kB are joined names, too
		if u, ok := f.factor(v.text[v.tokens[i+1].start:v.tokens[last].end]); ok {
			return x * u, last + 1, true
		}
	}
	if def == "" {
		if f.isTime() {
			return 0, 0, false
		}
		return x, i + 1, true
	}
	u, _ := f.factor([]byte(def))
	return x * u, i + 1, true
}

// negative reports whether a sign stands before the number at token i: -1 bytes
// are no bytes known.
func (v *view) negative(i int) bool {
	t := &v.tokens[i]
	return t.pre == '-' && (isSpace(v.at(int(t.start)-2)) || v.at(int(t.start)-2) == '=')
}

// parseNumber reads digits, fast where there is no fraction.
func parseNumber(b []byte) (float64, bool) {
	if n, ok := parseDigits(b); ok {
		return float64(n), true
	}
	if bytes.IndexByte(b, ',') >= 0 {
		b = bytes.ReplaceAll(b, []byte(","), nil)
	}
	x, err := strconv.ParseFloat(string(b), 64)
	return x, err == nil
}

// restOfGoDuration adds the parts of a duration such as 1m30s, which the
// tokenizer takes apart; x is the value of its first part.
func (v *view) restOfGoDuration(i int, x float64) (float64, int) {
	for i+1 < len(v.tokens) {
		t := &v.tokens[i+1]
		if t.kind != kindNumber || t.start != v.tokens[i].unitEnd || t.unitEnd == t.end {
			break
		}
		u, ok := fieldElapsed.factor(v.text[t.end:t.unitEnd])
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

// maxUnit bounds the length of a unit; the longest is milliseconds.
const maxUnit = 16

// lower returns b, of at most maxUnit bytes, in lower case, in buf.
func lower(buf *[maxUnit]byte, b []byte) []byte {
	for i, c := range b {
		if isUpper(c) {
			c |= 0x20
		}
		buf[i] = c
	}
	return buf[:len(b)]
}

// parseISO reads PT2S and PT1M30.5S.
func parseISO(b []byte) (ns float64, ok bool) {
	for b = b[2:]; len(b) > 0; {
		n := 0
		for n < len(b) && !isLetter(b[n]) {
			n++
		}
		x, err := strconv.ParseFloat(string(b[:n]), 64)
		if err != nil || n == len(b) {
			return 0, false
		}
		u, _ := fieldElapsed.factor(b[n : n+1])
		ns += x * u
		b = b[n+1:]
	}
	return ns, true
}

// parseSpan reads 00:01:40, 00:00:10.5, 1:40 (minutes and seconds) and PT1M40S.
func parseSpan(b []byte) (ns float64, ok bool) {
	if isLetter(b[0]) {
		return parseISO(b)
	}
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

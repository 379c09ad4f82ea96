package stamp

import (
	"math"
	"time"
)

// The years whose every nanosecond an int64 can tell.
const (
	MinYear = 1678
	MaxYear = 2261
)

// daysTo returns the days from 1970-01-01 to a date of the Gregorian
// calendar, counted in 400-year cycles that begin in March.
func daysTo(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	cycle := year / 400
	ofCycle := year - cycle*400
	dayOfYear := (153*(month-3)+2)/5 + day - 1
	return int64(cycle)*146097 + int64(ofCycle*365+ofCycle/4-ofCycle/100+dayOfYear) - 719468
}

var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

func validDate(year, month, day int) bool {
	if year < MinYear || year > MaxYear || month < 1 || month > 12 || day < 1 {
		return false
	}
	n := monthDays[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		n++
	}
	return day <= n
}

// digits reads exactly n decimal digits.
func digits(b []byte, n int) (int, bool) {
	if len(b) < n {
		return 0, false
	}
	v := 0
	for _, c := range b[:n] {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int(c)
	}
	return v, true
}

// clockTime reads hh:mm:ss with an optional Fraction after '.' or ',' and
// returns nanoseconds since midnight and the length read. A leap second
// counts as the second after.
func clockTime(b []byte) (ns int64, n int, ok bool) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return 0, 0, false
	}
	h, ok1 := digits(b, 2)
	m, ok2 := digits(b[3:], 2)
	s, ok3 := digits(b[6:], 2)
	if !ok1 || !ok2 || !ok3 || h > 23 || m > 59 || s > 60 {
		return 0, 0, false
	}
	frac, n := Fraction(b[8:])
	return int64(h*3600+m*60+s)*1e9 + frac, 8 + n, true
}

// Fraction reads a decimal Fraction of a second with its mark; n is 0 when
// there is none. Digits beyond the ninth are read and dropped.
func Fraction(b []byte) (ns int64, n int) {
	if len(b) < 2 || b[0] != '.' && b[0] != ',' {
		return 0, 0
	}
	i, scale := 1, int64(1e8)
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		ns += int64(b[i]-'0') * scale
		scale /= 10
	}
	if i == 1 {
		return 0, 0
	}
	return ns, i
}

// zone reads Z, +hh:mm, +hhmm or +hh and returns seconds east of UTC; n is 0
// when there is none.
func zone(b []byte) (seconds, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch b[0] {
	case 'Z', 'z':
		return 0, 1
	case '+', '-':
	default:
		return 0, 0
	}
	h, ok := digits(b[1:], 2)
	if !ok || h > 18 {
		return 0, 0
	}
	n, m := 3, 0
	rest := b[3:]
	if len(rest) > 0 && rest[0] == ':' {
		if v, ok := digits(rest[1:], 2); ok {
			m, n = v, 6
		}
	} else if v, ok := digits(rest, 2); ok {
		m, n = v, 5
	}
	if seconds = h*3600 + m*60; b[0] == '-' {
		seconds = -seconds
	}
	return seconds, n
}

// RFC3339 reads a timestamp of RFC 3339 that fills b, zone included, and
// returns nanoseconds since 1970.
func RFC3339(b []byte) (int64, bool) {
	if len(b) < 20 || b[4] != '-' || b[7] != '-' || b[10] != 'T' && b[10] != 't' && b[10] != ' ' {
		return 0, false
	}
	y, ok1 := digits(b, 4)
	m, ok2 := digits(b[5:], 2)
	d, ok3 := digits(b[8:], 2)
	if !ok1 || !ok2 || !ok3 || !validDate(y, m, d) {
		return 0, false
	}
	ofDay, n, ok := clockTime(b[11:])
	if !ok {
		return 0, false
	}
	east, zn := zone(b[11+n:])
	if zn == 0 || 11+n+zn != len(b) {
		return 0, false
	}
	return daysTo(y, m, d)*86400e9 + ofDay - int64(east)*1e9, true
}

// Nanos is t in nanoseconds since 1970, held to what an int64 can tell.
func Nanos(t time.Time) int64 {
	switch {
	case t.Year() < MinYear:
		return math.MinInt64
	case t.Year() > MaxYear:
		return math.MaxInt64
	}
	return t.UnixNano()
}

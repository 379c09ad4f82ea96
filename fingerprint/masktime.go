package fingerprint

// numericTime returns the length of the date, time of day or timestamp that b
// begins with, where b[0] is a digit; 0 when there is none. Known are dates as
// y-m-d, y/m/d, y.m.d, m/d/y, d.m.y, d/Mon/y and d Mon y, times as h:m:s with
// a fraction, both together, and offsets or zone names behind them.
func numericTime(b []byte) int {
	run := digitRun(b)
	if run == 0 || run == len(b) {
		return 0
	}
	switch run {
	case 4:
		if n := dateYMD(b); n > 0 {
			return withClock(b, n)
		}
	case 1, 2:
		if n := clock(b); n > 0 {
			return withZone(b, n)
		}
		if n := shortClock(b); n > 0 && b[0] <= '5' && b[3] <= '5' && (n == len(b) || b[n] != ':' && b[n] != '.') {
			return n
		}
		if n := dateDMY(b); n > 0 {
			return withClock(b, n)
		}
	}
	return 0
}

func digitRun(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

// dateYMD matches y-m-d with one of the separators - / . throughout.
func dateYMD(b []byte) int {
	sep := b[4]
	if sep != '-' && sep != '/' && sep != '.' {
		return 0
	}
	m := digitRun(b[5:])
	if m == 0 || m > 2 || 5+m >= len(b) || b[5+m] != sep {
		return 0
	}
	d := digitRun(b[6+m:])
	if d == 0 || d > 2 {
		return 0
	}
	return 6 + m + d
}

// dateDMY matches d/m/y, d.m.y, d-m-y with a year of four digits, and
// d Mon y and d/Mon/y.
func dateDMY(b []byte) int {
	d := digitRun(b)
	if d >= len(b) {
		return 0
	}
	sep := b[d]
	if sep != '/' && sep != '.' && sep != '-' && sep != ' ' {
		return 0
	}
	rest := b[d+1:]
	m := digitRun(rest)
	if m == 0 || sep == ' ' {
		if len(rest) < 4 || !isMonth(rest) {
			return 0
		}
		m = 3
	} else if m > 2 {
		return 0
	}
	if m >= len(rest) || rest[m] != sep {
		return 0
	}
	if digitRun(rest[m+1:]) != 4 {
		return 0
	}
	return d + 1 + m + 1 + 4
}

// withClock extends a date of n bytes by the time of day behind it.
func withClock(b []byte, n int) int {
	if n+1 < len(b) && (b[n] == 'T' || b[n] == ' ' || b[n] == ':' || b[n] == '_' || b[n] == 't') && isDigit(b[n+1]) {
		if k := clock(b[n+1:]); k > 0 {
			return withZone(b, n+1+k)
		}
		if k := shortClock(b[n+1:]); k > 0 {
			return withZone(b, n+1+k)
		}
	}
	return n
}

// clock matches h:m:s with an optional fraction and optional days in front
// (1.02:03:04), which makes it a duration; the two cannot be told apart.
func clock(b []byte) int {
	h := digitRun(b)
	if h == 0 || h > 2 {
		return 0
	}
	if h < len(b) && b[h] == '.' {
		k := digitRun(b[h+1:])
		if k != 2 || h+3 >= len(b) || b[h+3] != ':' {
			return 0
		}
		h += 3
	}
	if len(b) < h+6 || b[h] != ':' || !isDigit(b[h+1]) || !isDigit(b[h+2]) || b[h+3] != ':' || !isDigit(b[h+4]) || !isDigit(b[h+5]) {
		return 0
	}
	n := h + 6
	if n < len(b) && isDigit(b[n]) {
		return 0
	}
	if b[h+1] > '5' || b[h+4] > '5' {
		return 0
	}
	if n+1 < len(b) && (b[n] == '.' || b[n] == ',' || b[n] == ':') {
		if k := digitRun(b[n+1:]); k > 0 && (b[n] != ':' || k == 3) {
			n += 1 + k
		}
	}
	if n+1 < len(b) && b[n] == ':' && isHex(b[n+1]) {
		return 0 // more colons: an address
	}
	return n
}

// shortClock matches hh:mm.
func shortClock(b []byte) int {
	if len(b) >= 5 && isDigit(b[0]) && isDigit(b[1]) && b[2] == ':' && isDigit(b[3]) && isDigit(b[4]) && (len(b) == 5 || !isDigit(b[5])) {
		return 5
	}
	return 0
}

// withZone extends a time of n bytes by what tells its zone or half of the
// day, and by a year behind it as the C library prints it.
func withZone(b []byte, n int) int {
	if n < len(b) && (b[n] == 'Z' || b[n] == 'z') && (n+1 == len(b) || !isWordByte(b[n+1])) {
		return n + 1
	}
	if k := offset(b[n:]); k > 0 {
		return n + k
	}
	if n+1 >= len(b) || b[n] != ' ' {
		return n
	}
	rest := b[n+1:]
	if k := offset(rest); k > 0 {
		return n + 1 + k
	}
	for _, z := range &zoneNames {
		if len(rest) >= len(z) && string(rest[:len(z)]) == z && (len(rest) == len(z) || !isWordByte(rest[len(z)])) {
			return n + 1 + len(z)
		}
	}
	return n
}

var zoneNames = [...]string{"AM", "PM", "am", "pm", "UTC", "GMT", "CET", "CEST", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "JST", "IST", "BST", "Z"}

// offset matches +hh:mm and +hhmm.
func offset(b []byte) int {
	if len(b) < 5 || b[0] != '+' && b[0] != '-' || !isDigit(b[1]) || !isDigit(b[2]) {
		return 0
	}
	n := 3
	if b[n] == ':' {
		n++
	}
	if len(b) < n+2 || !isDigit(b[n]) || !isDigit(b[n+1]) || len(b) > n+2 && isWordByte(b[n+2]) {
		return 0
	}
	return n + 2
}

// isMonth and isDay report whether b begins with the short name of a month or
// a day as a whole word.
func isMonth(b []byte) bool {
	if len(b) < 3 || len(b) > 3 && isWordByte(b[3]) {
		return false
	}
	switch string(b[:3]) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

func isDay(b []byte) bool {
	if len(b) < 3 || len(b) > 3 && isWordByte(b[3]) {
		return false
	}
	switch string(b[:3]) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return false
}

// longNames are the names of months and days that are longer than three
// letters.
var longNames = [...]string{
	"January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December",
	"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
}

// nameEnd returns the length of the name of a month or day at the start of b,
// short or long, and whether it is a day's; 0 when there is none.
func nameEnd(b []byte) (n int, day bool) {
	switch {
	case isMonth(b):
		return 3, false
	case isDay(b):
		return 3, true
	}
	for i, name := range &longNames {
		if len(b) >= len(name) && string(b[:len(name)]) == name && (len(b) == len(name) || !isWordByte(b[len(name)])) {
			return len(name), i > 10
		}
	}
	return 0, false
}

// namedTime returns the length of a time that begins with the name of a day
// or a month: "Fri Jun 17 07:07:00 2005", "Mon, 02 Jan 2006 15:04:05 GMT",
// "Jun 17 07:07:00". A name alone is no time.
func namedTime(b []byte) int {
	n, day := nameEnd(b)
	if n == 0 {
		return 0
	}
	if day {
		if n < len(b) && b[n] == ',' {
			n++
		}
		if n+1 >= len(b) || b[n] != ' ' {
			return 0
		}
		n++
		if isDigit(b[n]) {
			if k := dateDMY(b[n:]); k > 0 {
				return withClock(b, n+k)
			}
			return 0
		}
		k, again := nameEnd(b[n:])
		if k == 0 || again {
			return 0
		}
		n += k
	}
	for spaces := 0; spaces < 2 && n < len(b) && b[n] == ' '; spaces++ {
		n++
	}
	d := digitRun(b[n:])
	if d == 0 || d > 2 {
		return 0
	}
	n += d
	if n < len(b) && b[n] == ',' {
		n++
	}
	if k := yearBehind(b[n:]); k > 0 {
		n += k
	}
	if n+1 < len(b) && b[n] == ' ' && isDigit(b[n+1]) {
		if k := clock(b[n+1:]); k > 0 {
			n = withZone(b, n+1+k)
		}
	}
	return n + yearBehind(b[n:])
}

// yearBehind returns the length of " yyyy" at the start of b.
func yearBehind(b []byte) int {
	if len(b) >= 5 && b[0] == ' ' && digitRun(b[1:]) == 4 && (len(b) == 5 || !isWordByte(b[5]) && b[5] != ':') && (b[1] == '1' || b[1] == '2') {
		return 5
	}
	return 0
}

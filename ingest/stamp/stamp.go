package stamp

import (
	"math"
	"time"
)

// Stamp is what a timestamp's text tells. A part it does not tell is absent.
type Stamp struct {
	year       int // 0: not told
	month, day int
	ofDay      int64 // nanoseconds since midnight
	east       int   // seconds east of UTC
	zoned      bool  // the zone was told
	epoch      int64 // nanoseconds since 1970, if isEpoch
	isEpoch    bool
	region     string // the zone by its name, Europe/Berlin; "" if it was not told so
}

// Zoned reports whether the text tells the time zone: by an offset, by Z, UTC,
// GMT or another abbreviation of one meaning, by a name such as Europe/Berlin,
// or as seconds since 1970.
func (s Stamp) Zoned() bool { return s.zoned || s.isEpoch || s.region != "" }

// Dated reports whether the text tells the year and, with it, the whole date.
func (s Stamp) Dated() bool { return s.year != 0 || s.isEpoch }

// layout reads a timestamp at the start of b and returns the length read, 0
// when there is none.
type layout func(b []byte) (Stamp, int)

// Calendar turns stamps into nanoseconds since 1970.
type Calendar struct {
	Zone *time.Location // of stamps that tell none; nil is UTC
	Near time.Time      // a stamp without a year or a date is within the year, or the day, before it

	region   string // the name looked up last
	location *time.Location
}

// Nanos resolves a stamp. A year that is not told is the latest in which the
// time is not more than a day after near, which is when the file was last
// changed: nobody logs the future, and clocks differ by less than a day.
func (c *Calendar) Nanos(s Stamp) (int64, bool) {
	if s.isEpoch {
		return s.epoch, true
	}
	if s.year != 0 {
		return c.at(s, s.year)
	}
	if s.month == 0 {
		return c.onDay(s)
	}
	year := c.Near.UTC().Year()
	if c.Near.IsZero() {
		year = 1970
	}
	limit := Nanos(c.Near.Add(24 * time.Hour))
	if c.Near.IsZero() {
		limit = math.MaxInt64
	}
	for y := year + 1; y > year-9; y-- {
		if ns, ok := c.at(s, y); ok && ns <= limit && (y <= year || !c.Near.IsZero()) {
			return ns, true
		}
	}
	return 0, false
}

// onDay resolves a time of day that names no date: it is within the 24 hours
// before near, so that a file that was written over midnight keeps its order.
// With no near it is on the first day of 1970.
func (c *Calendar) onDay(s Stamp) (int64, bool) {
	if c.Near.IsZero() {
		return s.ofDay, true
	}
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	// A second more than near: the file's time of change may be rounded down.
	limit := Nanos(c.Near.Add(time.Second))
	for back := -1; back <= 2; back++ {
		day := c.Near.In(zone).AddDate(0, 0, -back)
		s.month, s.day = int(day.Month()), day.Day()
		if ns, ok := c.at(s, day.Year()); ok && ns <= limit {
			return ns, true
		}
	}
	return 0, false
}

func (c *Calendar) at(s Stamp, year int) (int64, bool) {
	if !validDate(year, s.month, s.day) {
		return 0, false
	}
	zone := c.Zone
	if s.region != "" {
		zone = c.named(s.region)
	}
	if s.zoned || zone == time.UTC || zone == nil {
		return daysTo(year, s.month, s.day)*86400e9 + s.ofDay - int64(s.east)*1e9, true
	}
	const hour, minute, second = int64(time.Hour), int64(time.Minute), int64(time.Second)
	t := time.Date(year, time.Month(s.month), s.day, int(s.ofDay/hour), int(s.ofDay%hour/minute),
		int(s.ofDay%minute/second), int(s.ofDay%second), zone)
	return t.UnixNano(), true
}

// named finds the zone of a name; one that is not known is the Calendar's.
func (c *Calendar) named(region string) *time.Location {
	if c.region != region {
		c.region = region
		var err error
		if c.location, err = time.LoadLocation(region); err != nil {
			c.location = c.Zone
		}
	}
	return c.location
}

// isoStamp reads 2026-09-19T08:10:16.049Z and its relatives: dates with
// hyphens, slashes or dots, parted from the time by T, a space, an underscore,
// a hyphen or a colon; Fraction after a dot or a comma; zone or none.
func isoStamp(b []byte) (s Stamp, n int) {
	if len(b) < 19 || b[4] != b[7] || b[4] != '-' && b[4] != '/' && b[4] != '.' {
		return s, 0
	}
	y, ok1 := digits(b, 4)
	m, ok2 := digits(b[5:], 2)
	d, ok3 := digits(b[8:], 2)
	if !ok1 || !ok2 || !ok3 || !validDate(y, m, d) {
		return s, 0
	}
	switch b[10] {
	case 'T', 't', ' ', '_', '-', ':', '\t':
	default:
		return s, 0
	}
	s.year, s.month, s.day = y, m, d
	return clockAndZone(s, b, 11)
}

// clockAndZone reads the time of day at b[i:], with AM or PM and a zone where
// they follow.
func clockAndZone(s Stamp, b []byte, i int) (Stamp, int) {
	ofDay, n, ok := clockTime(b[i:])
	if !ok {
		return s, 0
	}
	i += n
	if len(b) >= i+3 && b[i] == ' ' && (b[i+1] == 'A' || b[i+1] == 'P') && b[i+2] == 'M' {
		const half = int64(12 * time.Hour)
		ofDay %= half
		if b[i+1] == 'P' {
			ofDay += half
		}
		i += 3
	}
	s.ofDay = ofDay
	rest := b[i:]
	if len(rest) > 3 && rest[0] == ' ' && (rest[1] == '+' || rest[1] == '-') {
		if east, n := zone(rest[1:]); n >= 5 && ends(rest[1+n:]) {
			s.east, s.zoned = east, true
			return s, i + 1 + n
		}
	}
	if east, n := zone(rest); n > 0 && ends(rest[n:]) {
		s.east, s.zoned = east, true
		return s, i + n
	}
	return zoneName(s, rest, i)
}

// ends reports whether a word ends before b.
func ends(b []byte) bool {
	return len(b) == 0 || !isWord(b[0])
}

func isWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// monthNamed returns the month whose English name starts with the three
// letters of b; 0 for none.
func monthNamed(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	for m := range 12 {
		if b[0]|0x20 == names[3*m]|0x20 && b[1]|0x20 == names[3*m+1] && b[2]|0x20 == names[3*m+2] {
			return m + 1
		}
	}
	return 0
}

// clfStamp reads the date of the common log format, 19/Sep/2026:08:10:16
// +0000, and Tomcat's 19-Sep-2026 08:10:16.123.
func clfStamp(b []byte) (s Stamp, n int) {
	if len(b) < 20 || b[2] != b[6] || b[2] != '/' && b[2] != '-' || b[11] != ':' && b[11] != ' ' {
		return s, 0
	}
	d, ok1 := digits(b, 2)
	m := monthNamed(b[3:])
	y, ok2 := digits(b[7:], 4)
	if !ok1 || !ok2 || !validDate(y, m, d) {
		return s, 0
	}
	s.year, s.month, s.day = y, m, d
	return clockAndZone(s, b, 12)
}

// bsdStamp reads Sep 19 08:10:16 as syslog writes it, with a weekday before,
// a Fraction or a year after the time (Sat Sep 19 08:10:16.5 2026) or before
// it (Sep 19, 2026 8:10:16 PM).
func bsdStamp(b []byte) (s Stamp, n int) {
	i := 0
	if len(b) > 4 && b[3] == ' ' && isWeekday(b) {
		i = 4
	}
	if len(b) < i+14 || b[i+3] != ' ' {
		return s, 0
	}
	s.month = monthNamed(b[i:])
	i += 4
	if b[i] == ' ' {
		i++
	}
	for start := i; i < len(b) && i-start < 2 && b[i]-'0' <= 9; i++ {
		s.day = s.day*10 + int(b[i]-'0')
	}
	if s.month == 0 || s.day == 0 || i >= len(b) {
		return s, 0
	}
	if b[i] == ',' {
		i++
	}
	if i >= len(b) || b[i] != ' ' {
		return s, 0
	}
	i++
	if y, ok := digits(b[i:], 4); ok && len(b) > i+4 && b[i+4] == ' ' {
		s.year = y
		i += 5
		if len(b) > i+1 && b[i+1] == ':' {
			// An hour of one digit.
			padded := append([]byte{'0'}, b[i:]...)
			s, n = clockAndZone(s, padded, 0)
			return checked(s, i+n-1, n)
		}
	}
	s, n = clockAndZone(s, b[i:], 0)
	if n == 0 {
		return s, 0
	}
	i += n
	if y, ok := digits(after(b, i), 4); ok && s.year == 0 && ends(after(b, i+4)) && y >= 1970 && y < 2200 && b[i] == ' ' {
		s.year = y
		i += 5
	}
	return checked(s, i, n)
}

// after returns b from the index behind i on.
func after(b []byte, i int) []byte {
	if i+1 > len(b) {
		return nil
	}
	return b[i+1:]
}

// checked gives a stamp of length n if its parts can be a date, else 0.
func checked(s Stamp, length, n int) (Stamp, int) {
	year := s.year
	if year == 0 {
		year = 2000 // a leap year
	}
	if n == 0 || !validDate(year, s.month, s.day) {
		return s, 0
	}
	return s, length
}

func isWeekday(b []byte) bool {
	switch string(b[:3]) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return false
}

// klogStamp reads I0919 08:10:16.049626, the header of klog and glog; newer
// glog puts the year before the month.
func klogStamp(b []byte) (s Stamp, n int) {
	if len(b) > 18 && b[9] == ' ' && (b[0] == 'I' || b[0] == 'W' || b[0] == 'E' || b[0] == 'F') {
		if s, n = compactStamp(b[1:]); n > 0 {
			return s, n + 1
		}
	}
	if len(b) < 14 || b[5] != ' ' || b[0] != 'I' && b[0] != 'W' && b[0] != 'E' && b[0] != 'F' {
		return s, 0
	}
	m, ok1 := digits(b[1:], 2)
	d, ok2 := digits(b[3:], 2)
	if !ok1 || !ok2 {
		return s, 0
	}
	s.month, s.day = m, d
	s, n = clockAndZone(s, b[6:], 0)
	return checked(s, 6+n, n)
}

// compactStamp reads 20260919-08:10:16.049, 20260919T081016Z and 20260919
// 08:10:16, also with a colon before the milliseconds.
func compactStamp(b []byte) (s Stamp, n int) {
	if len(b) < 15 || b[8] != '-' && b[8] != 'T' && b[8] != ' ' && b[8] != '_' {
		return s, 0
	}
	y, ok1 := digits(b, 4)
	m, ok2 := digits(b[4:], 2)
	d, ok3 := digits(b[6:], 2)
	if !ok1 || !ok2 || !ok3 || y < 1970 || y > 2200 || !validDate(y, m, d) {
		return s, 0
	}
	s.year, s.month, s.day = y, m, d
	if hms, ok := digits(b[9:], 6); ok {
		if s.ofDay, ok = ofDay(hms); !ok {
			return s, 0
		}
		east, zn := zone(b[15:])
		if !ends(b[15+zn:]) {
			return s, 0
		}
		s.east, s.zoned = east, zn > 0
		return s, 15 + zn
	}
	s, n = clockAndZone(s, b, 9)
	if n > 0 && n < len(b) && b[n] == ':' {
		frac := append([]byte{'.'}, b[n+1:min(len(b), n+10)]...)
		ns, fn := Fraction(frac)
		s.ofDay += ns
		n += fn
	}
	return s, n
}

// ofDay turns the number hhmmss into nanoseconds since midnight.
func ofDay(hms int) (int64, bool) {
	h, m, s := hms/10000, hms/100%100, hms%100
	if h > 23 || m > 59 || s > 60 {
		return 0, false
	}
	return int64(h*3600+m*60+s) * 1e9, true
}

// shortYearStamp reads 26/09/19 08:10:16 (year first) and 260919 081016.
// What begins so may be anything else: see weakLayouts.
func shortYearStamp(b []byte) (s Stamp, n int) {
	if len(b) >= 17 && b[2] == '/' && b[5] == '/' && b[8] == ' ' {
		y, ok1 := digits(b, 2)
		m, ok2 := digits(b[3:], 2)
		d, ok3 := digits(b[6:], 2)
		if !ok1 || !ok2 || !ok3 {
			return s, 0
		}
		s.year, s.month, s.day = 2000+y, m, d
		s, n = clockAndZone(s, b, 9)
		return checked(s, n, n)
	}
	if len(b) >= 13 && b[6] == ' ' && ends(b[13:]) {
		ymd, ok1 := digits(b, 6)
		hms, ok2 := digits(b[7:], 6)
		if !ok1 || !ok2 {
			return s, 0
		}
		s.year, s.month, s.day = 2000+ymd/10000, ymd/100%100, ymd%100
		if s.ofDay, ok1 = ofDay(hms); ok1 {
			return checked(s, 13, 13)
		}
	}
	return s, 0
}

// monthDayStamp reads 09-19 08:10:16.049, as Android's logcat prints it.
func monthDayStamp(b []byte) (s Stamp, n int) {
	if len(b) < 18 || b[2] != '-' || b[5] != ' ' || b[14] != '.' {
		return s, 0
	}
	m, ok1 := digits(b, 2)
	d, ok2 := digits(b[3:], 2)
	if !ok1 || !ok2 {
		return s, 0
	}
	s.month, s.day = m, d
	s, n = clockAndZone(s, b, 6)
	return checked(s, n, n)
}

// clockStamp reads a time of day alone, 08:10:16.049, as logback prints it
// where nobody said otherwise.
func clockStamp(b []byte) (s Stamp, n int) {
	ofDay, n, ok := clockTime(b)
	if !ok || !ends(b[n:]) {
		return s, 0
	}
	s.ofDay = ofDay
	return s, n
}

// dayFirstStamp reads 19.09.2026 08:10:16 and 09/19/2026 08:10:16: dots part
// day, month, year; slashes month, day, year, unless the first is over 12.
func dayFirstStamp(b []byte) (s Stamp, n int) {
	if len(b) < 19 || b[2] != b[5] || b[2] != '.' && b[2] != '/' || b[10] != ' ' && b[10] != ',' && b[10] != 'T' {
		return s, 0
	}
	first, ok1 := digits(b, 2)
	second, ok2 := digits(b[3:], 2)
	y, ok3 := digits(b[6:], 4)
	if !ok1 || !ok2 || !ok3 {
		return s, 0
	}
	s.year, s.month, s.day = y, second, first
	if b[2] == '/' && first <= 12 {
		s.month, s.day = first, second
	}
	i := 11
	if b[10] == ',' && b[11] == ' ' {
		i = 12
	}
	s, n = clockAndZone(s, b, i)
	return checked(s, n, n)
}

// epochStamp reads seconds since 1970 with or without a fraction, or milli-,
// micro- or nanoseconds, told apart by the number of digits. Only the years
// from 2001 to 2096 count as times.
func epochStamp(b []byte) (s Stamp, n int) {
	for n < len(b) && b[n]-'0' <= 9 {
		n++
	}
	var unit int64
	switch n {
	case 10:
		unit = 1e9
	case 13:
		unit = 1e6
	case 16:
		unit = 1e3
	case 19:
		unit = 1
	default:
		return s, 0
	}
	v, ok := digits(b, n)
	if !ok || b[0] == '0' || int64(v) > 4e18/unit || int64(v) < 1e18/unit {
		return s, 0
	}
	s.isEpoch, s.epoch = true, int64(v)*unit
	if frac, fn := Fraction(b[n:]); fn > 0 && unit > 1 {
		s.epoch += frac / (1e9 / unit)
		n += fn
	}
	if !ends(b[n:]) {
		return s, 0
	}
	return s, n
}

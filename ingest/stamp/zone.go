package stamp

// zoneName reads the name of a zone behind a time, rest being b from i on: an
// abbreviation that has one meaning, or a region and a city.
func zoneName(s Stamp, rest []byte, i int) (Stamp, int) {
	if len(rest) < 2 || rest[0] != ' ' {
		return s, i
	}
	n := 1
	for n < len(rest) && 'A' <= rest[n] && rest[n] <= 'Z' && n <= 5 {
		n++
	}
	if n > 1 && ends(rest[n:]) {
		if hours, ok := zoneHours(rest[1:n]); ok {
			s.east, s.zoned = int(hours*2)*1800, true
			return s, i + n
		}
		return s, i
	}
	slash := 0
	for n = 1; n < len(rest) && n < 40; n++ {
		switch c := rest[n]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_' || c == '-':
		case c == '/' && n > 2:
			slash = n
		default:
			if slash == 0 || n-slash < 3 || rest[1] < 'A' || rest[1] > 'Z' || rest[slash+1] < 'A' || rest[slash+1] > 'Z' {
				return s, i
			}
			s.region = string(rest[1:n])
			return s, i + n
		}
	}
	if slash > 0 && n == len(rest) && n-slash > 3 && 'A' <= rest[1] && rest[1] <= 'Z' && 'A' <= rest[slash+1] && rest[slash+1] <= 'Z' {
		s.region = string(rest[1:n])
		return s, i + n
	}
	return s, i
}

// zoneHours are the hours east of UTC that an abbreviation means. Those that
// mean several zones (CST, IST, BST) are left out: they are the Calendar's.
func zoneHours(b []byte) (float64, bool) {
	switch string(b) {
	case "UTC", "GMT", "Z", "WET":
		return 0, true
	case "CET", "WEST":
		return 1, true
	case "CEST", "EET", "SAST":
		return 2, true
	case "EEST", "MSK":
		return 3, true
	case "WIB":
		return 7, true
	case "AWST", "HKT", "SGT", "PHT":
		return 8, true
	case "JST", "KST":
		return 9, true
	case "ACST":
		return 9.5, true
	case "AEST":
		return 10, true
	case "ACDT":
		return 10.5, true
	case "AEDT":
		return 11, true
	case "NZST":
		return 12, true
	case "NZDT":
		return 13, true
	case "BRT":
		return -3, true
	case "EDT":
		return -4, true
	case "EST", "CDT":
		return -5, true
	case "MDT":
		return -6, true
	case "MST", "PDT":
		return -7, true
	case "PST", "AKDT":
		return -8, true
	case "AKST":
		return -9, true
	case "HST":
		return -10, true
	}
	return 0, false
}

// writtenStamp reads 19 Sep 2026 08:10:16.049 as Redis and web servers write
// it, with a weekday before it.
func writtenStamp(b []byte) (s Stamp, n int) {
	i := 0
	if len(b) > 5 && b[3] == ',' && b[4] == ' ' && isWeekday(b) {
		i = 5
	}
	start := i
	for ; i < len(b) && i-start < 2 && b[i]-'0' <= 9; i++ {
		s.day = s.day*10 + int(b[i]-'0')
	}
	if i == start || len(b) < i+18 || b[i] != ' ' || b[i+4] != ' ' || b[i+9] != ' ' {
		return s, 0
	}
	var ok bool
	if s.year, ok = digits(b[i+5:], 4); !ok {
		return s, 0
	}
	s.month = monthNamed(b[i+1:])
	if !validDate(s.year, s.month, s.day) {
		return s, 0
	}
	return clockAndZone(s, b, i+10)
}

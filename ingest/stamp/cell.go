package stamp

import "bytes"

// Cell is Value for a cell of a table or a member of a web page's export: it
// also reads what these write for people to read, "Sep 19, 2026 @
// 08:10:16.049" and "9/19/2026, 8:10:16.049 AM". With AM or PM the month
// stands first.
func Cell(b []byte) (Stamp, bool) {
	if s, ok := Value(b); ok {
		return s, true
	}
	if i := bytes.Index(b, []byte(" @ ")); i > 0 {
		spaced := append(append(make([]byte, 0, len(b)), b[:i]...), b[i+2:]...)
		if s, n := bsdStamp(spaced); n == len(spaced) && s.year != 0 {
			return s, true
		}
	}
	return usStamp(b)
}

// usStamp reads "9/19/2026, 8:10:16.049 AM", whose numbers are not padded.
func usStamp(b []byte) (s Stamp, ok bool) {
	if !bytes.HasSuffix(b, []byte("M")) || len(b) > 32 {
		return s, false
	}
	padded := make([]byte, 0, 40)
	for i := 0; i < len(b); {
		n := i
		for n < len(b) && b[n]-'0' <= 9 {
			n++
		}
		if n == i+1 && (i == 0 || b[i-1] != '.') {
			padded = append(padded, '0')
		}
		if n == i {
			n++
		}
		padded = append(padded, b[i:n]...)
		i = n
	}
	s, n := dayFirstStamp(padded)
	if n != len(padded) || padded[2] != '/' || bytes.IndexByte(padded, 'M') < 0 {
		return s, false
	}
	if m, d := int(padded[0]-'0')*10+int(padded[1]-'0'), int(padded[3]-'0')*10+int(padded[4]-'0'); validDate(s.year, m, d) {
		s.month, s.day = m, d
		return s, true
	}
	return s, false
}

package stamp

import "bytes"

// Finder finds the timestamp of a line of text.
type Finder func(line []byte) (Stamp, bool)

// strongLayouts are those that hardly anything else looks like.
var strongLayouts = [...]layout{isoStamp, bsdStamp, clfStamp, compactStamp, dayFirstStamp, writtenStamp}

// weakLayouts are those that a line may begin with and mean something else: a
// file has them only if nearly all of its lines do.
var weakLayouts = [...]layout{shortYearStamp, epochStamp, monthDayStamp, clockStamp}

// opening skips what may stand before a timestamp at the start of a line:
// terminal colours, one bracket, the priority of a syslog line.
func opening(line []byte) []byte {
	for len(line) > 2 && line[0] == 0x1b && line[1] == '[' {
		i := 2
		for i < len(line) && (line[i] == ';' || line[i]-'0' <= 9) {
			i++
		}
		if i == len(line) {
			return line
		}
		line = line[i+1:]
	}
	if len(line) == 0 {
		return line
	}
	if len(line) > 4 && line[1] == ',' && line[2] == ' ' && line[3] == '[' && 'A' <= line[0] && line[0] <= 'Z' {
		return line[4:] // Ruby's logger
	}
	switch line[0] {
	case '[', '(', '"':
		return line[1:]
	case '<':
		return priority(line)
	}
	return line
}

// priority skips "<134>" and the version of RFC 5424 after it.
func priority(line []byte) []byte {
	i := bytes.IndexByte(line[:min(len(line), 6)], '>')
	if i < 2 {
		return line
	}
	if _, ok := digits(line[1:], i-1); !ok {
		return line
	}
	rest := line[i+1:]
	if len(rest) > 2 && rest[0] == '1' && rest[1] == ' ' {
		rest = rest[2:]
	}
	return rest
}

// AtStart finds a timestamp that the line begins with.
func AtStart(line []byte) (Stamp, bool) {
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
		return Stamp{}, false
	}
	if s, n := klogStamp(line); n > 0 {
		return s, true
	}
	rest := opening(line)
	for _, l := range strongLayouts {
		if s, n := l(rest); n > 0 {
			return s, true
		}
	}
	return Stamp{}, false
}

// WeakAtStart is AtStart for the weak layouts.
func WeakAtStart(line []byte) (Stamp, bool) {
	rest := opening(line)
	for _, l := range weakLayouts {
		if s, n := l(rest); n > 0 {
			return s, true
		}
	}
	return Stamp{}, false
}

// tokenBytes is how far into a line AtToken looks.
const tokenBytes = 96

// AtToken finds a full timestamp that a later word of the line begins with,
// for lines that begin with a level, a thread or a file name.
func AtToken(line []byte) (Stamp, bool) {
	if len(line) == 0 || line[0] == ' ' || line[0] == '\t' {
		return Stamp{}, false
	}
	for i := 1; i < len(line) && i < tokenBytes; i++ {
		if line[i]-'0' > 9 || bytes.IndexByte([]byte(" \t[(|\""), line[i-1]) < 0 {
			continue
		}
		if s, n := isoStamp(line[i:]); n > 0 {
			return s, true
		}
		if s, n := writtenStamp(line[i:]); n > 0 {
			return s, true
		}
	}
	return Stamp{}, false
}

// accessBytes is how far into a line InAccess looks.
const accessBytes = 256

// InAccess finds the bracketed date of an access log.
func InAccess(line []byte) (Stamp, bool) {
	head := line[:min(len(line), accessBytes)]
	for at := 0; ; {
		i := bytes.IndexByte(head[at:], '[')
		if i < 0 {
			return Stamp{}, false
		}
		at += i + 1
		if s, n := clfStamp(line[at:]); n > 0 {
			return s, true
		}
	}
}

// Klog finds the header of klog.
func Klog(line []byte) (Stamp, bool) {
	s, n := klogStamp(line)
	return s, n > 0
}

// Syslog finds the header of a syslog line, of RFC 3164 or RFC 5424. Behind a
// priority Cisco's sequence number and its mark of a clock that is not set may
// stand, and a year in the date.
func Syslog(line []byte) (Stamp, bool) {
	rest, marked := line, false
	if len(line) > 0 && line[0] == '<' {
		if rest = priority(line); len(rest) == len(line) {
			return Stamp{}, false
		}
		if s, n := isoStamp(rest); n > 0 {
			return s, true
		}
		rest, marked = sequence(rest), true
	}
	s, n := bsdStamp(rest)
	// What follows is a host and a program's name: two words.
	if n == 0 || s.year != 0 && !marked || n >= len(rest) || rest[n] != ' ' && !(marked && rest[n] == ':') || bytes.IndexByte(rest[n+1:], ' ') < 0 {
		return Stamp{}, false
	}
	return s, true
}

// sequence skips "45: " and "*" or "." before a date.
func sequence(b []byte) []byte {
	i := 0
	for i < len(b) && i < 10 && b[i]-'0' <= 9 {
		i++
	}
	if i > 0 && bytes.HasPrefix(b[i:], []byte(": ")) {
		b = b[i+2:]
	}
	if len(b) > 0 && (b[0] == '*' || b[0] == '.') {
		b = b[1:]
	}
	return b
}

// NginxError finds the header of nginx's error log.
func NginxError(line []byte) (Stamp, bool) {
	s, n := isoStamp(line)
	rest := line[n:]
	if n == 0 || line[4] != '/' || !bytes.HasPrefix(rest, []byte(" [")) {
		return Stamp{}, false
	}
	return s, true
}

// InLogfmt finds the first key of a logfmt line that is named as a time and
// has one as its value.
func InLogfmt(line []byte) (Stamp, bool) {
	head := line[:min(len(line), accessBytes)]
	for at := 0; at < len(head); {
		i := bytes.IndexByte(head[at:], '=')
		if i < 0 {
			break
		}
		eq := at + i
		at = eq + 1
		start := eq
		for start > 0 && head[start-1] > ' ' && head[start-1] != '"' {
			start--
		}
		if !IsTimeKey(head[start:eq]) {
			continue
		}
		value := line[at:]
		if len(value) > 0 && value[0] == '"' {
			value = value[1:]
		}
		if end := bytes.IndexAny(value, "\" \t"); end > 0 {
			if s, ok := Value(value[:end]); ok {
				return s, true
			}
		}
		if s, ok := Value(value); ok {
			return s, true
		}
	}
	return Stamp{}, false
}

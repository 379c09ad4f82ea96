package stamp

import (
	"bytes"

	"github.com/vdm-logs/vdm-logs/ingest/internal/jsonscan"
)

// IsTimeKey reports whether a member or key of a structured line is named as
// loggers name its time.
func IsTimeKey(key []byte) bool {
	var low [24]byte
	if len(key) > len(low) {
		return false
	}
	for i, c := range key {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	switch string(low[:len(key)]) {
	case "time", "ts", "t", "timestamp", "@timestamp", "@t", "datetime", "date", "asctime", "eventtime", "event_time",
		"start_time", "time_iso8601", "time_local", "timegenerated", "logtime", "log_time", "created", "msec", "utctime", "_time",
		"instant", "timemillis", "timegenerated [utc]":
		return true
	}
	return false
}

// InJSON finds the first member of a JSON line that is named as a time and
// has one as its value.
func InJSON(line []byte) (Stamp, bool) {
	i := jsonscan.Space(line, 0)
	if i >= len(line) || line[i] != '{' {
		return Stamp{}, false
	}
	for i++; ; i++ {
		i = jsonscan.Space(line, i)
		key, value, err := jsonscan.Key(line, i)
		if err != nil {
			return Stamp{}, false
		}
		end, err := jsonscan.Skip(line, value)
		if err != nil {
			return Stamp{}, false
		}
		if IsTimeKey(key) {
			if s, ok := Member(line[value:end]); ok {
				return s, true
			}
		}
		if i = jsonscan.Space(line, end); i >= len(line) || line[i] != ',' {
			return Stamp{}, false
		}
	}
}

// Member reads the JSON value of a member that is named as a time: a text or
// a number, or an object that holds one ({"$date":...} of MongoDB,
// {"seconds":...,"nanos":...} of protobuf, log4j2's epochSecond and
// nanoOfSecond, loguru's timestamp).
func Member(value []byte) (Stamp, bool) {
	if len(value) == 0 {
		return Stamp{}, false
	}
	if value[0] != '{' {
		return Value(bytes.Trim(value, `"`))
	}
	var s, whole Stamp
	found := false
	_, err := jsonscan.Object(value, 0, func(key []byte, i int) (int, error) {
		end, err := jsonscan.Skip(value, i)
		if err != nil {
			return end, err
		}
		switch v := bytes.Trim(value[i:end], `"`); string(key) {
		case "$date", "timestamp":
			if st, ok := Value(v); ok && !found {
				whole, found = st, true
			}
		case "seconds", "epochSecond":
			if e, n := epochStamp(v); n == 10 && n == len(v) {
				s.isEpoch, s.epoch = true, s.epoch+e.epoch
			}
		case "nanos", "nanoOfSecond":
			if n, ok := digits(v, len(v)); ok && len(v) <= 9 {
				s.epoch += int64(n)
			}
		}
		return end, nil
	})
	if found {
		return whole, err == nil
	}
	return s, err == nil && s.isEpoch
}

// Value reads a value that is a timestamp as a whole or begins with one.
func Value(b []byte) (Stamp, bool) {
	for _, l := range strongLayouts {
		if s, n := l(b); n > 0 {
			return s, true
		}
	}
	s, n := epochStamp(b)
	return s, n > 0 && n == len(b)
}

// Any finds the time of a line of an unknown format: of a JSON object its
// member, else the timestamp that it begins with, the date of an access log,
// the time among the keys of logfmt, or a full timestamp behind a level or a
// name. Layouts that also mean something else are left out.
func Any(line []byte) (Stamp, bool) {
	if len(line) == 0 {
		return Stamp{}, false
	}
	switch line[0] {
	case ' ', '\t':
		return Stamp{}, false
	case '{':
		if s, ok := InJSON(line); ok {
			return s, true
		}
	}
	for _, find := range [...]Finder{AtStart, Syslog, InAccess, InLogfmt, AtToken} {
		if s, ok := find(line); ok {
			return s, true
		}
	}
	return Stamp{}, false
}

// AtLineStart is Any for what a line of another program can hardly be mistaken
// in: a JSON object with a time, or a timestamp at the very start.
func AtLineStart(line []byte) (Stamp, bool) {
	if len(line) > 0 && line[0] == '{' {
		return InJSON(line)
	}
	return AtStart(line)
}

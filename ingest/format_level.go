package ingest

import "bytes"

// levelWord reads a level's name, without regard to ASCII case. It knows the
// words of syslog, .NET, Java, Python, Go, Rust and Node loggers; whether a
// word stands where a level may stand is for the caller to know.
func levelWord(b []byte) (Level, bool) {
	if len(b) < 3 || len(b) > 13 {
		return LevelUnknown, false
	}
	var low [13]byte
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	switch string(low[:len(b)]) {
	case "trace", "trce", "trc", "finest", "finer", "silly":
		return LevelTrace, true
	case "debug", "dbug", "dbg", "fine", "verbose", "vrb", "config":
		return LevelDebug, true
	case "info", "information", "informational", "inf", "notice", "success":
		return LevelInfo, true
	case "warn", "warning", "wrn":
		return LevelWarn, true
	case "error", "err", "eror", "fail", "severe":
		return LevelError, true
	case "fatal", "ftl", "crit", "critical", "alert", "emerg", "emergency", "panic", "dpanic":
		return LevelFatal, true
	}
	return LevelUnknown, false
}

// headerLevel is levelWord for the header of a line of text, where words that
// are also something else ("config: ", "[fine]") count in capitals only.
func headerLevel(b []byte) (Level, bool) {
	level, ok := levelWord(b)
	if ok && b[1] >= 'a' {
		switch b[0] | 0x20 {
		case 'c', 'f', 's', 'v':
			switch string(b[1:]) {
			case "onfig", "ine", "iner", "inest", "uccess", "illy", "erbose":
				return LevelUnknown, false
			}
		}
	}
	return level, ok
}

// levelLetter reads the one-letter levels of klog, glog, Ruby and Android.
func levelLetter(c byte) (Level, bool) {
	switch c {
	case 'T':
		return LevelTrace, true
	case 'D', 'V':
		return LevelDebug, true
	case 'I', 'N':
		return LevelInfo, true
	case 'W':
		return LevelWarn, true
	case 'E':
		return LevelError, true
	case 'F', 'C':
		return LevelFatal, true
	}
	return LevelUnknown, false
}

// levelValue reads a level that a structured record names by a word, a letter
// or a number: 10 to 60 as bunyan and pino count (and 10 to 50 as Python),
// below that syslog's 0 to 7.
func levelValue(b []byte) Level {
	if len(b) == 1 {
		c := b[0]
		if '0' <= c && c <= '7' {
			return syslogLevel(int(c - '0'))
		}
		if 'a' <= c && c <= 'z' {
			c &^= 0x20
		}
		l, _ := levelLetter(c)
		return l
	}
	if i := bytes.IndexAny(b, "+-"); i > 0 {
		b = b[:i] // slog: ERROR+2
	}
	if l, ok := levelWord(b); ok {
		return l
	}
	if len(b) == 2 && isDigits(b) {
		switch n := int(b[0]-'0')*10 + int(b[1]-'0'); {
		case n < 20:
			return LevelTrace
		case n < 30:
			return LevelDebug
		case n < 40:
			return LevelInfo
		case n < 50:
			return LevelWarn
		case n < 60:
			return LevelError
		}
		return LevelFatal
	}
	return LevelUnknown
}

// syslogLevel maps the severities of RFC 5424, section 6.2.1.
func syslogLevel(severity int) Level {
	switch {
	case severity <= 2:
		return LevelFatal
	case severity == 3:
		return LevelError
	case severity == 4:
		return LevelWarn
	case severity <= 6:
		return LevelInfo
	}
	return LevelDebug
}

// otelLevel maps OpenTelemetry's severity numbers, 1 to 24.
func otelLevel(b []byte) Level {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' || n > 24 {
			return LevelUnknown
		}
		n = n*10 + int(c-'0')
	}
	switch {
	case n == 0 || n > 24:
		return LevelUnknown
	case n <= 4:
		return LevelTrace
	case n <= 8:
		return LevelDebug
	case n <= 12:
		return LevelInfo
	case n <= 16:
		return LevelWarn
	case n <= 20:
		return LevelError
	}
	return LevelFatal
}

// streamLevel is what a stream's labels tell of its records' level.
func streamLevel(s *Stream) Level {
	for _, n := range [...]string{"level", "severity", "severity_text", "detected_level"} {
		if v, ok := s.Get(n); ok {
			if l, ok := levelWord([]byte(v)); ok {
				return l
			}
		}
	}
	return LevelUnknown
}

// metadataLevel is what structured metadata tells of the level, for records
// that tell none themselves: what the logger said, and Loki's guess, which it
// makes from words anywhere in a line.
func metadataLevel(meta []Label) (said, guess Level) {
	for i := range meta {
		switch m := &meta[i]; m.Name {
		case "severity_text", "level", "severity", "SeverityText":
			if said == LevelUnknown {
				said = levelValue([]byte(m.Value))
			}
		case "severity_number", "SeverityNumber":
			if said == LevelUnknown {
				said = otelLevel([]byte(m.Value))
			}
		case "detected_level":
			guess = levelValue([]byte(m.Value))
		}
	}
	return said, guess
}

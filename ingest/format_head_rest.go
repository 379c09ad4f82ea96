package ingest

import "bytes"

// level is the head of a line whose level ends before sc.pos: what follows is
// taken apart into threads and numbers, a logger's name and the message.
func (sc *headScanner) level(level Level, timed bool) head {
	line := sc.line
	h := head{format: FormatLevelled, level: level, timed: timed}
	pos := sc.pos
	if pos < len(line) && line[pos] == '[' {
		// Envoy: [time][thread][level][logger].
		if end := bytes.IndexByte(line[pos:], ']'); end > 1 && nameLike(line[pos+1:pos+end]) {
			h.category = span{pos + 1, pos + end}
			pos += end + 1
		}
	}
	if name, next, ok := rubyProgram(line, pos); ok {
		h.category, pos = name, next
	}
	for skipped := 0; skipped < 6; skipped++ {
		pos = skipSpans(line, skipSeparators(line, pos))
		if pos >= len(line) {
			break
		}
		if c := line[pos]; c == '[' || c == '(' {
			closing := closingOf(c)
			end := bytes.IndexByte(line[pos:], closing)
			if end < 0 || end > 120 || pos+end+1 >= len(line) {
				break
			}
			inner := bytes.TrimSpace(line[pos+1 : pos+end])
			if bytes.IndexByte(inner, ' ') >= 0 && !timeLike(inner) && !(c == '(' && line[pos+end+1] == ':') {
				break
			}
			if h.category == (span{}) && bytes.IndexByte(inner, '.') > 0 && nameLike(inner) && !fileLine(inner) {
				h.category = span{pos + 1, pos + end}
			}
			pos += end + 1
			continue
		}
		end := pos
		for end < len(line) && !isSpace(line[end]) && line[end] != '|' {
			end++
		}
		word := line[pos:end]
		if isDigits(word) && skipped < 3 && followed(line, end) || timeLike(word) {
			pos = end
			continue
		}
		if name, next, ok := loggerName(line, pos, end); ok {
			if !fileLine(name.of(line)) {
				h.category = name
				next = skipPlace(line, next)
			}
			pos = next
		}
		break
	}
	if h.category == (span{}) && sc.words > 0 && sc.named {
		h.category = trimPid(line, sc.name)
	}
	pos = skipSeparators(line, pos)
	h.message = span{pos, len(line)}
	if pos < len(line) {
		switch rest := line[pos:]; {
		case rest[0] == '{' && isJSONObject(rest):
			h.format = FormatJSON
		case isLogfmt(rest):
			h.format = FormatLogfmt
		}
	}
	return h
}

// rubyProgram reads "-- portal: " behind a level: the name of the program.
func rubyProgram(line []byte, pos int) (name span, next int, ok bool) {
	for pos < len(line) && line[pos] == ' ' {
		pos++
	}
	if !bytes.HasPrefix(line[pos:], []byte("-- ")) {
		return span{}, 0, false
	}
	pos += len("-- ")
	n := bytes.IndexByte(line[pos:min(len(line), pos+80)], ':')
	if n <= 0 || pos+n+1 < len(line) && line[pos+n+1] != ' ' || !loggerLike(line[pos:pos+n]) {
		return span{}, 0, false
	}
	return span{pos, pos + n}, pos + n + 1, true
}

// skipSpans passes over the spans that tracing of Rust prints before the
// target: "request{id=12}:download: ".
func skipSpans(line []byte, pos int) int {
	for tries := 0; tries < 8 && pos < len(line); tries++ {
		n := pos
		for n < len(line) && ('a' <= line[n]|0x20 && line[n]|0x20 <= 'z' || '0' <= line[n] && line[n] <= '9' || line[n] == '_' || line[n] == '-') {
			n++
		}
		if n == pos || n == len(line) || line[n] != '{' {
			break
		}
		end := bytes.Index(line[n:min(len(line), n+1024)], []byte("}:"))
		if end < 0 {
			break
		}
		pos = n + end + 2
		for pos < len(line) && line[pos] == ' ' {
			pos++
		}
	}
	return pos
}

// followed reports whether a number in a header is followed by another part
// of the header: a separator or a bracket.
func followed(line []byte, pos int) bool {
	for pos < len(line) && isSpace(line[pos]) {
		pos++
	}
	return pos < len(line) && (line[pos] == '-' || line[pos] == '[' || line[pos] == '|' || line[pos] == ':')
}

// loggerName reads a logger's name at line[pos:end] if one stands there, and
// where the message begins after it.
func loggerName(line []byte, pos, end int) (name span, next int, ok bool) {
	word := line[pos:end]
	if n := len(word) - 1; n > 0 && word[n] == ':' {
		word = word[:n]
		if loggerLike(word) && (bytes.ContainsAny(word, ".$") || bytes.Contains(word, []byte("::")) || humps(word)) && bytes.IndexByte(word, '/') < 0 {
			return trimLine(line, span{pos, pos + n}), end, true
		}
		return span{}, 0, false
	}
	after := end
	for after < len(line) && isSpace(line[after]) {
		after++
	}
	if after == len(line) || !loggerLike(word) {
		return span{}, 0, false
	}
	tab := line[end] == '\t' && pos > 0 && line[pos-1] == '\t'
	c := line[after]
	sep := (c == '-' || c == ':') && after+1 < len(line) && isSpace(line[after+1]) || c == '|' || bytes.HasPrefix(line[after:], []byte("-- "))
	if c == '[' && bytes.IndexByte(word, '.') > 0 {
		// A context in brackets behind the logger: log4net, OpenStack.
		if close := bytes.IndexByte(line[after:], ']'); close > 0 && close < 120 {
			return trimLine(line, span{pos, end}), after + close + 1, true
		}
	}
	if !sep && !tab {
		return span{}, 0, false
	}
	return trimLine(line, span{pos, end}), after, true
}

// skipPlace passes over the caller's place behind tabs, as zap prints it.
func skipPlace(line []byte, pos int) int {
	if pos == 0 || pos >= len(line) || line[pos-1] != '\t' {
		return pos
	}
	if end := bytes.IndexByte(line[pos:], '\t'); end > 0 && fileLine(line[pos:pos+end]) {
		return pos + end
	}
	return pos
}

// trimLine cuts ":123" off a logger's name.
func trimLine(line []byte, s span) span {
	if i := bytes.LastIndexByte(s.of(line), ':'); i > 0 && isDigits(line[s.start+i+1:s.end]) && !fileLine(s.of(line)) {
		s.end = s.start + i
	}
	return s
}

// trimPid cuts "[123]" off a syslog tag.
func trimPid(line []byte, s span) span {
	b := s.of(line)
	if i := bytes.IndexAny(b, "[("); i > 0 && (b[len(b)-1] == ']' || b[len(b)-1] == ')') {
		s.end = s.start + i
	}
	return s
}

// fileLine reports whether a word is a place in source: file.go:12.
func fileLine(b []byte) bool {
	i := bytes.LastIndexByte(b, ':')
	if i <= 0 || !isDigits(b[i+1:]) {
		return false
	}
	dot := bytes.LastIndexByte(b[:i], '.')
	if dot <= 0 || i-dot < 2 || i-dot > 5 {
		return false
	}
	for _, c := range b[dot+1 : i] {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

func skipSeparators(line []byte, pos int) int {
	for pos < len(line) {
		switch c := line[pos]; {
		case isSpace(c) || c == '|' || c == ':':
			pos++
			continue
		case c == '-':
			end := pos
			for end < len(line) && line[end] == '-' {
				end++
			}
			if end < len(line) && isSpace(line[end]) {
				pos = end
				continue
			}
		}
		return pos
	}
	return pos
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

func isDashes(b []byte) bool {
	for _, c := range b {
		if c != '-' {
			return false
		}
	}
	return true
}

func isUpper(b []byte) bool {
	for _, c := range b {
		if c < 'A' || c > 'Z' {
			return false
		}
	}
	return true
}

// loggerLike reports whether a word can be a logger's name.
func loggerLike(b []byte) bool {
	return len(b) > 0 && (b[0] < '0' || b[0] > '9') && nameLike(b)
}

// nameLike reports whether a word has only the letters of the name of a
// logger, a host or a pod.
func nameLike(b []byte) bool {
	letter := false
	for _, c := range b {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			letter = true
		case '0' <= c && c <= '9':
		case bytes.IndexByte([]byte("._$:/-`<>@#[]~*"), c) >= 0:
		default:
			return false
		}
	}
	return letter
}

// humps reports whether a word is one of CamelCase.
func humps(b []byte) bool {
	for i := 1; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' && 'a' <= b[i-1] && b[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// timeLike reports whether a word begins as a date or time does: digits with
// at least two equal separators.
func timeLike(b []byte) bool {
	if len(b) < 6 || b[0] < '0' || b[0] > '9' {
		return false
	}
	var colon, dash, slash, digits int
	for i, c := range b {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case c == ':':
			colon++
		case c == '-':
			dash++
		case c == '/':
			slash++
		case c == ' ' || c == '.' || c == ',' || c == '+' || c == '_' || c == 'T' || c == 'Z' || c == 't' || c == 'z' || c >= 0x80:
		case 'A' <= c && c <= 'z' && i >= 2:
			// Month names and zones, behind at least two digits.
			if dash+slash+colon == 0 && b[1] != ' ' {
				return false
			}
		default:
			return false
		}
	}
	return digits >= 4 && (colon >= 2 || dash >= 2 || slash >= 2)
}

// numberLike reports whether a word is a number, as process and thread ids
// are, or a part of a time.
func numberLike(b []byte) bool {
	digits := false
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			digits = true
		case c == '.' || c == ',' || c == '+' || c == '-' || c == ':' || c >= 0x80:
		default:
			return false
		}
	}
	return digits
}

func isMonth(b []byte) bool {
	if len(b) != 3 {
		return false
	}
	switch string(b) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
		return true
	}
	return false
}

func isDay(b []byte) bool {
	if len(b) != 3 {
		return false
	}
	switch string(b) {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return false
}

func zoneWord(b []byte) bool {
	switch string(b) {
	case "UTC", "GMT", "AM", "PM", "Z", "CET", "CEST", "EST", "EDT", "PST", "PDT":
		return true
	}
	return false
}

package ingest

import "bytes"

// headTokens bounds how many tokens before a level are looked at, and
// headBytes how far into a line.
const (
	headTokens = 14
	headBytes  = 256
)

// textHead reads the header of a plain line: times, bracketed parts, numbers,
// separators and names, then a level where the line has one, then a logger's
// name. A line with a time and no level has a head of FormatPlain. Behind
// such a header a JSON object or key=value pairs are found as well.
//
// A level word counts in the places where loggers print it: in brackets, in
// capitals, before a colon at the line's start, or between separators. Words
// of the message never count: the search ends at the first word that is part
// of no header.
func textHead(line []byte) (head, bool) {
	if h, ok := klogHead(line); ok {
		return h, true
	}
	if h, ok := proxyHead(line); ok {
		return h, true
	}
	switch line[0] {
	case 'T', 'D', 'I', 'W', 'E', 'F', 'P':
		if h, ok := logrusHead(line); ok {
			return h, true
		}
		if line[0] == 'P' {
			if h, ok := phpHead(line); ok {
				return h, true
			}
		}
	case 'n':
		if h, ok := npmHead(line); ok {
			return h, true
		}
	}
	sc := headScanner{line: line}
	return sc.scan()
}

// headScanner walks over the tokens of a header.
type headScanner struct {
	line  []byte
	pos   int
	timed bool
	month bool // there was a month's or a day's name
	last  bool // the token before was a time
	pid   bool // there was a plain number behind the time
	after int  // where the message begins if no level follows
	name  span // a name before the level
	named bool // that name stands between separators or ends in a colon
	words int  // names seen
	sep   bool // the token before was a separator
}

func (sc *headScanner) scan() (head, bool) {
	line := sc.line
	for n := 0; n < headTokens && sc.pos < len(line) && sc.pos < headBytes; n++ {
		start := sc.pos
		for sc.pos < len(line) && isSpace(line[sc.pos]) {
			sc.pos++
		}
		if sc.pos == len(line) {
			break
		}
		gap := line[start:sc.pos]
		switch c := line[sc.pos]; {
		case c == '{':
			if (n > 0 || sc.timed) && isJSONObject(line[sc.pos:]) { // at first behind a syslog line's tag
				return head{format: FormatJSON, timed: sc.timed, message: span{sc.pos, len(line)}}, true
			}
			return sc.plain()
		case c == '[' || c == '(' || c == '<' || c == '#' && bytes.HasPrefix(line[sc.pos:], []byte("##[")):
			if c == '#' { // GitHub's and Azure's pipelines: ##[error]
				c, sc.pos = '[', sc.pos+2
			}
			h, found, ok := sc.bracket(c, n)
			if found {
				return h, true
			}
			if !ok {
				return sc.plain()
			}
		case c == '|':
			sc.pos++
			sc.sep = true
			sc.named = sc.named || sc.words == 1
			if sc.timed {
				sc.after = sc.pos
			}
		default:
			h, found, ok := sc.word(gap, n)
			if found {
				return h, true
			}
			if !ok {
				return sc.plain()
			}
		}
	}
	return sc.plain()
}

// plain is what is known when no level was found.
func (sc *headScanner) plain() (head, bool) {
	if !sc.timed {
		return head{}, false
	}
	start := sc.after
	for start < len(sc.line) && (isSpace(sc.line[start]) || sc.line[start] == '|' || sc.line[start] == ':') {
		start++
	}
	h := head{timed: true, message: span{start, len(sc.line)}}
	if sc.named && sc.name.end < start {
		h.category = sc.name
	}
	return h, true
}

// bracket takes a bracketed token: a level, a time, a thread, a number.
func (sc *headScanner) bracket(open byte, n int) (h head, found, ok bool) {
	closing := closingOf(open)
	rest := sc.line[sc.pos+1:]
	if len(rest) > 120 {
		rest = rest[:120]
	}
	end := bytes.IndexByte(rest, closing)
	if end < 0 {
		return head{}, false, false
	}
	inner := bytes.TrimSpace(rest[:end])
	next := sc.pos + 1 + end + 1
	word := inner
	if len(inner) > 0 && inner[0] >= '0' && inner[0] <= '9' {
		// A time, perhaps with the level behind it: [10:00:00 ERR].
		if i := bytes.LastIndexByte(inner, ' '); i > 0 {
			word = inner[i+1:]
		}
	}
	if level, module, ok := bracketLevel(word); ok && !(open == '(' && n == 0) {
		sc.pos = next
		if module > 0 {
			start := bytes.Index(sc.line, word)
			sc.name, sc.named, sc.words = span{start, start + module}, true, 1
		}
		return sc.level(level, sc.timed || len(word) < len(inner)), true, true
	}
	if open == '<' && n == 0 && isDigits(inner) && len(inner) <= 3 {
		return sc.syslog(inner, next), true, true
	}
	if level, module, ok := levelBehindTime(inner); ok {
		sc.pos = next
		if module > 0 {
			name := inner[module:]
			start := bytes.Index(sc.line, name)
			sc.name, sc.named, sc.words = span{start, start + len(name)}, true, 1
		}
		return sc.level(level, true), true, true
	}
	if timeLike(inner) || len(inner) > 8 && isDay(inner[:3]) {
		sc.timed = true
		sc.after = next
	}
	sc.pos = next
	if sc.pos < len(sc.line) && sc.line[sc.pos] == ':' {
		sc.pos++
	}
	sc.sep = false
	return head{}, false, true
}

// bracketLevel reads a level in brackets, also behind a module's name, whose
// length it returns (Apache's [core:error]), or before a worker's (Celery's
// ERROR/ForkPoolWorker-1).
func bracketLevel(word []byte) (level Level, module int, ok bool) {
	if level, ok = headerLevel(word); ok {
		return level, 0, true
	}
	if i := bytes.IndexByte(word, ':'); i > 0 && nameLike(word[:i]) {
		level, ok = headerLevel(word[i+1:])
		return level, i, ok
	}
	if i := bytes.IndexByte(word, '/'); i > 0 && isUpper(word[:i]) {
		level, ok = headerLevel(word[:i])
	}
	return level, 0, ok
}

// levelBehindTime reads "2026-09-19T08:10:16Z ERROR portal::fetch", which
// Rust's env_logger puts into its bracket, and returns where the module
// begins; 0 if there is none.
func levelBehindTime(inner []byte) (level Level, module int, ok bool) {
	i := bytes.IndexByte(inner, ' ')
	if i < 8 || !timeLike(inner[:i]) {
		return LevelUnknown, 0, false
	}
	rest := bytes.TrimLeft(inner[i:], " ")
	word, name, found := bytes.Cut(rest, []byte(" "))
	if level, ok = headerLevel(word); !ok || !isUpper(word) {
		return LevelUnknown, 0, false
	}
	if name = bytes.TrimLeft(name, " "); found && loggerLike(name) {
		module = len(inner) - len(name)
	}
	return level, module, true
}

func closingOf(open byte) byte {
	switch open {
	case '[':
		return ']'
	case '(':
		return ')'
	}
	return '>'
}

// word takes a token that ends at a space or a bar.
func (sc *headScanner) word(gap []byte, n int) (h head, found, ok bool) {
	line := sc.line
	start := sc.pos
	end := start
	for end < len(line) && !isSpace(line[end]) && line[end] != '|' {
		end++
	}
	token := line[start:end]
	sep, last := sc.sep, sc.last
	sc.sep, sc.last = false, false
	bare := bytes.TrimRight(token, ":,")
	colon := len(bare) < len(token) && token[len(bare)] == ':'
	if n == 0 && len(token) == 2 && token[1] == ',' && isUpper(token[:1]) {
		// Ruby: "E, [time #pid] ERROR -- program: message".
		sc.pos = end
		return head{}, false, true
	}
	if len(bare) == 0 || isDashes(bare) {
		sc.pos, sc.sep = end, true
		if sc.named = sc.named || sc.words == 1; sc.after == start {
			sc.after = end
		}
		return head{}, false, true
	}
	if sc.month && sc.timed && sc.words == 0 {
		switch {
		case isIPv4(bare):
			// The host of a syslog line.
			sc.take(span{start, start + len(bare)}, false)
			sc.pos = end
			return head{}, false, true
		case colon && isTag(bare):
			return sc.syslogTag(span{start, start + len(bare)}, start+len(bare)+1), true, true
		}
	}
	if c := bare[0]; c >= '0' && c <= '9' || c == '+' {
		if timeLike(bare) {
			sc.timed, sc.last = true, true
			sc.after = end
		} else if !numberLike(bare) {
			if !sc.wordOK(bare, colon, sep) {
				return head{}, false, false
			}
			sc.take(span{start, start + len(bare)}, colon)
		} else if sc.timed {
			sc.pid = true
		} else {
			// A day of the month, or a month where its name is a number.
			sc.month = sc.month || bare[len(bare)-1] >= 0x80
		}
		sc.pos = end
		return head{}, false, true
	}
	if isMonth(bare) || isDay(bare) || zoneWord(bare) && sc.timed {
		sc.pos = end
		if zoneWord(bare) {
			sc.after = end
		} else {
			sc.month = true
		}
		return head{}, false, true
	}
	if h, ok := sc.android(token, start); ok {
		return h, true, true
	}
	if sc.month && sc.timed && sc.words == 1 {
		if n := syslogTagEnd(line[start:]); n > 0 {
			return sc.syslogTag(span{start, start + n}, start+n+1), true, true
		}
	}
	if tag, ok := sc.hostAndTag(bare, end); ok {
		return sc.syslogTag(tag, tag.end+1), true, true
	}
	if level, ok := sc.levelToken(bare, colon, gap, end, n, sep, last); ok {
		// A .NET console header behind a time.
		if h, ok := dotnetHead(line, start); ok && sc.timed {
			return h, true, true
		}
		sc.pos = end
		return sc.level(level, sc.timed), true, true
	}
	if h, ok := sc.colonLevel(token, start); ok {
		return h, true, true
	}
	if i := bytes.IndexByte(bare, '='); i > 0 {
		if isLogfmt(line[start:]) {
			return head{format: FormatLogfmt, timed: sc.timed, message: span{start, len(line)}}, true, true
		}
		return head{}, false, false
	}
	if !sc.wordOK(bare, colon, sep) {
		return head{}, false, false
	}
	sc.take(span{start, start + len(bare)}, colon)
	sc.pos = end
	return head{}, false, true
}

// take notes a name before the level.
func (sc *headScanner) take(s span, colon bool) {
	sc.words++
	sc.name, sc.named = s, colon
}

// wordOK says whether a word can be part of a header: a name with a sign of
// being one, or the host name and tag of a syslog line.
func (sc *headScanner) wordOK(bare []byte, colon, sep bool) bool {
	if sc.words >= 3 || len(bare) > 100 {
		return false
	}
	if sep || sc.timed && sc.words == 0 && sc.month {
		return true
	}
	if !nameLike(bare) {
		return false
	}
	return colon || bytes.ContainsAny(bare, "._/$[@#0123456789-")
}

// levelToken decides whether a word is the line's level.
func (sc *headScanner) levelToken(bare []byte, colon bool, gap []byte, end, n int, sep, last bool) (Level, bool) {
	level, ok := headerLevel(bare)
	if !ok {
		// PostgreSQL's word for what is worth no warning.
		return LevelInfo, colon && sc.timed && string(bare) == "LOG"
	}
	rest := sc.line[end:]
	tab := len(rest) > 0 && (rest[0] == '\t' || rest[0] == '|')
	wide := tab || len(rest) > 1 && rest[0] == ' ' && (rest[1] == ' ' || rest[1] == '[' || rest[1] == '-' && len(rest) > 2 && rest[2] == ' ')
	if isUpper(bare) {
		switch {
		case colon || sep || tab || n == 0 && strongLevel(level):
			return level, true
		case sc.words == 0 || sc.named:
			// Nothing but times, numbers and brackets so far, or a name that
			// is set off.
			return level, sc.timed || wide || strongLevel(level) && n <= 4
		}
		return level, sc.timed && nameWithSign(sc.name.of(sc.line)) && wordBound(rest)
	}
	lower := bare[0] >= 'a'
	switch {
	case colon && n == 0:
		// "Error: text" names an error, "error: text" a level, and
		// "error: none" a setting or a count.
		return level, (lower || level != LevelError) && isSentence(rest) && string(bare) != "alert"
	case colon && (sc.timed || sc.words > 0):
		return level, lower || level != LevelError
	case sc.words > 0 && !sc.named && !last:
		return level, false
	case sc.timed && (wide || bytes.IndexByte(gap, '\t') >= 0):
		return level, true
	}
	return level, sep && wide
}

// isSentence reports whether a text has two words at least and does not begin
// with a number.
func isSentence(b []byte) bool {
	b = bytes.TrimSpace(b)
	return len(b) > 0 && (b[0] < '0' || b[0] > '9') && bytes.IndexByte(b, ' ') > 0
}

func strongLevel(l Level) bool {
	return l == LevelWarn || l == LevelError || l == LevelFatal || l == LevelInfo || l == LevelDebug
}

func wordBound(rest []byte) bool { return len(rest) > 0 && isSpace(rest[0]) }

// nameWithSign reports whether a word cannot be one of prose.
func nameWithSign(b []byte) bool { return bytes.ContainsAny(b, "._/$[@#0123456789") }

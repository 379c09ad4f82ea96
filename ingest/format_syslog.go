package ingest

import "bytes"

// syslogTagEnd returns where the tag that b begins with ends, before its
// colon; 0 if there is none. A tag has spaces only before a version or where
// it ends with a process id: "Microsoft Word[144]:", "syslogd 1.4.1:".
func syslogTagEnd(b []byte) int {
	b = b[:min(len(b), 80)]
	n := bytes.Index(b, []byte(": "))
	if n <= 0 {
		if n = len(b) - 1; n <= 0 || b[n] != ':' {
			return 0
		}
	}
	tag := b[:n]
	space := bytes.IndexByte(tag, ' ')
	switch {
	case space < 0, tag[n-1] == ']', tag[n-1] == ')':
		return n
	case space+1 < n && tag[space+1] >= '0' && tag[space+1] <= '9' && bytes.Count(tag, []byte(" ")) == 1:
		return n
	}
	return 0
}

// hostAndTag reports whether a word behind a time is the host of a syslog line
// whose time names the year, as rsyslog and journalctl -o short-iso write it:
// then a tag with a process id follows, "portal[12]:".
func (sc *headScanner) hostAndTag(host []byte, end int) (tag span, ok bool) {
	if !sc.timed || sc.month || sc.words > 0 || !nameLike(host) || end+1 >= len(sc.line) {
		return span{}, false
	}
	rest := sc.line[end+1:]
	n := syslogTagEnd(rest)
	if n > 0 && isDaemon(rest[:n]) {
		return span{end + 1, end + 1 + n}, true
	}
	if n < 4 || rest[n-1] != ']' {
		return span{}, false
	}
	open := bytes.IndexByte(rest[:n], '[')
	if open < 1 || !isDigits(rest[open+1:n-1]) || !nameLike(rest[:open]) {
		return span{}, false
	}
	return span{end + 1, end + 1 + n}, true
}

// isTag recognises a tag with a process id, where the host is left out.
func isTag(b []byte) bool {
	open := bytes.IndexByte(b, '[')
	return open > 0 && b[len(b)-1] == ']' && isDigits(b[open+1:len(b)-1]) && nameLike(b[:open])
}

func isIPv4(b []byte) bool {
	if len(b) < 7 || len(b) > 15 || b[0] < '0' || b[0] > '9' {
		return false
	}
	dots := 0
	for _, c := range b {
		switch {
		case c == '.':
			dots++
		case c < '0' || c > '9':
			return false
		}
	}
	return dots == 3
}

// isDaemon knows the tags that stand without a process id.
func isDaemon(tag []byte) bool {
	switch string(tag) {
	case "kernel", "systemd", "sudo", "su", "rsyslogd", "crond", "dnsmasq":
		return true
	}
	return false
}

// syslogTag reads what follows a syslog line's "tag[pid]:", which may have a
// header of its own.
func (sc *headScanner) syslogTag(tag span, end int) head {
	if h, ok := haproxyHead(sc.line, end); ok {
		return h
	}
	inner := headScanner{line: sc.line, pos: end, after: end, timed: true}
	h, _ := inner.scan()
	if h.category == (span{}) && h.format != FormatJSON && h.format != FormatLogfmt {
		h.category = trimPid(sc.line, tag)
	}
	return h
}

// syslog reads what follows "<PRI>".
func (sc *headScanner) syslog(pri []byte, next int) head {
	n := 0
	for _, c := range pri {
		n = n*10 + int(c-'0')
	}
	sc.pos, sc.after = next, next
	level := syslogLevel(n & 7)
	if h, ok := dotnetSystemd(sc.line, next); ok && n < 8 {
		h.level = level
		return h
	}
	// RFC 5424 has a version number here, RFC 3164 a month.
	if next+1 < len(sc.line) && sc.line[next] >= '0' && sc.line[next] <= '9' && sc.line[next+1] == ' ' {
		return sc.syslog5424(next+2, level)
	}
	h, ok := sc.scan()
	if !ok {
		h = head{message: span{next, len(sc.line)}}
	}
	if h.level == LevelUnknown {
		h.level = level
	}
	if h.format == FormatPlain {
		h.format = FormatLevelled
	}
	return h
}

// syslog5424 reads a header of RFC 5424 behind the version:
//
//	TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA [MSG]
//
// The application becomes the category, the message id the event.
func (sc *headScanner) syslog5424(pos int, level Level) head {
	line := sc.line
	h := head{format: FormatLevelled, level: level, timed: true}
	var parts [5]span
	for i := range parts {
		start := pos
		for pos < len(line) && line[pos] != ' ' {
			pos++
		}
		parts[i] = span{start, pos}
		if pos < len(line) {
			pos++
		}
	}
	nil1 := func(s span) bool { return s.end-s.start == 0 || s.end-s.start == 1 && line[s.start] == '-' }
	if !nil1(parts[2]) {
		h.category = parts[2]
	}
	if !nil1(parts[4]) {
		h.event = parts[4]
	}
	switch {
	case pos < len(line) && line[pos] == '-':
		pos++
	case pos < len(line) && line[pos] == '[':
		pos = skipStructuredData(line, pos)
	}
	if pos < len(line) && line[pos] == ' ' {
		pos++
	}
	if bytes.HasPrefix(line[pos:], []byte("\xef\xbb\xbf")) {
		pos += 3
	}
	h.message = span{pos, len(line)}
	switch rest := line[pos:]; {
	case isJSONObject(rest):
		h.format = FormatJSON
	case isLogfmt(rest):
		h.format = FormatLogfmt
	}
	return h
}

// skipStructuredData returns where the elements that begin at pos end. Quoted
// values may hold brackets; a backslash quotes one character.
func skipStructuredData(line []byte, pos int) int {
	quoted := false
	for ; pos < len(line); pos++ {
		switch c := line[pos]; {
		case c == '\\' && quoted:
			pos++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			if pos+1 >= len(line) || line[pos+1] != '[' {
				return pos + 1
			}
		}
	}
	return len(line)
}

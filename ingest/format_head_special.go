package ingest

import "bytes"

// android reads logcat's "D/Tag (pid): message" and, behind process and
// thread ids, "D Tag: message".
func (sc *headScanner) android(token []byte, start int) (head, bool) {
	line := sc.line
	if !sc.timed && start > 0 || sc.words > 0 {
		return head{}, false
	}
	level, ok := levelLetter(token[0])
	if !ok {
		return head{}, false
	}
	pos := min(start+2, len(line))
	switch {
	case len(token) > 2 && token[1] == '/' && (sc.timed || bytes.IndexByte(token, '(') > 0):
	case len(token) == 1 && sc.timed && sc.pid:
	default:
		return head{}, false
	}
	near := line[pos:]
	if len(near) > 80 {
		near = near[:80]
	}
	colon := bytes.Index(near, []byte(": "))
	if colon <= 0 {
		return head{}, false
	}
	tag := near[:colon]
	if i := bytes.IndexByte(tag, '('); i > 0 {
		tag = tag[:i]
	}
	tag = bytes.TrimRight(tag, " ")
	return head{format: FormatLevelled, level: level, timed: sc.timed, category: span{pos, pos + len(tag)},
		message: span{pos + colon + 2, len(line)}}, true
}

// logrusHead reads "ERRO[2026-09-19T08:10:16Z] text" and "ERRO[0012] text",
// logrus on a terminal.
func logrusHead(line []byte) (head, bool) {
	if len(line) < 12 || line[4] != '[' {
		return head{}, false
	}
	end := bytes.Index(line[:min(len(line), 48)], []byte("] "))
	if end < 0 || line[5] < '0' || line[5] > '9' {
		return head{}, false
	}
	h := head{format: FormatLevelled, timed: timeLike(line[5:end]), message: span{end + 2, len(line)}}
	switch string(line[:4]) {
	case "TRAC":
		h.level = LevelTrace
	case "DEBU":
		h.level = LevelDebug
	case "INFO":
		h.level = LevelInfo
	case "WARN":
		h.level = LevelWarn
	case "ERRO":
		h.level = LevelError
	case "FATA", "PANI":
		h.level = LevelFatal
	default:
		return head{}, false
	}
	return h, true
}

// phpHead reads PHP's own lines: "PHP Fatal error:  text".
func phpHead(line []byte) (head, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("PHP "))
	if !ok {
		return head{}, false
	}
	kind, _, ok := bytes.Cut(rest, []byte(":  "))
	if !ok {
		return head{}, false
	}
	h := head{format: FormatLevelled, category: span{0, 3}, message: span{len("PHP ") + len(kind) + 3, len(line)}}
	switch string(kind) {
	case "Fatal error", "Parse error", "Recoverable fatal error", "Core error", "Compile error":
		h.level = LevelError
	case "Warning", "Core warning", "Compile warning":
		h.level = LevelWarn
	case "Notice", "Deprecated", "Strict standards":
		h.level = LevelInfo
	default:
		return head{}, false
	}
	return h, true
}

// npmHead reads npm's own lines: "npm ERR! text", "npm warn text".
func npmHead(line []byte) (head, bool) {
	rest, ok := bytes.CutPrefix(line, []byte("npm "))
	if !ok {
		return head{}, false
	}
	word, _, ok := bytes.Cut(rest, []byte(" "))
	level, known := headerLevel(bytes.TrimSuffix(word, []byte("!")))
	if !ok || !known {
		return head{}, false
	}
	return head{format: FormatLevelled, level: level, category: span{0, 3}, message: span{len("npm ") + len(word) + 1, len(line)}}, true
}

// colonLevel reads Python's "LEVEL:logger:message".
func (sc *headScanner) colonLevel(token []byte, start int) (head, bool) {
	i := bytes.IndexByte(token, ':')
	if i < 3 || start > 0 && !sc.timed {
		return head{}, false
	}
	if dot := bytes.LastIndexByte(token[:i], '.'); dot > 0 && i == len(token)-1 && isUpper(token[dot+1:i]) {
		// Monolog: "channel.LEVEL: message".
		level, ok := headerLevel(token[dot+1 : i])
		return head{format: FormatLevelled, level: level, timed: sc.timed, category: span{start, start + dot},
			message: span{min(start+i+2, len(sc.line)), len(sc.line)}}, ok
	}
	if !isUpper(token[:i]) {
		return head{}, false
	}
	level, ok := headerLevel(token[:i])
	if !ok {
		return head{}, false
	}
	h := head{format: FormatLevelled, level: level, timed: sc.timed, message: span{start + i + 1, len(sc.line)}}
	if j := bytes.IndexByte(token[i+1:], ':'); j > 0 && nameLike(token[i+1:i+1+j]) {
		h.category = span{start + i + 1, start + i + 1 + j}
		h.message.start = h.category.end + 1
	}
	return h, true
}

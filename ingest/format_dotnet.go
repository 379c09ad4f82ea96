package ingest

import "bytes"

// dotnetLevel reads the four letters by which the .NET console formatter
// names a level.
func dotnetLevel(b []byte) (Level, bool) {
	if len(b) < 4 {
		return LevelUnknown, false
	}
	switch string(b[:4]) {
	case "trce":
		return LevelTrace, true
	case "dbug":
		return LevelDebug, true
	case "info":
		return LevelInfo, true
	case "warn":
		return LevelWarn, true
	case "fail":
		return LevelError, true
	case "crit":
		return LevelFatal, true
	}
	return LevelUnknown, false
}

// dotnetHead reads "fail: Category[id]" at line[from:], also in the form that
// has the message on the same line ("fail: Category[id] message"). A word
// after the level that is no category, as in npm's "warn: something", is no
// header of this format.
func dotnetHead(line []byte, from int) (head, bool) {
	b := line[from:]
	level, ok := dotnetLevel(b)
	if !ok || len(b) < 7 || b[4] != ':' || b[5] != ' ' {
		return head{}, false
	}
	h := head{format: FormatDotnetConsole, level: level, timed: from > 0}
	end := len(line)
	for end > from && (line[end-1] == ' ' || line[end-1] == '\t') {
		end--
	}
	start := from + 6
	for start < end && line[start] == ' ' {
		start++
	}
	if start >= end {
		return head{}, false
	}
	h.message = span{end, end}
	if line[end-1] == ']' {
		if i := bytes.LastIndexByte(line[start:end], '['); i > 0 && bytes.IndexByte(line[start:start+i], ' ') < 0 {
			h.category = span{start, start + i}
			h.event = span{start + i + 1, end - 1}
			return h, true
		}
	}
	space := bytes.IndexByte(line[start:end], ' ')
	if space < 0 {
		// No id: a name is one if it looks like a category.
		h.category = span{start, end}
		word := h.category.of(line)
		return h, loggerLike(word) && ('A' <= word[0] && word[0] <= 'Z' || bytes.IndexByte(word, '.') > 0)
	}
	word := line[start : start+space]
	if word[len(word)-1] != ']' {
		return head{}, false
	}
	i := bytes.LastIndexByte(word, '[')
	if i <= 0 || !isDigits(bytes.TrimPrefix(word[i+1:len(word)-1], []byte("-"))) {
		return head{}, false
	}
	h.category = span{start, start + i}
	h.event = span{start + i + 1, start + space - 1}
	h.message = span{start + space + 1, end}
	return h, true
}

// dotnetSystemd reads what the systemd formatter of the .NET console prints
// behind "<n>": "Category[id] message".
func dotnetSystemd(line []byte, pos int) (head, bool) {
	end := bytes.IndexByte(line[pos:], ' ')
	if end < 4 || line[pos+end-1] != ']' {
		return head{}, false
	}
	word := line[pos : pos+end]
	i := bytes.LastIndexByte(word, '[')
	if i <= 0 || !isDigits(bytes.TrimPrefix(word[i+1:end-1], []byte("-"))) || !loggerLike(word[:i]) {
		return head{}, false
	}
	return head{format: FormatDotnetConsole, category: span{pos, pos + i}, event: span{pos + i + 1, pos + end - 1},
		message: span{pos + end + 1, len(line)}}, true
}

func isDigits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

// unpad removes the formatter's padding.
func unpad(line []byte) []byte {
	n := 0
	for n < len(line) && n < dotnetPadding && line[n] == ' ' {
		n++
	}
	return line[n:]
}

// singleLine takes the exception off a message whose line breaks the formatter
// replaced by spaces: it begins with a type and has frames behind it.
func (b *builder) singleLine(r *Record) {
	frames := bytes.Index(r.Message, []byte("   at "))
	if frames < 0 {
		return
	}
	for i := 0; i < frames; {
		if x, ok := exceptionLine(r.Message[i:frames]); ok && bytes.IndexByte(x.typ, '.') > 0 {
			stack := r.Message[i:]
			if r.Message = bytes.TrimRight(r.Message[:i], " "); len(r.Message) == 0 {
				r.Message = bytes.TrimRight(stack[:frames-i], " ")
			}
			b.stackLine(stack, r)
			return
		}
		next := bytes.IndexByte(r.Message[i:frames], ' ')
		if next < 0 {
			return
		}
		i += next + 1
	}
}

// isScopes reports whether a message line is one of scopes, "=> a => b".
func isScopes(line []byte) bool { return bytes.HasPrefix(line, []byte("=> ")) }

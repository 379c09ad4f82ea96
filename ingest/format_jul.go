package ingest

import "bytes"

// Java's own logging prints a record on two lines:
//
//	Sep 19, 2026 8:10:16 AM com.example.Fetch run
//	SEVERE: fetch failed
//
// The class becomes the category.

// takesLevel makes l the second line of a record whose first is of that form,
// and reports whether it is one.
func (s *openStream) takesLevel(l *look) bool {
	h := &l.head
	if len(s.lines) != 1 || s.format != FormatPlain || !s.head.timed || h.timed || h.format != FormatLevelled || h.level == LevelUnknown || h.message.start == 0 {
		return false
	}
	first := s.cleanLine(&s.lines[0])
	class, method, ok := bytes.Cut(s.head.message.of(first), []byte(" "))
	if !ok || !loggerLike(class) || bytes.IndexByte(class, '.') <= 0 || !nameLike(method) || bytes.IndexByte(method, ' ') >= 0 {
		return false
	}
	start := s.head.message.start
	s.format = FormatLevelled
	s.head = head{format: FormatLevelled, level: h.level, timed: true, category: span{start, start + len(class)}, message: span{len(first), len(first)}}
	l.kind, l.line, l.changed = kindText, h.message.of(l.line), true
	return true
}

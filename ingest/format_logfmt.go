package ingest

import "bytes"

// isLogfmt reports whether a line is one of key=value pairs: it begins with
// one, and either names a level or a message among its first pairs or has at
// least four pairs in a row.
func isLogfmt(line []byte) bool {
	if len(line) == 0 || !isKeyByte(line[0]) || line[0] >= '0' && line[0] <= '9' {
		return false
	}
	known := false
	for n := 0; n < 8; n++ {
		key, rest, ok := logfmtKey(line)
		if !ok {
			return false
		}
		if k, sure := roleOf(key); sure >= 6 && (k == roleMessage || k == roleLevel) {
			known = true
		}
		end := logfmtValueEnd(rest)
		if end < 0 {
			return known // a line that was cut in a quoted value
		}
		line = bytes.TrimLeft(rest[end:], " \t")
		if known && n > 0 || n >= 3 {
			return true
		}
		if len(line) == 0 {
			return known
		}
	}
	return known
}

func isKeyByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.' || c == '-' || c == '@' || c == '/'
}

func logfmtKey(b []byte) (key, rest []byte, ok bool) {
	i := 0
	for i < len(b) && isKeyByte(b[i]) {
		i++
	}
	if i == 0 || i > 64 || i >= len(b) || b[i] != '=' {
		return nil, nil, false
	}
	return b[:i], b[i+1:], true
}

// logfmtValueEnd returns where the value that b begins with ends, -1 if its
// closing quote is missing.
func logfmtValueEnd(b []byte) int {
	if len(b) > 0 && b[0] == '"' {
		for i := 1; i < len(b); i++ {
			switch b[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return -1
	}
	for i, c := range b {
		if isSpace(c) {
			return i
		}
	}
	return len(b)
}

// logfmtRecord reads key=value pairs.
func (b *builder) logfmtRecord(line []byte, r *Record) {
	b.pairs(line, r)
	b.fromFields(r)
	if len(r.Message) == 0 {
		r.Message = line
	}
	if bytes.IndexByte(r.Message, '\n') >= 0 && len(r.Exceptions) == 0 {
		b.splitMessage(r)
	}
}

// pairs adds the pairs of a line to the fields; words between them are left.
func (b *builder) pairs(line []byte, r *Record) {
	for len(r.Fields) < maxFields {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			return
		}
		key, rest, ok := logfmtKey(line)
		if !ok {
			i := bytes.IndexByte(line, ' ')
			if i < 0 {
				return
			}
			line = line[i:]
			continue
		}
		end := logfmtValueEnd(rest)
		cut := end < 0
		if cut {
			end = len(rest)
		}
		value := rest[:end]
		line = rest[end:]
		if len(value) > 0 && value[0] == '"' {
			if bytes.IndexByte(value, '\\') >= 0 {
				n := len(b.scratch)
				b.scratch, _, _ = appendUnquoted(b.scratch, value, 1)
				value = b.scratch[n:]
			} else if cut {
				value = value[1:]
			} else {
				value = value[1 : len(value)-1]
			}
		}
		r.Fields = append(r.Fields, Field{Name: key, Value: value})
	}
}

// klogMessage takes klog's structured form apart: a quoted message, then
// pairs. Any other message is returned as it is.
func (b *builder) klogMessage(message []byte, r *Record) []byte {
	if len(message) < 2 || message[0] != '"' {
		return message
	}
	end := logfmtValueEnd(message)
	if end < 0 || end < len(message) && message[end] != ' ' {
		return message
	}
	n := len(b.scratch)
	b.scratch, _, _ = appendUnquoted(b.scratch, message, 1)
	text := b.scratch[n:]
	b.pairs(message[end:], r)
	return text
}

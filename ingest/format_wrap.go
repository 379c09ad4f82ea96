package ingest

import "bytes"

// unwrap takes a wrapper off a line: docker's json-file
// {"log":"text\n","stream":"stdout","time":"..."}, what fluent-bit makes of it
// and of CRI, {"stream":"stdout","logtag":"F","log":"text",...}, CRI's "TIME
// stdout F text", and promtail's packed entry {"_entry":"text",...}. partial says that the
// text goes on in the next entry.
func (l *look) unwrap(line []byte) (inner []byte, partial, ok bool) {
	if len(line) < 30 {
		return nil, false, false
	}
	switch c := line[0]; {
	case c == '{':
		if rest, found := bytes.CutPrefix(line, []byte(`{"log":"`)); found {
			return l.unwrapDocker(rest)
		}
		if rest, found := bytes.CutPrefix(line, []byte(`{"stream":"std`)); found {
			return l.unwrapFluent(rest)
		}
		if rest, found := bytes.CutPrefix(line, []byte(`{"_entry":"`)); found {
			n := len(l.buf)
			buf, _, ok := appendUnquoted(l.buf, rest, 0)
			if !ok {
				return nil, false, false
			}
			l.buf = buf
			return buf[n:], false, true
		}
	case '0' <= c && c <= '9':
		return unwrapCRI(line)
	}
	return nil, false, false
}

func (l *look) unwrapDocker(rest []byte) ([]byte, bool, bool) {
	n := len(l.buf)
	buf, end, ok := appendUnquoted(l.buf, rest, 0)
	tail := rest[end:]
	if !ok || !bytes.HasPrefix(tail, []byte(`,"stream":"`)) && !bytes.HasPrefix(tail, []byte(`,"time":"`)) && !bytes.HasPrefix(tail, []byte(`,"kubernetes":{`)) {
		return nil, false, false
	}
	l.buf = buf
	inner := buf[n:]
	if m := len(inner) - 1; m >= 0 && inner[m] == '\n' {
		return inner[:m], false, true
	}
	// The daemon cuts lines at 16 KiB; a shorter one without a line break is
	// the last of its process.
	return inner, len(inner) >= 16<<10, true
}

// unwrapFluent reads what follows {"stream":"std.
func (l *look) unwrapFluent(rest []byte) (inner []byte, partial, ok bool) {
	rest, ok = cutOneOf(rest, `out",`, `err",`)
	if !ok {
		return nil, false, false
	}
	if whole, found := bytes.CutPrefix(rest, []byte(`"logtag":"F",`)); found {
		rest = whole
	} else if part, found := bytes.CutPrefix(rest, []byte(`"logtag":"P",`)); found {
		rest, partial = part, true
	}
	if rest, ok = bytes.CutPrefix(rest, []byte(`"log":"`)); !ok {
		return nil, false, false
	}
	n := len(l.buf)
	buf, end, ok := appendUnquoted(l.buf, rest, 0)
	if !ok || end == len(rest) {
		return nil, false, false
	}
	l.buf = buf
	return bytes.TrimSuffix(buf[n:], []byte("\n")), partial, true
}

func cutOneOf(b []byte, prefixes ...string) (rest []byte, ok bool) {
	for _, p := range prefixes {
		if len(b) >= len(p) && string(b[:len(p)]) == p {
			return b[len(p):], true
		}
	}
	return b, false
}

func unwrapCRI(line []byte) ([]byte, bool, bool) {
	if line[4] != '-' || line[10] != 'T' {
		return nil, false, false
	}
	i := bytes.IndexByte(line, ' ')
	if i < 20 || i > 36 {
		return nil, false, false
	}
	rest := line[i+1:]
	if !bytes.HasPrefix(rest, []byte("stdout ")) && !bytes.HasPrefix(rest, []byte("stderr ")) {
		return nil, false, false
	}
	tags, text, found := bytes.Cut(rest[len("stdout "):], []byte(" "))
	if len(tags) == 0 || tags[0] != 'F' && tags[0] != 'P' || len(tags) > 1 && tags[1] != ':' {
		return nil, false, false
	}
	if !found {
		text = nil
	}
	return text, tags[0] == 'P', true
}

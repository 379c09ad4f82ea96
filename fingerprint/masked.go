package fingerprint

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"github.com/vdm-logs/vdm-logs/ingest"
)

// Masked computes the id under which the old log watcher kept an incident.
// The formula masks the Source, so one masked id may belong to many ids, and
// since a Source's length and the operation key change how the quotes pair
// up, one Source may have several masked ids.
//
// The zero value is ready to use. A Masked owns buffers that are reused and
// is for one goroutine.
type Masked struct {
	lines     [][]byte // body lines
	a, b      []byte   // masking buffers
	text      []byte   // message before masking
	hash      []byte
	category  []byte
	exception []byte
	top       []byte
	out       [16]byte
}

// ID returns the masked id of a record, 16 lower-case hex digits.
//
// The old watcher knew nothing but .NET console output, and of that only what
// begins with "fail:" or "crit:"; ok is false for everything below the level
// of an error and for records without a category. A record of another format
// with a category and such a level gets the id that it would have had if the
// console had written it. A record whose header is missing has none.
func (m *Masked) ID(r *ingest.Record) (id string, ok bool) {
	if r.Level < ingest.LevelError || r.Headless {
		return "", false
	}
	if r.Format == ingest.FormatDotnetConsole && isRedHeader(r.Text) {
		return m.joined(r.Text)
	}
	if len(r.Category) == 0 {
		return "", false
	}
	m.category = r.Category
	m.lines = m.lines[:0]
	m.addLines(r.Message)
	for i := range r.Exceptions {
		e := &r.Exceptions[i]
		if i == 0 {
			m.text = append(append(append(m.text[:0], e.Type...), ": "...), firstLine(e.Message)...)
			m.addBody(m.text)
		}
	}
	header := m.headerOf(r)
	frames := len(m.lines)
	m.lines = append(m.lines, r.Frames...)
	return m.finish(header, frames), true
}

// Lines returns the masked id of a burst that was cut into lines: the red
// header and its continuation. ok is false when the first line is no red
// header.
func (m *Masked) Lines(lines [][]byte) (id string, ok bool) {
	if len(lines) == 0 || !isRedHeader(lines[0]) {
		return "", false
	}
	m.setHeader(lines[0])
	m.lines = m.lines[:0]
	for _, l := range lines[1:] {
		m.addBody(l)
	}
	return m.finish(trimSpace(lines[0][5:]), len(m.lines)), true
}

// joined is Lines for lines that are joined by line breaks.
func (m *Masked) joined(text []byte) (string, bool) {
	header := firstLine(text)
	m.setHeader(header)
	m.lines = m.lines[:0]
	m.addLines(text[min(len(header)+1, len(text)):])
	return m.finish(trimSpace(header[5:]), len(m.lines)), true
}

func isRedHeader(line []byte) bool {
	return len(line) >= 5 && (string(line[:5]) == "fail:" || string(line[:5]) == "crit:")
}

func firstLine(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i]
	}
	return b
}

// setHeader takes the category from a header line: what stands behind the
// colon, without the event id in square brackets.
func (m *Masked) setHeader(line []byte) {
	m.category = trimSpace(line[5:])
	if i := bytes.LastIndexByte(m.category, '['); i > 0 {
		m.category = m.category[:i]
	}
}

func (m *Masked) addLines(text []byte) {
	for len(text) > 0 {
		line := firstLine(text)
		text = text[min(len(line)+1, len(text)):]
		m.addBody(line)
	}
}

func (m *Masked) addBody(line []byte) {
	if line = trimSpace(line); len(line) > 0 {
		m.lines = append(m.lines, line)
	}
}

// headerOf composes the header the console would have written.
func (m *Masked) headerOf(r *ingest.Record) []byte {
	m.hash = append(m.hash[:0], r.Category...)
	m.hash = append(m.hash, '[')
	if len(r.EventID) > 0 {
		m.hash = append(m.hash, r.EventID...)
	} else {
		m.hash = append(m.hash, '0')
	}
	return append(m.hash, ']')
}

// finish computes the id; lines from frames on are stack frames without "at".
func (m *Masked) finish(header []byte, frames int) string {
	m.exception, m.top = nil, nil
	at := -1
	for i, l := range m.lines[:frames] {
		if n := exceptionName(l); n > 0 {
			m.exception, at = l[:n], i
			break
		}
	}
	for i, l := range m.lines {
		if i < frames {
			var ok bool
			if l, ok = bytes.CutPrefix(l, []byte("at ")); !ok {
				continue
			}
		}
		if len(l) == 0 || hasPrefixAny(l, maskedFrameworks) {
			continue
		}
		if i := bytes.Index(l, []byte(" in ")); i > 0 {
			l = l[:i]
		}
		m.top = l
		break
	}
	message := m.a[:0]
	switch {
	case at > 0:
		for i, l := range m.lines[:at] {
			if i > 0 {
				message = append(message, ' ')
			}
			message = append(message, l...)
		}
	case at == 0:
		message = append(message, m.lines[0]...)
	case frames > 0:
		message = append(message, m.lines[0]...)
	default:
		message = append(message, header...)
	}
	m.a = message
	m.mask()
	h := append(m.hash[:0], m.category...)
	h = append(append(h, '\n'), m.exception...)
	h = append(h, '\n')
	h = appendUTF16(h, m.a, 300)
	h = append(append(h, '\n'), m.top...)
	m.hash = h
	if !utf8.Valid(h) {
		h = bytes.ToValidUTF8(h, []byte("\uFFFD"))
	}
	sum := sha256.Sum256(h)
	hex.Encode(m.out[:], sum[:8])
	return string(m.out[:])
}

// maskedFrameworks are the prefixes the old watcher skipped.
var maskedFrameworks = []string{"System.", "Microsoft.", "Npgsql.", "Orleans."}

// exceptionName returns the length of the exception's type at the start of a
// line, or 0: a capital letter, word characters and full stops, ending in
// Exception or Error, with a colon or nothing but white space behind it.
func exceptionName(line []byte) int {
	if len(line) == 0 || line[0] < 'A' || line[0] > 'Z' {
		return 0
	}
	n := 0
	for n < len(line) {
		r, size := utf8.DecodeRune(line[n:])
		if r != '.' && !isNetWord(r) {
			break
		}
		n += size
	}
	if n < len(line) && line[n] != ':' && len(trimSpace(line[n:])) > 0 {
		return 0
	}
	name := line[:n]
	if !bytes.HasSuffix(name, []byte("Exception")) && !bytes.HasSuffix(name, []byte("Error")) {
		return 0
	}
	return n
}

// appendUTF16 appends the first units UTF-16 units of b. Half of a surrogate
// pair becomes U+FFFD, as .NET's encoder writes it.
func appendUTF16(dst, b []byte, units int) []byte {
	i := 0
	for i < len(b) && units > 0 {
		if b[i] < utf8.RuneSelf {
			i++
			units--
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r > 0xffff {
			if units == 1 {
				return append(append(dst, b[:i]...), "\uFFFD"...)
			}
			units--
		}
		i += size
		units--
	}
	return append(dst, b[:i]...)
}

// isNetWord reports whether r is a word character for .NET's \w: letters,
// marks that take no space, decimal digits, and connecting punctuation.
func isNetWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(byte(r)) || r == '_'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Pc, r) || r == 0x200c || r == 0x200d
}

// trimSpace trims Unicode white space.
func trimSpace(b []byte) []byte { return bytes.TrimSpace(b) }

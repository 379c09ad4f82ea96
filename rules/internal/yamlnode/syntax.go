package yamlnode

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// searchBytes bounds the text that is parsed again to find a syntax error.
const searchBytes = 4 << 20

var yamlWhere = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntaxError turns an error of the YAML module into one with a position. The
// module names the line of the enclosing construct, often far above, and no
// column. The line at fault is the one after the longest readable beginning
// of the file: that is where an unclosed quote opens, or where the key stands
// that does not fit.
func (f *File) syntaxError(src []byte, err error) *Error {
	msg := err.Error()
	line := 1
	if m := yamlWhere.FindStringSubmatch(msg); m != nil {
		msg = msg[len(m[0]):]
		if n, e := strconv.Atoi(m[1]); e == nil {
			line = min(max(n, 1), max(len(f.lines), 1))
		}
	}
	if n, ok := f.firstUnreadable(src); ok {
		line = n
	}
	e := &Error{Span: f.lineSpan(line), ID: "yaml/syntax", Msg: msg}
	text := f.Line(line)
	indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	switch {
	case strings.Contains(indent, "\t"):
		col := strings.IndexByte(indent, '\t') + 1
		e.Span = Span{line, col, line, col + 1}
		e.Msg, e.Hint = "a tab in the indentation", "indent with spaces"
	case strings.Contains(msg, "mapping values are not allowed"):
		e.Msg, e.Hint = "a key and its value are not allowed here", "quote a text that holds ': ', and check the indentation"
	case strings.Contains(msg, "cannot start any token"):
		e.Hint = "quote a text that begins with % @ ` or a tab"
	case strings.Contains(msg, "unexpected end of stream"), strings.Contains(msg, "unexpected document indicator"):
		e.Hint = "close the quote that opens here"
	case strings.Contains(msg, "alphabetic or numeric"):
		e.Msg, e.Hint = "a name is expected after * or &", "quote a text that begins with * or &"
	case strings.Contains(msg, "unknown anchor"):
		e.Hint = "quote a text that begins with *; an alias must follow its anchor"
	case strings.Contains(msg, "unknown escape character"):
		e.Hint = `in double quotes a backslash begins an escape; use single quotes for patterns`
	case strings.Contains(msg, "did not find expected ',' or"):
		e.Hint = "close the bracket that opens here, or quote the text"
	case strings.Contains(msg, "did not find expected key"), strings.Contains(msg, "did not find expected '-' indicator"):
		e.Hint = "check the indentation against the lines above"
	}
	return e
}

// firstUnreadable returns the line after the longest beginning of the file
// that is readable. Beginnings may be unreadable only because something is
// still open, so a halving search is repeated from every later readable
// beginning that a look-ahead finds.
func (f *File) firstUnreadable(src []byte) (int, bool) {
	ends := []int{0}
	for i, c := range src {
		if c == '\n' {
			ends = append(ends, i+1)
		}
	}
	if ends[len(ends)-1] != len(src) {
		ends = append(ends, len(src))
	}
	left := searchBytes
	readable := func(k int) bool {
		left -= ends[k] + 512
		return left > 0 && parses(src[:ends[k]])
	}
	lo, hi := 0, len(ends)-1
	for left > 0 {
		for hi-lo > 1 {
			if mid := (lo + hi) / 2; readable(mid) {
				lo = mid
			} else {
				hi = mid
			}
		}
		next := 0
		for k := lo + 2; k < len(ends)-1 && k < lo+60 && left > 0; k++ {
			if readable(k) {
				next = k
				break
			}
		}
		if next == 0 {
			break
		}
		lo, hi = next, len(ends)-1
	}
	// Blank lines and comments are never at fault.
	n := lo + 1
	for n < len(f.lines) {
		if t := strings.TrimSpace(f.Line(n)); t != "" && t[0] != '#' {
			break
		}
		n++
	}
	return n, left > 0
}

func parses(src []byte) bool {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	for {
		var n yaml.Node
		if err := decode(dec, &n); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

package yamlnode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits on one file. A rule file is written by people; what exceeds these is
// a mistake or an attack.
const (
	maxBytes  = 2 << 20 // source text
	maxDepth  = 64      // nesting, aliases followed
	maxNodes  = 200_000 // nodes, aliases followed
	maxLine   = 10_000  // bytes of one line
	maxErrors = 1000    // errors told of one file
)

// Error is one thing that is wrong with the YAML of a file.
type Error struct {
	Span
	// ID is the stable name of the check: yaml/syntax, yaml/duplicate-key ...
	ID string
	// Msg says what is wrong, Hint what would be right; Hint may be empty.
	Msg, Hint string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// File is one parsed file.
type File struct {
	Name string
	// Root is the document's value, nil if there is none.
	Root *Node

	lines []string
	// The place that was asked for last, in bytes and code points: places are
	// asked for from left to right, and lines may be long.
	mark struct{ line, off, col int }
}

// Line returns the text of a line, counted from 1, without its line break.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	return f.lines[n-1]
}

// Lines returns how many lines the file has.
func (f *File) Lines() int { return len(f.lines) }

// Parse reads the text of a file. The File is never nil, so that excerpts can
// be shown; its Root is nil if the document is empty or could not be read.
func Parse(name string, src []byte) (*File, []*Error) {
	f := &File{Name: name}
	if len(src) > maxBytes {
		return f, []*Error{{Span: Span{1, 1, 1, 1}, ID: "yaml/too-large",
			Msg: fmt.Sprintf("the file has %d bytes, more than %d", len(src), maxBytes), Hint: "split it into several files"}}
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	f.lines = splitLines(string(src))
	if e := f.checkText(); e != nil {
		return f, []*Error{e}
	}
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc yaml.Node
	if err := decode(dec, &doc); err != nil {
		if errors.Is(err, io.EOF) {
			return f, nil
		}
		return f, []*Error{f.syntaxError(src, err)}
	}
	b := &builder{file: f, active: map[*yaml.Node]bool{}, done: map[*yaml.Node]*Node{}}
	var second yaml.Node
	switch err := decode(dec, &second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return f, []*Error{f.syntaxError(src, err)}
	default:
		b.report(f.documentStart(second.Line), "yaml/second-document", "a second document begins here; a rule file has one",
			"put it into a file of its own")
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		f.Root = b.build(doc.Content[0], 0)
	}
	return f, b.errs
}

// decode calls the YAML module, which reports some broken invariants of its
// own by panicking, and gives those back as errors.
func decode(dec *yaml.Decoder, into *yaml.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("yaml: cannot be read: %v", r)
		}
	}()
	return dec.Decode(into)
}

func splitLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}

// checkText finds the first byte that YAML text may not hold.
func (f *File) checkText() *Error {
	for i, line := range f.lines {
		if len(line) > maxLine {
			return &Error{Span: Span{i + 1, 1, i + 1, 2}, ID: "yaml/long-line",
				Msg: fmt.Sprintf("the line has %d bytes, more than %d", len(line), maxLine), Hint: "break it into several"}
		}
		col := 1
		for off, r := range line {
			bad := ""
			switch {
			case r == utf8.RuneError:
				if _, size := utf8.DecodeRuneInString(line[off:]); size == 1 {
					bad = fmt.Sprintf("byte 0x%02x is not UTF-8", line[off])
				}
			case r < 0x20 && r != '\t', r == 0x7f:
				bad = fmt.Sprintf("control character %U", r)
			}
			if bad != "" {
				return &Error{Span: Span{i + 1, col, i + 1, col + 1}, ID: "yaml/encoding", Msg: bad, Hint: "save the file as UTF-8 text"}
			}
			col++
		}
	}
	return nil
}

// documentStart returns the span of the "---" that opens the document whose
// first node stands on the given line.
func (f *File) documentStart(line int) Span {
	for l := min(max(line, 1), len(f.lines)); l > 1; l-- {
		if strings.HasPrefix(f.Line(l), "---") {
			return Span{l, 1, l, 4}
		}
	}
	return f.lineSpan(line)
}

// lineSpan is the text of a line without the blanks around it.
func (f *File) lineSpan(n int) Span {
	line := f.Line(n)
	body := strings.TrimLeft(line, " \t")
	col := len(line) - len(body) + 1
	return Span{n, col, n, col + max(1, utf8.RuneCountInString(strings.TrimRight(body, " \t")))}
}

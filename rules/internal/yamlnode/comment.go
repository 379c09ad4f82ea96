package yamlnode

import "strings"

// Comment is one comment of a file.
type Comment struct {
	Span Span
	// Text is the comment from its # on.
	Text string
	// Alone says that nothing else stands on the line.
	Alone bool
}

// Comments returns the comments of the file that hold a text, those that
// stand inside a scalar left out.
func (f *File) Comments(holding string) []Comment {
	inside := make([]bool, len(f.lines))
	if f.Root != nil {
		l := layout{file: f, indent: make([]int, len(f.lines)), moved: make([]int, len(f.lines)), inside: inside}
		for i := range l.indent {
			l.indent[i] = unset
		}
		l.block(f.Root, 0)
	}
	var out []Comment
	for i, line := range f.lines {
		at := strings.LastIndex(line, "# "+holding)
		if at < 0 || inside[i] || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' {
			continue
		}
		alone := strings.TrimSpace(line[:at]) == ""
		if !alone && (strings.Count(line[:at], "'")%2 != 0 || strings.Count(line[:at], `"`)%2 != 0) {
			continue // inside a quoted text
		}
		s := f.lineSpan(i + 1)
		s.Col = len([]rune(line[:at])) + 1
		out = append(out, Comment{Span: s, Text: strings.TrimRight(line[at:], " \t"), Alone: alone})
	}
	return out
}

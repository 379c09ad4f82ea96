package yamlnode

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
)

// ErrNotFormatted says that a text is valid YAML of a layout that Format does
// not know how to move without changing its meaning.
var ErrNotFormatted = errors.New("the layout is one that cannot be formatted safely")

// Format lays a document out anew: two spaces for each level, the dashes of a
// list two deeper than its key, one blank after a dash, no blanks at the ends
// of lines, no more than one empty line at a time, none at either end, and
// one line break at the end. Every other character, comments included, stays
// as it is; a comment line moves with the line under it. Formatting twice is
// formatting once, and the values before and after are the same.
//
// The text must parse without errors.
func Format(name string, src []byte) ([]byte, error) {
	once, err := format(name, src)
	if err != nil {
		return nil, err
	}
	if twice, err := format(name, once); err != nil || !bytes.Equal(once, twice) {
		return nil, ErrNotFormatted
	}
	return once, nil
}

func format(name string, src []byte) ([]byte, error) {
	f, errs := Parse(name, src)
	if len(errs) > 0 {
		return nil, errs[0]
	}
	l := layout{file: f, indent: make([]int, len(f.lines)), moved: make([]int, len(f.lines)), inside: make([]bool, len(f.lines))}
	for i := range l.indent {
		l.indent[i] = unset
	}
	if f.Root != nil {
		l.block(f.Root, 0)
	}
	if l.failed {
		return nil, ErrNotFormatted
	}
	out := l.render()
	g, errs := Parse(name, out)
	if len(errs) > 0 || (f.Root == nil) != (g.Root == nil) || f.Root != nil && !reflect.DeepEqual(f.Root.JSON(), g.Root.JSON()) {
		return nil, ErrNotFormatted
	}
	return out, nil
}

const unset = -1

// layout finds for every line where it is to begin.
type layout struct {
	file *File
	// indent is the new indentation of lines on which a block element begins.
	indent []int
	// moved is how far the last element on such a line moves to the right;
	// lines that continue it move with it.
	moved []int
	// inside marks lines that lie inside a scalar, where # begins no comment
	// and empty lines count.
	inside []bool
	failed bool
}

func (l *layout) line(n int) string { return l.file.lines[n-1] }

func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// block places an element of block style whose lines begin at an indentation.
func (l *layout) block(n *Node, indent int) {
	switch {
	case n.Kind == Scalar || n.flow:
		l.scalars(n)
	case n.Kind == Map:
		for _, p := range n.Pairs {
			l.begin(p.Key, indent)
			l.scalars(p.Key)
			l.block(p.Value, indent+2)
		}
	case n.Kind == List:
		for _, it := range n.Items {
			l.dash(it, indent)
			l.block(it, indent+2)
		}
	}
}

// begin places the line on which a key stands first.
func (l *layout) begin(key *Node, indent int) {
	i := key.Span.Line - 1
	old := l.file.offset(key.Span.Line, key.Span.Col)
	if l.indent[i] == unset {
		if indentOf(l.file.lines[i]) != old { // something stands before the key: an anchor, a question mark
			l.failed = true
			return
		}
		l.indent[i] = indent
	}
	l.moved[i] = indent - old
}

// dash places the line on which an element of a list stands, with its dash.
func (l *layout) dash(it *Node, indent int) {
	i := it.Span.Line - 1
	text := l.file.lines[i]
	at := indentOf(text)
	if !strings.HasPrefix(text[at:], "- ") && strings.TrimRight(text[at:], " \t") != "-" {
		l.failed = true
		return
	}
	if l.indent[i] == unset {
		l.indent[i] = indent
	} else { // a list inside a list on one line
		l.failed = true
		return
	}
	l.moved[i] = indent - at
}

// scalars marks the further lines of texts.
func (l *layout) scalars(n *Node) {
	switch {
	case n.Kind == Scalar && n.style == block:
		first := n.Span.Line // of the header; the text follows
		base := 0
		for i := first; i >= 1; i-- { // the block's parent is the element that begins last before it
			if l.indent[i-1] != unset {
				base = indentOf(l.file.lines[i-1])
				break
			}
		}
		for i := first; i < len(l.file.lines); i++ {
			if t := l.file.lines[i]; strings.TrimSpace(t) != "" && indentOf(t) <= base {
				break
			}
			l.inside[i] = true
		}
		// Empty lines behind the text belong to the layout, unless the text
		// keeps them.
		if !strings.Contains(strings.SplitN(l.line(first), "#", 2)[0], "+") {
			for i := len(l.inside) - 1; i >= first; i-- {
				if !l.inside[i] {
					continue
				}
				if strings.TrimSpace(l.file.lines[i]) != "" {
					break
				}
				l.inside[i] = false
			}
		}
	case n.Kind == Scalar:
		for i := n.Span.Line; i < n.Span.EndLine && i < len(l.inside); i++ {
			l.inside[i] = true
		}
	case n.Kind == Map:
		for _, p := range n.Pairs {
			l.scalars(p.Key)
			l.scalars(p.Value)
		}
	default:
		for _, it := range n.Items {
			l.scalars(it)
		}
	}
}

// render writes the lines at their new places.
func (l *layout) render() []byte {
	lines := l.file.lines
	var out []string
	moved := 0
	for i, text := range lines {
		body := strings.TrimLeft(text, " ")
		switch {
		case l.indent[i] != unset:
			moved = l.moved[i]
			if strings.HasPrefix(body, "- ") {
				rest := strings.TrimLeft(body[2:], " ")
				if rest != "" && rest[0] != '#' {
					moved -= len(body) - 2 - len(rest)
					body = "- " + rest
				}
			}
			text = strings.Repeat(" ", l.indent[i]) + strings.TrimRight(body, " \t")
		case l.inside[i]:
			if strings.TrimSpace(text) != "" || indentOf(text) > 0 && indentOf(text)+moved > 0 {
				text = shift(text, moved)
			}
		case strings.TrimSpace(text) == "":
			if len(out) == 0 || out[len(out)-1] == "" && !insideBefore(l, i) {
				continue
			}
			text = ""
		case body[0] == '#':
			text = strings.Repeat(" ", l.commentIndent(i)) + strings.TrimRight(body, " \t")
		default: // the rest of a flow list or map, a document mark
			text = strings.TrimRight(shift(text, moved), " \t")
		}
		out = append(out, text)
	}
	for len(out) > 0 && out[len(out)-1] == "" && !l.inside[len(lines)-1] {
		out = out[:len(out)-1]
	}
	if len(out) == 0 {
		return nil
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

func insideBefore(l *layout, i int) bool { return i > 0 && l.inside[i-1] }

// commentIndent is that of the next line with an element, if the comment
// stood at least as deep as it; else that of the line before.
func (l *layout) commentIndent(i int) int {
	old := indentOf(l.file.lines[i])
	for j := i + 1; j < len(l.file.lines); j++ {
		if l.indent[j] != unset {
			if indentOf(l.file.lines[j]) <= old || l.before(i) == unset {
				return l.indent[j]
			}
			break
		}
	}
	if b := l.before(i); b != unset {
		// As deep as the nearest element above that stood no deeper.
		for j := i - 1; j >= 0; j-- {
			if l.indent[j] != unset && indentOf(l.file.lines[j]) <= old {
				return l.indent[j]
			}
		}
		return b
	}
	return 0
}

// before is the new indentation of the last element above a line.
func (l *layout) before(i int) int {
	for j := i - 1; j >= 0; j-- {
		if l.indent[j] != unset {
			return l.indent[j]
		}
	}
	return unset
}

// shift moves a line to the right, or to the left as far as it has blanks.
func shift(s string, by int) string {
	if by >= 0 {
		return strings.Repeat(" ", by) + s
	}
	return s[min(-by, indentOf(s)):]
}

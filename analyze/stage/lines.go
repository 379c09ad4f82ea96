package stage

import "bytes"

// lineEnd returns where the line that starts at text[pos] ends.
func lineEnd(text []byte, pos int) int {
	if n := bytes.IndexByte(text[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(text)
}

// boxBar is what a line inside a box starts with: a program that draws one
// wraps its sentences at the box's width.
const boxBar = "│"

// isBoxed reports whether a line is inside a box, and has more than its bars.
func isBoxed(line []byte) bool {
	return len(line) > len(boxBar)+1 && line[0] == boxBar[0] && string(line[:len(boxBar)]) == boxBar
}

// blanks returns how many blanks a line starts with.
func blanks(line []byte) int {
	for i, c := range line {
		if c != ' ' && c != '\t' {
			return i
		}
	}
	return len(line)
}

// lineKindOf tells messages, stack frames and echoed source apart, of a line
// that starts with the given number of blanks. Frames are evidence of their
// own kind, and words inside code are none.
func (v *view) lineKindOf(line []byte, indent int, prev lineKind) lineKind {
	t := line[indent:]
	if len(t) == 0 {
		return lineText
	}
	if line[len(line)-1] == ')' && (isSignature(t) || isPrefixed(line)) {
		return lineFrame
	}
	at := has(t, "at ")
	if last := line[len(line)-1]; (!at || last != ')') && isCode(t) { // no code starts with at and ends like a frame
		return lineCode
	}
	if indent == 0 && !startsFrame[line[0]] {
		return lineText
	}
	switch {
	case at:
		// Frames of Java, .NET, JavaScript and Rust name a place in code.
		if bytes.IndexByte(t, '(') >= 0 || bytes.IndexByte(t, '/') >= 0 || bytes.Contains(t, []byte("::")) || bytes.Contains(t, []byte(".rs:")) {
			return lineFrame
		}
		return lineText
	case has(t, `File "`):
		v.python = true
		return lineFrame
	}
	switch ruby, golang := placesIn(t); {
	case ruby && bytes.Contains(t, []byte(":in ")) && !bytes.Contains(t, []byte("': ")):
		return lineFrame
	case golang && indent > 0 && (t[0] == '/' || bytes.Contains(t, []byte(" +0x"))):
		return lineFrame
	case prev == lineFrame && v.python && indent > 0:
		return lineCode
	}
	return lineText
}

// placesIn reports whether a line names places in sources of Ruby, and of Go.
func placesIn(t []byte) (ruby, golang bool) {
	for i := 0; ; i++ {
		n := bytes.IndexByte(t[i:], ':')
		if n < 0 {
			return ruby, golang
		}
		i += n
		if i >= 3 && t[i-3] == '.' {
			ruby = ruby || t[i-2] == 'r' && t[i-1] == 'b'
			golang = golang || t[i-2] == 'g' && t[i-1] == 'o'
		}
	}
}

// startsFrame are the bytes that frames start with that are not indented.
var startsFrame = func() (starts [256]bool) {
	for _, c := range "Fa[>E/f" {
		starts[c] = true
	}
	return starts
}()

// has reports whether t starts with a text.
func has(t []byte, text string) bool { return len(t) >= len(text) && string(t[:len(text)]) == text }

// isSignature reports whether a line is a method's dotted name with its
// parameters and nothing else: a frame that lost its "at".
func isSignature(t []byte) bool {
	dots := 0
	for i, c := range t {
		switch c {
		case '.':
			dots++
		case ' ', ':':
			return false
		case '(':
			return i > 0 && dots >= 2
		}
	}
	return false
}

// isPrefixed reports whether a line is a frame behind a logger's prefix: what
// a device's log or a package manager puts before every line of a trace.
func isPrefixed(line []byte) bool {
	n := bytes.Index(line, []byte("at "))
	if n < 2 || line[n-1] != ' ' && line[n-1] != '\t' {
		return false
	}
	return line[n-1] == '\t' || line[n-2] == ' ' || line[n-2] == ':' && isSignature(line[n+3:])
}

// nextLink returns the chain depth of a message line with the given number of
// blanks before it: the causes that Java, Rust and JavaScript print below an
// exception are further in; what Python prints after "During handling of the
// above exception" is further out.
func nextLink(line []byte, indent int, link int16) int16 {
	if indent >= len(line) || indent >= 200 {
		return link
	}
	t := line[indent:min(len(line), 200)]
	switch t[0] {
	case 'C':
		if has(t, "Caused by") {
			return link + 1
		}
	case '[':
		if has(t, "[cause]") {
			return link + 1
		}
	case 'c':
		if has(t, "caused by") {
			return link + 1
		}
	case '-':
		if has(t, "--->") {
			return link + 1
		}
	case 'O':
		if has(t, "Original error") {
			return link + 1
		}
	case 'W':
		if has(t, "Wrapped by") {
			return link + 1
		}
	case 'D':
		if has(t, "During handling of the above") {
			return link - 1
		}
	case 'T':
		if has(t, "The above exception was the direct cause") {
			return link - 1
		}
	}
	return link
}

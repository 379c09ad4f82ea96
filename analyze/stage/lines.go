package stage

import "bytes"

// lineKindOf tells messages, stack frames and echoed source apart. Frames are
// evidence of their own kind, and words inside code are none.
func (v *view) lineKindOf(line []byte, prev lineKind) lineKind {
	if len(line) == 0 {
		return lineText
	}
	if line[len(line)-1] == ')' && (isSignature(bytes.TrimLeft(line, " \t")) || bytes.Contains(line, []byte(" \tat "))) {
		return lineFrame // the latter behind a logger's prefix
	}
	if isCode(bytes.TrimLeft(line, " \t")) {
		return lineCode
	}
	c := line[0]
	if c != ' ' && c != '\t' && c != 'F' && c != 'a' && c != '[' && c != '>' && c != 'E' && c != '/' && c != 'f' {
		return lineText
	}
	t := bytes.TrimLeft(line, " \t")
	indented := len(t) < len(line)
	switch {
	case len(t) == 0:
		return lineText
	case bytes.HasPrefix(t, []byte("at ")):
		// Frames of Java, .NET, JavaScript and Rust name a place in code.
		if bytes.IndexByte(t, '(') >= 0 || bytes.IndexByte(t, '/') >= 0 || bytes.Contains(t, []byte("::")) || bytes.Contains(t, []byte(".rs:")) {
			return lineFrame
		}
	case bytes.HasPrefix(t, []byte(`File "`)):
		v.python = true
		return lineFrame
	case bytes.Contains(t, []byte(".rb:")) && bytes.Contains(t, []byte(":in ")) && !bytes.Contains(t, []byte("': ")):
		return lineFrame
	case indented && (bytes.Contains(t, []byte(".go:")) && (t[0] == '/' || bytes.Contains(t, []byte(" +0x")))):
		return lineFrame
	case prev == lineFrame && v.python && indented:
		return lineCode
	}
	return lineText
}

// isSignature reports whether a line is a method's dotted name with its
// parameters and nothing else: a frame that lost its "at".
func isSignature(t []byte) bool {
	k := bytes.IndexByte(t, '(')
	return k > 0 && bytes.Count(t[:k], []byte(".")) >= 2 && bytes.IndexByte(t[:k], ' ') < 0 && bytes.IndexByte(t[:k], ':') < 0
}

// nextLink returns the chain depth of a message line: the causes that Java,
// Rust and JavaScript print below an exception are further in; what Python
// prints after "During handling of the above exception" is further out.
func (v *view) nextLink(line []byte, link int16) int16 {
	if len(line) > 200 {
		line = line[:200]
	}
	t := bytes.TrimLeft(line, " \t")
	if len(t) == 0 || bytes.IndexByte([]byte("C[c-OWDT"), t[0]) < 0 {
		return link
	}
	switch {
	case bytes.HasPrefix(t, []byte("Caused by")), bytes.HasPrefix(t, []byte("[cause]")), bytes.HasPrefix(t, []byte("caused by")),
		bytes.HasPrefix(t, []byte("--->")), bytes.HasPrefix(t, []byte("Original error")), bytes.HasPrefix(t, []byte("Wrapped by")):
		return link + 1
	case bytes.HasPrefix(t, []byte("During handling of the above")), bytes.HasPrefix(t, []byte("The above exception was the direct cause")):
		return link - 1
	}
	return link
}

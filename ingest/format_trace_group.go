package ingest

import "bytes"

// Python prints a group of exceptions as a tree, with a margin of bars:
//
//	  + Exception Group Traceback (most recent call last):
//	  |   File "/app/x.py", line 12, in <module>
//	  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)
//	  +-+---------------- 1 ----------------
//	    | Traceback (most recent call last):
//	    |   File "/app/x.py", line 5, in g
//	    | TimeoutError: read
//	    +---------------- 2 ----------------
//
// The group becomes the outer link of the chain and its first exception the
// inner one; the others are siblings of that and no part of a chain.

// groupWords begin a group's traceback, behind the margin.
var groupWords = []byte("Exception Group Traceback")

// withoutMargin takes the bars off a line that begins with them.
func withoutMargin(b []byte) []byte {
	for len(b) > 0 && (b[0] == '|' || b[0] == '+' || b[0] == ' ') {
		b = b[1:]
	}
	return b
}

// isGroupRule recognises the line between two exceptions of a group and, if
// it has one, the number of the exception below it.
func isGroupRule(b []byte) (number byte, ok bool) {
	i := bytes.Index(b, []byte("----------------"))
	if i < 0 || i > 4 || b[0] != '+' {
		return 0, false
	}
	rest := bytes.Trim(b[i:], "-")
	if rest = bytes.TrimSpace(rest); isDigits(rest) && len(rest) < 6 {
		return rest[len(rest)-1], true
	}
	return 0, len(rest) == 0 || string(rest) == "..."
}

// classifyGroup is classifyPart for a line behind a group's margin.
func classifyGroup(b []byte) lineKind {
	if _, ok := isGroupRule(b); ok {
		return kindTrace
	}
	rest := withoutMargin(b)
	switch {
	case len(rest) == 0:
		return kindMessage
	case bytes.HasPrefix(rest, groupWords), bytes.HasPrefix(rest, []byte("Traceback (most recent")):
		return kindTrace
	case bytes.HasPrefix(rest, []byte(`File "`)) && bytes.Contains(rest, []byte(`", line `)):
		return kindFrame
	}
	if _, ok := exceptionLine(rest); ok {
		return kindException
	}
	return kindMessage
}

// inGroup notes where in a group's tree a line stands.
func (t *traceParser) inGroup(line []byte) {
	switch number, ok := isGroupRule(line); {
	case ok:
		t.beyond = t.beyond || number != '1'
		t.caused = !t.beyond // by one with a traceback, or by one without
	case bytes.HasPrefix(withoutMargin(line), groupWords):
		t.group = true
	}
}

// withoutNumber takes "0: " off a line.
func withoutNumber(b []byte) []byte {
	n := 0
	for n < len(b) && n < 3 && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	if n == 0 || !bytes.HasPrefix(b[n:], []byte(": ")) {
		return b
	}
	return b[n+2:]
}

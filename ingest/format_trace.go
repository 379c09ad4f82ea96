package ingest

import "bytes"

// classifyPart tells what part of a record a line is that may continue one,
// b being the line without its indentation: kindException, kindCause,
// kindTrace, kindFrame, else kindMessage or kindText by the indentation.
func classifyPart(b []byte, indented bool) lineKind {
	switch b[0] {
	case 'a':
		if bytes.HasPrefix(b, []byte("at ")) && isFrame(b[3:]) {
			return kindFrame
		}
	case '-':
		if bytes.HasPrefix(b, []byte("---> ")) {
			return kindCause
		}
		if bytes.HasPrefix(b, []byte("--- End of ")) {
			return kindTrace
		}
		if isDashedCause(b) {
			return kindCause
		}
	case '.':
		if isElision(b) {
			return kindFrame
		}
	case 'F':
		if indented && bytes.HasPrefix(b, []byte(`File "`)) && bytes.Contains(b, []byte(`", line `)) {
			return kindFrame
		}
	case 'f':
		if indented && bytes.HasPrefix(b, []byte("from ")) && isRubyFrame(b[5:]) {
			return kindFrame
		}
	case '/':
		if indented && isGoPlace(b) {
			return kindFrame
		}
	case 'C':
		if bytes.HasPrefix(b, []byte("Caused by:")) {
			return kindCause
		}
	case 'S':
		if string(b) == "Stack trace:" {
			return kindTrace
		}
		if indented && bytes.HasPrefix(b, []byte("Suppressed: ")) {
			return kindCause
		}
	case '[':
		if indented && (bytes.HasPrefix(b, []byte("[cause]: ")) || bytes.Equal(b, errorsOpen)) {
			return kindCause
		}
	case '*':
		// Elixir: "** (Type) message".
		if x, ok := elixirException(b); ok && len(x.typ) > 0 {
			return kindException
		}
	case '|', '+':
		if indented {
			return classifyGroup(b)
		}
	case '(':
		if indented && isElixirFrame(b) {
			return kindFrame
		}
	case '#':
		if isNumberedFrame(b) {
			return kindFrame
		}
	case 't':
		if _, ok := rustPanic(b); ok {
			return kindException
		}
	case 'T':
		if bytes.HasPrefix(b, []byte("Traceback (most recent call last)")) {
			return kindTrace
		}
		if bytes.HasPrefix(b, []byte("The above exception was the direct cause of")) {
			return kindTrace
		}
	case 'D':
		if bytes.HasPrefix(b, []byte("During handling of the above exception")) {
			return kindTrace
		}
	case 'g':
		if isGoroutine(b) {
			return kindTrace
		}
	case 'c':
		if !indented && bytes.HasPrefix(b, []byte("created by ")) && isGoName(b[len("created by "):]) {
			return kindFrame
		}
	}
	if _, ok := exceptionLine(b); ok {
		return kindException
	}
	if b[len(b)-1] == '\'' && isRubyFrame(b) {
		return kindFrame
	}
	if indented {
		return kindMessage
	}
	return kindText
}

// errorsOpen opens the errors of Node's AggregateError, the first of which is
// taken for its cause.
var errorsOpen = []byte("[errors]: [")

// isDashedCause recognises an inner exception as test runners of .NET print
// it: four dashes or more, then the exception.
func isDashedCause(b []byte) bool {
	n := 0
	for n < len(b) && b[n] == '-' {
		n++
	}
	if n < 4 || n+1 >= len(b) || b[n] != ' ' {
		return false
	}
	_, ok := exceptionLine(b[n+1:])
	return ok
}

// isFrame tells a frame, behind its "at ", from prose that begins so.
func isFrame(b []byte) bool {
	for {
		word := b
		if i := bytes.IndexByte(b, ' '); i >= 0 {
			word, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		switch string(word) {
		case "async", "new", "async*", "static", "function":
			if len(b) > 0 {
				continue
			}
		}
		if len(word) == 0 || '0' <= word[0] && word[0] <= '9' {
			return false
		}
		// A call, a method's full name, a place in source.
		if bytes.IndexByte(word, '(') > 0 || word[0] == '<' {
			return true
		}
		if i := bytes.IndexByte(word, '.'); i > 0 && i < len(word)-1 {
			return true
		}
		if i := bytes.IndexByte(word, ':'); i > 0 && i < len(word)-1 {
			return true
		}
		return len(b) > 0 && (b[0] == '(' || b[0] == '[') && bytes.IndexByte(b, ':') > 0
	}
}

// isElixirFrame recognises "(app 0.1.0) lib/app.ex:12: App.call/1".
func isElixirFrame(b []byte) bool {
	end := bytes.Index(b, []byte(") "))
	if end < 2 {
		return false
	}
	place := b[end+2:]
	i := bytes.Index(place, []byte(": "))
	return i > 0 && (bytes.Contains(place[:i], []byte(".ex:")) || bytes.Contains(place[:i], []byte(".erl:")) || bytes.Contains(place[:i], []byte(".exs:")))
}

// isNumberedFrame recognises the frames of PHP and Dart: "#0 /a.php(12): f()",
// "#1      main (package:a/main.dart:5:3)".
func isNumberedFrame(b []byte) bool {
	n := 1
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	if n == 1 || n+1 >= len(b) || b[n] != ' ' {
		return false
	}
	rest := bytes.TrimLeft(b[n:], " ")
	if bytes.HasPrefix(rest, []byte("{main}")) || bytes.HasPrefix(rest, []byte("[internal function]: ")) {
		return true
	}
	if i := bytes.Index(rest, []byte("): ")); i > 0 {
		open := bytes.LastIndexByte(rest[:i], '(')
		return open > 0 && isDigits(rest[open+1:i])
	}
	// Dart ends with the place: "(file:line:column)".
	colon := bytes.LastIndexByte(rest, ':')
	return colon > 0 && rest[len(rest)-1] == ')' && isDigits(rest[colon+1:len(rest)-1]) && bytes.IndexByte(rest, '(') > 0
}

// isElision recognises "... 12 more", "... 3 common frames omitted" and the
// like.
func isElision(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("... ")) || len(b) < 6 {
		return false
	}
	return b[4] >= '0' && b[4] <= '9' && (bytes.HasSuffix(b, []byte(" more")) || bytes.Contains(b, []byte("frames")))
}

// isRubyFrame recognises "path.rb:12:in `name'", with either quote.
func isRubyFrame(b []byte) bool {
	i := bytes.Index(b, []byte(":in "))
	if i <= 0 || i+5 >= len(b) || b[i+4] != '`' && b[i+4] != '\'' {
		return false
	}
	colon := bytes.LastIndexByte(b[:i], ':')
	return colon > 0 && isDigits(b[colon+1:i]) && bytes.IndexByte(b[:colon], ' ') < 0
}

// isGoPlace recognises the second line of a Go frame: "/path/file.go:12 +0x1d".
func isGoPlace(b []byte) bool {
	i := bytes.Index(b, []byte(".go:"))
	return i > 0 && i+4 < len(b) && b[i+4] >= '0' && b[i+4] <= '9'
}

func isGoroutine(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, []byte("goroutine "))
	return ok && len(rest) > 4 && rest[0] >= '0' && rest[0] <= '9' && bytes.HasSuffix(rest, []byte("]:")) && bytes.IndexByte(rest, '[') > 0
}

// isGoCall recognises the first line of a Go frame, "pkg/path.Type.func(0x1)",
// and what the runtime prints after the stack.
func isGoCall(b []byte) bool {
	i := bytes.IndexByte(b, '(')
	if i > 0 && b[len(b)-1] == ')' {
		return b[i] == '(' && (bytes.IndexByte(b[:i], ' ') < 0) && (isGoName(b) || bytes.Equal(b[:i], []byte("panic")))
	}
	return bytes.HasPrefix(b, []byte("exit status ")) || bytes.HasPrefix(b, []byte("created by ")) || bytes.HasPrefix(b, []byte("[signal "))
}

// goPanic returns the word by which Go's runtime reports its end, nil for any
// other line.
func goPanic(line []byte) []byte {
	for _, w := range [...]string{"panic", "fatal error"} {
		if len(line) > len(w)+2 && string(line[:len(w)]) == w && line[len(w)] == ':' && line[len(w)+1] == ' ' {
			return line[:len(w)]
		}
	}
	return nil
}

// isRuntimeEnd recognises the line by which a runtime reports what nobody
// handled: it begins a record, whatever the program printed before.
func isRuntimeEnd(line []byte) bool {
	if len(line) == 0 {
		return false
	}
	switch line[0] {
	case 'p', 'f':
		return goPanic(line) != nil
	case 't':
		_, ok := rustPanic(line)
		return ok
	case 'U', 'E':
		x, ok := exceptionLine(line)
		return ok && x.fatal
	}
	return false
}

func isGoName(b []byte) bool {
	slash := bytes.LastIndexByte(b[:min(len(b), 200)], '/')
	return bytes.IndexByte(b[slash+1:], '.') > 0
}

// endsTraceback recognises the last line of a Python traceback: a type, with
// or without a message.
func endsTraceback(b []byte) bool {
	n := typeLength(b)
	return n > 0 && (n == len(b) || b[n] == ':')
}

// typeLength is the length of the dotted name that b begins with.
func typeLength(b []byte) int {
	n := 0
	for n < len(b) {
		c := b[n]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80 || n > 0 && (c == '.' || c == '$' || c == '`' || c == '+' || c == '\\' || '0' <= c && c <= '9') {
			n++
			continue
		}
		if c == ':' && n > 0 && n+2 < len(b) && b[n+1] == ':' && b[n+2] != ' ' {
			n += 2 // Ruby, Rust, C++ and PHP paths
			continue
		}
		break
	}
	return n
}

// note keeps account of the traces a record holds.
func (t *traceState) note(kind lineKind, line []byte) {
	switch kind {
	case kindException:
		t.exception = true
		t.python = false
		t.rust = line[0] == 't' && bytes.HasPrefix(line, []byte("thread '"))
		t.braces = t.braces || line[len(line)-1] == '{'
	case kindCause:
		t.exception = true
		t.braces = t.braces || line[len(line)-1] == '{'
	case kindFrame:
		t.frames = true
		t.braces = t.braces || line[len(line)-1] == '{'
	case kindTrace:
		b := bytes.TrimLeft(line, " \t")
		switch b[0] {
		case 'T', 'D':
			t.python = true
		case 'g':
			t.golang = true
		}
	case kindText:
		t.python = false
		if goPanic(line) != nil {
			t.golang = true
		}
	}
}

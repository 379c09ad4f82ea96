package ingest

import "bytes"

// exceptionParts are the parts of a line that names an exception.
type exceptionParts struct {
	typ, message []byte
	fatal        bool // the runtime says that nobody handled it
}

// The words runtimes print before an exception nobody handled.
var unhandledPrefixes = [][]byte{
	[]byte("Unhandled exception. "),
	[]byte("Unhandled Exception: "),
	[]byte("Unhandled exception: "),
	[]byte("Uncaught "),
}

// The endings by which the type of an exception is known.
var exceptionEndings = [...]string{
	"Exception", "Error", "Failure", "Fault", "Timeout", "Interrupt", "Cancelled", "Canceled", "Disconnected",
}

// exceptionLine reads a line, without its indentation, that begins with the
// type of an exception: "Some.TypeException: message". The forms are those of
// .NET (also "Type (0x80131500): message"), Java, Python, Node (also
// "Error [CODE]: message") and Ruby ("path:1:in `f': message (Type)").
func exceptionLine(b []byte) (x exceptionParts, ok bool) {
	switch b[0] {
	case '{', '[':
		// Node: "{ [Error: message]" or "[Error: message] {".
		if i := bytes.IndexByte(b, '['); i >= 0 && i <= 2 {
			if end := bytes.LastIndexByte(b, ']'); end > i+5 && bytes.IndexByte(b[i:end], ':') > 0 {
				b = b[i+1 : end]
			}
		}
	case '*':
		return elixirException(b)
	case 't':
		if p, found := rustPanic(b); found {
			return p, true
		}
	case 'U':
		for _, p := range unhandledPrefixes {
			if bytes.HasPrefix(b, p) {
				b, x.fatal = b[len(p):], true
				break
			}
		}
	case 'E':
		// Java: Exception in thread "main" java.lang.Error: message
		if rest, found := bytes.CutPrefix(b, []byte(`Exception in thread "`)); found {
			if i := bytes.Index(rest, []byte(`" `)); i >= 0 {
				b, x.fatal = rest[i+2:], true
			}
		}
	}
	n := typeLength(b)
	if n < 5 {
		return rubyException(b, x)
	}
	typ := b[:n]
	if i := bytes.IndexByte(typ, '`'); i > 0 {
		typ = typ[:i]
	}
	if !hasExceptionEnding(typ) {
		return rubyException(b, x)
	}
	return exceptionRest(b, n, x)
}

// exceptionRest reads what follows a type of n bytes.
func exceptionRest(b []byte, n int, x exceptionParts) (exceptionParts, bool) {
	x.typ = b[:n]
	rest := b[n:]
	if len(rest) > 0 && rest[0] == ' ' {
		// A code, in parentheses or brackets, or a space before the colon.
		rest = rest[1:]
		switch {
		case len(rest) > 1 && rest[0] == '(':
			if bytes.HasSuffix(rest, []byte("):")) {
				// Rails: "Type (message):".
				x.message = rest[1 : len(rest)-2]
				return x, true
			}
			i := bytes.IndexByte(rest, ')')
			if i < 0 || i > 40 {
				return exceptionParts{}, false
			}
			rest = rest[i+1:]
		case len(rest) > 1 && rest[0] == '[':
			i := bytes.IndexByte(rest, ']')
			if i < 0 || i > 60 {
				return exceptionParts{}, false
			}
			if code := rest[1:i]; hasExceptionEnding(code) && typeLength(code) == len(code) {
				x.typ = code
			}
			rest = rest[i+1:]
		case len(rest) > 1 && rest[0] == ':' && rest[1] == ' ':
		case len(rest) == 1 && rest[0] == '{':
			return x, true
		default:
			return exceptionParts{}, false
		}
	}
	switch {
	case len(rest) == 0:
		return x, true
	case rest[0] != ':':
		return exceptionParts{}, false
	}
	if rest = rest[1:]; len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	} else if len(rest) > 0 {
		return exceptionParts{}, false
	}
	x.message = rest
	return x, true
}

func hasExceptionEnding(typ []byte) bool {
	// The last part of the name begins with a capital letter.
	from := len(typ)
	for from > 0 && typ[from-1] != '.' && typ[from-1] != ':' && typ[from-1] != '$' && typ[from-1] != '+' && typ[from-1] != '\\' {
		from--
	}
	last := typ[from:]
	if len(last) == 0 || last[0] < 'A' || last[0] > 'Z' {
		return false
	}
	for _, e := range exceptionEndings {
		if len(last) >= len(e) && string(last[len(last)-len(e):]) == e {
			// A word alone is a type only if it is one of its own.
			return len(last) < len(typ) || len(last) > len(e) || e == "Error" || e == "Exception"
		}
	}
	return false
}

// elixirException reads "** (Type) message".
func elixirException(b []byte) (x exceptionParts, ok bool) {
	rest, ok := bytes.CutPrefix(b, []byte("** ("))
	if !ok {
		return x, false
	}
	x.typ, x.message, ok = bytes.Cut(rest, []byte(") "))
	return x, ok && len(x.typ) > 0 && typeLength(x.typ) == len(x.typ)
}

// rustPanic reads "thread 'main' panicked at 'message', src/main.rs:2:5" and
// the newer form, which has the message in the next line.
func rustPanic(b []byte) (x exceptionParts, ok bool) {
	if !bytes.HasPrefix(b, []byte("thread '")) {
		return x, false
	}
	i := bytes.Index(b, []byte("' panicked at "))
	if i < 0 {
		return x, false
	}
	at := b[i+len("' panicked at "):]
	x = exceptionParts{typ: b[i+2 : i+2+len("panic")], fatal: true}
	if len(at) > 1 && at[0] == '\'' {
		if end := bytes.LastIndex(at, []byte("', ")); end > 0 {
			x.message = at[1:end]
		}
	}
	return x, true
}

// rubyException reads "path.rb:12:in `f': message (Type)".
func rubyException(b []byte, x exceptionParts) (exceptionParts, bool) {
	if len(b) == 0 || b[len(b)-1] != ')' {
		return exceptionParts{}, false
	}
	i := bytes.Index(b, []byte(":in "))
	if i <= 0 || !isRubyFrame(b) {
		return exceptionParts{}, false
	}
	open := bytes.LastIndex(b, []byte(" ("))
	colon := bytes.Index(b[i+4:], []byte(": "))
	if colon < 0 || open < i+4+colon {
		return exceptionParts{}, false
	}
	x.typ = b[open+2 : len(b)-1]
	if typeLength(x.typ) != len(x.typ) || len(x.typ) == 0 {
		return exceptionParts{}, false
	}
	x.message = b[min(i+4+colon+2, open):open]
	return x, true
}

// causeLine reads a line that names an inner link of a chain, without its
// indentation; the type may be one whose ending says nothing.
func causeLine(b []byte) (x exceptionParts, suppressed, ok bool) {
	switch b[0] {
	case '-':
		b = bytes.TrimLeft(b, "->")[1:]
		if bytes.HasPrefix(b, []byte("(Inner Exception #")) {
			if i := bytes.Index(b, []byte(") ")); i > 0 {
				b = b[i+2:]
			}
			b = bytes.TrimSuffix(b, []byte("<---"))
		}
	case 'C':
		b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("Caused by:")), " ")
	case 'S':
		b, suppressed = bytes.TrimPrefix(b, []byte("Suppressed: ")), true
	case '[':
		if bytes.Equal(b, errorsOpen) {
			return x, false, false
		}
		b = bytes.TrimPrefix(b, []byte("[cause]: "))
	}
	if len(b) == 0 {
		return x, suppressed, false
	}
	if x, ok = exceptionLine(b); ok {
		return x, suppressed, true
	}
	if n := typeLength(b); n > 0 && bytes.IndexByte(b[:n], '.') > 0 {
		if x, ok = exceptionRest(b, n, exceptionParts{}); ok {
			return x, suppressed, true
		}
	}
	return exceptionParts{message: b}, suppressed, true
}

package fingerprint

import "bytes"

// isGoFile reports whether f is the second line of a Go frame, which tells
// the file: "/src/sync.go:12 +0x1d".
func isGoFile(f []byte) bool {
	i := bytes.Index(f, []byte(".go:"))
	return i > 0 && (f[0] == '/' || len(f) > 2 && f[1] == ':' && isLetter(f[0]))
}

// isGoCall reports whether f is the first line of a Go frame: a path, a dot,
// a name, and arguments that are addresses or values in hex.
func isGoCall(f []byte) bool {
	if bytes.HasPrefix(f, []byte("created by ")) || bytes.HasPrefix(f, []byte("panic(")) {
		return true
	}
	open := bytes.LastIndexByte(f, '(')
	if open <= 0 || f[len(f)-1] != ')' {
		return false
	}
	args := f[open+1 : len(f)-1]
	name := f[:open]
	if bytes.HasPrefix(args, []byte("0x")) || string(args) == "..." || bytes.HasPrefix(args, []byte("{0x")) || bytes.Contains(name, []byte(".(*")) {
		return true
	}
	// Without arguments only a path or a package in lower case tells.
	if len(args) > 0 || bytes.ContainsAny(name, " <`") {
		return false
	}
	if bytes.IndexByte(name, '/') > 0 {
		return true
	}
	pkg, rest, ok := bytes.Cut(name, []byte{'.'})
	if !ok || bytes.IndexByte(rest, '.') >= 0 && !bytes.Contains(rest, []byte(".func")) {
		return false
	}
	for _, c := range pkg {
		if !isDigit(c) && (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return len(pkg) > 0
}

// goFrame reads: github.com/acme/sync.(*Job).Run.func1(0xc000010000, ...)
func goFrame(dst, f []byte) ([]byte, bool) {
	name, created := bytes.CutPrefix(f, []byte("created by "))
	if created {
		if i := bytes.Index(name, []byte(" in goroutine ")); i > 0 {
			name = name[:i]
		}
	} else if open := bytes.LastIndexByte(name, '('); open > 0 {
		name = name[:open]
	}
	slash := bytes.LastIndexByte(name, '/')
	first, _, _ := bytes.Cut(name, []byte{'/'})
	if slash < 0 {
		first, _, _ = bytes.Cut(name, []byte{'.'})
	}
	library := string(first) != "main" && bytes.IndexByte(first, '.') < 0 || bytes.HasPrefix(name, []byte("golang.org/x/")) ||
		bytes.HasPrefix(name, []byte("google.golang.org/")) || bytes.Contains(name, []byte("/vendor/"))
	if string(name) == "panic" {
		return append(dst, name...), true
	}
	dst = append(dst, name[:slash+1]...)
	rest := name[slash+1:]
	depth := 0
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '[':
			depth++
		case c == ']':
			depth--
		case depth > 0:
		case c == '.' && closureName(rest[i+1:]) > 0:
			i += closureName(rest[i+1:])
		default:
			dst = append(dst, c)
		}
	}
	return dst, library
}

// closureName returns the length of a name the compiler gives a closure:
// func1, 2, gowrap1, deferwrap2, or 0.
func closureName(b []byte) int {
	n := 0
	for _, p := range []string{"func", "gowrap", "deferwrap"} {
		if bytes.HasPrefix(b, []byte(p)) {
			n = len(p)
			break
		}
	}
	d := digitRun(b[n:])
	if d == 0 || n+d < len(b) && b[n+d] != '.' && b[n+d] != '-' {
		return 0
	}
	return n + d
}

package stage

import "bytes"

// startsCode reports whether a word is one with which a line of source code
// starts; it must also end like one.
func startsCode(word []byte) bool {
	switch string(word) {
	case "if", "else", "elif", "for", "while", "try", "catch", "except", "finally", "return", "throw", "def", "class", "struct", "interface", "enum",
		"func", "function", "fn", "import", "from", "using", "const", "let", "var", "val", "public", "private", "protected", "internal", "static", "final",
		"export", "package", "module", "namespace", "it", "describe", "test", "assert", "expect", "await", "async", "switch", "case", "with":
		return true
	}
	return false
}

// startsCommit reports whether a word is a kind of conventional commits: "fix:
// handle refused connections".
func startsCommit(word []byte) bool {
	switch string(word) {
	case "fix", "feat", "chore", "docs", "test", "refactor", "perf", "ci", "build", "style", "revert":
		return true
	}
	return false
}

// isCode reports whether a line is source code, a comment, markup, an option's
// help, a changelog's or a test's: it may name every failure there is and tells of
// none. t has no leading blanks.
func isCode(t []byte) bool {
	if len(t) < 2 {
		return false
	}
	switch c := t[0]; {
	case c == '#':
		return t[1] == ' ' || t[1] == '#' && !bytes.HasPrefix(t, []byte("##[")) || bytes.HasPrefix(t, []byte("#define")) || bytes.HasPrefix(t, []byte("#include"))
	case c == '/':
		return t[1] == '/' && len(t) > 2 && t[2] == ' ' || t[1] == '*'
	case c == '<':
		return bytes.HasPrefix(t, []byte("<testcase")) || bytes.HasPrefix(t, []byte("<!--")) || isLower(t[1]) && (bytes.Contains(t, []byte("<code")) || bytes.Contains(t, []byte("href=")) || bytes.Contains(t, []byte("class=")))
	case bytes.HasPrefix(t, []byte("* `")), bytes.HasPrefix(t, []byte("- `")), bytes.HasPrefix(t, []byte("* **")), bytes.HasPrefix(t, []byte("- **")):
		return true // a list in a manual
	case c == '-':
		return isOption(t)
	case c == 0xe2:
		return bytes.HasPrefix(t, []byte("✓")) || bytes.HasPrefix(t, []byte("✔"))
	case c == '}':
		return t[len(t)-1] == '{'
	case !isLetter(c):
		return false
	}
	last := t
	for last[len(last)-1] == ' ' || last[len(last)-1] == '\t' || last[len(last)-1] == '\r' {
		last = last[:len(last)-1]
	}
	end := last[len(last)-1]
	if end == '{' && (bytes.HasSuffix(last, []byte(") {")) || bytes.HasSuffix(last, []byte("=> {"))) || isDigit(end) && isSample(t) {
		return true
	}
	n := 1
	for n < len(t) && (isLetter(t[n]) || isDigit(t[n])) {
		n++
	}
	if n == len(t) || n > 9 {
		return false
	}
	rest := t[n:]
	statement := end == '{' || end == ';' || end == ':' || end == ',' && rest[0] == '('
	if rest[0] != ':' && rest[0] != '(' && rest[0] != '.' && n > 5 && !statement {
		return false // longer than ok and raise, and none of the forms below
	}
	switch word := t[:n]; {
	case equalLower(t[:n], "ok"):
		return rest[0] == ' ' && len(rest) > 1 && isDigit(rest[1])
	case equalLower(t[:n], "raise") && rest[0] == ' ':
		return bytes.IndexByte(bytes.TrimSpace(rest), ' ') < 0
	case equalLower(t[:n], "self") || equalLower(t[:n], "this"):
		return rest[0] == '.'
	case !isLower(t[0]):
		return false
	case startsCommit(word):
		return rest[0] == ':' && len(rest) > 1 && rest[1] == ' ' || rest[0] == '(' && bytes.Contains(rest, []byte("): "))
	case startsCode(word):
		return (rest[0] == ' ' || rest[0] == '(') && statement
	}
	return false
}

// isSample reports whether t is a sample of a metric: name{labels} value.
func isSample(t []byte) bool {
	open := bytes.IndexByte(t, '{')
	end := bytes.LastIndexByte(t, '}')
	if open < 0 || end < open || end+2 >= len(t) || t[end+1] != ' ' || !isDigit(t[end+2]) || bytes.IndexByte(t[:open], ' ') >= 0 {
		return false
	}
	return bytes.IndexByte(t[open:], '=') > 0 && bytes.IndexByte(t[end+2:], '"') < 0
}

// isOption reports whether t is an option with its help: --read-timeout=SECS.
func isOption(t []byte) bool {
	if len(t) > 4 && t[0] == '-' && isLetter(t[1]) && t[2] == ',' {
		t = bytes.TrimLeft(t[3:], " ")
	}
	return len(t) > 2 && t[0] == '-' && t[1] == '-' && isLetter(t[2])
}

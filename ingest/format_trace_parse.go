package ingest

import "bytes"

// traceParser reads exception chains and stacks of .NET, Java, Python, Go,
// Node and Ruby, line by line, into a Record.
//
// Links and frames are stored as Record says: outermost link first, innermost
// call first. Python prints both the other way round and is turned over at
// the end. A Go panic is one link of type "panic" with the frames of the
// first goroutine. Suppressed exceptions of Java and try-with-resources are
// no part of the chain and are left out, as are frames elided by the runtime.
type traceParser struct {
	cur        int // the link that frames belong to; -1 none
	firstLine  []byte
	python     int // tracebacks begun
	pyPending  bool
	pyFirst    int // the frames of the current traceback
	goStack    int // 1 in the first goroutine, more in later ones
	suppressed bool
	fatal      bool
	message    bool // the link's message may go on
	caused     bool // "Caused by:" stood alone: the next line is the cause
	numbered   bool // the causes are numbered, one a line
	group      bool // the traceback of a group of exceptions
	beyond     bool // behind the group's first exception
}

func (t *traceParser) reset() { *t = traceParser{cur: -1} }

func (t *traceParser) active(r *Record) bool { return t.cur >= 0 || len(r.Frames) > 0 || t.python > 0 }

// takes offers a line that is no part of a stack by itself: a source line in
// a traceback, a further line of an exception's message, a Go call.
func (t *traceParser) takes(line []byte, r *Record) bool {
	if t.group {
		if line = withoutMargin(bytes.TrimLeft(line, " \t")); t.beyond || len(line) == 0 {
			return true
		}
	}
	if t.pyPending {
		if line[0] != ' ' && line[0] != '\t' && endsTraceback(line) {
			n := typeLength(line)
			x := exceptionParts{typ: line[:n]}
			if n+2 <= len(line) {
				x.message = line[n+2:]
			}
			t.endTraceback(x, line, r)
		}
		return true
	}
	if t.goStack > 0 {
		if t.goStack == 1 && isGoCall(line) && line[len(line)-1] == ')' {
			t.frame(line, r)
		}
		return true
	}
	if t.caused {
		t.caused = false
		line = bytes.TrimLeft(line, " \t")
		if rest := withoutNumber(line); len(rest) < len(line) {
			line, t.numbered = rest, true
		}
		t.link(exceptionParts{message: line}, r)
		t.message = false
		return true
	}
	if t.numbered {
		// anyhow: "0: outer", "1: inner".
		line = bytes.TrimLeft(line, " \t")
		if rest := withoutNumber(line); len(rest) < len(line) {
			t.link(exceptionParts{message: rest}, r)
			t.message = false
			return true
		}
		t.numbered = false
	}
	if !t.active(r) {
		return false
	}
	if t.cur >= 0 && t.message && !t.suppressed && len(line) > 0 {
		x := &r.Exceptions[t.cur]
		if len(x.Message) == 0 && t.fatal && string(x.Type) == "panic" {
			x.Message, t.message = line, false // Rust has it on a line of its own
			return true
		}
		// Adjacent lines of one buffer are joined by the break between them.
		if n := len(x.Message); n > 0 && cap(x.Message) > n+len(line) {
			if ext := x.Message[:n+1+len(line)]; ext[n] == '\n' && &ext[n+1] == &line[0] {
				x.Message = ext
			}
		}
	}
	return true
}

// panic takes the first line of a Go panic, which begins with the given word.
func (t *traceParser) panic(word, line []byte, r *Record) {
	t.link(exceptionParts{typ: word, message: line[len(word)+2:]}, r)
	t.message = false
	t.fatal = true
}

// feed takes a line of a kind that belongs to stacks, without indentation.
func (t *traceParser) feed(kind lineKind, line []byte, r *Record) {
	if line[0] == '|' || line[0] == '+' {
		t.inGroup(line)
		if line = withoutMargin(line); t.beyond || len(line) == 0 {
			return
		}
	}
	switch kind {
	case kindException:
		x, _ := exceptionLine(line)
		t.fatal = t.fatal || x.fatal
		if t.pyPending {
			t.endTraceback(x, line, r)
			return
		}
		if t.cur >= 0 && !t.caused {
			// A second one without a word of cause is a part of the message.
			if t.message {
				t.takes(line, r)
			}
			return
		}
		if t.caused {
			t.caused = false
			t.link(x, r)
			return
		}
		t.firstLine = line
		t.link(x, r)
		if rubyFirst := bytes.Index(line, []byte(":in ")); rubyFirst > 0 && isRubyFrame(line) {
			if end := bytes.Index(line[rubyFirst+4:], []byte(": ")); end > 0 {
				t.frame(line[:rubyFirst+4+end], r)
			}
		}
	case kindCause:
		x, suppressed, ok := causeLine(line)
		if t.suppressed = suppressed; suppressed || !ok {
			t.caused = !suppressed
			return
		}
		if t.cur < 0 && len(r.Message) > 0 {
			t.promote(r)
		}
		if t.firstLine == nil {
			t.firstLine = line
		}
		t.link(x, r)
	case kindTrace:
		t.divide(line, r)
	case kindFrame:
		t.message = false
		switch {
		case line[0] == '.' || line[0] == '/' || t.goStack > 1 || t.suppressed:
			return
		case bytes.HasPrefix(line, []byte("at ")):
			line = bytes.TrimSuffix(line[len("at "):], []byte(" {"))
			line = bytes.TrimSuffix(line, []byte("<---"))
		case bytes.HasPrefix(line, []byte("from ")):
			line = line[len("from "):]
		case line[0] == '#':
			line = bytes.TrimLeft(line, "#0123456789 ")
			if bytes.HasPrefix(line, []byte("{main}")) {
				return
			}
		}
		if t.cur < 0 && !t.pyPending && len(r.Message) > 0 && len(r.Frames) == 0 {
			t.promote(r)
		}
		t.frame(line, r)
	}
}

// recovered takes the panic out of the message of a server that went on:
// "http: panic serving 192.0.2.1:1: boom".
func (t *traceParser) recovered(r *Record) {
	i := bytes.Index(r.Message, []byte("panic"))
	if i < 0 {
		return
	}
	t.link(exceptionParts{typ: r.Message[i : i+len("panic")], message: r.Message}, r)
	t.message = false
}

// divide takes a line that opens or divides stacks.
func (t *traceParser) divide(line []byte, r *Record) {
	switch line[0] {
	case 'T', 'D', 'E':
		t.message = false
		if bytes.HasPrefix(line, []byte("Traceback")) || bytes.HasPrefix(line, groupWords) {
			if t.firstLine == nil {
				t.firstLine = line
			}
			t.python++
			t.pyPending = true
			t.pyFirst = len(r.Frames)
		}
	case 'g':
		t.goStack++
		t.message = false
		if t.goStack == 1 && t.cur < 0 {
			t.recovered(r)
		}
	case '-':
		// .NET: the frames that follow are those of the link outside.
		t.message = false
		if bytes.HasPrefix(line, []byte("--- End of inner")) && t.cur > 0 {
			t.cur--
		}
	}
}

// link opens the next inner link of the chain.
func (t *traceParser) link(x exceptionParts, r *Record) {
	n := len(r.Frames)
	r.Exceptions = append(r.Exceptions, Exception{Type: x.typ, Message: x.message, First: n, End: n})
	t.cur = len(r.Exceptions) - 1
	t.message = true
}

// frame adds a frame to the current link.
func (t *traceParser) frame(line []byte, r *Record) {
	r.Frames = append(r.Frames, line)
	if t.cur < 0 || t.pyPending {
		return
	}
	x := &r.Exceptions[t.cur]
	n := len(r.Frames)
	if x.First == x.End {
		x.First = n - 1
	}
	if x.End == n-1 || x.First == n-1 {
		x.End = n
	}
}

// promote takes an exception out of the message's last line when a stack
// follows that nothing names.
func (t *traceParser) promote(r *Record) {
	line := r.Message
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	}
	if len(line) == 0 {
		return
	}
	// At its beginning, or behind a bracket, a colon or a dash.
	for tries := 0; tries < 8 && len(line) > 0; tries++ {
		if x, ok := exceptionLine(line); ok {
			t.fatal = t.fatal || x.fatal
			t.link(x, r)
			t.message = false
			return
		}
		next := -1
		for i := 0; i+1 < len(line); i++ {
			if line[i+1] == ' ' && (line[i] == ']' || line[i] == ':' || line[i] == '-' || line[i] == ')') {
				next = i + 2
				break
			}
		}
		if next < 0 {
			return
		}
		line = bytes.TrimLeft(line[next:], " ")
	}
}

// endTraceback takes the last line of a Python traceback, which names the
// exception whose frames came before it.
func (t *traceParser) endTraceback(x exceptionParts, line []byte, r *Record) {
	t.pyPending, t.caused = false, false
	r.Exceptions = append(r.Exceptions, Exception{Type: x.typ, Message: x.message, First: t.pyFirst, End: len(r.Frames)})
	t.cur = len(r.Exceptions) - 1
	t.message = true
	// The last traceback is the outermost; its line is the record's sentence.
	t.firstLine = line
}

// finish turns Python's order over and completes what is missing.
func (t *traceParser) finish(r *Record) {
	if t.group {
		// The group is printed before the exceptions in it.
		for i := range r.Exceptions {
			x := &r.Exceptions[i]
			reverseFrames(r.Frames[x.First:x.End])
		}
		return
	}
	if t.python == 0 {
		if len(r.Exceptions) == 1 && len(r.Frames) > 0 && r.Exceptions[0].End == 0 {
			r.Exceptions[0].End = len(r.Frames)
		}
		return
	}
	for i, j := 0, len(r.Exceptions)-1; i < j; i, j = i+1, j-1 {
		r.Exceptions[i], r.Exceptions[j] = r.Exceptions[j], r.Exceptions[i]
	}
	for i := range r.Exceptions {
		x := &r.Exceptions[i]
		reverseFrames(r.Frames[x.First:x.End])
	}
	if t.pyPending {
		reverseFrames(r.Frames[t.pyFirst:])
	}
}

func reverseFrames(f [][]byte) {
	for i, j := 0, len(f)-1; i < j; i, j = i+1, j-1 {
		f[i], f[j] = f[j], f[i]
	}
}

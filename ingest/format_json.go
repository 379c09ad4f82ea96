package ingest

import "bytes"

// jsonRecord reads a record that is a JSON object, perhaps behind a header.
func (b *builder) jsonRecord(line []byte, h head, r *Record) {
	src := line
	if h.message.end > 0 {
		src = h.message.of(line)
		b.named(line, h, r)
	}
	ok := b.json.object(src, b.scratch, r.Fields)
	b.scratch, r.Fields = b.json.scratch, b.json.fields
	if !ok {
		r.Format, r.Message = FormatPlain, src
		return
	}
	b.fromFields(r)
	if r.Format = jsonFormat(r); r.Format == FormatSerilog && r.Level == LevelUnknown {
		r.Level = LevelInfo // left out for Information
	}
	if len(r.Message) == 0 {
		r.Message = src
	} else if r.Level == LevelUnknown && len(r.Category) == 0 {
		b.innerHead(r)
	}
	if bytes.IndexByte(r.Message, '\n') >= 0 && len(r.Exceptions) == 0 {
		b.splitMessage(r)
	}
}

// innerHead reads the header of a line that a shipper put into an object: the
// object tells no level and no logger, the message begins as a line of text
// does.
func (b *builder) innerHead(r *Record) {
	message := bytes.TrimRight(r.Message, "\r\n")
	if len(message) == 0 || bytes.IndexByte(message, '\n') >= 0 || !isShipped(message, r.Fields) {
		return
	}
	switch _, h := classify(message); h.format {
	case FormatLevelled, FormatKlog, FormatDotnetConsole:
		if h.level != LevelUnknown && h.message.start < h.message.end {
			r.Level, r.Category, r.EventID = h.level, h.category.of(message), h.event.of(message)
			r.Message = h.message.of(message)
		}
	}
}

// isShipped reports whether a message is the value of a member into which
// shippers put lines.
func isShipped(message []byte, fields []Field) bool {
	for i := range fields {
		switch string(fields[i].Name) {
		case "log", "textPayload", "_raw", "LogEntry", "LogMessage":
			if v := fields[i].Value; len(v) > 0 && &v[0] == &message[0] {
				return true
			}
		}
	}
	return false
}

// jsonFormat tells the loggers whose JSON has a format of its own.
func jsonFormat(r *Record) Format {
	var level, category, event bool
	for i := range r.Fields {
		switch string(r.Fields[i].Name) {
		case "@t":
			return FormatSerilog
		case "LogLevel":
			level = true
		case "Category":
			category = true
		case "EventId":
			event = true
		}
	}
	if level && category && event {
		return FormatDotnetJSON
	}
	return FormatJSON
}

// render fills the holes of a message template with the values of the fields
// they name: {Name}, {@Name}, {$Name}, with alignment and format after ',' or
// ':' ignored; {{ and }} stand for braces. A hole without a value stays.
func (b *builder) render(template []byte, fields []Field) []byte {
	n := len(b.scratch)
	out := b.scratch
	for t := template; len(t) > 0; {
		i := bytes.IndexAny(t, "{}")
		if i < 0 {
			out = append(out, t...)
			break
		}
		out = append(out, t[:i]...)
		c := t[i]
		t = t[i:]
		if len(t) > 1 && t[1] == c {
			out = append(out, c)
			t = t[2:]
			continue
		}
		end := bytes.IndexByte(t, '}')
		if c == '}' || end < 0 {
			out = append(out, c)
			t = t[1:]
			continue
		}
		name := t[1:end]
		if j := bytes.IndexAny(name, ",:"); j >= 0 {
			name = name[:j]
		}
		if len(name) > 0 && (name[0] == '@' || name[0] == '$') {
			name = name[1:]
		}
		if v, ok := property(name, fields); ok {
			if !isNull(v) {
				out = append(out, v...)
			}
		} else {
			out = append(out, t[:end+1]...)
		}
		t = t[end+1:]
	}
	b.scratch = out
	return out[n:]
}

// property finds a template's property: at the top, or where Serilog's plain
// JSON formatter and .NET's console put it.
func property(name []byte, fields []Field) ([]byte, bool) {
	for i := range fields {
		f := fields[i].Name
		if bytes.Equal(f, name) {
			return fields[i].Value, true
		}
		if len(f) > len(name) && f[len(f)-len(name)-1] == '.' && bytes.HasSuffix(f, name) {
			switch string(f[:len(f)-len(name)]) {
			case "Properties.", "State.":
				return fields[i].Value, true
			}
		}
	}
	return nil, false
}

// splitMessage takes a stack off the end of a message of several lines.
func (b *builder) splitMessage(r *Record) {
	message := r.Message
	rest := message
	for {
		line := rest
		i := bytes.IndexByte(rest, '\n')
		if i >= 0 {
			line = rest[:i]
		}
		if n := indentOf(line); n < len(line) {
			switch classifyPart(line[n:], n > 0) {
			case kindException, kindCause, kindTrace, kindFrame:
				at := len(message) - len(rest)
				r.Message = bytes.TrimRight(message[:at], " \r\n")
				b.trace.reset()
				b.stackText(rest, r)
				if len(r.Message) == 0 {
					r.Message = b.trace.firstLine
				}
				return
			}
		}
		if i < 0 {
			return
		}
		rest = rest[i+1:]
	}
}

// stackText reads an exception with its stack out of one text. Without line
// breaks it is taken apart where .NET's formatters had them: the JSON console
// replaces them by spaces.
func (b *builder) stackText(text []byte, r *Record) {
	if bytes.IndexByte(text, '\n') < 0 {
		b.stackLine(text, r)
		b.trace.finish(r)
		return
	}
	// Go's own stacks, as zap and pkg/errors print them: a function's name,
	// then its place, indented.
	golang := bytes.Contains(text, []byte("\n\t/")) && bytes.Contains(text, []byte(".go:"))
	for rest := text; len(rest) > 0; {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		line = bytes.TrimRight(line, "\r")
		n := indentOf(line)
		if n == len(line) {
			continue
		}
		switch k := classifyPart(line[n:], n > 0); {
		case golang && n == 0 && k == kindText:
			if isGoName(line) && bytes.IndexByte(line, ' ') < 0 {
				b.trace.frame(line, r)
			}
		case k <= kindMessage:
			b.trace.takes(line, r)
		default:
			b.trace.feed(k, line[n:], r)
		}
	}
	b.trace.finish(r)
}

// stackLine reads an exception whose line breaks became spaces.
func (b *builder) stackLine(text []byte, r *Record) {
	for len(text) > 0 {
		end := len(text)
		for _, mark := range [...]string{"   at ", " ---> ", "   --- End of "} {
			if i := bytes.Index(text[1:], []byte(mark)); i >= 0 && i+1 < end {
				end = i + 1
			}
		}
		line := bytes.Trim(text[:end], " ")
		text = text[end:]
		if len(line) == 0 {
			continue
		}
		if k := classifyPart(line, false); k > kindMessage {
			b.trace.feed(k, line, r)
		} else {
			b.trace.takes(line, r)
		}
	}
}

package ingest

import "bytes"

// builder makes a Record of the lines of an openStream. Its buffers are used
// again for every record.
type builder struct {
	fields     []Field
	exceptions []Exception
	frames     [][]byte
	scratch    []byte // decoded and joined text
	text       []byte // the text in canonical order of tied lines
	order      []int
	json       jsonScanner
	trace      traceParser
}

// record fills r with what s holds. r is valid until the next call.
func (b *builder) record(s *openStream, r *Record) {
	b.scratch, b.order = b.scratch[:0], b.order[:0]
	*r = Record{
		UnixNano:   s.firstNS,
		Stream:     s.stream,
		Fields:     b.fields[:0],
		Exceptions: b.exceptions[:0],
		Frames:     b.frames[:0],
		Text:       s.text,
		Metadata:   s.metadata,
		Entries:    s.entries,
		Arrival:    s.arrival,
		Format:     s.format,
		Headless:   s.headless,
		Truncated:  s.truncated,
	}
	if len(s.lines) == 0 {
		return
	}
	if len(s.lines) > 2 {
		b.orderTied(s, r)
	}
	first := s.cleanLine(&s.lines[0])
	r.Level = s.head.level
	switch s.format {
	case FormatJSON:
		b.jsonRecord(first, s.head, r)
	case FormatLogfmt:
		b.named(first, s.head, r)
		b.logfmtRecord(s.head.message.of(first), r)
		b.body(s, r, nil)
	case FormatDotnetConsole:
		b.named(first, s.head, r)
		if s.headless {
			b.headless(s, r)
		} else {
			b.body(s, r, s.head.message.of(first))
		}
	case FormatKlog:
		b.named(first, s.head, r)
		b.body(s, r, b.klogMessage(s.head.message.of(first), r))
	case FormatNginx, FormatAccess, FormatEnvoy, FormatHAProxy:
		b.proxyRecord(first, s.head, r)
		b.body(s, r, r.Message)
	default:
		b.named(first, s.head, r)
		if k := s.lines[0].kind; k == kindHeader || k == kindText || k == kindMessage {
			b.body(s, r, s.head.message.of(first))
		} else {
			b.headless(s, r)
		}
	}
	if len(s.metadata) > 0 {
		b.fromMetadata(r)
	}
	b.levelOf(s, r)
	findIDs(r)
	b.fields, b.exceptions, b.frames = r.Fields, r.Exceptions, r.Frames
}

// named takes category and event from the head.
func (b *builder) named(first []byte, h head, r *Record) {
	r.Category = h.category.of(first)
	r.EventID = h.event.of(first)
}

// levelOf settles the level: the record's own; else that of a runtime's
// report of an exception nobody handled; else what the logger said beside the
// line; else what a known sentence means; else what others guessed.
func (b *builder) levelOf(s *openStream, r *Record) {
	if r.Level != LevelUnknown {
		return
	}
	if b.trace.fatal {
		r.Level = LevelFatal
		return
	}
	said, guess := metadataLevel(s.metadata)
	r.Level = said
	if len(r.Category) == 0 {
		pollyHeader(r)
	}
	if r.Level == LevelUnknown {
		r.Level = guess
	}
	if r.Level == LevelUnknown {
		r.Level = s.labelLevel
	}
	if r.Level != LevelUnknown {
		return
	}
	if !r.Headless && len(r.Exceptions) > 0 && len(r.Frames) > 0 {
		// A stack printed without a header: a program's own report of a fault.
		r.Level = LevelError
	}
}

// body reads the lines after the header: message lines, then the exceptions
// and their frames. message is the part of the message that stood in the
// header line.
func (b *builder) body(s *openStream, r *Record, message []byte) {
	b.trace.reset()
	if len(message) > 0 {
		r.Message = message
		if word := goPanic(message); word != nil && s.format == FormatPlain {
			b.trace.panic(word, message, r)
		}
	}
	if s.format == FormatDotnetConsole && len(message) > 0 && len(s.lines) == 1 {
		b.singleLine(r)
	}
	b.lines(s, r, 1)
}

// headless reads a record whose first line is no header.
func (b *builder) headless(s *openStream, r *Record) {
	b.trace.reset()
	b.lines(s, r, 0)
}

// lines reads the record's lines from the given one on.
func (b *builder) lines(s *openStream, r *Record, from int) {
	dotnet := s.format == FormatDotnetConsole
	hasMessage := len(r.Message) > 0
	for i := from; i < len(s.lines); i++ {
		l := &s.lines[b.at(i)]
		line := s.cleanLine(l)
		switch {
		case l.kind == kindBlank:
		case l.kind <= kindMessage:
			if dotnet {
				line = unpad(line)
			}
			switch {
			case b.trace.takes(line, r):
			case dotnet && !hasMessage && isScopes(line):
				r.Fields = append(r.Fields, Field{Name: scopesName, Value: line[len("=> "):]})
			case !hasMessage:
				r.Message, hasMessage = bytes.TrimLeft(line, " \t"), true
			default:
				r.Message = b.joined(r.Message, line)
			}
		default:
			b.trace.feed(l.kind, bytes.TrimLeft(line, " \t"), r)
		}
	}
	b.trace.finish(r)
	if !hasMessage && len(r.Exceptions) > 0 && len(b.trace.firstLine) > 0 {
		r.Message = b.trace.firstLine
	}
}

var scopesName = []byte("Scopes")

// joined appends a line to a message. A message that is the end of scratch
// grows there; any other is copied first.
func (b *builder) joined(message, line []byte) []byte {
	n := len(b.scratch)
	if len(message) == 0 || n < len(message) || &b.scratch[n-1] != &message[len(message)-1] {
		b.scratch = append(b.scratch, message...)
	}
	b.scratch = append(append(b.scratch, '\n'), line...)
	start := n
	if n != len(b.scratch)-1-len(line)-len(message) {
		start = n - len(message)
	}
	return b.scratch[start:]
}

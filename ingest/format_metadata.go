package ingest

import "bytes"

// fromMetadata reads what OpenTelemetry's attributes, which Loki keeps as
// structured metadata, tell of a record whose line is only the message: the
// values of the template's holes, and the exception.
func (b *builder) fromMetadata(r *Record) {
	if r.Format == FormatPlain && len(r.Template) == 0 && bytes.IndexByte(r.Message, '{') >= 0 {
		if text, filled := b.fill(r.Message, r.Metadata); filled {
			r.Template, r.Message = r.Message, text
		}
	}
	if len(r.Exceptions) > 0 {
		return
	}
	var typ, text string
	for i := range r.Metadata {
		switch m := &r.Metadata[i]; m.Name {
		case "exception_stacktrace", "exception.stacktrace":
			b.trace.reset()
			b.stackText([]byte(m.Value), r)
		case "exception_type", "exception.type":
			typ = m.Value
		case "exception_message", "exception.message":
			text = m.Value
		}
	}
	if len(r.Exceptions) == 0 && typ != "" {
		r.Exceptions = append(r.Exceptions, Exception{Type: []byte(typ), Message: []byte(text), End: len(r.Frames)})
	}
}

// fill replaces the holes of a template, {Name}, by the metadata they name;
// filled is false if there was none for any of them.
func (b *builder) fill(template []byte, meta []Label) (text []byte, filled bool) {
	n := len(b.scratch)
	out := b.scratch
	for t := template; len(t) > 0; {
		i := bytes.IndexByte(t, '{')
		if i < 0 {
			out = append(out, t...)
			break
		}
		out = append(out, t[:i]...)
		t = t[i:]
		end := bytes.IndexByte(t, '}')
		if end < 0 {
			out = append(out, t...)
			break
		}
		if v, ok := labelValue(meta, t[1:end]); ok {
			out = append(out, v...)
			filled = true
		} else {
			out = append(out, t[:end+1]...)
		}
		t = t[end+1:]
	}
	b.scratch = out
	return out[n:], filled
}

func labelValue(meta []Label, name []byte) (string, bool) {
	if i := bytes.IndexAny(name, ",:"); i >= 0 {
		name = name[:i]
	}
	for i := range meta {
		if meta[i].Name == string(name) {
			return meta[i].Value, true
		}
	}
	return "", false
}

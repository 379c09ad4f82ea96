package ingest

import "bytes"

// findIDs fills the ids that fields did not tell, from the metadata and then
// from the text, where they stand behind their usual names.
func findIDs(r *Record) {
	for i := range r.Metadata {
		m := &r.Metadata[i]
		switch m.Name {
		case "trace_id", "traceid", "traceID", "TraceId":
			setID(&r.TraceID, m.Value)
		case "span_id", "spanid", "spanID", "SpanId":
			setID(&r.SpanID, m.Value)
		case "request_id", "requestid", "RequestId":
			setID(&r.RequestID, m.Value)
		case "scope_name", "scope.name", "otelScopeName":
			if len(r.Category) == 0 {
				r.Category = []byte(m.Value)
			}
		}
	}
	text := r.Text
	if len(r.TraceID) == 0 {
		r.TraceID = idAfter(text, "race")
	}
	if len(r.SpanID) == 0 && len(r.TraceID) > 0 {
		r.SpanID = idAfter(text, "pan")
	}
	if len(r.RequestID) == 0 {
		r.RequestID = idAfter(text, "equest")
	}
}

func setID(id *[]byte, v string) {
	if len(*id) == 0 && v != "" {
		*id = []byte(v)
	}
}

// idAfter finds the value of a name that ends in word and "Id", in any of
// the usual spellings: TraceId=x, trace_id: "x", traceId:x, trace-id x.
// word is the name without its first letter, whose case differs.
func idAfter(text []byte, word string) []byte {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(word))
		if i < 0 {
			return nil
		}
		from += i + len(word)
		b := text[from:]
		if len(b) < 6 {
			return nil
		}
		if b[0] == '_' || b[0] == '-' || b[0] == '.' || b[0] == ' ' {
			b = b[1:]
		}
		if b[0]|0x20 != 'i' || b[1]|0x20 != 'd' {
			continue
		}
		b = b[2:]
		sep := 0
		for sep < len(b) && sep < 4 && bytes.IndexByte([]byte("=:\"' "), b[sep]) >= 0 {
			sep++
		}
		if sep == 0 {
			continue
		}
		b = b[sep:]
		end := 0
		for end < len(b) && end < 128 && isIDByte(b[end]) {
			end++
		}
		// A word of prose is no id: an id of these kinds has digits.
		if id := b[:end]; end >= 4 && bytes.ContainsAny(id, "0123456789") {
			return id
		}
	}
}

func isIDByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == ':' || c == '_' || c == '.'
}
